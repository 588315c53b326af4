/** Findings as people read them: those of one kind and thing together, with a sentence and what it rests on. */
import { asGiven, type Phrase, phrase } from '../../text/phrase';
import type { Finding, FindingSubject } from './sessionData';

/** Findings that are one for a reader. */
export interface FindingGroup {
  /** Most tokens first. */
  readonly findings: readonly [Finding, ...Finding[]];
  /** In order, each once. */
  readonly turns: readonly number[];
  readonly tokens: number;
}

/** Causes that are named; more are counted. */
const CAUSES_SHOWN = 3;
const TURNS_SHOWN = 8;

/** Breaks of the cache are one finding, and so are all readings of the same lines. Most tokens first. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = new Map<unknown, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { rule, what } = finding;
    const key = rule === 'cache-break' ? rule : rule === 'read-again' ? `${rule} ${what}` : finding;
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()]
    .map((group) => ({
      findings: group,
      turns: [...new Set(group.flatMap(({ turns }) => turns))].sort((a, b) => a - b),
      tokens: group.reduce((sum, { tokens }) => sum + tokens, 0),
    }))
    .sort((a, b) => b.tokens - a.tokens);
}

/** A finding in words: what it is, and what it rests on. */
interface FindingWords {
  readonly sentence: Phrase;
  readonly evidence: Phrase;
}

/** Facts of a group that its words are made of. */
interface Told extends FindingSubject {
  readonly findings: FindingGroup['findings'];
  /** Of the first finding, as are the facts of its subject. */
  readonly what: string;
  readonly turn: number;
  /** All turns, in words. */
  readonly where: Phrase;
}

/** Words of each kind of finding; undefined where the finding does not say what they need. */
const WORDS: Readonly<Record<Finding['rule'], (told: Told) => FindingWords | undefined>> = {
  'read-again': ({ findings, what, path = what, range, where }) => {
    const count = findings.length + 1;
    return {
      sentence: count === 2 ? phrase('{0} was read twice', path) : phrase('{0} was read {1} times', path, count),
      evidence: range === undefined ? where : phrase('{0}, {1}', lineWords(range), where),
    };
  },
  'unused-output': ({ path, server, tool = '', size, where }) =>
    size === undefined
      ? undefined
      : {
          sentence:
            path === undefined
              ? phrase('Output of {0} was not visibly used later', server === undefined ? tool : `${server}/${tool}`)
              : phrase('{0} was read, but not visibly used later', path),
          evidence: phrase('{0} tokens, {1}', size, where),
        },
  'unused-server': ({ server }) =>
    server === undefined
      ? undefined
      : {
          sentence: phrase('MCP server {0} was never called', server),
          evidence: phrase('Its tools are in each window, also of the other sessions'),
        },
  'lost-instruction': ({ what, turn }) => ({
    sentence: phrase('An instruction was lost in a compaction'),
    evidence: phrase('“{0}”, turn {1}', what, turn),
  }),
  'cache-break': ({ findings }) => ({ sentence: breakWords(findings.length), evidence: causeWords(findings) }),
  'full-before-work': ({ from, to, where, ...about }) =>
    from === undefined || to === undefined
      ? undefined
      : {
          sentence: phrase('{0} of {1} tokens were taken before the first tool call', from, to),
          evidence: joined([...largestWords(about), where]),
        },
  'repeated-command': ({ tool, times, where }) =>
    tool === undefined || times === undefined
      ? undefined
      : { sentence: phrase('{0} failed {1} times with the same output', tool, times), evidence: where },
  'oversized-image': ({ path, tool = '', size, to, where }) =>
    size === undefined || to === undefined
      ? undefined
      : {
          sentence:
            path === undefined
              ? phrase('{0} gave a picture of about {1} tokens', tool, size)
              : phrase('{0} is a picture of about {1} tokens', path, size),
          evidence: phrase('the window grew by {0} tokens, {1}', to, where),
        },
  'subagent-cost': ({ share, where, ...about }) =>
    about.times === undefined || share === undefined
      ? undefined
      : {
          sentence:
            about.times === 1
              ? phrase('One subagent used {0}% of the tokens', share)
              : phrase('{0} subagents used {1}% of the tokens', about.times, share),
          evidence: joined([...largestWords(about), where]),
        },
  'window-shrank': ({ from, to, where }) =>
    from === undefined || to === undefined
      ? undefined
      : {
          sentence: phrase('Content left the window without a mark in the log'),
          evidence: phrase('{0} tokens, then {1}, {2}', from, to, where),
        },
};

/** The words of a group. A finding that says nothing of its parts is quoted. */
export function findingWords({ findings, turns }: FindingGroup): FindingWords {
  const [{ rule, what, about }] = findings;
  const where = turnWords(turns);
  const words = WORDS[rule]({ ...about, findings, what, turn: turns[0] ?? 1, where });
  return words ?? { sentence: asGiven(what), evidence: where };
}

/** What it is made of, and how much more there is. */
function largestWords({ largest = [], times = largest.length }: FindingSubject): readonly Phrase[] {
  const shown = largest.map(({ name, tokens }) =>
    phrase('{0}: {1} tokens', typeof name === 'string' ? asGiven(name) : name, tokens),
  );
  return times > shown.length ? [...shown, phrase('{0} more', times - shown.length)] : shown;
}

/** @param phrases one at least */
function joined(phrases: readonly Phrase[]): Phrase {
  return phrases.reduce((before, next) => phrase('{0}; {1}', before, next));
}

function breakWords(count: number): Phrase {
  return count === 1 ? phrase('The cache broke once') : phrase('The cache broke {0} times', count);
}

function causeWords(findings: readonly Finding[]): Phrase {
  const turnOf = ({ turns }: Finding): number => turns.at(-1) ?? 1;
  const causes = findings
    .slice(0, CAUSES_SHOWN)
    .sort((a, b) => turnOf(a) - turnOf(b))
    .map((each) => phrase('turn {0}: {1}', turnOf(each), each.about?.cause ?? asGiven(each.what)));
  const more = findings.length - causes.length;
  return joined(more > 0 ? [...causes, phrase('{0} more', more)] : causes);
}

function turnWords(turns: readonly number[]): Phrase {
  const shown = turns.slice(0, TURNS_SHOWN).join(', ');
  const list = turns.length > TURNS_SHOWN ? `${shown}, …` : shown;
  return turns.length === 1 ? phrase('turn {0}', list) : phrase('turns {0}', list);
}

/** `L1-L200`, else as it is. */
function lineWords(range: string): Phrase {
  const [, first, last] = /^L(\d+)(?:-L?(\d+))?$/.exec(range) ?? [];
  if (first === undefined) return asGiven(range);
  return last === undefined ? phrase('line {0}', first) : phrase('lines {0} to {1}', first, last);
}
