/** What the words of headings and keys say about the list or the text under it: whether it tells what happened. */

import { findDate } from '../../text/dates';
import { KEY_LINE, plainText } from './entryText';
import { timeAtHead } from './logEvent';
import { type Block, type Item, LABEL_LEVEL, type Section } from './outline';
import { keyRole } from './tableColumns';

/** Plans, states, rules and descriptions: what stands there did not happen. */
const NO_LOG = new RegExp(
  [
    "^(?:what(?:[’']?s| is)? )?(?:next|upcoming|planned|future|backlog|roadmap|plans?\\b|ideas?\\b|to ?do next|follow[- ]?ups?)",
    '(?:^|\\b)next (?:steps?|actions?|up|session)|^remaining|^(?:still )?pending|^open (?:questions?|issues?)|^out of scope',
    '^(?:known |current |remaining )?(?:limitations?|issues?(?: ?/|$)|risks?|blockers?|constraints?|caveats?|gaps?)\\b',
    '^(?:current |project |overall |system |final )?(?:status|state)\\b(?!.*\\b(?:log|updates?)\\b)|^legend|^(?:status )?key\\s*[:：]?$',
    '^(?:rules?|template|format|conventions?|guidelines?|instructions?|how to|usage|notes? (?:for|to)|purpose|overview|about)\\b',
    '^(?:files?|key files|artifacts?)(?: (?:changed|modified|created|touched|added))?\\b|^(?:changed|modified) files',
    '^(?:invariants?|skills?|architecture|requirements?|goals?|objectives?|tasks?$|scope|tech(?:nical)? stack|dependencies|structure)\\b',
    '^(?:hardware|equipment|environment|configuration|config|settings?|setup$|prerequisites|references?|links?|resources?|contents|table of contents)\\b',
    '\\b(?:note|technical notes)$|^(?:key )?(?:benefits|features|advantages|highlights)$|^(?:potential|possible|proposed|suggested)\\b|\\bnot (?:yet )?(?:implemented|started|done)\\b|\\bto (?:verify|test|check|do)\\b',
    '^(?:stats|statistics|summary|tl;?dr|what worked|lessons?|feedback|metrics|glossary|contributing|license)\\b',
    '^(?:下一步|后续|後續|计划|計劃|規劃|规划|规则|記錄規則|记录规则|模板|格式|说明|說明|(?:今日|当日|本日|本周)?(?:总结|總結)|当前状态|目前状态|现状|遗留|未解决|已知问题|限制|风险|风险|注意|环境|配置|架构|文件|产出|目录|参考|推荐|建议|剩余|待(?:办|辦|验证|处理|完成|解决|确认)|暂不|接手|当前(?:目标|版本|范围|待|问题|数据)|(?:最终|系统|整体|项目)?(?:状态|狀態)$|目标|已知|本轮(?:开发)?(?:计划|目标)|.{0,8}(?:计划|范围|目标|建议|注意事项|下一步)$|总览|概述|使用|图例|技术栈|(?:关键|相关|重要)文件|.{0,8}统计$|.{0,4}教训$)',
    '^(?:що далі|плани|залізо|далі)',
  ].join('|'),
  'iu',
);

/** Parts of one account: their text belongs to what the heading above tells. */
const PART =
  /^(?:(?:current|updated|new|final|initial|local) )?(?:(?:user )?(?:prompt|request|response|question|answer)|background|context|problem|issue|cause|root cause|symptoms?|analysis|diagnosis|solution|fix|approach|decisions?|changes?(?: made)?|implementation|details?|verification|validation|tests?(?:ing| results?)?|results?|outcome|impact|notes?|why|what|how|evidence|summary|背景|问题|問題|根因|原因|根本原因|分析|方案|方案决策|解决|解决方案|改动|改动范围|变更|验证|验证结果|验收|结果|影响|总结|測試|测试|效果|说明|备注|现象|状态|狀態)(?![\p{L}\p{N}])|(?:分析|原因|说明)$/iu;

/** One of many accounts: `Session 3`, `Day 12`, `第3轮`. */
const NUMBERED =
  /^(?:\W*)(?:session|day|week|sprint|iteration|run|attempt|cycle|round|phase|step|milestone|stage|entry|part|build|release|version)\s*#?\d|^第\s?[\d一二三四五六七八九十]+\s?(?:轮|次|天|周|步|阶段|期|章|版)|^v?\d+\.\d+/iu;

/** Lists of what happened. */
const LOG =
  /\b(?:log|recent|commits?|actions?|history|progress|unreleased|done|completed?|finished|changes?|changelog|decisions?|journal|timeline|activity|events?|milestones?|fixed|added|changed|removed|merged|shipped|updates?|worklog|achievements?|accomplish\w*)\b|日志|日誌|记录|記錄|进度|進度|进展|已完成|完成|更新|版本|修复|新增|决策|历史/iu;

/** What is done, also where no day is written beside it. */
const DONE =
  /^(?:unreleased|done|completed?|finished|added|changed|fixed|removed|deprecated|shipped|merged|已完成|完成|新增|修复|变更)(?![\p{L}\p{N}])/iu;

/** Names of fields of one account, beside those of columns. */
const FIELD =
  /^(?:status|state|done|goal|objective|command|cmd|exit[ _]?code|branch|commits?|pr|author|agent|model|duration|elapsed|cause|root cause|problem|error|symptom|fix|solution|impact|context|decision|reason|rationale|scope|changes?|change|why|how|risks?|tests?(?: run)?|verification|verified|lane|timestamp|claimed.*|priority|version|started|finished|start|end|learned|learnings?|lessons?.*|blocked.*|approach|input|outputs?|log|artifacts?|changed files|files? (?:changed|modified|touched|created)|work (?:completed|done)|next.*|关键.*|人工.*|教训.*|工作流|时间戳|修改.*|产出.*|涉及.*|变更.*|影响.*|问题.*|错误.*|原因|根本原因|解决.*|技术.*|核心.*|验证.*|验收.*|测试.*|背景|目标|目的|内容|耗时|提交|分支|命令|退出码|说明|方案|备注|下一步)$/iu;

function bare(text: string): string {
  return text
    .replace(/^[^\p{L}\p{N}]+|[*`]/gu, '')
    .replaceAll('_', ' ')
    .replace(/[\s:：]+$/, '');
}

export const isNoLog = (heading: string): boolean => NO_LOG.test(bare(heading).replace(/^\d+(?:\.\d+)*[.)]?\s+/, ''));
export const isPart = (heading: string): boolean => PART.test(bare(heading));
export const isNumbered = (heading: string): boolean => NUMBERED.test(bare(heading));
export const isDone = (heading: string): boolean => DONE.test(bare(heading));
/** An example, a form or how things stand, whatever its day. */
export const isTimeless = (heading: string): boolean =>
  /[(（[【](?:example|sample|template|示例|例子|模板|样例|範例|范例)|\b(?:as of|updated)\b[^\p{L}]*\d|\bas of\b/iu.test(
    heading,
  );
export const isOrdinal = (heading: string): boolean => ORDINAL.test(heading.replace(/^[^\p{L}\p{N}(（]+/u, ''));
/** A heading with a state of what it tells, and not only of a list (`Done ✅`). */
const isMarked = (heading: string): boolean =>
  MARKED.test(heading) && !DONE.test(bare(heading)) && !LOG.test(bare(heading.replace(MARKED, '')));
/** Whether a heading names several things, of which each item under it is one. */
export const isGroup = (heading: string): boolean =>
  isLogName(heading) || REST.test(bare(heading)) || PLURAL.test(bare(heading));
export const isLogName = (heading: string): boolean => LOG.test(bare(heading));
const isFieldName = (name: string): boolean => FIELD.test(name.trim());

/** `1. …`, `2) …`, `第37个技能`, `Decision 2: …`: the writer counts what happened by its headings. */
const ORDINAL =
  /^(?:\d{1,3}(?:\.\d{1,2}\s|\s?[.)、）])|[(（]\d{1,3}[)）]|第\s?\d+\s?[个個项項件]|\p{L}{1,10}\s?#?\d{1,3}\s?[:：])\s?(?!\d)/u;

/** A state at the end of a heading: `… ✅`, `… ✅（完整功能）`. */
const MARKED = /[✅☑✔✓❌⏳🚧⏸⚠]\uFE0F?\s*(?:[(（][^()（）]*[)）])?\s*$/u;

/** A heading ends in a plural that was done or is counted, as `Specs Written` and `Fixes (3)`: what stands under it are several of them. */
const PLURAL =
  /[a-z]{2}(?<![suai])s (?:(?:\p{L}+(?:ed|en|nd|lt|ne|de)|tonight|today|yesterday|so far)(?:\s*[(（][^()（）]*[)）])?|[(（]\d+[^()（）]*[)）])[\s:：]*$/iu;
const REST = /^(?:others?|misc\w*|其他|其它|杂项|雜項)(?![\p{L}\p{N}])/iu;

const ACT_EN = new RegExp(
  `^(?:${[
    '(?:successfully |also |now |then |finally |manually |re-?)*(?!(?:need|unused|unlimited|indeed|based|shared|embed|speed|feed|seed|hundred|fixed-\\w+|required|expected|planned|proposed)\\b)\\p{L}{2,}ed\\b',
    '(?:re)?(?:built|wrote|made|ran|found|sent|set up|got|put|took|gave|began|brought|split|cut|drew|kept|led|left|lost|met|read|saw|taught|told|won|chose|done|shut|hid|held|did|went|switched|swept|spun|broke|rewrote|reset)\\b',
    "(?:I|we|today|yesterday)(?:[’']ve)? \\p{L}+",
    '(?:work|start|sett|add|fix|implement|learn|creat|updat|build|writ|mak|read|continu|finish|prepar|explor|investigat|debug)ing\\b',
    '(?:feat|fix|chore|docs|refactor|test|perf|style|ci|build|revert)(?:\\([^)]*\\))?!?:',
    '(?:add|fix|remove|update|implement|create|refactor|improve|rename|replace|move|bump|support|drop|introduce|merge|release|upgrade|change|migrate|delete|enable|disable|extend|handle|allow|use|make|set up|write|clean up|convert|extract|simplify|document|prevent|avoid|correct)s?\\s',
  ].join('|')})`,
  'iu',
);
const ACT_ZH = new RegExp(
  `^(?:${[
    '已|曾|将|把|为|从|对|经|成功|继续|开始|初步|进一步|重新|基本|今[日天]|昨[日天]|我们?',
    '新[增建]|添加|增[加强]|加[入上强]|补[齐上全充]?|引入|接[入通]|集成|整[合理]|支持|支援|扩[展充]|导[入出]|上[传线]|下[载线]|拉取|推[送进]|抓取|采集|收集',
    '修[复正改訂订補补]|解决|处理|排[查除]|定位|避免|防止|恢复|回滚|撤销|重[构構写做启建]|改[用为进造善成]|优化|優化|调[整试优研]|收紧|放宽|细化|统一|统计|清[理洗]|拆分|替[换換]|切换|迁移|升级|降[低级]|减少|提[高升供交]|同步',
    '完[成善]|实[现作現作施]|更新|创建|建立|搭建|编[写译]|撰写|开发|设计|定义|封装|抽[取离象]|生成|构建|打[包通]|跑通|运行|执行|部署|发[布布送现現起]|發[布現]|启[动用]|停[止用]|关闭|打开|开启|安装|配置|初始化|删[除掉]|删|移除|去[掉除]|取消|暂停|放弃|归档|备份|合[并併]',
    '测试|測試|验[证收]|校验|检查|核对|复现|联调|对[接比]|适配|兼容|评[估审]|审查|分析|研究|学习|阅读|复习|了解|熟悉|尝试|讨论|討論|沟通|联系|回复|邀请|收到|参加|确[认定立]|明确|决定|选[择定]|采用|使用|梳理|记录|总结|制定|训练|微调|标注|计算|监控|追踪|跟进',
  ].join('|')})`,
  'u',
);
/** The end of a clause says that it is done: `…完成。`, `PR merged (…)`. */
const ACT_ZH_END = /^.{1,40}(?:已\p{Script=Han}{2,3}|了|完成|通过|通過|成功|上线|定稿|修复)(?:[，。,.；;：:（(]|$)/u;
const ACT_EN_END = /^[^,.;:(—–]{1,60} (?:\p{L}{2,}ed|written|rewritten|built|done|sent|found|made)(?=\s*[,.;:(—–]|$)/iu;

/** The name before an item's colon. */
export function keyOf({ text, box }: Pick<Item, 'text'> & Partial<Pick<Item, 'box'>>): string | undefined {
  return box === undefined ? KEY_LINE.exec(text.slice(0, 200))?.[1]?.trim() : undefined;
}

/** `**Parser** — …`, `Parser: …`, `[S4] …`, `\`9a99f77\` — …` before what is told. */
const LEAD_IN = /^(?:\[[^\]]{1,40}\]|`[^`]{1,80}`|\*\*[^*]{1,80}\*\*|[\p{L}\p{N} _./&'’-]{1,40}(?=[:：]))[\s:：—–-]*/u;

/** Whether a name before a colon is that of a field of an account, and says nothing itself. */
function isField(key: string): boolean {
  if (/[&/]/.test(key) || ACT_ZH_END.test(key)) return false;
  return isFieldName(key) || keyRole(key) !== undefined || isPart(key) || isNoLog(key);
}

/** Whether an item tells something that was done or found, and is no field, noun or description. */
function tellsAct({ text, box }: Pick<Item, 'text'> & Partial<Pick<Item, 'box'>>): boolean {
  if (box !== undefined || /^[✅☑✔✓❌]|[✅☑✔✓❌]$/u.test(text.trim())) return true;
  const key = keyOf({ text, box });
  if (key !== undefined && isField(key)) return false;
  const said = text.slice(0, 200).replace(/^[^\p{L}\p{N}[`*]+/u, '');
  const plain = (part: string): string => part.replace(/^[^\p{L}\p{N}]+|[*`]/gu, '');
  return [said, said.replace(LEAD_IN, '')].some((part) => isAct(plain(part)));
}

function isAct(text: string): boolean {
  return [ACT_EN, ACT_EN_END, ACT_ZH, ACT_ZH_END].some((form) => form.test(text));
}

/** Words that the name of a field seldom has; two letters of Chinese are one. */
const MIN_HEAD = 4;

/** `1. **Parser** — …`, `- **A parser for run logs**: …`: what is told has a name of its own. */
function isHead(item: Item): boolean {
  const name = /^\*\*([^*]+)\*\*/.exec(item.text)?.[1];
  if (name === undefined || isFieldName(name.replace(/[:：]$/, ''))) return false;
  const words = name.match(/[\p{Script=Latin}\d][\p{Script=Latin}\d'’.-]*|\p{Script=Han}{1,2}/gu)?.length ?? 0;
  return item.isOrdered || words >= MIN_HEAD;
}

/** Share of letters that neither English nor Chinese has, from which on nobody here knows which words tell an act. */
const MAX_FOREIGN = 0.015;

function isKnown(text: string): boolean {
  const foreign = text.match(/(?![a-z])(?!\p{Script=Han})\p{L}/giu)?.length ?? 0;
  return foreign <= MAX_FOREIGN * text.length;
}

/** Share of a list's items that tell an act; all in a language whose words nobody here knows. */
export function shareOfActs(items: readonly Item[]): number {
  const head = items.slice(0, 40).map(({ text }) => text.slice(0, 100));
  if (!isKnown(head.join('\n'))) return 1;
  return items.filter((item) => isHead(item) || tellsAct(item)).length / Math.max(1, items.length);
}

/** Whether the items of a list tell one thing each. A tie is none: a list that is read as one account loses no text. */
const areActs = (items: readonly Item[]): boolean => items.length > 0 && shareOfActs(items) > 0.5;

const itemsOf = ({ children }: Section): readonly Item[] => children.filter((block) => block.kind === 'item');
export const isTimed = (text: string): boolean => timeAtHead(text) !== undefined;

/** Whether most items are fields of one account, each of another name: a name that comes again is a kind of entry. */
export function areFields(items: readonly Item[]): boolean {
  const names = new Set(items.map((item) => keyOf(item) ?? '').filter(isField));
  return names.size * 2 > items.length;
}

/** Whether what stands under a heading within an account is entries of its own and no more of the account. */
export function tellsMany(section: Section): boolean {
  return isGroup(section.text) || isOrdinal(section.text) || areActs(itemsOf(section));
}

/** Whether a heading counts or marks what it tells, and is more than the head of a list of boxes or of headings. */
export function isCounted(section: Section): boolean {
  const title = plainText(section.text);
  const isHead = section.children[0]?.kind === 'section' || itemsOf(section).some(({ box }) => box !== undefined);
  return (isOrdinal(title) || isMarked(title)) && !isHead;
}

/** Blocks under a heading and under its parts and labels. */
function* ownBlocks({ children }: Section): Generator<Block> {
  for (const block of children) {
    if (block.kind !== 'section') {
      yield block;
      continue;
    }
    const { level, text } = block;
    if (isNoLog(text)) continue;
    // `Initial choice:` before a list is text of the account, `Done:` groups what was done.
    if (level > LABEL_LEVEL && !isLogName(text) && !isPart(text)) yield block;
    else if (!isGroup(text) && !findDate(text) && (level >= LABEL_LEVEL || isPart(text))) yield* ownBlocks(block);
  }
}

/**
 * How a heading and what stands under it are read: as one `account` (text comes first, or fields, or what is no list of
 * acts), as a `list` of entries, or as a `state` of which nothing happened. `isBare`: the heading is a day and no more.
 */
export function readingOf(section: Section, isBare: boolean, isDated: boolean): 'account' | 'list' | 'state' {
  if (isCounted(section)) return 'account';
  const blocks = [...ownBlocks(section)];
  const [first] = blocks;
  if (first?.kind === 'section') return 'account';
  const isList = isBare || isGroup(section.text);
  const isIntro = first === section.children[0] && first?.kind === 'paragraph' && /[:：]$/.test(first.text);
  if (
    first?.kind === 'paragraph' &&
    !(isIntro && (isList || itemsOf(section).some((item) => isHead(item) || isTimed(item.text))))
  )
    return first.isQuoted || isTimed(first.text) ? 'list' : 'account';
  const items = blocks.filter((block) => block.kind === 'item');
  if (areFields(items)) return 'account';
  if (isList || items.length === 0 || items.some(({ text }) => isTimed(text)) || areActs(items)) return 'list';
  const isTold = [section, ...items].some((block) => tellsAct(block) || isField(keyOf(block) ?? ''));
  return isDated || isTold ? 'account' : 'state';
}
