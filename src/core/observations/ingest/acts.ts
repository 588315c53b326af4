/** Whether an item of a list says that something was done, and whether a list is made of such items or of fields. */

import { findDate, isBareDate, isDateFirst } from '../../text/dates';
import { simplified } from '../../text/simplified';
import { isEnglishOrChinese } from '../../text/terms';
import { KEY_LINE, plainText } from './entryText';
import { bareHeading, isOut, kindOf } from './sectionWords';
import { keyRole } from './tableColumns';

/** What an item of a list says. */
export interface ItemText {
  readonly text: string;
  /** State of its check box; undefined without one. */
  readonly box: 'done' | 'open' | undefined;
  readonly isOrdered: boolean;
}

/** Names of fields of one account, beside those of columns. */
const FIELD =
  /^(?:conclusion|command|cmd|exit[ _]?code|branch|git|model|duration|elapsed|time spent|root cause|details?|reason|feature|tests?(?: run)?|verified|executed|lane|claimed.*|version|started|finished|start|end|blocked.*|input|outputs|log|artifact|changed files|files? (?:changed|modified|touched|created)|work (?:completed|done)|next.*|key findings?|fixes|关键.*|人工.*|教训.*|工作流|修改.*|产出.*|涉及.*|变更.*|影响.*|问题.*|错误.*|解决.*|技术.*|核心.*|验证.*|验收.*|测试.*|目的|完成|保留|耗时|分支|退出码|路径|标题|题目|修复|备份)$/iu;

const NOT_PAST =
  'need|unused|unlimited|indeed|based|shared|embed|speed|feed|seed|hundred|required|expected|planned|proposed|advanced|detailed|related|limited|dedicated|automated|distributed|nested|named|typed|signed|red|bed|led|shed';
const PAST = `(?!(?:${NOT_PAST})(?![\\p{L}-]))\\p{L}{2,}ed`;
const IRREGULAR =
  '(?:re)?(?:built|wrote|made|ran|found|sent|set up|got|put|took|gave|began|brought|split|cut|drew|kept|left|lost|met|saw|taught|told|won|chose|done|shut|hid|held|did|went|switched|swept|set(?! of| up)|spun|broke|rewrote|reset|became|came|knew|thought|fell|tried|written|wired|laid|bought|caught|grew|drove|sold|spent)';
const ACT_EN = new RegExp(
  `^(?:${[
    `(?:successfully |also |now |then |finally |manually |initially |eventually |re-?)*(?:${PAST}|${IRREGULAR})(?![\\p{L}\\p{N}_-])`,
    "(?:I|we|today|yesterday|user)(?:[’']ve)? \\p{L}+",
    '(?:work|start|sett|add|fix|implement|learn|creat|updat|build|writ|mak|read|continu|finish|prepar|explor|investigat|debug)ing\\b',
    // `40 minutes for …`, `1 hour 20 minutes were spent on …`
    '(?:\\d+(?:[.,]\\d+)? ?(?:h|hrs?|hours?|min|mins|minutes?)\\b,?\\s*(?:and )?)+(?:for|to|on|in|of|was|were|spent|[-–—:])\\s',
    '(?:feat|fix|chore|docs|refactor|test|perf|style|ci|build|revert)(?:\\([^)]*\\))?!?:',
    '(?:add|fix|remove|update|implement|create|refactor|improve|rename|replace|move|bump|drop|introduce|merge|release|upgrade|change|migrate|delete|enable|disable|extend|allow|make|set up|write|clean up|convert|extract|simplify|document|prevent|avoid|correct|init|initialize)s?\\s',
  ].join('|')})`,
  'iu',
);
/** `Schema pushed, …`, `All committed to git`, `lines counted as …`: a past form behind its subject, with what belongs to a verb after it. */
const ACT_EN_INSIDE = new RegExp(
  `^(?:[^\\s,.;:()]+ ){1,5}(?:${PAST}|${IRREGULAR}|sent|found|passed|merged)(?=$|[\\s]*[,.;:)✅✓(]| ?[-–—→] ?| (?:to|from|in|into|on|onto|at|as|by|for|with|without|via|and|the|a|an|all|up|down|out|off|over|after|before|using|it|its|that|this|only|successfully|again|through|under|between|both|new|no|not|\\d|\`))`,
  'iu',
);
/** Behind a dash: `/etc/shadow false positive -- rewrote using …`. */
const ACT_BEHIND = new RegExp(`(?: --? | [–—→] )(?:now )?(?:${PAST}|${IRREGULAR})(?![\\p{L}\\p{N}_-])`, 'iu');
const VERB_ZH = [
  '新[增建]|添加|增[加强]|加[入上强了]|补[齐上全充做]?|引入|接[入通]|集成|整[合理]|支持|支援|扩[展充]|导[入出]|上[传线]|下[载线]|拉取|推[送进]|抓取|采集|收集|录了?',
  '修[复正改订补]|解决|处理|排[查除]|定位|避免|防止|恢复|回滚|撤销|重[构写做启建制]|改[用为进造善成]|优化|调[整试优研]|收[紧敛]|放宽|统一|统计|清[理洗]|拆分|替换|切换|迁移|升级|降[低级]|减少|提[高升供交]|同步|保留|隐藏|限制',
  '完[成善]|实[现作施践]|创建|建立|搭建|编[写译]|撰写|开发|设计|定义|封装|抽[取离象]|生成|构建|打[包通]|跑通|运行|执行|部署|发[布送现起]|启[动用]|停[止用]|关闭|打开|开启|安装|配置|初始化|删|移除|[去撤勾][掉除]|取消|暂停|放弃|归档|备份|合并|产出|注册|应用',
  '测试|测试|验[证收]|校验|检查|核对|复现|联调|对[接比]|适配|兼容|评[估审]|审查|分析|研究|学[习会]|阅读|复习|了解|理解|熟悉|尝试|试|讨论|沟通|联系|回复|邀请|收到|参加|确[认定立]|明确|决定|选[择定]|采用|梳理|记录|总结|制定|训练|微调|标注|计算|监控|追踪|跟进|查[找看]',
].join('|');
/** `在 src/x 增加…`, `使用 Node 对…做检查`: a place or a means before the verb. */
const ACT_ZH = new RegExp(
  `^(?:已|曾|将|把|为|从|对|经|成功|继续|开始|初步|进一步|重新|彻底|基本|适度|不再|今[日天]|昨[日天]|我们?|先|再|又|更新|细化|深度|${VERB_ZH}|(?:在|使用|用|通过|基于)[^，。；,;]{1,80}?(?:${VERB_ZH}|做))`,
  'u',
);
/** The end of a clause says that it is done: `…完成。`, or the clause has `了` or `已`. */
const ACT_ZH_INSIDE =
  /^[^。；;]{1,50}?(?:已\p{Script=Han}|了(?!解)|新增|开始|(?:改|调整|更新|变更|实现|提高|统一|合并)[为成到]|(?:完成|通过|成功|上线|定稿|修复|完毕|采纳|正常|在线|失败)(?:[，。,.；;：:（(\s]|$))/u;
const MARKED =
  /^[（(]?[✅☑✔✓√❌]|[✅☑✔✓√❌]$|[[【(（](?:PASS(?:ED)?|DONE|FIXED|COMPLETED?|FAIL(?:ED)?|已?完成)[\])）】][;；.。]?$|\s[-–—:]\s?(?:[Dd]one|DONE|[Dd]oing|WIP|[Tt]erminé|已?完成|进行中)\.?$/u;

/** Fields of a file, no events. */
const META =
  /^(?:last update|completed(?: on)?|finished|started|effort|priority|type|severity|assignee|(?:implementation )?commits?|pr|дата|статус|(?:last )?(?:updated|modified|created|generated)(?: on| at| by)?|date(?: ?(?:&|and|\/) ?time)?(?: ?\([^()]*\))?|as of|version|status|session (?:key|id|type)|source|time ?zone|channel|model|authors?|owner|maintainers?|(?:active |current )?branch|repo(?:sitory)?|(?:最后|最近)?更新(?:时间|日期)?|(?:创建|记录)(?:时间|日期)?|(?:项目)?(?:启动|开始|截止)(?:时间|日期)|日期|(?:当前)?(?:版本|状态|阶段|进度)|作者|(?:整体|总体|项目)(?:完成度|进度)|(?:start|due|end) date|deadline|(?:current|overall) (?:phase|progress|completion))$/iu;
/** Names of fields that say when a task was or how it ended. */
const RECORD_KEY =
  /^(?:date|started|completed(?: on)?|finished|status|дата|статус|状态|日期|时间|完成(?:时间|日期))$/iu;
export const isRecordKey = (key: string): boolean => RECORD_KEY.test(simplified(key));
export const isMetaKey = (key: string): boolean => META.test(simplified(key));

/** Before a name in bold: `🟢 **Done:** …`. */
const EMOJI = /^\p{Extended_Pictographic}\uFE0F?\s*(?=\*\*)/u;

/** The name before an item's colon. */
export function keyOf({ text, box }: Pick<ItemText, 'text'> & Partial<Pick<ItemText, 'box'>>): string | undefined {
  return box === undefined ? KEY_LINE.exec(text.slice(0, 200).replace(EMOJI, ''))?.[1]?.trim() : undefined;
}

/** `**Parser** — …`, `Parser: …`, `[S4] …`, `\`9a99f77\` — …`, `/chat - …` before what is told. */
const LEAD_IN =
  /^(?:\[[^\]]{1,40}\]|`[^`]{1,80}`(?: -{1,2}(?= ))?|\*\*[^*]{1,80}\*\*|[\p{L}\p{N} _./&()'’-]{1,40}(?=[:：])|[\w./()[\]-]{1,80} (?=-{1,2} ))[\s:：—–-]*/u;

const bare = (name: string): string =>
  simplified(plainText(name))
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .trim();

const isQuestion = (key: string): boolean => /[?？]$/.test(key);
/** Whether items answer questions: they say how things stand. */
export const areAnswers = (items: readonly ItemText[]): boolean =>
  items.length > 1 && items.every((item) => isQuestion(bare(keyOf(item) ?? '')));

/** Whether a name before a colon is that of a field of an account, and says nothing itself. */
export function isField(name: string): boolean {
  const key = bare(name);
  if (isQuestion(key)) return true;
  return FIELD.test(key) || keyRole(key) !== undefined || !['title', 'group'].includes(kindOf(key));
}

/** Whether a key says that what follows is to do. */
export const isPlanKey = (name: string): boolean => kindOf(name) === 'plan';

function isAct(text: string): boolean {
  const said = simplified(text);
  return [ACT_EN, ACT_EN_INSIDE, ACT_ZH, ACT_ZH_INSIDE].some((form) => form.test(said));
}

const PAST_AT_HEAD = new RegExp(`^\\P{L}*(?:${PAST}|${IRREGULAR})(?![\\p{L}\\p{N}_-])`, 'iu');
/** Whether a heading tells what was done, and not what to do. */
export const tellsPast = (heading: string): boolean => PAST_AT_HEAD.test(heading);

/** What an item says, without the marks before it. */
const saidIn = (text: string): string => text.slice(0, 200).replace(/^[^\p{L}\p{N}[`*/]+/u, '');

/** A plan that people keep, and fill with what was done: `Follow-up actions`. */
const KEPT_PLAN = /^(?:follow[- ]?ups?|(?:corrective|further|additional) actions)(?![\p{L}])/iu;
const DEED = new RegExp(`^${PAST}(?![\\p{L}\\p{N}_-])`, 'iu');
const MIN_DEEDS = 3;

/** Whether a plan's list tells only what was done, each item by a verb that can only be past. */
export const areDeeds = (heading: string, items: readonly ItemText[]): boolean =>
  KEPT_PLAN.test(bareHeading(heading)) &&
  items.length >= MIN_DEEDS &&
  items.every(({ text, box }) => box !== 'open' && DEED.test(saidIn(text).replace(LEAD_IN, '')));

/** `DONE: pages exported` */
const STATE_FIRST = /^(?:\*\*)?(?:DONE|FIXED|MERGED|SHIPPED|FAILED|COMPLETED?|PASSED)(?:\*\*)?\s?[:：–—-]\s?\S/u;
/** `**[DONE]** parser` */
const STAMP = /^\*{0,2}\[(?:DONE|FIXED|MERGED|SHIPPED|COMPLETED?)\]\*{0,2}\s\S/;
export const isStamped = (text: string): boolean => STAMP.test(text);
const ENDED =
  '(?:[Dd]one|DONE|[Ff]ixed|FIXED|[Mm]erged|MERGED|[Ss]hipped|SHIPPED|[Ff]ailed|FAILED|[Cc]ompleted?|COMPLETED?|[Pp]assed|PASSED|[Rr]esolved)';
/** `**Resolved:** the launcher`, `**TASK-12 Complete:** parser` */
const TASK_STATE = new RegExp(
  `^\\*\\*${ENDED}(?:[:：]\\*\\*|\\*\\*[:：])\\s\\S|^(?:\\*\\*)?\\p{Lu}{1,10}-?\\d{1,4}(?:\\*\\*)?[\\s:–—-]{1,3}(?:\\*\\*)?${ENDED}[\\s*]{0,3}[:：–—-]{1,2}[\\s*]{0,3}\\S`,
  'u',
);
export const beginsWithState = ({ text }: Pick<ItemText, 'text'>): boolean =>
  STATE_FIRST.test(text) || tellsTaskState(text);
export const tellsTaskState = (text: string): boolean => isStamped(text) || TASK_STATE.test(text);
/** Whether a mark says how an item ended. */
export const isTicked = ({ text }: Pick<ItemText, 'text'>): boolean => MARKED.test(text.trim());

/** Whether a text tells something that was done or found, and is no field, noun or description. */
export function tellsAct({ text, box }: Pick<ItemText, 'text'> & Partial<Pick<ItemText, 'box'>>): boolean {
  if (box !== undefined || isTicked({ text })) return true;
  const key = keyOf({ text, box });
  if (key !== undefined && isField(key)) return false;
  const said = saidIn(text);
  const plain = (part: string): string => part.replace(/^[^\p{L}\p{N}]+|[*`]/gu, '');
  const rest = said.replace(LEAD_IN, '');
  return [said, rest].some((part) => isAct(plain(part))) || ACT_BEHIND.test(said);
}

/** Whether a text tells an act in one of its first sentences. */
export function hasAct(text: string): boolean {
  return text
    .slice(0, 600)
    .split(/(?<=[.!?。！？；\n]|, |，)\s*/u)
    .some((part) => tellsAct({ text: part }));
}

/** Words that the name of a field seldom has; two letters of Chinese are one. */
const MIN_HEAD = 4;
/** `Task 4 review: …`, `v1.2 …`, `BUG-3: …` */
const ID_KEY = /^(?:\*\*)?(?:\p{L}{2,12}[\s#-]?\d{1,4}(?:\.\d+)*|v\d+\.\d[\d.]*|#\d+)(?![\w.%])/u;

/** `1. **Parser** — …`, `- **A parser for run logs**: …`: what is told has a name of its own. */
export function isHead({ text, isOrdered }: ItemText): boolean {
  const name = /^\*\*([^*]+)\*\*/.exec(text)?.[1];
  if (name === undefined || isField(name.replace(/[:：]$/, ''))) return false;
  const count = name.match(/[\p{Script=Latin}\d][\p{Script=Latin}\d'’.-]*|\p{Script=Han}{1,2}/gu)?.length ?? 0;
  return isOrdered || count >= MIN_HEAD;
}

/** How many items of a list tell an act, or have a name or number of their own; all in a language without words here. */
export function countActs(items: readonly ItemText[]): number {
  const heads = items.slice(0, 40).map(({ text }) => text.slice(0, 100));
  if (heads.length > 0 && !isEnglishOrChinese(heads.join('\n'))) return items.length;
  const ids = items.filter(({ text }) => ID_KEY.test(text));
  const isNumbered = ids.length > 2 && ids.length * 2 > items.length;
  return items.filter((item) => isHead(item) || tellsAct(item) || (isNumbered && ids.includes(item))).length;
}

/** Whether most of a list's items say that something was done, in words that are known. */
export const tellActs = (items: readonly ItemText[]): boolean =>
  items.length > 0 && items.filter(tellsAct).length >= MIN_TOLD * items.length;
/** Share of items from which on a list under a heading of a state tells what happened. */
const MIN_TOLD = 0.7;

/** What a record of several fields begins with. */
const RECORD_HEAD = /^(?:what|task|title|issue|problem|summary|change|事项|任务|问题|改动|变更)$/iu;
/** `**Checks (all of them):**`, whose name is too long for a key. */
const NAMED = /^\*\*[^*]{1,200}(?:[:：]\*\*|\*\*\s?[:：])/u;

/** Where a list is fields of several records, such as `What`, `Why`, `What`, `Why`: the name that each record begins with. */
export function recordKey(items: readonly ItemText[]): string | undefined {
  const keys = items.map(keyOf);
  const [first] = keys;
  if (first === undefined || !RECORD_HEAD.test(plainText(first))) return undefined;
  const others = keys.filter((key) => key !== undefined && key !== first);
  const records = keys.filter((key) => key === first).length;
  const areNamed = items.every(({ text }, at) => keys[at] !== undefined || NAMED.test(text));
  // Other names come again too.
  const isRecord = records > 1 && records <= others.length && new Set(others).size < others.length;
  return isRecord && areNamed ? first : undefined;
}

/** Fields of a subject, and deeds of a day without one. */
const SOFT_FIELD = /^(?:found|decided|result|(?:also )?learned|symptoms?|isolated)$/iu;

/** Whether items are fields of one account, each of another name: a name that comes again is a kind of entry. */
export function areFields(items: readonly ItemText[], hasSubject: boolean): boolean {
  const keys = items.map((item) => keyOf(item) ?? '').filter((key) => key !== '');
  const names = new Set(keys);
  const isOne = (key: string): boolean => isField(key) || (hasSubject && SOFT_FIELD.test(key));
  const fields = [...names].filter(isOne).length;
  return fields * 2 > items.length;
}

/** `**Last completed (2026-02-03)**: …` where things are said to stand: what happened on that day. */
const DATED_NAME = /^\*\*([^*]{4,80})\*\*\s*[:：]?\s*(.*)$/;

export function datedName(text: string): { readonly day: string; readonly rest: string } | undefined {
  const [, name = '', rest = ''] = DATED_NAME.exec(text) ?? [];
  const day = findDate(name)?.day;
  const isOther = day === undefined || day.startsWith('0000') || isOut(kindOf(name)) || isMetaKey(bareHeading(name));
  return isOther ? undefined : { day, rest };
}

/** Before a list: what it names is done. */
const DONE_INTRO =
  /\b(?:has|have|we|I)(?:['’]ve)? (?:\w+ ){0,2}?(?:completed|finished|implemented|shipped|delivered|fixed)\b|完成了|实现了|修复了/iu;
const OPEN_INTRO = /\b(?:not|to be|will|must|should|once|when|until|if|before|after)\b|未|需要|待/iu;

/** Whether a text introduces a list of what was done. */
export const tellsDoneBelow = (text: string): boolean => {
  const said = simplified(text).trim();
  return /[:：][*_]*$/.test(said) && DONE_INTRO.test(said) && !OPEN_INTRO.test(said);
};

/** An item that says that there is nothing. */
export const NOTHING =
  /^(?:[-–—_.…\s]*|(?:n\/?a|none|nothing|tbd|无|無|暂无|暫無)(?: (?:yet|so far|left|today))?(?:[.!。]?|\s*[-–—(（,，;；:：].*))$/iu;
/** An item that says that it is to do. */
export const IS_TO_DO =
  /^[[(【*]{0,3}(?:TODO|WIP|TBD|PENDING|待办)(?![\p{L}\p{N}_-])|^(?:also,? )?(?:[Ii]|[Ww]e)(?:['’]ll| (?:should|need to|must|will|want to|have to)) /u;
/** Only points at something: an address, or a link and no more. */
export const IS_ADDRESS = /^(?:<?https?:\/\/\S+|!?\[[^\]]{0,300}\]\([^)]{0,1000}\))$/;
/** An entry of a table of contents: `[Parser](#parser)`, `[2026-02-03](#2026-02-03) - parser`. */
export function isContents(text: string): boolean {
  const [, name = '', rest = ''] = /^\[([^\]]{1,300})\]\(#[^)]{0,300}\)(.*)$/.exec(text) ?? [];
  return name !== '' && (rest.trim() === '' || isBareDate(name));
}
/** What a link to another file is called where that is a day and more: `[2026-02-03: parser](…)`. */
export function datedLink(text: string): string | undefined {
  const name = /^\[([^\]]{1,300})\]\((?!#)[^)]{0,1000}\)$/.exec(text)?.[1];
  const date = name === undefined ? undefined : findDate(name);
  return name !== undefined && date && isDateFirst(name, date) && !isBareDate(name) ? name : undefined;
}
/** A path, perhaps with its size, and nothing that was done with it: `src/a.ts (+140 lines)`. */
export const IS_PATH = /^[`*]{0,3}(?=\S*[/.]\w)[\w@./[\]-]{1,200}[`*]{0,3}(?: \([^()]{0,80}\))?$/;
/** A placeholder in a form: `YYYY-MM-DD`, `<branch>`, `[First milestone]`. */
export const PLACEHOLDER =
  /YYYY|:\s?`?<[a-z][\w -]{1,30}>|\bX{3}\b|TODO-ID|(?:^|[:：—–-]\s)[*_`]*\[\p{L}[\p{L}'’/-]* [\p{L}\p{N} ,'’/-]{1,60}\][*_`]*$/u;
/** `M1: [First milestone]`, `YYYY-MM-DD` */
export const hasBlankName = (heading: string): boolean =>
  /\bYYYY-MM/.test(heading) ||
  (/\]$/.test(heading) && PLACEHOLDER.test(heading) && !findDate(heading, { inside: true }));
/** A name in bold and no more, which tells no act. */
export const isName = (text: string): boolean => /^[^\p{L}\p{N}*]*\*\*[^*]+\*\*\s*$/u.test(text) && !hasAct(text);
/** A word for a state and no more, perhaps in two languages, beside a box of a legend: `[x] 已完成 (Completed)`. */
export const IS_LEGEND =
  /^[^\p{L}]*`[A-Z_]{3,16}`\s[—–:-]\s|^[^\p{L}]*(?:(?:to do|todo|done|completed?|finished|pending|in progress|not started|blocked|已?完成|未完成|待处理|待办|进行中|未开始)[^\p{L}]*){1,2}$/iu;
/** An item that heads a list, as some release tools write it: `- ### Features`. */
export const IS_HEADING = /^#{1,6} /;
