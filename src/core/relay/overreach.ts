/**
 * What a relay must not say (DESIGN §7): it observes and forwards. This checks an outgoing message against the ledger:
 * claims of completion or recovery that the ledger does not show, work given to others, work or leadership taken over.
 * It goes by words, sentence by sentence; quotations, questions, negations, plans and reports of what others say are
 * not claims. It understands no more than that, so a clean result is no proof.
 */
import { toSentence } from '../text/sentence';
import * as words from './boundaryWords';
import { isAllFinished, isFinished, isSound, type Ledger, type LedgerTask, readLedger } from './ledger';
import { hasId, idsIn } from './mentions';
import { type Clause, readSentences, type Sentence } from './messageText';
import { ESSENTIALS } from './relayContext';

/** What a sentence does that a relay must not do. */
export type BoundaryKind = 'completion' | 'recovery' | 'assignment' | 'takeover';

/** One sentence that oversteps. */
export interface BoundaryFinding {
  readonly kind: BoundaryKind;
  /** The whole sentence, as written. */
  readonly sentence: string;
  /** The words that say it. */
  readonly quote: string;
  /** What the ledger says about it, or what holds for every relay. */
  readonly fact: string;
}

/** Shorter essentials are in every sentence by chance. */
const MIN_FORWARDED_CHARS = 12;

function firstOf(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return undefined;
}

function isNegated(text: string, match: RegExpExecArray): boolean {
  const before = text.slice(0, match.index);
  return words.NEGATION.test(before) || words.NEGATION_ZH.test(`${before}${match[0]}`);
}

function isElsewhere(name: string | undefined): boolean {
  return name !== undefined && !words.NOBODY_ELSE.test(name);
}

/** Whether the clause says who else says it. */
function isAttributed(text: string): boolean {
  if (words.CONTINUED.test(text)) return true;
  const all = [...words.ATTRIBUTION, ...words.ATTRIBUTION_ZH];
  return all.some((pattern) => isElsewhere(pattern.exec(text)?.[1]));
}

type Shown = { readonly isShown: boolean; readonly fact: string };

const quoted = (text: string): string => `"${toSentence(text, 80)}"`;

/** Ids that look like the ledger's own, and tasks whose id or title the text names. */
function tasksNamed(
  text: string,
  ledger: Ledger,
): { readonly known: readonly LedgerTask[]; readonly unknown: readonly string[] } {
  const known = ledger.tasks.filter(
    ({ ids, title }) =>
      ids.some((id) => hasId(text, id)) || (title.length >= MIN_FORWARDED_CHARS && hasId(text, title)),
  );
  const stems = new Set(['T', 'TASK', 'STEP', ...ledger.tasks.flatMap(({ ids }) => ids.map(stemOf))]);
  const isKnown = (id: string) => known.some((task) => task.ids.some((own) => own.toUpperCase() === id));
  return { known, unknown: [...idsIn(text)].filter((id) => stems.has(stemOf(id)) && !isKnown(id)) };
}

function stemOf(id: string): string {
  return /^[A-Za-z]*/.exec(id)?.[0].toUpperCase() ?? '';
}

function showsCompletion(text: string, ledger: Ledger): Shown {
  const { known, unknown } = tasksNamed(text, ledger);
  const [stranger] = unknown;
  if (stranger !== undefined) return { isShown: false, fact: `the ledger has no ${stranger}` };
  const open = known.filter((task) => !isFinished(task));
  if (known.length > 0) {
    const named = open.map(
      (task) =>
        `${task.ids[0] ?? quoted(task.title)} as ${task.status === '' ? 'without a status' : quoted(task.status)}`,
    );
    return { isShown: open.length === 0, fact: `the ledger has ${named.join(', ')}` };
  }
  const unfinished = ledger.tasks.filter((task) => !isFinished(task)).length;
  const fact =
    ledger.tasks.length === 0
      ? 'the ledger shows no finished work'
      : `the ledger has ${unfinished} of ${ledger.tasks.length} tasks unfinished`;
  return { isShown: isAllFinished(ledger), fact };
}

function showsRecovery({ state }: Ledger): Shown {
  const fact = state === '' ? 'the ledger has no state' : `the ledger's state is ${toSentence(state, 40)}`;
  return { isShown: isSound(state), fact };
}

interface Claim {
  readonly kind: 'completion' | 'recovery';
  readonly patterns: readonly RegExp[];
  readonly shown: (text: string, ledger: Ledger) => Shown;
}

const CLAIMS: readonly Claim[] = [
  {
    kind: 'recovery',
    patterns: [...words.RECOVERY, ...words.RECOVERY_ZH],
    shown: (_, ledger) => showsRecovery(ledger),
  },
  { kind: 'completion', patterns: [...words.COMPLETION, ...words.COMPLETION_ZH], shown: showsCompletion },
];

/** Claims of one sentence. What another said holds until a conclusion is drawn; a condition holds to the end. */
function findClaims(sentence: Sentence, ledger: Ledger): readonly BoundaryFinding[] {
  if (sentence.isQuestion || words.SPEAKER.test(sentence.text) || words.FORWARDED.test(sentence.text)) return [];
  let isReported = false;
  let isConditional = false;
  for (const clause of sentence.clauses) {
    isReported = isAttributed(clause.text) || (isReported && !clause.isConclusion);
    isConditional ||= words.CONDITION.test(clause.text);
    if (isReported || isConditional) continue;
    const found = claimIn(clause, sentence, ledger);
    if (found) return [found];
  }
  return [];
}

function claimIn({ text }: Clause, sentence: Sentence, ledger: Ledger): BoundaryFinding | undefined {
  if ([words.NOT_YET, words.NOT_YET_ZH, words.PARTIAL].some((pattern) => pattern.test(text))) return undefined;
  for (const { kind, patterns, shown } of CLAIMS) {
    const match = firstOf(patterns, text);
    if (!match || isNegated(text, match)) continue;
    const named = idsIn(text).size > 0 ? text : sentence.text;
    const { isShown, fact } = shown(named, ledger);
    return isShown ? undefined : { kind, sentence: sentence.original, quote: quoteOf(match), fact };
  }
  return undefined;
}

function quoteOf(match: RegExpExecArray): string {
  return (match[1] ?? match[0]).trim();
}

const FORBIDDEN = {
  takeover: 'a relay only observes and forwards; it takes nothing over and does no work',
  assignment: 'a relay only observes and forwards; the controller assigns work',
} as const;

/** Orders and takeovers of one sentence: also those that are announced or conditional. */
function findActs(sentence: Sentence, ledger: Ledger): readonly BoundaryFinding[] {
  if (sentence.isQuestion || words.CHIEF_SPEAKER.test(sentence.text) || words.FORWARDED.test(sentence.text)) return [];
  const found = (kind: 'takeover' | 'assignment', match: RegExpExecArray): BoundaryFinding[] => {
    const owner = kind === 'assignment' ? ownerFact(sentence.text, ledger) : undefined;
    return [{ kind, sentence: sentence.original, quote: quoteOf(match), fact: owner ?? FORBIDDEN[kind] }];
  };
  const addressed = words.ADDRESSED.exec(sentence.text);
  if (addressed) return found('assignment', addressed);
  let isReported = false;
  for (const clause of sentence.clauses) {
    isReported = isAttributed(clause.text) || (isReported && !clause.isConclusion);
    if (isReported) continue;
    for (const kind of ['takeover', 'assignment'] as const) {
      const match = firstOf(ACTS[kind], clause.text);
      if (match && !isNegated(clause.text, match) && !isShownAssignment(kind, match, sentence.text, ledger))
        return found(kind, match);
    }
  }
  return [];
}

const ACTS = {
  takeover: [...words.TAKEOVER, ...words.TAKEOVER_ZH],
  assignment: [...words.ASSIGNMENT, ...words.ASSIGNMENT_ZH],
} as const;

/** `T3 is assigned to the verifier` is a fact where the ledger has the verifier as its owner. */
function isShownAssignment(kind: string, match: RegExpExecArray, text: string, ledger: Ledger): boolean {
  if (kind !== 'assignment' || !/assigned|分配|指派|由/.test(match[0]) || /\b(?:I|we)\b|我/.test(match[0]))
    return false;
  return tasksNamed(text, ledger).known.some(({ owner }) => owner !== '' && hasId(text, owner));
}

function ownerFact(text: string, ledger: Ledger): string | undefined {
  const [task] = tasksNamed(text, ledger).known;
  if (!task) return undefined;
  const owner = task.owner === '' ? 'no owner' : quoted(task.owner);
  return `the ledger has ${owner} for ${task.ids[0] ?? quoted(task.title)}; the controller assigns work`;
}

function forwardedTexts({ context }: Ledger): readonly string[] {
  return ESSENTIALS.flatMap((key) => context[key] ?? []).filter((text) => text.length >= MIN_FORWARDED_CHARS);
}

/**
 * Checks an outgoing message of a relay. Each sentence gives at most one finding of what it claims and one of what it
 * does. What repeats an essential of the ledger word for word is forwarding. Linear in the message.
 *
 * @param ledger any JSON value, read by `readLedger`; without one nothing is shown as done.
 * @example
 * checkMessage('T3 is done.', { tasks: [{ task_id: 'T3', status: 'running' }] })
 * // [{ kind: 'completion', sentence: 'T3 is done.', quote: 'is done', fact: 'the ledger has T3 as "running"' }]
 */
export function checkMessage(message: string, ledger: unknown): readonly BoundaryFinding[] {
  const facts = readLedger(ledger);
  const sentences = readSentences(message, forwardedTexts(facts));
  return sentences.flatMap((sentence) => [...findClaims(sentence, facts), ...findActs(sentence, facts)]);
}
