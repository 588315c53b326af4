import type { Observation } from './observation';

/** How an event ended, as far as its summary says. */
export type Outcome = 'passed' | 'failed' | 'open' | 'unknown';

/**
 * Words by outcome, in the order that they are looked for: an event that fails somewhere has failed. Chinese words have
 * no boundaries; English ones must stand alone. `0 failed` is none.
 */
const WORDS: readonly (readonly [Outcome, RegExp])[] = [
  [
    'failed',
    /(?<!\b(?:0|no) )\b(?:fail(?:s|ed|ure|ures|ing)?|error(?:s)?|broken|crash(?:ed|es)?|timed out)\b|❌|失败|失敗|报错|報錯|错误|錯誤|异常/iu,
  ],
  ['open', /\b(?:in[ _-]?progress|pending|blocked|skipped|wip|todo|waiting)\b|⏸|🚧|进行中|進行中|阻塞|等待|待办/iu],
  [
    'passed',
    /\b(?:pass(?:es|ed)?|ok|done|success(?:ful|fully)?|succeeded|fixed|merged|completed?|green)\b|✅|通过|通過|成功|完成|修复|修復/iu,
  ],
];

/** The outcome that an observation's summary tells; for icons, never for counting. */
export function outcomeOf({ summary }: Pick<Observation, 'summary'>): Outcome {
  // What stands after the arrow is the result; before it stands what was tried.
  const result = summary.slice(summary.lastIndexOf('→') + 1);
  for (const text of [result, summary]) {
    const found = WORDS.find(([, words]) => words.test(text));
    if (found) return found[0];
  }
  return 'unknown';
}
