/**
 * What a heading or a key says about the list or the text under it. Words are weak evidence and only for English and
 * Chinese: a heading counts as a kind where all of its words are words of that kind or words that say nothing. A heading
 * with a subject of its own (`Parser for dates`) is a title, whatever words stand beside.
 */

import { findDate } from '../../text/dates';
import { isEnglishMonth, monthOf } from '../../text/monthNames';
import { simplified } from '../../text/simplified';
import { plainText } from './entryText';

/**
 * `plan`: what is to do, what one should do and what one learned; `state`: how things stand or are made; `part`: one
 * side of an account, such as its problem; `group`: several things that happened; `title`: a subject of its own.
 */
export type HeadingKind = 'plan' | 'state' | 'part' | 'group' | 'title';

/** Who works, as the source of a pattern without case. */
export const AGENT_NAME =
  '(?<!\\p{L})(?:aider|claude|cline|codex|copilot|cursor|gemini|gpt|grok|opus|sonnet)(?!\\p{L})';

/** `plan*` is `plan` and `plans`. */
const words = (text: string): ReadonlySet<string> =>
  new Set(
    text.split(/\s+/).flatMap((word) => (word.endsWith('*') ? [word.slice(0, -1), word.replace('*', 's')] : word)),
  );

const PLAN = words(
  'next upcoming ongoing planned future backlog roadmap plan* planning todo* remaining remains pending later ideas ' +
    'wishlist followup* blocker* blocked limitation* risk* goal* objective* priority priorities tomorrow deferred ' +
    'outstanding recommendation* recommended suggested proposed potential possible lesson* learning* learned takeaway* ' +
    'insight* rule* policy policies guideline* principle* tip* reminder* gotchas caveats questions unresolved ' +
    'unfinished avoid feedback retrospective reflection* thoughts expected missing required left legend ' +
    'optional keep improve insight* untested unverified unknowns parked criteria conditions awaiting waiting wip debt scoped mandate protocol* pointer*',
);
const STATE = words(
  'status state* overview summary tldr purpose about keys architecture structure stack requirements scope ' +
    'constraints invariants dependencies environment configuration config settings setup prerequisites installation ' +
    'usage commands reference* links resources contents format template convention* instructions glossary vocabulary contributing ' +
    'license metrics stats statistics files artifacts hardware equipment contacts credentials note* features benefits ' +
    'highlights advantages concept identifiers info information details notable variables skills tool* performance ' +
    'strategy example* facts interpretation objective introduction context background design components results ' +
    'coverage counts totals limits options members people roles test* testing path* locations remark* caution warning* ' +
    'fyi credits thanks acknowledgements acknowledgments procedure* assumptions rationale snapshot* concepts topics discussed covered explained marker* symbol*',
);
const GROUP = words(
  'done completed complete finished implemented built added changed fixed fixes removed deprecated merged shipped ' +
    'released updated updates changes changelog improvements improved enhancements progress achievements achieved ' +
    'accomplishments accomplished activity activities actions commits history timeline events milestones log* journal ' +
    'entries worklog delivered deliverables deployed created resolved closed wins happened decisions decided ' +
    'unreleased developed modified refactored applied made did sessions automations additions execution',
);
const PART = words(
  'prompt request response question answer problem cause root symptom* analysis diagnosis solution fix approach ' +
    'decision implementation verification validation result outcome impact why how evidence issue challenge* solution*',
);
const FILE = words('file files docs documents');
/** Words that name no subject, beside the months. */
const FILLER_WORDS = words(
  'the a* an of for to in on and or with by at this that my our your we i* was were are be been has have had got ' +
    'today yesterday week day month year morning afternoon evening tonight session sprint phase* iteration now so far ' +
    'main key major minor new other* misc more all current currently recent recently latest last previous overall ' +
    'project system technical general quick important critical core final initial local known open high low medium ' +
    'level short long term immediate user team development dev code coding work task* item* thing* stuff cool step* ' +
    'point* bug* problems issues feature change list still not yet during since after before from per up out it* ' +
    'technology tech application app product daily weekly further additional file action tests run doc* documents ' +
    'useful available manual against carried forward include* including',
);

const FILLER = { has: (word: string): boolean => FILLER_WORDS.has(word) || isEnglishMonth(word) };

/** Kinds of headings by the Chinese words in them. */
const HAN: readonly (readonly [HeadingKind, RegExp])[] = [
  [
    'plan',
    /下一(?:[步轮个会版]|阶段)|需要?(?:用户|人工|手动)|下[次周]|注意事项|后续|计划|规划|待办?|未(?:完成|来|解决|实现)|剩余|遗留|明[日天]|目标|建议|推荐|教训|经验|条件|前提|标准|准则|进行中|等待|阻塞|障碍|难点|思考|疑问|心得|感想|认[知识]|体会|收获|反思|规则|原则|约定|规范|注意|风险|接手|暂不|需求|接下来|尚未|可选|暂缓|定义|预告|预期|预计|打算/gu,
  ],
  [
    'state',
    /状态|当前阶段|现状|致谢|鸣谢|(?:记录|日志)目的|是什么$|概述|总览|概览|架构|结构|技术栈|环境|配置|依赖|文件|目录|参考|资[源料]|链接|说明|使用|图例|标记|统计|指[标南]|用法|命令|格式|模板|安装|亮点|设计|取舍|(?<!事件[与和、]?)决策|债务|总结|摘要|限制|已知|判断|信息|[硬软]件|范围|边界|示例|例子|工作流|流程|细节|详情|备注|提示|要点|陷阱|坑点?|须知|(?<!得)结论|快速(?:启动|开始|上手)|(?<!解决)方[式法]|路径|步骤|相关文[档件]|检查清单/gu,
  ],
  ['part', /背景|问题|根因|根本|原因|分析|方案|验[证收]|结果|[影效][响果]|现象|解决|测试/gu],
  [
    'group',
    /完成|新增|增加|修[复改]|更新|优化|改进|变[更动]|改动|实现|工作(?!流)|进[展度]|成果|交付|日志|记录|历[史程]|版本|开发|调整|重构|事[项件]|内容|任务|完善|做了|产出|发布|里程碑/gu,
  ],
];
const HAN_FILLER =
  /遇到|最新|总体|会[议话]|今[日天]|已经?|[本当][日周次轮天月前]|目前|最近|近期|关键|主要|重要|重大|核心|其[他它]|技术|系统|功能|项目?|列表|清单|行动|方向|[代码程序]{2}|情况?|[高中低]?优先级|[短中长]期|[月年季]度|重点|整体|最终|界面|用户|相关|细节|描述|部分|[个的和与及一二三四五六七八九十后点了什么]/gu;

/** Plans and what one learned in other languages, which have no further words here. */
const FOREIGN_PLAN =
  /(?:^|[^\p{L}])(?:kế hoạch|tiếp theo|tuần tới|học được|nếu làm lại|khó nhất|план|дал(?:ьше|і)|що далі|следующ|наступн|вывод|próxim|siguiente|pendiente|aprend|prochain|à faire|appris|nächst|offene|geplant|gelernt|benötigt|następn|prossim|da fare|pendên|planejad|planead|pianificat|planifi|prévu|previst|a fazer|reste à|offen(?:\s|$|:)|sonraki|yapılacak|další|příští|zbývá|volgende|te doen|nästa|att göra|(?:næ|ne)ste(?!\p{L})|seuraava|urm[aă]to|következő|teendő|επόμεν|selanjutnya|berikutnya|rencana)|次の|予定|課题|学び|[分わ]かったこと|教训|[気气]づ|反省|感想|今后|다음|계획|예정|할 [일것]|해야 할|남은|배운/iu;

const FOREIGN_STATE =
  /^(?!not\p{L}+ d\p{L}{1,2} (?:progr|avan[cç]|avanz))(?:ghi chú|lưu ý|tài liệu|trạng thái|замет\p{L}+|примечани\p{L}+|приміт\p{L}+|нотатки|ссылки|посилання|notas?|observa(?:çõ|cion)es|estado|referências|referencias|remarques?|références|état|hinweise?|notizen|anmerkung(?:en)?|uwagi|notatki|riferimenti|objetivos?|contexto|objectifs?|contexte|obiettiv[oi]|contesto|stato|ziele?|kontext|hintergrund|cele?|kontekst|stan|stav|cíl|(?:genel |mevcut )?(?:durum|özet)\p{L}*|amaç|hedef|цел[ьи]|контекст|мета|was ist|wie|wo|warum|que es|qué es|o que é|cómo|por qué|qu[’']est-ce|comment|pourquoi|cos[’']è|co to|jak|gdzie|nasıl|nedir|(?:статус|команда)(?=[:\s]*$)|что|как|где|зачем|що|як|де|arquite[ct]tura|ar[ck]hite[ck]tura?|estru[ct]tura|stru[kc]tura?|struttura|yapı|структура|архитектура|дизайн|пут[ьи]|настройк[иа]|(?:fichiers|archivos|dateien|arquivos|ficheros) \p{L}+|file modificat\p{L}|(?:\p{L}+ )?(?:link(?:ler|i|y)|enlaces|liens|odkazy)|メモ|备考|注意(?:事项|点)|现状|\p{L}{0,8}概要|现在の\p{L}+|目次|메모|비고|참고|현재 상태|개요|목차|기술 ?스택)(?!\p{L})/iu;

/** What was done, in words that else begin a question. */
const FOREIGN_DONE =
  /^(?:что (?:было )?сделано|що зроблено|co zrobiono|(?:lo )?qu[eé] se hizo|o que foi feito|ce qui a été fait|was (?:wurde )?(?:gemacht|erledigt))(?!\p{L})/iu;

/** What was done, and a history of it, with at most two words more: more name a subject. */
const FOREIGN_GROUP =
  /^(?:(?:今[日回]の?|本日の?|完了|変更|実装|実施|修正|追加|作業|対応|更新|した|済み?|内容|项目|点|事项|機能|タスク|やったこと|ログ|これまでに|主な(?=改修|変更|修正|作業|対応)|改修)+|[\p{L} ·]{0,8}(?:履历|이력|일지)|(?:완료|변경|수정|추가|작업|구현|진행|오늘|한 일|된|한|내용|사항|기능|항목|로그|기록|[ ·])+|(?:\p{L}+ )?(?:(?:hech|complet[ad]t?|completat|realizad|añadid|corregid|concluíd|feit|adicionad|corrigid|fatt|aggiunt|corrett|modifi|erledigt|fertig|geändert|behoben|abgeschlossen|выполнен|изменен|исправлен|добавлен|завершен|yapılan|tamamlan|değişiklik|zrobion|ukończon|dodan|naprawion)\p{L}*|(?:terminé|réalisé|ajouté|corrigé|fait)e?s?|(?:descri\p{L}+ d\p{L}+ )?(?:atividades|actividades|attività|activités)|not\p{L}+ d\p{L}{1,2} (?:progress?o|avances?|avancement)|cambios|historial|mudanças|alterações|historique|änderungen|hinzugefügt|verlauf|storico|сделано|готово|история|zmiany|đã làm|hoàn thành)(?: \p{L}+){0,2}|(?:.{3,40} )?(?:in questa|nesta|n?esta|en esta|dans cette|in dieser|na tej) (?:sessione|sessão|sesión|session|sitzung|sesji))$/iu;

/** An example, a form, how things stand, or what is not to be done now, whatever its day. */
const TIMELESS =
  /[(（[【](?:how (?:to|we|it)\b|example|sample|template|planned|todo|future|upcoming|next[)）\]】]|not started|avoid|示例|例子|工作流|流程|模板|样例|范例)|\b(?:as of|updated)\b[^\p{L}]*\d|\bas of\b/iu;
/** Headings of rules for all work, which are no events. */
const IS_RULE = /^(?:definition of done|acceptance criteria|ground rules|working agreement)(?!\p{L})/iu;
/** `Bugs fixed during build`, `Specs Written`, `Fixes (3)`, `Fixes Applied`. */
const PLURAL =
  /[a-z]{2}(?<![suai])s (?!(?:us|need|requir|affect|involv|discuss|learn|consider|plann|propos|cover|expect|explain)ed)(?:\p{L}{2,}ed|written|built|done|made|found|sent|shipped)(?![\p{L}-])|[a-z]{2}(?<![suai])s [(（]\d+[^()（）]*[)）][\s:：]*$/iu;
/** A heading of more words tells a story. */
const MAX_PLURAL_WORDS = 7;
const WHAT_WORKS = /^what (?:currently |already |now )?works(?: now)?$/iu;
const WHAT_WAS_DONE =
  /^(?:completed|finished|implemented|shipped|merged|closed|resolved|delivered) (?:[\w-]+ )?\p{L}{3,}s$|^(?:completed|done|finished) (?:so far|(?:in|during) (?:the|this) (?:\w+ )?(?:run|session|phase|sprint|week))$|^what(?:['’]s| (?:was|were|has been|we(?:['’]ve)?|i(?:['’]ve)?))? (?:been )?(?:done|did|completed|accomplished|achieved|changed|happened|implemented|built|fixed|added|shipped)\b/iu;

/** `New Features`, `Bug Fixes & Quality`, `Improvements: …`. */
const FIXES =
  /^(?:(?:new|major|minor|more|bug|other|small|key) )*(?:fixes|improvements|enhancements|additions|changes|updates)(?:$| ?[&:+/–—-]| and )|^new features(?:$| ?[&:+/–—-]| and )/iu;
const PLAN_INSIDE =
  /^open (?:work|items|tasks|issues|threads|points|todos)\b|^next(?: [\w-]+){1,3}$|^intentions?\b|\bwaiting (?:on|for)\b|\bleft to\b|^what(?:['’]s| is) (?:left|missing|next)\b|^(?:items?|things|work|tasks?) to \w+$|\bdon[’']t\b|\bnext (?:steps?|actions?|up|session|week|sprint)\b|\bto[- ](?:do|watch|address|resolve|decide|discuss|verify|test|check|fix|review|investigate|explore|try|consider|remember|avoid)\b|^lessons?$|\blessons? (?:learned|learnt|from)\b|^what (?:work|did|was not|went|i learned|we learned)|\bneeds? to\b|\bnot (?:yet )?(?:implemented|started|done|working)\b/i;

/** `In progress` is no progress made. */
const IS_OPEN =
  /^(?:not (?:accomplished|completed|done|finished)\b|(?:still |currently )?in progress\b|(?:known|open|remaining) (?:issues|bugs|problems|questions|items|tasks|threads)$|follow[- ]?ups?\b|for next time|resume (?:point|here)|pick up|action items?\b|needs? (?:attention|review|input|decision)|watch ?list|nice[- ]to[- ]have|steps to\b|definition of done|acceptance\b|out of scope|hand-?off$)/iu;

/** `How to test`, `What this is`. */
const EXPLAINS =
  /^(?:how|where|when|who|why) (?:to|it|we|i|you|this|the|these|things)\b|^what (?:is|are)\b(?! done)|^what\b.* (?:is|are|does|means)$/iu;

const NUMBER =
  /^(?:\d{1,3}(?:\.\d{1,3})*[.)、）:：]?\s+|\d{1,3}[.、）)]\s?|[A-Z][.、）)]\s+|[一二三四五六七八九十]+、|[(（][\d一二三四五六七八九十]+[)）])/u;

/** Length of the part of a heading that is judged, in UTF-16 code units. */
const HEAD_CHARS = 200;

/** A heading without marks, its number and what stands in parentheses. */
export function bareHeading(text: string): string {
  return simplified(plainText(text.slice(0, HEAD_CHARS)))
    .replace(/^[^\p{L}\p{N}(（]+/u, '')
    .replace(NUMBER, '')
    .replaceAll('_', ' ')
    .replace(/\s*[(（][^()（）]*[)）]/g, ' ')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .trim();
}

/** What was decided or solved happened; what was designed is how things are made. */
const HAN_DONE = /^(?:[今本][日天次轮周])?(?:决策|决定)$|^已?(?:解决|修[复正])[的了].{0,6}(?:问题|bug|缺陷)$/iu;

/** `[未发布]`: what changed since the last release. */
const IS_UNRELEASED = /^\W*(?:尚?未(?:发布|釋出|释出|發布)(?:版本)?|下个版本)\W*$/u;

/** Beside what was done: what is to go on, and what is next. */
const GOES_ON = /^(?:继续|继续进行|新工作|新任务)$/u;

/** How one works, whatever its steps say. */
const HOW_TO_WORK =
  /^(?:[总整]体|工作|开发|操作|使用|执行|研究|实验|实施|标准|完整|主要|基本|(?:核心)?(?:功能)?运作)?流程$/u;

function kindOfHan(text: string): HeadingKind {
  if (IS_UNRELEASED.test(text)) return 'group';
  if (GOES_ON.test(text) || HOW_TO_WORK.test(text)) return 'plan';
  let rest = text.replace(/[^\p{Script=Han}a-z]+/giu, '');
  const found: HeadingKind[] = [];
  for (const [kind, pieces] of HAN) {
    const left = rest.replace(pieces, '');
    if (left !== rest) found.push(kind);
    rest = left;
  }
  if (/^(?:如何|怎[么样])/u.test(text)) return 'state';
  if (HAN_DONE.test(text)) return 'group';
  const isShort = text.replace(/[^\p{Script=Han}]+/gu, '').length <= 12 && text.length <= 20;
  const isOut = found[0] === 'plan' || found[0] === 'state';
  // A plan of something is a plan too: `前端计划`; what is done about it is not: `计划模块修复`.
  if (/(?<![高中低最])优先级$/u.test(text)) return 'plan';
  const isLast = (kind: number): boolean => new RegExp(`(?:${HAN[kind]?.[1].source})$`, 'u').test(text);
  // What was done about how things are made: `架构重构`.
  if (found[0] === 'state' && /(?:重构|优化|修复|改造|升级|迁移|调整)$/u.test(text)) return 'title';
  if (rest.replace(HAN_FILLER, '').length <= (isOut ? 1 : 0)) return found[0] ?? 'title';
  if (
    (isShort && isLast(0)) ||
    (text.length <= 16 && /^(?:下一步|待|[尚还]?未|后续(?!修|确|完成|优化|更新|调)|计划)/u.test(text))
  )
    return 'plan';
  return isShort && isLast(1) && !found.includes('group') && !/[:：]|改[为成用进]|支持|接入|迁移|拆分|合并/u.test(text)
    ? 'state'
    : 'title';
}

/** What stands before a dash or a colon and is no plan: a name of work, or more than a few signs of Chinese. */
const NO_TOPIC = /^tasks?$|\d|\p{Script=Han}{7}/iu;

/** `現在のステータス (Current Status)`: the same again in English. */
const IN_ENGLISH = /(?![a-z])\p{L}.*[(（]([a-z][^()（）]{3,40})[)）]\s*$/iu;

/** What a heading says of what stands under it. */
export function kindOf(heading: string): HeadingKind {
  const kind = kindOfWords(heading);
  const english = kind === 'title' ? IN_ENGLISH.exec(heading.slice(0, HEAD_CHARS))?.[1] : undefined;
  return english === undefined ? kind : kindOfWords(english);
}

/** Words that end a plan or a state, and a subject as well: `Turning reminders`, `呼叫升级规则`. */
const LAST_WORD =
  /^(.*\p{L}.*\s)(?:reminders?|rules?|questions?|polic(?:y|ies)|preferences?|insights|learnings|overview|status|structure|stack|legend|checklist|notes?|credentials|references?|instructions|paths|details)$|^(\p{Script=Han}.*)(?:目标|建议|推荐|教训|经验|条件|标准|准则|等待|障碍|难点|规则|原则|规范|注意|风险|需求|定义|架构|结构|环境|配置|依赖|文件|目录|资料|链接|说明|格式|模板|设计|限制|判断|信息|范围|边界|示例|流程|细节|提示|要点|结论|步骤)$/iu;
/** `Feedback from the school` came. */
const CAME = /^(?:feedback|questions?|thoughts) (?:from|by|of)\b/iu;

/** Inside a subject no plan: `Attempting to fix the client`, `carry, don't kick`. */
const SOFT_PLAN = /(?<=\S )(?:don[’']t|to (?:check|explore|fix|investigate|review|test|try|verify))\b/giu;

/** Kind of a heading that also has a day or a number: its last word, or a verb inside, does not decide. */
export function kindOfSubject(heading: string): HeadingKind {
  const kind = kindOf(heading);
  const text = bareHeading(heading);
  const [, before = '', inHan = before] = LAST_WORD.exec(text) ?? [];
  const isNamed = inHan.trim() !== '' && hasOwnWords(inHan) && kindOf(inHan) === 'title';
  const isInside = kind === 'plan' && kindOf(text.replace(SOFT_PLAN, ' ')) !== 'plan';
  if (kind === 'group' && hasOwnWords(text) && !DONE.test(text)) return 'title';
  return isOut(kind) && (isNamed || isInside || CAME.test(text)) ? 'title' : kind;
}

/** Whether a text has words that are of no kind. */
function hasOwnWords(text: string): boolean {
  if (/\p{Script=Han}/u.test(text)) {
    const rest = HAN.reduce((left, [, pieces]) => left.replace(pieces, ''), text.replace(/[^\p{Script=Han}]+/gu, ''));
    return rest.replace(HAN_FILLER, '').length > 1;
  }
  const all = text.toLowerCase().match(/\p{L}[\p{L}'’]*/gu) ?? [];
  return all.some((word) => ![PLAN, STATE, GROUP, PART, FILLER].some((set) => set.has(word)));
}

function kindOfWords(heading: string): HeadingKind {
  const text = bareHeading(heading);
  if (FOREIGN_PLAN.test(text) || IS_OPEN.test(text)) return 'plan';
  if (FOREIGN_DONE.test(text)) return 'group';
  if (FOREIGN_STATE.test(text)) return 'state';
  if (FOREIGN_GROUP.test(text)) return 'group';
  // `Rules: for good` is about rules, whatever stands behind.
  const [about = ''] = text.split(/ [-–—] |[:：] ?/, 1);
  if (about !== text && !NO_TOPIC.test(about) && kindOf(about) === 'plan') return 'plan';
  if (/\p{Script=Han}/u.test(text)) return kindOfHan(text);
  if (WHAT_WORKS.test(text)) return 'state';
  if (WHAT_WAS_DONE.test(text) || FIXES.test(text)) return 'group';
  if (isCounted(text)) return PLAN_INSIDE.test(text) || /\bscope$/iu.test(text) ? 'plan' : 'title';
  const found = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’.]*/gu) ?? [];
  // `Tomorrow's tasks`
  const all = found.map((word) => word.replace(/['’]s$/u, ''));
  const [first = ''] = all;
  const last = all.at(-1) ?? '';
  const has = (set: ReadonlySet<string>): boolean => all.some((word) => set.has(word));
  const isOwn = all.some(
    (word) => ![PLAN, STATE, GROUP, PART, FILLER].some((set) => set.has(word)) && !/^\d+(?:st|nd|rd|th)?$/.test(word),
  );
  if (!isOwn) {
    if (has(PLAN)) return 'plan';
    if (PLURAL.test(text) && !/\b(?:files|notes)\b/i.test(text)) return 'group';
    // `Results of tests` are a state, the `Result` of an account is its part.
    if (all.length === 1 && PART.has(first)) return 'part';
    // `Completed testing phase` was done, `Files changed` are a list.
    if (has(STATE)) return GROUP.has(first) && /ed$/.test(first) && !has(FILE) ? 'title' : 'state';
    return has(PART) ? 'part' : has(GROUP) ? 'group' : 'title';
  }
  if (PLAN_INSIDE.test(text)) return 'plan';
  const isHeadOf = FILLER.has(all[1] ?? 'the') && all.length <= 6;
  if (
    (PLAN.has(first) && isHeadOf) ||
    (all.length <= 5 &&
      /^(?:blockers?|learnings|takeaways|insights|plans?|ideas?|todos?|roadmap|backlog|reminders?|goals?|rules?|agenda|gotchas|questions?|polic(?:y|ies)|preferences?)$/.test(
        last,
      ))
  )
    return 'plan';
  // `Parser v3: all phases implemented` is about the parser.
  const isAbout = about !== text && kindOf(about) === 'title' && !isCounted(about);
  if (!isAbout && all.length <= MAX_PLURAL_WORDS && (PLURAL.test(text) || PLURAL.test(heading))) return 'group';
  if (all.length <= 4 && /^(?:updates|fixes|changes|improvements|additions|enhancements)$/.test(last)) return 'group';
  if (
    /^(?:overview|status|state|structure|stack|legend|checklist|notes?|credentials|references?|instructions|paths|details|assumptions)$/.test(
      last,
    ) &&
    all.length <= (last === 'assumptions' ? 6 : 4)
  )
    return 'state';
  if (EXPLAINS.test(text)) return 'state';
  return 'title';
}

/** What one is to know; also where it tells what was done, that is told above. */
const NOTE =
  /^(?:(?:important|key|other|additional|general|useful|quick|side|(?:session )?context) )?(?:notes?|remarks?|references?|links?|resources|tips?|reminders?|credentials|instructions)$|[备附]注$|^(?:说明|提示|参考资?[料源]?|注意(?:事项)?)$/iu;
export const isNote = (heading: string): boolean => [NOTE, EXPLAINS].some((form) => form.test(bareHeading(heading)));
/** True for plans and states: their entries did not happen. */
export const isOut = (kind: HeadingKind): boolean => kind === 'plan' || kind === 'state';
/** A form that is to be filled in: `進捗状況テンプレート (Progress Template)`. */
export const isForm = (title: string): boolean =>
  /(?:\btemplate|テンプレート|模板|템플릿)\W*$/iu.test(simplified(title));
export const isTimeless = (heading: string): boolean =>
  TIMELESS.test(simplified(heading)) || IS_RULE.test(bareHeading(heading));

/** One of many accounts: `Session 3`, `Day 12`, `第3轮`, `v1.2`, `更新 22`. */
const COUNTED_NAME =
  /^(?:\W*)(?:sprint|cycle|phase|step|milestone|stage|part|build|release|version|chat|update|batch|wave|pr|issue|task|ticket|prompt|bug|incident|problem|experiment|trial|story|jour|tag|d[ií]a|giorno|dag|dzień|ngày|день|gün)\s*[#-]?\d|^第\s?[\d一二三四五六七八九十]+\s?(?:[步期章版]|阶段)|^v?\d+\.\d+|^(?:更新|会话|版本|阶段|问题|故障|事件|实验)\s?[\d一二三四五六七八九十]/iu;
/** `v99 - Parser`, `v97–v98: parser`: a release without a dot, and its subject. */
export const WHOLE_VERSION = /^\W*v\d+(?:[-–]v?\d+)?(?=\s[—–-]\s|:\s)/iu;
/** `1. …`, `2) …`, `第37个技能`, `Decision 2: …`, `Ep. 2 -- …`: the writer counts what happened by its headings. */
const ORDINAL =
  /^(?:\d{1,3}(?:\.\d{1,2}\s|\s?[.)、）])|[(（]\d{1,3}[)）]|第\s?\d+\s?[个项件条篇章回集]|[一二三四五六七八九十]{1,3}、|\p{L}{1,12}\.?[\s-]?#?\d{1,4}(?:\.\d{1,3})?(?:\s?[:：—–·]| -+ ))\s?(?!\d)/u;
/** A state or a commit at the end of a heading: `… ✅`, `… ✅（完整功能）`, ``… (`90e1aa5`)``; or before it, with its state in words: `✅ Phase 1 (Complete)`. */
const MARK = /[✅☑✔✓❌⏳🚧⏸⚠⬜☐🔲]/u;
const MARK_AT_END =
  /[(（]`(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}`[)）]\s*$|[(（](?:已?完成|已上线|已修复|已解决|已交付|完了|완료|hech[oa]|terminad[oa]|conclu[ií]d[oa]|erledigt|fertig|terminé|fatto|готово)[)）][*:：\s]*$|[✅☑✔✓❌⏳🚧⏸⚠⬜☐🔲]\uFE0F?(?:\s*(?:[Cc]ompleted?|COMPLETED?|[Dd]one|DONE|[Pp]assed|[Ff]ixed|FIXED|[Ff]ailed|已?完成))?(?:\s*[(（][^()（）]*[)）])?\s*$|\s[-–—]\s(?:~?\d{1,3}% )?(?:COMPLETED?|DONE|FINISHED|SHIPPED|FIXED|MERGED)[*:：\s]*$|[([](?:100% )?(?:DONE|COMPLETED?|FIXED|MERGED|SHIPPED|[Dd]one|[Cc]ompleted?)(?![\p{L}-])[^()[\]]*[)\]][*:：\s]*$|[(（][^()（）]{0,12}[✅☑✔✓❌]\uFE0F?[^()（）]{0,12}[)）]\s*$/u;

/** `✅ Parser`, `✅ COMPLETED: …` */
const MARK_AT_HEAD =
  /^(?:\d{1,3}[.)、]\s*)?[✅☑✔✓❌]\uFE0F?\s*(?:(?:COMPLETED?|DONE|FIXED|FAILED|已?完成)\s?[:：]\s*)?/iu;
/** `80da484 improve the layout`: a commit is done. */
const COMMIT_AT_HEAD = /^`?(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}`?[:：]?\s+\p{L}/u;
const unmarked = (heading: string): string => heading.replace(MARK_AT_END, '').replace(MARK_AT_HEAD, '');

const head = (heading: string): string =>
  simplified(plainText(heading.slice(0, HEAD_CHARS))).replace(/^[^\p{L}\p{N}(（]+/u, '');
export const isCounted = (heading: string): boolean =>
  COUNTED_NAME.test(head(heading)) || WHOLE_VERSION.test(head(heading)) || isSitting(heading);
/** `Novembre 2022`, `2026年3月` */
const MONTH =
  /^(?:(\p{L}{3,12})\.?,? (?:de )?(?:19|20)\d\d|20\d\d(?:[-/.]|\s?[年년]\s?)(?:0?[1-9]|1[0-2])[月월]?)\W*$/u;
function isMonth(text: string): boolean {
  const [whole, name] = MONTH.exec(text) ?? [];
  return whole !== undefined && (name === undefined || monthOf(name) !== undefined);
}
/** `Day 3`, `Session 12`, `第3天`: time that was spent, whatever is told of it. */
const SITTING =
  /^(?:session|sitzung|sesi[oó]n|séance|sess[aã]o|sessione|сессия|oturum|セッション|세션|day|week|semaine|semana|settimana|woche|tydzień|неделя|hafta|vecka|iteration|run|attempt|round|entry)\s*[#-]?\d|^(?:\d{1,2}월\s?)?[제第]?\s?\d{1,3}\s?(?:[일주회]차|번째|[日週回]目)|^第\s?[\d一二三四五六七八九十]+\s?(?:(?:[轮天周]|次(?!讨论|会议|会谈|沟通|评审|汇报|面试|访谈|咨询))|季度)|^会话\s?\d/iu;
export const isSitting = (heading: string): boolean => SITTING.test(head(heading)) || isMonth(head(heading));
/** `周报 - Qi Di`, `Weekly report`, `(第三轮更新)`: beside a day, what its author calls all such days. */
const REPORT_NAME =
  /^(?:(?:工作)?[日周月]报(?:告)?|(?:会话|会议|工作|开发|学习|今日)(?:记录|日志|总结|小结|纪要)|(?:daily|weekly|monthly) report)(?:\s*$|\s*[-–—]\s*\p{L}[\p{L} .]{0,24}[\s–—-]*$)|^[(（](?:D\d{1,3}\s?[·,，]\s?)?(?:第\s?[\d一二三四五六七八九十百]{1,5}\s?[轮次天日周期](?:更新|迭代|开发)?|(?:day|round|session|week)\s?#?\d{1,3})[)）]\s*$/iu;
export const isReportName = (title: string): boolean => REPORT_NAME.test(head(title));
/** What was worked on, where a day stands above; else how it is planned. */
export const isTaskDetails = (heading: string): boolean => /^(?:工作|任务)详情$/u.test(bareHeading(heading));
/** What a changelog calls the kinds of its changes, which elsewhere say how things stand. */
const CHANGE =
  /^(?:(?:new )?features?|documentation|docs|tests?|performance|dependenc(?:y|ies)|security|breaking changes|misc(?:ellaneous)?|chores?|refactor(?:ing)?|build|styles?|ci|internal|reverts?|development|configuration|tools?|tooling|功能|文档|配置|测试)(?![\p{L}])/iu;
export const isChange = (heading: string): boolean => CHANGE.test(bareHeading(heading));
/** Whether a counted heading or one of a version says what it is about: `Session 3: parser`, `v1.2 · dark mode`. */
export const hasName = (heading: string): boolean => {
  const rest = head(heading).replace(
    /^(?:\W*v?\d+(?:\.\d+)+|第\s?[\d一二三四五六七八九十]+\s?(?:[次轮]?(?:会话|迭代|开发|提交|更新)|\p{Script=Han}{1,2})|\p{L}*\s*[#-]?\d+(?:\.\d+)*)/u,
    '',
  );
  // `Day 1 — Environment setup` tells what was done, though its words are those of a state; so does `Planning`.
  return (
    (['title', 'part', 'state'].includes(kindOf(rest)) || /\bplanning\W*$/iu.test(rest)) &&
    /\p{L}.*\p{L}/u.test(rest.replace(/[(（][^()（）]*[)）]/gu, ''))
  );
};
export const isOrdinal = (heading: string): boolean => ORDINAL.test(head(heading)) || /^#\d{1,5}\s\p{L}/u.test(heading);
/** Whether a heading is no name but a sentence: some write all lines as headings. */
export const isSentence = (heading: string): boolean =>
  /。/.test(heading) && !isOrdinal(heading) && !findDate(heading, { inside: true });
/** A heading with a state of what it tells, and not only of a list (`Done ✅`). */
export const isMarked = (heading: string): boolean =>
  COMMIT_AT_HEAD.test(heading) ||
  ((MARK.test(heading) || MARK_AT_END.test(heading)) &&
    (MARK_AT_END.test(heading) || MARK_AT_HEAD.test(heading) || isCounted(heading)) &&
    /[\p{L}\p{N}]/u.test(unmarked(heading)) &&
    kindOf(unmarked(heading)) === 'title');

/** True for a heading with a mark, unless the mark says that it is open. */
export const isMarkedDone = (heading: string): boolean => isMarked(heading) && !/[❌⏳🚧⏸⚠⬜☐🔲]/u.test(heading);

/** What is done, also where no day is written beside it. */
export const DONE =
  /unreleased|done|complete|finished|added|changed|fixed|removed|deprecated|shipped|merged|accomplish|achieve|milestone|^what (?:has|was|we|i)\b|完成|新增|修复|变更|里程碑|成果/iu;
/** Ends a plan that it stands under. */
export const IS_DONE =
  /^(?:recently )?(?:done|completed?|finished)(?![\p{L}-])|^what (?:was |we |i )?(?:done|did|shipped|changed|completed)(?: ?[/&] ?(?:changed|fixed|shipped|done))? (?:today|so far|this (?:week|session))$|^(?:最近|本[周次轮])?已?(?:完成|实现)(?!标准|条件)/iu;
