/** Handles and ids in texts: which are asked for, and which are only named. A bare number is nothing. */

/** Ids that one list names; more are data. */
const MAX_IDS = 50;

const COMMAND = /\b(?:detail|timeline)\b[^\n;|&]{0,200}?--ids?[ =]([^\n;|&]{1,400})/gu;
const HANDLE = /\bsection:[a-z][a-z0-9-]*|\bsym:[0-9a-f]{4,16}\b/gu;
const ASKING =
  /\b(?:ask(?:ing)?|detail|expand|fetch|get|give|load|more|need|open|please|request|read|see|send|show|want|would like)\b|展开|查看|打开|需要|请|给我|读取|看一下/iu;

const OBSERVATIONS =
  /(?:\bobs(?:ervations?)?|观察|观测|事件|记录)[ \t.:#]{0,4}(#?\d{1,15}(?:(?:[ \t]*(?:,|、|&|和|与)[ \t]*|[ \t]+and[ \t]+)#?\d{1,15}){0,20})(?![\d.]|[ \t]*(?:条|个|次|行|项|%))/giu;
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

/** A handle in a sentence. */
export interface NamedHandle {
  readonly handle: string;
  /** The sentence asks for something. */
  readonly isAsked: boolean;
}

/** Handles of sections and symbols that a sentence names. */
export function namedHandles(sentence: string): readonly NamedHandle[] {
  const handles = sentence.match(HANDLE);
  if (!handles) return [];
  const isAsked = ASKING.test(sentence);
  return [...new Set(handles)].map((handle) => ({ handle, isAsked }));
}

/** Ids of observations that a sentence names: `observation 12`, `obs 12 and 15`, `观察 12`, `#12` unless it is an issue's. */
export function namedIds(sentence: string): readonly number[] {
  const ids = new Set<number>();
  for (const [, list = ''] of sentence.matchAll(OBSERVATIONS)) {
    for (const [digits] of list.matchAll(/\d+/gu)) ids.add(Number(digits));
  }
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
