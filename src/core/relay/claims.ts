/**
 * Which tasks a sentence says are done. Names of tasks are marked in its text beforehand ({@link NAME}). The sentence is
 * read as clauses, and each word of completion goes to the names next to it, to what the clause before is about, or to
 * all tasks. Negations, plans, conditions, questions and reported speech are no claims, each only as far as it reaches.
 */

import { FINISHED, UNFINISHED } from './states';

/** In marked text: where a name begins, the rest of a name, and words of another. None is a letter or a mark. */
export const [NAME, INSIDE, FOREIGN] = ['\uE000', '\uE001', '\uE002'] as const;

/** A span of the sentence, in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const KINDS = ['list', 'claim', 'open'] as const;

/** Names, a word of completion, or one of what is open. */
interface Token extends Span {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

interface Clause extends Span {
  /** What stands before it. */
  readonly separator: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** One name, or all from one to another. */
export interface Mention {
  /** Offset of the name in the message. */
  readonly at: number;
  /** Offset of the last name of `T1-T3`. */
  readonly to?: number;
}

/** What a sentence claims to be done. */
interface Claims {
  readonly mentions: readonly Mention[];
  /** All tasks, or the `rest`: all that are not named beside the claim. */
  readonly all: 'all' | 'rest' | undefined;
  /** What a claim without a name would mean in the next sentence. */
  readonly subject: readonly Mention[];
  /** Nothing but a claim, as the heading of a list has it. */
  readonly isHeading: boolean;
  /** Whether it says of anything how it is. */
  readonly isStated: boolean;
}

/** Claims read in one clause, to stay linear; real clauses have one or two. */
const MAX_CLAIMS = 20;

/** `ok` agrees more often than it claims. */
const FINISHED_WORDS = [...FINISHED].filter((word) => word !== 'ok');
const isLatin = (word: string): boolean => /^[a-z]/.test(word);
const latin = (words: Iterable<string>): string => [...words].filter(isLatin).join('|');
/** `成功` and `通过` go on more often than they end a clause. */
const HAN = FINISHED_WORDS.filter((word) => !isLatin(word))
  .map((word) => (/^(?:成功|通[过過])$/.test(word) ? `${word}(?=了|[\\s\\p{P}]|$)` : word))
  .join('|');
/** `完成后`, `通过率` and `完成标准` claim nothing. */
const CLAIM = `✅|\\[x\\]|(?<![\\p{L}-])(?:${latin(FINISHED_WORDS)}|fixed|passes|shipped)(?![\\p{L}-])|(?:${HAN})(?!之?[后後前]|[度率时時才]|[标標]准|[条條]件|情[况況])`;
const OPEN = `[⏳🔄❌⚠🚧]|\\[ \\]|(?<![\\p{L}-])(?:${latin(UNFINISHED)}|remain(?:s|ing)?|next|left)(?![\\p{L}-])|${[...UNFINISHED].filter((word) => !isLatin(word)).join('|')}`;

/** Words of completion. */
export const CLAIM_WORD = new RegExp(CLAIM, 'iu');
const CLAIM_WORDS = new RegExp(CLAIM, 'giu');
/** Alone, these are said of the work; `merged` is said of something. */
const OF_WORK = /done|complete|finish|[完结結]|✅/i;
/** Words of completion and of what is open. */
export const STATE_WORD = new RegExp(`${CLAIM}|${OPEN}`, 'iu');

const NAMED = `${NAME}${INSIDE}*`;
/** `T1, T2 and task T3`; in `T1 and T2 is done` a new clause begins. */
export const LIST = `${NAMED}(?:[\\s*_]{0,400}(?:[,，、/&+–~～至到]|和|与|及|以及|(?:,\\s)?\\b(?:and|to|through)\\b(?!\\s${NAMED}\\s(?:is|was|has)\\b))[\\s*_]{0,9}(?:(?:the|both|tasks?|steps?|任务|任務|步[骤驟])\\s?){0,2}${NAMED})*`;
const PARTS = new RegExp(`${NAMED}|[^${NAME}${INSIDE}]+`, 'gu');
const RANGE = /^[\s*_]*(?:[–~～至到]|to|through)/i;
const TOKEN = new RegExp(
  `(?<list>${LIST})|(?<claim>${CLAIM})|(?<open>${OPEN})|(?<separator>[,，、;；:：|()（）—–]|\\s-\\s|\\b(?:and|but|so|while)\\b|但是?|因此|所以|并且|而且|同时)`,
  'giu',
);
const JOINS = /^(?:[,，、]|and)$/i;
const LABELS = /^(?:[:：|(（—–]|\s-\s)$/;
const TURNS = /^(?:[;；()（）]|but|但是?)$/i;

/** What is no subject of its own. */
const FILLERS =
  /\b(?:is|are|was|were|has|have|had|been|be|got|just|now|all|both|the|this|(?:it|that)(?:['’]s)?|they(?:['’]re)?|which|tasks?|subtasks?|steps?|work|status|state|result|i|i['’]m|i['’]ve|we|we['’]re|we['’]ve|already|also|too|fully|successfully|finally|so far|in this session|today)\b|[已经經现現在均都也全部所有一切了任务務步骤驟工作目前的我们們状狀态態结結果本次轮輪今天终終于顺順利]|[\s\p{P}\p{So}]|\ufe0f/giu;
const EVERYTHING =
  /\beverything\b|\b(?:all|each|every)\b(?: [\w-]+){0,4}? (?:sub)?(?:tasks?|steps?|work|phases?|stages?|milestones?|todos?)\b|(?:所有|全部|一切|整[个個]|其[余餘他它]).{0,12}(?:任[务務]|工作|步[骤驟])|(?:任[务務]|工作|步[骤驟])[已经經]{0,2}(?:全部|均|都)|^[\s\p{P}]*the (?:rest|others)\b/iu;
const ALL = /\ball\b|全部|均|都/iu;
/** All tasks but those that are named. */
const REST = /\b(?:except|apart from|other than|besides|else|rest|others?|remaining)\b|其[余餘他它]|除/iu;
const PLURAL = /\b(?:are|were|have|both|all)\b|都|均|全部/iu;

/** `the tests pass` is said of tests, also of those of a task. */
const THINGS =
  '(?:tests?|testing|checks?|suites?|lint|builds?|ci|blockers?|comments?|conflicts?|reviews?|errors?|issues?|dependenc(?:y|ies)|typecheck)';
const OF_THINGS = new RegExp(
  `^[\\s\\p{P}]*(?:[a-z]+ ){0,3}${THINGS}\\b|\\b${THINGS}(?: (?:is|are|was|were|has|have|all|now|been))*\\s*$|(?:[测測][试試]|[检檢]查|构建|編譯|编译|评审|冲突|阻塞|依赖|用例)[已经經也都均全部]*$`,
  'iu',
);
/** `T1 and its tests` is T1. */
export const ADDED = new RegExp(
  `(?= (?:and|with|plus|including) )(?<=${NAMED}) (?:and|with|plus|including) (?:(?:all|the|its|unit) ){0,2}${THINGS}\\b(?! for)`,
  'giu',
);
/** `complete T1` is an order. */
const BASE_FORM = /^(?:complete|pass|success)$/i;
/** `the merged parser` and `已完成的解析器` only tell which one. */
const ATTRIBUTE = /\b(?:the|an?|this|these|those|its|your|any|each|of|from|with|in)\s$/i;
/** `T1 depends on T2, which is done` is about the last one named. */
const RELATIVE = /^[\s\p{P}]*(?:which|who)\b/iu;
/** `For T4 I completed T1` claims what follows. */
const ACTIVE = /\b(?:i|we)(?:['’]ve| have)?\s*$|我[们們]?已?[经經]?\s*$/iu;
/** `it is merged into main` goes on about the subject. */
const PRONOUN = /\b(?:it|they|both|which|is|are|was|were|been)\b/i;
/** Between a claim and the names that it is about. */
const FORWARD =
  /^[\s*_]*[了的]?(?:任[务務]|步[骤驟])?[\s*_]*(?:(?!(?:for|to|in|from|before|after|with|at|by|into|on)\b)[\p{Script=Latin}-]+\s+){0,4}(?:(?:work on|with)\s+)?[*_]*$/u;

/** Between the start of its clause and a claim: not so, or not so yet. */
const NOT_SO =
  /\[ \]|\b(?:not|never|no|none|neither|nor|nobody|nothing|cannot|without|will|would|should|must|may|might|could|can(?! (?:now )?(?:confirm|report|say))|to (?:be|get|have)|needs?|almost|nearly|partly|partially|half|mostly|expect\w*|wait\w*|definition|depends? on|(?<=[^\s\p{P}]\s)after|please(?! (?:note|see))|mark|ensure|make sure)\b|n['’]t\b|(?<![\d.])\d{1,2}\s?[%％]|\b(\d+) (?:out )?of (?!\1\b)\d+|未(?!来)|[没沒]|不(?![仅但过同错断久])|尚|[预預][计計]|部分|(?:快|就要|即[将將]|[将將]要)$|等待|依[赖賴]|[确確]保/iu;
/** The same before a word of Chinese that does not say `已` or `了`. */
const NOT_YET =
  /(?<!已)[将將]|[待才快]|会(?![话议])|需(?!求)|(?<![重主])要(?!求|点)|等(?!级)|请(?!求)|能(?!力)|应(?!用)|可以|[计計][划劃]|打算|准备|目标|[继繼][续續]/u;
const PARTLY = /^[了\s:：]{0,4}(?:\d{1,2}\s?[%％]|一半|[大部]?部分|大半)/;
/** A condition, a goal, or the words of another: no claim after it, up to the next turn. */
const NOT_OURS =
  /\b(?:if|once|when|until|till|unless|before|whether|says?|said|saying|reports?(?= (?:that|all|everything|tasks?)\b|\s\uE000)|reported|claims?|claimed|insists?|believes?|wrote|forward\w*)\b|如果|若|一旦|是否|(?<!解)[说說](?![明法])|[声聲宣]称|(?<![名简通俗职])称(?!为)|[者员員器方] ?[报報]告|^[\s\p{P}]*(?:goals?|targets?|plan|next(?: steps?)?|todo|pre-?conditions?|requires|depends on|目标|计划|下一步|前置条件)\s?[:：]/iu;
/** Conditions of the whole clause, wherever they stand in it. */
const IF = /\b(?:if|once|when|unless)\b|如果|若|一旦/iu;
/** No claim in the whole sentence. */
const REPORTED =
  /\baccording to\b|\b(?:says|said|reports|reported|claims|claimed|wrote)[\s\p{P}]*$|[说說称稱][\s\p{P}]*$|[据據].{0,12}[报報说說称]|^[^:：\n]{0,40}(?:worker|implementer|verifier|planner|controller|user|agent|执行者|控制者|用户)\s*[:：]/iu;
/** Questions: by the first word of all clauses, by the last of the last clause, or by a tag (`right?`) of all. */
const QUESTION = /[?？][\s\p{P}]*$|[吗嗎][\s\p{P}]*$/u;
const ASKS = /^[\s\p{P}]*(?:is|are|was|were|has|have|did|does|do|can|could|what|which|who|why|how)\b/iu;
const TAG = /^[\s\p{P}]*(?:[\w'’]+[\s\p{P}]*){0,2}$|^[\s\p{P}]*\p{Script=Han}{0,3}[\s\p{P}]*$/u;

function clausesOf(sentence: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let [start, separator] = [0, ''];
  let tokens: Token[] = [];
  const close = (end: number): void => {
    clauses.push({ start, end, separator, text: sentence.slice(start, end), tokens });
    tokens = [];
  };
  for (const { 0: text, index, groups } of sentence.matchAll(TOKEN)) {
    const end = index + text.length;
    const kind = KINDS.find((name) => groups?.[name] !== undefined);
    if (kind) tokens.push({ kind, text, start: index, end });
    else {
      close(index);
      [start, separator] = [end, text];
    }
  }
  close(sentence.length);
  return clauses;
}

/** A sentence on its way through {@link claimsIn}. */
interface Reading {
  readonly sentence: string;
  readonly clauses: readonly Clause[];
  /** Where the sentence begins in the message. */
  readonly offset: number;
  /** Of a table, where a lone word is the name of a column. */
  readonly isRow: boolean;
  /** What the clause is about that has no names; of this sentence or of one before. */
  readonly subject: readonly Mention[];
  readonly isOwnSubject: boolean;
}

/** What one claim is about; without names and `all` it is about something else. */
interface Meaning {
  readonly mentions: readonly Mention[];
  readonly all?: 'all' | 'rest';
}

/** The names of lists, the last one of a range with its first. */
function mentionsIn(lists: readonly Token[], offset: number): readonly Mention[] {
  return lists.flatMap(({ text, start }) => {
    const mentions: Mention[] = [];
    let gap = '';
    for (const { 0: part, index } of text.matchAll(PARTS)) {
      const [at, last] = [offset + start + index, mentions.at(-1)];
      if (!part.startsWith(NAME)) gap = part;
      else if (last && RANGE.test(gap)) mentions[mentions.length - 1] = { ...last, to: at };
      else mentions.push({ at });
    }
    return mentions;
  });
}

const isEmpty = (text: string): boolean => text.replace(FILLERS, '') === '';

/** Whether a clause begins with a list, and says nothing of it. */
function isListed(sentence: string, clause: Clause): boolean {
  const [first] = clause.tokens;
  if (first?.kind !== 'list' || clause.tokens.some(({ kind }) => kind !== 'list')) return false;
  return isEmpty(sentence.slice(clause.start, first.start));
}

/** Where a question or reported speech lets the claims of a sentence end: nowhere, before its last clause, at once. */
function claimsEndOf(sentence: string, last: Clause): number {
  if (REPORTED.test(sentence)) return 0;
  if (!QUESTION.test(sentence)) return Number.POSITIVE_INFINITY;
  return ASKS.test(sentence) || TAG.test(last.text) ? 0 : last.start;
}

/** Where a condition or the words of another begin after a turn. */
function claimsEndIn(sentence: string, turn: number): number {
  const at = sentence.slice(turn).search(NOT_OURS);
  return at < 0 ? Number.POSITIVE_INFINITY : turn + at;
}

/** Whether its own clause says that a claim is none: not so, or not yet. */
function isDenied({ sentence }: Reading, clause: Clause, claim: Token): boolean {
  const state = clause.tokens.findLast(({ kind, end }) => kind !== 'list' && end <= claim.start);
  const before = sentence.slice(state?.end ?? clause.start, claim.start);
  const after = sentence.slice(claim.end, claim.end + 20);
  if (state?.text === '[ ]' || NOT_SO.test(before) || PARTLY.test(after)) return true;
  const isOver = /^[✅[已a-z]/i.test(claim.text) || /已[经經]?$/.test(before) || after.startsWith('了');
  return !isOver && NOT_YET.test(before);
}

/** Lists of the clauses from `n` on that go together: `T1 parser and T2 lexer are done`, `Done: T1 parser, T2 lexer`. */
function listsBeside({ sentence, clauses }: Reading, n: number, step: 1 | -1): readonly Token[] {
  const lists: Token[] = [];
  for (let at = n; ; at += step) {
    const [clause, joint] = [clauses[at], clauses[step === 1 ? at : at + 1]];
    const goesOn = at === n || JOINS.test(joint?.separator ?? '');
    const list = clause?.tokens[0];
    if (!clause || !list || !goesOn || !isListed(sentence, clause)) return lists;
    lists.push(list);
  }
}

/** The lists of its own clause that a claim is about; undefined when the clause has none. */
function listsOf(reading: Reading, n: number, claim: Token): readonly Token[] | undefined {
  const { sentence, clauses } = reading;
  const clause = clauses[n];
  if (!clause?.tokens.some(({ kind }) => kind === 'list')) return undefined;
  const { start, separator, tokens } = clause;
  const nth = tokens.indexOf(claim);
  const back = tokens.slice(0, nth).findLast(({ kind }) => kind === 'list');
  const gap = back ? sentence.slice(back.end, claim.start) : '';
  const isAttribute = ATTRIBUTE.test(sentence.slice(start, claim.start)) || sentence.startsWith('的', claim.end);
  const next = tokens[nth + 1];
  if (
    next?.kind === 'list' &&
    !BASE_FORM.test(claim.text) &&
    (!back || isAttribute || !isEmpty(gap) || ACTIVE.test(gap))
  ) {
    const onward = sentence.slice(claim.end, next.start);
    if (FORWARD.test(onward)) {
      if (OF_THINGS.test(onward)) return [];
      // In `Merged T2, T1 still open` the last name begins the next clause.
      const last = next.text.lastIndexOf(NAME);
      return [tokens[nth + 2] !== undefined && last > 0 ? { ...next, text: next.text.slice(0, last) } : next];
    }
  }
  if (!back || isAttribute || OF_THINGS.test(sentence.slice(start, claim.start))) return [];
  const isJoined = PLURAL.test(gap) && JOINS.test(separator);
  return isJoined ? [...listsBeside(reading, n - 1, -1), back] : [back];
}

/** What a claim is about that is nothing but a claim: what the list after it names, what was named before, or all. */
function meaningOfBare(reading: Reading, n: number, text: string): Meaning {
  const { clauses, subject, isOwnSubject, isRow } = reading;
  const after = clauses[n + 1]?.separator ?? '';
  if (LABELS.test(after) && (n === 0 || /[:：]/.test(after)) && clauses[n + 1]?.tokens[0]?.kind === 'list')
    return { mentions: mentionsIn(listsBeside(reading, n + 1, 1), reading.offset) };
  if (subject.length > 0 && (isOwnSubject || !ALL.test(text))) return { mentions: subject };
  return { mentions: [], ...(!isRow && !/[:：]/.test(after) && OF_WORK.test(text) && { all: 'all' as const }) };
}

/** What is the same for all claims of a clause. */
interface Sense {
  readonly all: Meaning['all'];
  readonly isBare: boolean;
  readonly isLabelled: boolean;
}

function senseOf({ sentence, clauses }: Reading, n: number, { text, tokens, separator }: Clause): Sense {
  const isOfAll = EVERYTHING.test(text) && (!tokens.some(({ kind }) => kind === 'list') || REST.test(text));
  const previous = clauses[n - 1];
  return {
    all: !isOfAll ? undefined : REST.test(sentence) ? 'rest' : 'all',
    isBare: isEmpty(text.replace(CLAIM_WORDS, '')),
    // `T1: parser written and merged`
    isLabelled: /[:：—–-]/.test(separator) && previous !== undefined && isListed(sentence, previous),
  };
}

function meaningOf(reading: Reading, n: number, clause: Clause, claim: Token, sense: Sense): Meaning {
  if (sense.all) return { mentions: [], all: sense.all };
  const lists = listsOf(reading, n, claim);
  if (lists) return { mentions: mentionsIn(lists, reading.offset) };
  if (sense.isBare) return meaningOfBare(reading, n, clause.text);
  const before = reading.sentence.slice(clause.start, claim.start);
  if (PRONOUN.test(before) && isEmpty(before)) return { mentions: reading.subject };
  const isOther = !sense.isLabelled || OF_THINGS.test(before);
  return { mentions: isOther ? [] : reading.subject };
}

/** What a clause claims to be done, but for claims from `claimsEnd` on. */
function claimsOf(reading: Reading, n: number, clause: Clause, claimsEnd: number): Meaning | undefined {
  const sense = senseOf(reading, n, clause);
  const [found, denied]: [Mention[], Set<number>] = [[], new Set()];
  let [all, isClaim]: [Meaning['all'], boolean] = [undefined, false];
  for (const claim of clause.tokens.filter(({ kind }) => kind === 'claim').slice(0, MAX_CLAIMS)) {
    const meaning = meaningOf(reading, n, clause, claim, sense);
    if (claim.start >= claimsEnd || isDenied(reading, clause, claim)) {
      for (const { at } of meaning.mentions) denied.add(at);
    } else {
      isClaim = true;
      all ??= meaning.all;
      found.push(...meaning.mentions);
    }
  }
  return isClaim ? { mentions: found.filter(({ at }) => !denied.has(at)), ...(all && { all }) } : undefined;
}

/**
 * Reads one sentence of a marked message.
 *
 * @param offset where the sentence begins in the message.
 * @param topic the subject that the sentence before it left.
 * @param isRow of a table, where a lone word is the name of a column.
 */
export function claimsIn(sentence: string, offset: number, topic: readonly Mention[], isRow: boolean): Claims {
  const clauses = clausesOf(sentence);
  let reading: Reading = { sentence, clauses, offset, isRow, subject: topic, isOwnSubject: false };
  const claimed: Meaning[] = [];
  const last = clauses.at(-1);
  const hasClaim = last !== undefined && clauses.some(({ tokens }) => tokens.some(({ kind }) => kind === 'claim'));
  const asked = hasClaim ? claimsEndOf(sentence, last) : 0;
  let turn = 0;
  let foreign: number | undefined;
  for (const [n, clause] of clauses.entries()) {
    if (TURNS.test(clause.separator)) [turn, foreign] = [clause.start, undefined];
    if (clause.tokens.some(({ kind }) => kind === 'claim')) {
      foreign ??= claimsEndIn(sentence, turn);
      const end = IF.test(clause.text) ? 0 : Math.min(foreign, asked);
      claimed.push(...[claimsOf(reading, n, clause, end)].flatMap((claims) => claims ?? []));
    }
    const lists = clause.tokens.filter(({ kind }) => kind === 'list');
    const subject = RELATIVE.test(clauses[n + 1]?.text ?? '') ? lists.at(-1) : lists[0];
    if (subject) reading = { ...reading, subject: mentionsIn([subject], offset), isOwnSubject: true };
  }
  return {
    mentions: claimed.flatMap(({ mentions }) => mentions),
    all: claimed.find(({ all }) => all)?.all,
    subject: reading.subject,
    isHeading: claimed.length > 0 && isEmpty(sentence.replace(CLAIM_WORDS, '')),
    isStated: clauses.some(({ tokens }) => tokens.some(({ kind }) => kind !== 'list')),
  };
}
