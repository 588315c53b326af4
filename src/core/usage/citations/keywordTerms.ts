/**
 * Terms of a text as keywords: decides what a word is compared by and how much it says by itself, whatever payload it is
 * in. Words are compared by their stem, identifiers whole and by their parts, Chinese by pairs of characters.
 */
import { STOP_WORDS, splitIdentifier, stemOf } from '../../text/terms';

// Words that replies about software are made of, whatever they are about: as keywords they count little. Function words
// are in `text/terms.ts`. Put together by hand from what commit messages, reviews and hand-overs say; a word
// belongs here when it would not tell one project from another.

const ENGLISH = `ability above accept access according account across act active actual add added addition affect agent agree ahead
allow almost alone along already alright alternative always amount answer anything apart apparently app appear
application apply approach appropriate area argument array ask assert assume attempt author automatic available avoid
aware back backend background backward bad base basic basically become begin behave behavior behaviour believe best
better big bit block body bottom box branch break brief bring broken browser bug build built bump button call came
carefully carry case catch cause certain chain chance change changelog character check child choice choose class clean
cleanup clear click client close code column come command comment commit common company compare compile complete
component concern config configuration confirm connect consider consistent console contain content context continue
control convert copy correct cost count couple course cover create current custom cut data database date day deal
debug decide decision deep default define definitely delete depend dependency deploy describe description design
detail detect determine dev developer difference different difficult direct directory disable discuss display document
double download draft drop due duplicate early easily easy edge edit effect effort element email empty enable end
ensure enter entire entry environment equal error especially event eventually everyone everything exact example except
execute exist expect explain explicit extend external extra extract fact fail failure fair fall false familiar far
fast feature feel field figure file fill final find fine finish first fit fix flag flow focus follow folder forget
form format forward found frame framework free frequent friendly front frontend full fully function future general
generate generic global goal gone good great group grow guess guide half hand handle happen happy hard head health
healthy hear heavy help hide high history hit hold home hook hope hour idea identify image impact implement implicit
import important improve improvement include incorrect increase independent index individual info information initial
inline input inside install instance instruction integrate intend interest interface internal introduce investigate
involve issue item job join keep key kind known lack language large last late later latest layer layout lead leak
learn least leave left length less level library light likely limit line link list listen little live load local
locate lock log logic long look loop lose lost lot low machine main maintain major manage manual map mark match matter
mean measure mechanism meet member memory mention menu merge message method middle mind minimal minor minute miss
mistake mode model modern modify module moment month morning move multiple name native natural nature near necessary
negative network never new next nice night node none normal note nothing notice null number object obvious occur offer
office often old open operation option optional order organise original others otherwise outcome output overall
overview owner package page pair panel paragraph parameter parent parse part particular pass past path pattern pause
people percent perfect perform performance perhaps permission person pick picture piece pipeline place plain plan
platform plenty plus point policy port position positive possible possibly power practice prefer prepare present press
pretty prevent previous primary print private probably problem process produce product profile program progress
project prompt proper properly property propose protect prove provide public publish pull purpose push put quality
query question queue quick quiet quite random range rather raw reach read ready real reality reason reasonable receive
recent recommend record reduce refactor refer reference refresh regard regression regular relate release relevant
reliable rely remain remember remote remove render repeat replace repo reply report repository represent request
require requirement research reset resolve resource respond response rest restart result return reuse reveal revert
review rewrite right risk role root round row rule run runtime safe save say scale schedule schema scope screen script
search second section secure security select send sense separate sequence serious server service session set setup
several shape share short show side sign similar simple simplify simply single site situation size skip slightly slow
small soft software solid solution solve sometimes soon sort sound source space speak special specific specify speed
split stable stack staff stage standard start state statement static status stay step stick stop store story straight
strange strategy stream string strong structure stuff style subject submit success successful suggest suite summary
support suppose surface switch symbol sync syntax system table tag take talk target task team technical tell term test
text theme theory third thought throw ticket till time timeout tiny title today together token tomorrow tonight tool
top topic total touch toward track traffic transform treat tree trigger trouble true trust truth turn twice type
typical understand unexpected unfortunately unit unknown unless unlike unnecessary unrelated update upgrade upload
usage useful user usual valid value variable variant various verify version view visible visit wait walk warn wash
watch web week welcome whole wide width window wish word work workflow world worry worth wrap write wrong year
yesterday became began begun bought broke brought chose chosen controller drawn drew fell felt forgot forgotten gave
grew grown held heard hidden kept knew led meant met paid ran sent shown slept sold spent spoke spoken stood taken
taught thrown told took understood went worn written wrote api url http json html css id ids sql ui ux ci pr ok todo
cpu io mb gb kb ms sdk cli ide http2 xml yaml acceptance adapt analysis analyze approve architecture artifact assess
assessment audit backlog baseline checklist clarify codebase collaborate comprehensive concise consolidate contribute
coverage criteria critical deliver deliverable demo diff diagnose discover endpoint engineer evaluate explore feedback
guidance guideline highlight integrity iterate maintenance migrate milestone mock monitor monitoring navigate optimize
overhead parallel payload pending prerequisite prioritize priority refine roadmap rollback scan scenario severity
snapshot spec sprint stakeholder straightforward summarize template thorough threshold timeline tradeoff troubleshoot
verification workspace plug-in plugin hundred thousand two three four five six seven eight nine ten zero`;

// What instructions of projects are made of, whatever the project: words of more than one in twenty of 676 instruction files of
// public repositories, counted by their stems, without those above. Technique and tools of the trade, seldom a fact.
const TECHNICAL = `abstractions accessibility accessible accurate actionable additional address adhere adjust admin advanced against
aggregation ai alerts align alignment ambiguous annotations anti apis append applicable applied appropriately approval
architect architectural args aria assets assistant assumptions async asynchronous attributes authentication
authorization auto automated automatically availability await balance bash batch behind benefits binding boolean bound
boundaries broad bulk bullet bundle business caching calculate callbacks camelcase capabilities capture card category
cd chat clarification clarity claude cloud collection color combine communication community comparison compatibility
compatible complex complexity compliance compose composition computed concepts concrete concurrency concurrent
conditional conditions confidence conflicts considerations consistency const constants constraints constructor
consumers continuous contract conventions conversation copilot core credentials cross curly customization dark
dashboard dashes datasets db declarative declare dedicated definitions dependent deployment deprecated depth derived
descriptive deterministic development device devops diagrams directives discovery distributed docker docs doesn dom
domain down drive driven duration dynamic echo effective effectively efficiency efficient embedded enforce engineering
enhanced enhancement enterprise entity enums env escalate essential established even evidence exclude exit expand
expensive experience expert expertise explanations export expose expressions facing factory fallback favor fetch
filename filter filtering flexible font force functional functionality gaps gate github globs gpt gracefully graph
grep grid guard hardcoded hash helpful hierarchy hint host human icons identified identity ignore immediate
immediately implications incomplete incremental indentation indicate infrastructure init initialization injection
insights inspect instead intent interactions interactive invalid invented invocation invoke isolation javascript
keyboard keyword knowledge label latency lazy legacy letter leverage lifecycle linting llm logical login lookup
lowercase maintainability maintainable making management mandatory manifest markdown maximum mcp meaningful medium
meta metadata metrics middleware minimize minimum mobile modifications modified modular monorepo multi mutations namespace
narrow needed nested notifications npm observability observed official offs omit ones operational optimal
orchestration organization oriented os outline outside override ownership pagination params partial party pascalcase
password performant persona phase pipe pitfalls placeholder pooling post potential practical precise preferences
preferred prefix preserve preview principles privilege proceed promise prose protocol pure python quotes rate react
reactive readability readable readme recovery redirect redundant refactoring reflect region register registration
relationships reliability rendering resolution responsibility responsive restrictions retrieve retry reusable robust
routing safety sample sanitize scalability score secrets self semantic senior sensitive sentence serialization shell
signals signatures significant silently skill smart snippets sonnet specialist specialized specified src startup
storage strict subscribe subscriptions tech techniques technology terminal testable thread throughout timestamp tips
traces trade transactions transient transitions transport turbo typescript unclear unique uses utility utilize utils verbs
verified versioning violations visibility visual vite void vscode vulnerabilities whenever`;

const CHINESE = `可以 需要 已经 如果 因为 所以 然后 一个 一下 一些 没有 进行 使用 通过 问题 代码 文件 测试 修改 修复 增加 添加 删除 更新 提交 运行 执行 检查 查看 功能 接口 数据 系统
项目 用户 方法 函数 变量 参数 结果 情况 内容 处理 实现 支持 完成 开始 结束 之前 之后 目前 可能 应该 必须 不会 不能 不要 正常 错误 失败 成功 返回 调用 配置 设置 环境
版本 发布 分支 合并 任务 工作 时间 今天 昨天 明天 方案 建议 优化 性能 逻辑 页面 前端 后端 服务 请求 响应 网络 据库 缓存 日志 信息 消息 状态 类型 对象 列表 字段 名称
名字 路径 目录 模块 组件 样式 单元 元测 用例 覆盖 重构 说明 文档 注释 规则 规范 约定 原因 导致 影响 相关 其中 部分 全部 所有 目标 依赖 安装 启动 停止 重启 部署 开发
生产 线上 本地 远程 比较 简单 复杂 直接 默认 新增 改为 改成 改用 统一 同步 异步 保证 确认 确保 注意 继续 下一 一步 请问 谢谢 明白 出现 发现 类似 之类 之间 加载 显示
界面 图片 按钮 点击 输入 输出 模式 方式 时候 以前 以后 上面 下面 以上 以下 只有 只改 记忆 记录 观察 端口 有点 一点 以为 认为 觉得 看到 收到 看一 再看 没问 有问 也没
都正 过后 后再 还有 另外 同时 补充 创建 当前 命名 验证 回归 几个 一条 两个 三个 第一 第二 不再 不做 上线 下线 为准 怎么 什么 以便 对应 用于 每次 每个 每天 下次 一次
两次 再次 多次 首次 只要 只能 其实 大概 大约 马上 一起 一样 不同 很多 更多 最多 最少 至少 最后 最新 最近 原来 后来 刚才 经过 超过 不足 左右 任何 各个 各自 整个 完整
重新 自动 手动 主要 重要 容易 清楚 准备 希望 打算 决定 选择 提供 包含 包括 属于 关于 根据 按照 无法 有效 无效 来自 作为 成为 变成 保持 保留 保存
実装 確認 修正 追加 変更 削除 作成 対応 設定 使用 必要 場合 表示 処理 機能 実行 参照 利用 指定 問題 動作 現在 開発 関数 変数 画面 環境`;

function words(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Stems of ordinary English words. */
const COMMON_STEMS: ReadonlySet<string> = new Set(words(ENGLISH).map(stemOf));

/** Stems of words that many projects have. */
const TECHNICAL_STEMS: ReadonlySet<string> = new Set(words(TECHNICAL).map(stemOf));

/** Ordinary Chinese words of two characters. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(words(CHINESE).filter((word) => word.length === 2));

/** Characters that join words: a pair with one of them is no word. */
const PARTICLE = /[的了着吗呢吧们是在和与及或把被我你他她它这那]/u;

/** Japanese writes its endings and what joins its words so: `ます`, `確認し`. */
const GRAMMAR = /\p{Script=Hiragana}/u;

/** A pair of characters that says little: a common word, or no word. */
export function isOrdinaryPair(pair: string): boolean {
  return COMMON_PAIRS.has(pair) || PARTICLE.test(pair) || GRAMMAR.test(pair);
}

/** One term where it stands. */
export interface Term {
  /** What it is compared by. */
  readonly key: string;
  /** The word as it stands there, or the pair of characters. */
  readonly text: string;
  /** How much it says, 0…1.2; the payload's idf comes on top. */
  readonly weight: number;
  /** Words from the start of the text; a character of Chinese is half a word. */
  readonly position: number;
  /** Terms with the same number come from one word, or overlap: together they are one finding. */
  readonly word: number;
}

/**
 * Weights by the shape of a word. Tuned on the dev part of the labelled replies (test/fixtures/citations): an identifier is seldom
 * chance; an ordinary word is; long words are more special than short ones; a pair of characters is half a word.
 */
const WEIGHTS = {
  identifier: 1.2,
  acronym: 1,
  long: 1,
  middle: 0.85,
  short: 0.6,
  tiny: 0.3,
  ordinary: 0.12,
  technical: 0.25,
  /** Of the weight of the word that a part of an identifier is. */
  part: 0.5,
  pair: 0.5,
  ordinaryPair: 0.1,
  /** `12,840`, `21:14`, `8093`. */
  number: 0.9,
  shortNumber: 0.4,
  year: 0.2,
  /** `14 MB`, `Rule 6`: a small number with its noun is a fact. */
  counted: 0.8,
  /** Beside the word in it: `trash` is meant as it stands. */
  span: 0.5,
  date: 0.6,
  id: 0.5,
} as const;

/** A small number and what it counts or numbers; a zero and a one are counted everywhere. */
const COUNTED =
  /(?<![\p{L}\p{N}.,/#~-])(?<!\d:)(?:(\p{Lu}\p{L}{2,15})[ ](\d{1,3})|(\d{2,3})[ ]?([a-zA-Z]{2,15}))(?![\p{L}\p{N}]|[.,:/]\d)|(?<![\p{L}\p{N}.,/#~-])(?<!\d:)\d{2,3}[ ]?(?!个)\p{Script=Han}/gu;
/** `2026-02-03`; `TASK-12`. */
const DATE = /(?<![\d-])20\d\d-\d\d-\d\d(?![\d-])/gu;
const ID = /(?<![\p{L}\p{N}-])[A-Z]{2,10}-\d{1,6}(?![\p{L}\p{N}-])/gu;
/** One word of inline code. */
const SPAN = /`([\w.:/@$-]{2,40})`/gu;

/** A longer word is a blob. UTF-16 code units. */
const MAX_WORD_CHARS = 60;

const WIDE = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
/** One class a word: a group that repeats would keep a way back for each character of a word of megabytes. */
const TOKEN = new RegExp(`[${WIDE}]+|\\d+(?:[.,:]\\d+){0,8}(?![\\p{L}_$])|[[\\p{L}\\p{M}\\p{N}_$]--[${WIDE}]]+`, 'gv');
const WIDE_START = new RegExp(`^[${WIDE}]`, 'u');
const IS_IDENTIFIER = /[_$]|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const OTHER_LETTERS = /[^\p{Script=Latin}\p{N}\p{M}_$]/u;
const IS_ACRONYM = /^\p{Lu}{2,}s?$/u;

function wordWeight(word: string, stem: string): number {
  if (COMMON_STEMS.has(stem) || COMMON_STEMS.has(word)) return WEIGHTS.ordinary;
  if (TECHNICAL_STEMS.has(stem)) return WEIGHTS.technical;
  // Which words of other letters are ordinary is not known; short ones mostly are.
  if (OTHER_LETTERS.test(word) && word.length < 4) return WEIGHTS.ordinary;
  if (word.length >= 7) return WEIGHTS.long;
  if (word.length >= 5) return WEIGHTS.middle;
  return word.length === 4 ? WEIGHTS.short : WEIGHTS.tiny;
}

function numberWeight(text: string): number {
  if (/^(?:19|20)\d\d$/u.test(text)) return WEIGHTS.year;
  const digits = text.replace(/\D/gu, '').length;
  if (digits < 3) return 0;
  return digits > 3 ? WEIGHTS.number : WEIGHTS.shortNumber;
}

/** The keys of a word, with their weights: an identifier has its own and those of its parts. */
function wordKeys(token: string): readonly (readonly [key: string, weight: number])[] {
  const lower = token.toLowerCase();
  // A letter alone is an item of a list, an option, what an apostrophe cuts off.
  if (STOP_WORDS.has(lower) || token.length < 2) return [];
  const stem = stemOf(lower);
  const weight = wordWeight(lower, stem);
  if (IS_ACRONYM.test(token))
    return [[stem, Math.max(weight, COMMON_STEMS.has(stem) || TECHNICAL_STEMS.has(stem) ? 0 : WEIGHTS.acronym)]];
  if (!IS_IDENTIFIER.test(token)) return [[stem, weight]];
  const parts = splitIdentifier(token).filter((part) => part !== lower && !STOP_WORDS.has(part));
  return [
    // `TypeScript` is a word of the trade, whatever its letters.
    [lower, COMMON_STEMS.has(stem) || TECHNICAL_STEMS.has(stem) ? weight : WEIGHTS.identifier],
    ...parts.map((part) => [stemOf(part), wordWeight(part, stemOf(part)) * WEIGHTS.part] as const),
  ];
}

/** Terms that are more than a word, by where they begin. */
function phrasesOf(
  text: string,
): ReadonlyMap<number, readonly (readonly [key: string, said: string, weight: number])[]> {
  const phrases = new Map<number, (readonly [string, string, number])[]>();
  for (const { 0: said, index } of text.matchAll(COUNTED)) {
    const key = said.toLowerCase().replace(/(\d)(?=[^\d ])/u, '$1 ');
    phrases.set(index, [[key, said, WEIGHTS.counted]]);
  }
  for (const { 0: said, index } of text.matchAll(DATE)) phrases.set(index, [[said, said, WEIGHTS.date]]);
  for (const { 0: said, index } of text.matchAll(ID)) phrases.set(index, [[said.toLowerCase(), said, WEIGHTS.id]]);
  for (const { 0: said, 1: span = '', index } of text.matchAll(SPAN))
    phrases.set(index + 1, [...(phrases.get(index + 1) ?? []), [said.toLowerCase(), span, WEIGHTS.span]]);
  return phrases;
}

/** The terms of `text`, in order. Linear. */
export function keywordTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  const phrases = phrasesOf(text);
  let position = 0;
  let word = 0;
  const add = (key: string, said: string, weight: number): void => {
    if (weight > 0) terms.push({ key, text: said, weight, position, word });
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    word++;
    for (const [key, said, weight] of phrases.get(index) ?? []) add(key, said, weight);
    if (WIDE_START.test(token)) {
      const characters = [...token];
      for (let at = 0; at + 1 < characters.length; at++) {
        const pair = `${characters[at]}${characters[at + 1]}`;
        add(pair, pair, isOrdinaryPair(pair) ? WEIGHTS.ordinaryPair : WEIGHTS.pair);
        position += 0.5;
        // Pairs that overlap are of one word; every other one stands for itself.
        if (at % 2 === 1) word++;
      }
    } else if (/^\d/u.test(token) && !IS_IDENTIFIER.test(token)) {
      add(token.replaceAll(',', ''), token, numberWeight(token));
    } else if (token.length <= MAX_WORD_CHARS) {
      for (const [key, weight] of wordKeys(token)) add(key, token, weight);
    }
    position++;
  }
  return terms;
}
