/**
 * Leaves out what a reply says it did not use: `I did not open src/a.ts`, `not relevant here`, `没有用到`. Such sentences
 * are no evidence, whatever they name. Rules that forbid something (`never use floats`) are content and stay.
 */

/** Between sentences; a turn of the thought parts them too, as in `not needed here, but src/a.ts is`. */
const SENTENCE_END =
  /(?<=[.!?;])\s+|\n+|(?<=[。！？；])|(?=\b(?:but|because|however|since|instead|although|yet)\b)|(?=但|因为|不过|而是|只改)/u;

const NOT = "(?:not|n't|never)";
const USED = '(?:use|need|open|read|touch|consult|change|load|look|follow|refer|require|expand|apply|go|rely)';

const DISMISSALS: readonly RegExp[] = [
  // Of the past or of oneself; an imperative is a rule.
  new RegExp(`\\b(?:did|was|were|have|has|had|could|would|will|do|does)(?: ?${NOT})(?: \\w+)? ${USED}`, 'iu'),
  new RegExp(
    `\\b(?:is|are|was|were|isn't|aren't|wasn't|weren't) ?(?:${NOT} )?(?:irrelevant|unrelated|unused|untouched)`,
    'iu',
  ),
  /(?:\bnot|n't) (?:\w+ )?(?:relevant|needed|used|necessary|required|useful|related|affected|involved|touched)\b/iu,
  /\bno need\b|\bnothing to do with\b|\bout of scope\b|\bwithout (?:using|needing|reading|opening|looking)\b/iu,
  /\bI(?:'ve| have)? (?:also )?(?:skip(?:ped)?|ignored?)\b/iu,
  /\bleft\b[^\n]{0,80}\b(?:alone|untouched)\b/iu,
  /\bneither (?:\w+ )?(?:mentions?|says?|helps?|applies|apply)\b/iu,
  /(?:没有?|未|并未|不)(?:再)?(?:使用|用到|用上|需要|参考|打开|读取|查看|涉及|改动|动到|相关)|无需|不必|没必要|无关|跳过|忽略了/u,
];

/** `Do not use X` at the beginning of a sentence is a rule. */
const IMPERATIVE = /^\W*(?:please )?(?:do not|don't|never)\b/iu;

/** True for a sentence that says what was not used. */
function isDismissal(sentence: string): boolean {
  return !IMPERATIVE.test(sentence) && DISMISSALS.some((pattern) => pattern.test(sentence));
}

/** The text's sentences, without those that say what was not used. Linear. */
export function usedSentences(text: string): readonly string[] {
  return text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '' && !isDismissal(sentence));
}
