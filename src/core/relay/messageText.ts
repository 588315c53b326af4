/** A message as the boundary checker reads it: sentences and clauses, without what it only quotes. */

/** One clause. */
export interface Clause {
  /** Quoted text is blanked. */
  readonly text: string;
  /** Concludes from the clause before it, or turns against it: "so", "but", "因此": no longer the same speaker's. */
  readonly isConclusion: boolean;
}

/** One sentence. */
export interface Sentence {
  /** As written, trimmed. */
  readonly original: string;
  /** The same without its quotations. */
  readonly text: string;
  readonly clauses: readonly Clause[];
  readonly isQuestion: boolean;
}

/** Code, block quotes and quotation marks of English and Chinese. Newlines end a quotation, but for fenced code. */
const QUOTED: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /^[ \t]*>[^\n]*/gm,
  /`[^`\n]{1,1000}`/g,
  /"[^"\n]{1,2000}"/g,
  /“[^”\n]{1,2000}”/g,
  /‘[^’\n]{1,2000}’(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])'[^'\n]{2,2000}'(?![\p{L}\p{N}])/gu,
  /「[^」\n]{1,2000}」/g,
  /『[^』\n]{1,2000}』/g,
  /《[^》\n]{1,2000}》/g,
];

/**
 * Ends of sentences: a full stop only before a blank, so that `src/a.ts` and `3.2` stay whole. What has no end
 * within 1,000 characters is cut there, since the patterns of the checker take quadratic time.
 */
const SENTENCE = /[^\n]{0,1000}?(?:[.!?]{1,9}(?=\s|$)|[。！？]{1,9}|(?=\n)|$)|[^\n]{1,1000}/gy;

const CLAUSE_BORDER =
  /[,;:，；：、—–]+\s*|\s{1,9}-\s{1,9}|\s{1,9}(?=(?:and|but|so|yet|while|whereas|therefore|thus|hence|because|since|although|though|which)\b)/giu;
const CONCLUSION =
  /^\s*(?:and\s+)?(?:so|but|however|yet|therefore|thus|hence|which means|that means|consequently|所以|但是?|不过|不過|然而|因此|因而|可见|可見|故|也就是说|这说明)/iu;
const QUESTION = /[?？]\s*$|[吗嗎][。.?？]?\s*$|是否|有没有|有沒有|能否|可否/u;
const ORIGINAL_LIST_MARK = /^(?:[-*+]|\d{1,3}[.)])\s+/;

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Blanks quotations and the given texts; the length stays. */
function withoutQuotes(message: string, forwarded: readonly string[]): string {
  let text = message;
  for (const known of forwarded) text = text.split(known).join(blank(known));
  for (const pattern of QUOTED) text = text.replace(pattern, blank);
  return text;
}

function clausesOf(text: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  const add = (end: number) => {
    const clause = text.slice(start, end);
    if (/[\p{L}\p{N}\p{So}]/u.test(clause)) clauses.push({ text: clause, isConclusion: CONCLUSION.test(clause) });
  };
  for (const border of text.matchAll(CLAUSE_BORDER)) {
    add(border.index);
    start = border.index + border[0].length;
  }
  add(text.length);
  return clauses;
}

/** Splits a message; `forwarded` are texts that count as quoted wherever they stand. Linear in the message. */
export function readSentences(message: string, forwarded: readonly string[]): readonly Sentence[] {
  const masked = withoutQuotes(message, forwarded);
  const sentences: Sentence[] = [];
  for (const match of masked.matchAll(SENTENCE)) {
    const original = message.slice(match.index, match.index + match[0].length).trim();
    const text = match[0].trim().replace(ORIGINAL_LIST_MARK, '');
    if (text === '') continue;
    sentences.push({ original, text, clauses: clausesOf(text), isQuestion: QUESTION.test(text) });
  }
  return sentences;
}
