/** Handles, ids and tags that stand in commands and sentences: what a text names, not what it is worth as evidence. */

/** Ids that one list names; more are data. */
const MAX_IDS = 50;

const COMMAND = /\b(?:detail|timeline)\b[^\n;|&]{0,200}?--ids?[ =]([^\n;|&]{1,400})/gu;
const HANDLE = /\bsection:[\p{L}\p{N}][\p{L}\p{N}_-]*|\bsym:[0-9a-f]{4,16}\b/gu;
const ASKING =
  /\b(?:ask(?:ing)?|detail|expand|fetch|get|give|load|more|need|open|please|request|read|see|send|show|want|would like)\b|展开|查看|打开|需要|请|给我|读取|看一下/iu;

/** `[ctx:soul]`: not in inline code, where tags are talked about. */
const TAG = /(?<!`)\[ctx:([\p{L}\p{N}][\p{L}\p{N}_-]*)\](?!`)/gu;

const OBSERVATIONS =
  /(?:\bobs(?:ervations?)?|观察|观测|事件|记录)(?:[ \t]?(?:ids?|no\.?|numbers?|记录|编号|号))?[ \t.:#(]{0,4}(#?\d{1,15}(?:(?:[ \t]*(?:,|、|&|和|与)[ \t]*|[ \t]+and[ \t]+)#?\d{1,15}){0,20})(?!\d|\.\d|[ \t]*(?:条|个|次|行|项|%))/giu;
/** `第 12 条记录`, `12 号观察`; `12 条记录` is a count. */
const NUMBERED_OBSERVATION = /(?:第[ \t]?(\d{1,15})[ \t]?[条号]|(\d{1,15})[ \t]?号)的?(?:观察|观测|记录|事件)/gu;
const HASH = /(?<![\p{L}\p{N}/#&_-])#(\d{1,15})(?![\p{L}\p{N}_-])/gu;
/** What `#12` is when such a word stands before it. */
const OTHER_NUMBER =
  /(?<![a-z])(?:issues?|bugs?|tickets?|pull|requests?|pr|prs|mr|fix(?:e[sd])?|close[sd]?|resolve[sd]?|step|lesson|item|line|port|test|case|commit|build|job|run|room|page|option|task|question|point|part|phase|number|no|version|rule|chapter|问题|工单|需求|缺陷|步骤|任务|第)[\s.:(]*$/iu;
const LIST_GLUE = /^\s*(?:,|、|&|and|和|与|\/)?\s*$/u;

/** How far before a number its noun may stand. */
const MAX_BEFORE_CHARS = 40;

/** Handles that command lines ask for: `… detail --ids 12,section:soul`. */
export function commandHandles(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, list = ''] of text.matchAll(COMMAND)) {
    for (const handle of list.split(/[\s,"'`]+/u)) {
      if (handle.startsWith('-')) break;
      if (handle !== '' && found.length < MAX_IDS) found.push(handle);
    }
  }
  return found;
}

/** Ids of observations that a sentence names: `observation 12`, `obs 12 and 15`, `观察 12`, `#12` unless it is an issue's. */
export function namedIds(sentence: string): readonly number[] {
  const ids = new Set<number>();
  for (const [, list = ''] of sentence.matchAll(OBSERVATIONS)) {
    for (const [digits] of list.matchAll(/\d+/gu)) ids.add(Number(digits));
  }
  for (const [, nth = '', named = nth] of sentence.matchAll(NUMBERED_OBSERVATION)) ids.add(Number(named));
  let end = 0;
  let isOther = false;
  for (const { 0: text, 1: digits, index } of sentence.matchAll(HASH)) {
    const before = sentence.slice(Math.max(end, index - MAX_BEFORE_CHARS), index);
    const isInList = end > 0 && index - end < MAX_BEFORE_CHARS && LIST_GLUE.test(before);
    if (!isInList) isOther = OTHER_NUMBER.test(before);
    if (!isOther) ids.add(Number(digits));
    end = index + text.length;
  }
  return [...ids];
}

/** Handles that stand in a sentence, and whether it asks for something. */
export function handlesIn(sentence: string): { readonly handles: readonly string[]; readonly isAsking: boolean } {
  const handles = sentence.match(HANDLE) ?? [];
  return { handles, isAsking: handles.length > 0 && ASKING.test(sentence) };
}

/** Ids of sections in tags, by which an agent may say itself what it used. */
export function taggedIds(sentence: string): readonly string[] {
  return [...sentence.matchAll(TAG)].map(([, id = '']) => id);
}
