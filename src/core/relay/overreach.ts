/**
 * What a relay must not say (DESIGN §7): that work is completed which the ledger does not show as finished. Marks the
 * tasks that a message names, reads its sentences (`claims`), and holds what they claim against the ledger. It goes by
 * words and understands no more than that, so a clean result is no proof.
 */

import { listNames } from '../text/numbers';
import { ADDED, CLAIM_WORD, claimsIn, FOREIGN, INSIDE, LIST, type Mention, NAME, STATE_WORD } from './claims';
import { textsIn } from './jsonValue';
import { isAllFinished, isFinished, type Ledger, readLedger } from './ledger';
import { idPlaces, type Place, placesOf, stemOf } from './mentions';
import { ESSENTIALS } from './relayContext';

/** One sentence that claims more than the ledger shows. */
interface OverreachFinding {
  readonly rule: 'claims-completion';
  /** The whole sentence, as written. */
  readonly text: string;
  /** What the ledger has instead: `T2: running`. */
  readonly ledger: string;
}

type Task = Ledger['tasks'][number];

/** Something that a message names: tasks of the ledger, or an id that it does not have. */
interface Name extends Place {
  readonly tasks: readonly Task[];
  readonly stranger?: string;
}

/** A message whose names, quotations and asides are marked or filled; offsets are those of the message. */
interface Marked {
  readonly text: string;
  readonly names: ReadonlyMap<number, Name>;
}

/** Shorter titles and essentials are in every sentence by chance. */
const MIN_TITLE_CHARS = 12;
/** Open tasks named in one finding. */
const MAX_NAMED = 5;

/** Code, block quotes and quotation marks of English and Chinese: words of another. */
const QUOTED =
  /```[\s\S]*?(?:```|$)|^[ \t]*>[^\n]*|`[^`\n]{1,1000}`|"[^"\n]{1,2000}"|“[^”\n]{1,2000}”|‘[^’\n]{1,2000}’(?!\w)|(?<!\w)'[^'\n]{2,2000}'(?!\w)|「[^」\n]{1,2000}」|《[^》\n]{1,2000}》/gmu;
const PATH = /(?:https?:\/\/|\.{0,2}\/|[\w.-]{2,80}\/)[\w./#?=&%-]{0,200}|[\w-]{1,80}\.[a-z]{2,4}(?!\w)/g;
/** Asides; one that says how something is stays. */
const BRACKETED = /[(（][^()（）\n]{0,300}[)）]/g;

const ONLY_NAMES = new RegExp(`^.\\s*${LIST}\\s*.$`, 'u');

const ITEM = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+/;
const HEADING = /^[ \t]*#{1,6}[ \t]|^\*\*[^*\n]{1,80}\*\*[:：]?$/;
const ROW = /^[ \t]*\|/;
/** Lines that go on with the line before: no capital, no mark of an item, no label. */
const GOES_ON = /^[ \t]*(?:[\p{Ll}\p{Script=Han}(（&]|\uE000|(?:[Tt]asks?|[Ss]teps?) \uE000)(?![^\s:：]{0,20}[:：])/u;
const ENDS_OPEN = /[:：][*_\s]*$/;
const CLOSED = /(?:^|[.!?:|。！？：])[*_\s]*$/;
const HANGING = /(?:\b(?:and|or)|[,，、/&+和与及])\s*$/;
/** Ends of sentences: a full stop only before a blank, so that `src/a.ts` and `3.2` stay whole. Bounded, to stay linear. */
const SENTENCE = /.{0,1000}?(?:[.!?]{1,9}(?=\s|$)|[。！？]{1,9}|$)|.{1,1000}/gy;

/** Every id and title that the message names, the longest where several begin. */
function namesIn(text: string, { tasks }: Ledger): readonly Name[] {
  // Tasks may share an id or a title: each name is looked for once.
  const named = new Map<string, Set<Task>>();
  for (const task of tasks)
    for (const name of task.title.length >= MIN_TITLE_CHARS ? [...task.ids, task.title] : task.ids) {
      const known = named.get(name);
      if (known) known.add(task);
      else named.set(name, new Set([task]));
    }
  const known = new Map<string, Name>();
  for (const [name, ofName] of named)
    for (const place of placesOf(text, spread(name))) {
      const key = `${place.start} ${place.end}`;
      known.set(key, { ...place, tasks: [...new Set([...(known.get(key)?.tasks ?? []), ...ofName])] });
    }
  const stems = new Set(['T', 'S', 'TASK', 'STEP', ...tasks.flatMap(({ ids }) => ids.map(stemOf))]);
  const strangers = idPlaces(text).flatMap((place): Name[] => {
    const stranger = text.slice(place.start, place.end);
    return stems.has(stemOf(stranger)) ? [{ ...place, tasks: [], stranger }] : [];
  });
  const names: Name[] = [];
  for (const name of [...known.values(), ...strangers].sort((a, b) => a.start - b.start || b.end - a.end))
    if (name.start >= (names.at(-1)?.end ?? 0)) names.push(name);
  return names;
}

/** The hyphen of `T1-T3` as a dash: the ids on both sides are words of their own. */
function spread(text: string): string {
  return text.replace(/(?<=\d)-(?=[A-Z]{1,10}[-_]?\d)/gi, '–');
}

const filled = (text: string, by: string): string => text.replace(/[^\n]/g, by);

/** Lines that go on in the next one become one; a name at its start begins an entry of a list without marks. */
function joinLines(text: string): string {
  let before = '';
  let joined = '';
  for (const line of text.split('\n')) {
    const isEntry = line.trimStart().startsWith(NAME) && before.includes(NAME);
    const isOpen = !CLOSED.test(before) && !HEADING.test(before) && !ROW.test(before);
    const goesOn = isOpen && (HANGING.test(before) ? !ITEM.test(line) : !isEntry && GOES_ON.test(line));
    joined += `${goesOn ? ' ' : '\n'}${line}`;
    before = line;
  }
  return joined.slice(1);
}

/** The message with names marked, and what it only quotes or forwards filled; its length stays. */
function marked(message: string, ledger: Ledger): Marked {
  let text = spread(message.replace(/[\uE000-\uE002]/g, ' ').replace(/\r(?!\n)|[\u2028\u2029]/g, '\n'));
  for (const known of ESSENTIALS.flatMap((key) => textsIn(ledger.context[key])))
    if (known.length >= MIN_TITLE_CHARS) text = text.split(known).join(filled(known, FOREIGN));
  text = text.replace(PATH, (path) => (idPlaces(path).length > 0 && !/\.\w/.test(path) ? path : filled(path, FOREIGN)));
  const names = namesIn(text, ledger);
  let [out, at] = ['', 0];
  for (const { start, end } of names) {
    out += text.slice(at, start) + NAME + INSIDE.repeat(end - start - 1);
    at = end;
  }
  text = (out + text.slice(at))
    // A quotation without a claim is a name or a command.
    .replace(QUOTED, (quote) =>
      /^(?:```|[ \t]*>)/.test(quote) || CLAIM_WORD.test(quote) ? filled(quote, FOREIGN) : ` ${quote.slice(1, -1)} `,
    )
    .replace(BRACKETED, (inner) => {
      if (STATE_WORD.test(inner)) return inner;
      return ONLY_NAMES.test(inner) ? ` ${inner.slice(1, -1)} ` : filled(inner, ' ');
    })
    .replace(ADDED, (added) => filled(added, ' '));
  return { text: joinLines(text), names: new Map(names.map((name) => [name.start, name])) };
}

/** What the ledger has against claims about the names. */
function against(names: readonly Name[]): readonly string[] {
  return names.flatMap(({ tasks, stranger }) => [
    ...(stranger === undefined ? [] : [`${stranger}: not in the ledger`]),
    ...tasks.filter((task) => !isFinished(task)).map(factOf),
  ]);
}

function factOf({ ids, title, status }: Task): string {
  return `${ids[0] ?? title}: ${status === '' ? 'no status' : status}`;
}

/** What the ledger has against a claim that everything but some is done. */
function againstAll(ledger: Ledger, but: readonly Name[]): readonly string[] {
  if (isAllFinished(ledger)) return [];
  if (ledger.tasks.length === 0) return ['no tasks'];
  const left = new Set(but.flatMap(({ tasks }) => tasks));
  return ledger.tasks.filter((task) => !isFinished(task) && !left.has(task)).map(factOf);
}

/** The names that mentions stand for; `T1-T3` are all tasks from T1 to T3 in the order of the ledger. */
function namesOf(mentions: readonly Mention[], names: Marked['names'], { tasks }: Ledger): readonly Name[] {
  return mentions.flatMap(({ at, to }) => {
    const [first, last] = [names.get(at), to === undefined ? undefined : names.get(to)];
    const ends = [first, last].flatMap((name) => name ?? []);
    const [from, until] = [first, last].map((name) => (name?.tasks[0] ? tasks.indexOf(name.tasks[0]) : -1));
    if (!first || !last || from === undefined || until === undefined || from < 0 || until < from) return ends;
    return [{ ...first, tasks: tasks.slice(from, until + 1) }];
  });
}

/**
 * Checks an outgoing message of a relay, at most one finding a sentence. What repeats an essential of the ledger word
 * for word is forwarding. Linear in the message.
 *
 * @param value any JSON value, read by `readLedger`; without one nothing is shown as done.
 * @example
 * checkMessage('T3 is done.', { tasks: [{ task_id: 'T3', status: 'running' }] })
 * // [{ rule: 'claims-completion', text: 'T3 is done.', ledger: 'T3: running' }]
 */
export function checkMessage(message: string, value: unknown): readonly OverreachFinding[] {
  const ledger = readLedger(value);
  const { text, names } = marked(message, ledger);
  const findings: OverreachFinding[] = [];
  const lines = text.split('\n');
  let topic: readonly Mention[] = [];
  // A list below the title `Done`, with the indentation of its items.
  let done: { indent?: number } | undefined;
  let start = 0;
  for (const [n, line] of lines.entries()) {
    const [item, isRow, isHeading] = [ITEM.exec(line), ROW.test(line), HEADING.test(line)];
    const indent = item?.[1]?.length ?? 0;
    const skipped = item?.[0].length ?? 0;
    const isTitle = isHeading || ENDS_OPEN.test(line) || (!item && ITEM.test(lines[n + 1] ?? '') && !CLOSED.test(line));
    if (line.trim() === '' || isHeading || isRow || (item && indent === 0)) topic = [];
    if (item && done) done.indent ??= indent;
    else if (/^\S/.test(line)) done = undefined;
    for (const { 0: sentence, index } of line.slice(skipped).matchAll(SENTENCE)) {
      if (sentence === '') continue;
      const offset = start + skipped + index;
      const { mentions, all, subject, ...claims } = claimsIn(sentence, offset, topic, isRow);
      const isListed = item && done && done.indent === indent && index === 0 && !claims.isStated;
      const said = [
        ...against(namesOf(isListed ? subject : mentions, names, ledger)),
        ...(all && !(isTitle && claims.isHeading)
          ? againstAll(ledger, namesOf(all === 'rest' ? [...topic, ...namesAt(sentence, offset)] : [], names, ledger))
          : []),
      ];
      if (isTitle && !sentence.includes(NAME)) done = claims.isHeading ? {} : undefined;
      topic = subject;
      if (said.length === 0) continue;
      const claimed = message.slice(offset, offset + sentence.length).trim();
      findings.push({ rule: 'claims-completion', text: claimed, ledger: listNames([...new Set(said)], MAX_NAMED) });
    }
    start += line.length + 1;
  }
  return findings;
}

function namesAt(sentence: string, offset: number): readonly Mention[] {
  return [...sentence.matchAll(/\uE000/g)].map(({ index }) => ({ at: offset + index }));
}
