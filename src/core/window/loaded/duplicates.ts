/** Passages that one agent loads more than once: equal runs of sentences, whatever their blank space. */

/** A text of the window with a name for its places. */
export interface LoadedText {
  readonly path: string;
  readonly text: string;
}

/** A passage and its places; `text` is that of the first. */
export interface RepeatedPassage {
  readonly text: string;
  readonly places: readonly string[];
}

/** The least a passage has, in characters without blank space; a shorter one saves fewer tokens than its import costs. */
const LEAST_CHARACTERS = 80;
/** More sentences than this are no text that a person maintains. */
const MAX_SENTENCES = 200_000;
/** A sentence at more places than this is a rule or a fence. */
const MAX_PLACES = 20;

/** A sentence, or a line without one. */
interface Sentence {
  readonly file: number;
  /** 1-based. */
  readonly line: number;
  /** Offsets in its file. */
  readonly start: number;
  readonly end: number;
  /** Without blank space, marks of lists and emphasis. */
  readonly key: string;
}

function keyOf(text: string): string {
  return text
    .replace(/^[\s#>*+-]+|^\s*\d+[.)]\s+/g, '')
    .replace(/[\s`*_]+/g, '')
    .toLowerCase();
}

function sentencesOf(texts: readonly LoadedText[]): readonly Sentence[] {
  const found: Sentence[] = [];
  for (const [file, { text }] of texts.entries()) {
    let [offset, line] = [0, 0];
    for (const whole of text.split('\n')) {
      line++;
      let start = offset;
      for (const part of whole.split(/(?<=[.!?。！？])(?=\s)/)) {
        const key = keyOf(part);
        // What says nothing neither makes nor breaks a run.
        if (key.length > 2) found.push({ file, line, start, end: start + part.trimEnd().length, key });
        start += part.length;
      }
      offset += whole.length + 1;
    }
    if (found.length > MAX_SENTENCES) break;
  }
  return found.slice(0, MAX_SENTENCES);
}

interface Span {
  readonly start: number;
  readonly length: number;
}

/**
 * Repeated passages, in the order of their first copies. Each sentence belongs to at most one passage as a copy, so that
 * sums over passages count nothing twice. Linear in the sentences.
 */
export function findDuplicates(texts: readonly LoadedText[]): readonly RepeatedPassage[] {
  const sentences = sentencesOf(texts);
  const earlier = new Map<string, number[]>();
  const isCopied = new Uint8Array(sentences.length);
  const passages = new Map<string, { readonly first: Span; readonly copies: Span[] }>();
  for (let at = 0; at < sentences.length; ) {
    const { key } = sentences[at] as Sentence;
    const known = earlier.get(key) ?? [];
    const found = longestRun(sentences, at, known, isCopied);
    if (!found) {
      if (known.length < MAX_PLACES) earlier.set(key, [...known, at]);
      at++;
      continue;
    }
    isCopied.fill(1, at, at + found.length);
    const id = `${found.start}+${found.length}`;
    const passage = passages.get(id) ?? { first: found, copies: [] };
    passage.copies.push({ start: at, length: found.length });
    passages.set(id, passage);
    at += found.length;
  }
  return [...passages.values()].map(({ first, copies }) => ({
    text: textOf(texts, sentences, first),
    places: [first, ...copies].map((span) => placeOf(texts, sentences, span)),
  }));
}

/** The longest earlier run that is long enough to matter. */
function longestRun(
  sentences: readonly Sentence[],
  at: number,
  earlier: readonly number[],
  isCopied: Uint8Array,
): Span | undefined {
  let best: Span | undefined;
  let most = LEAST_CHARACTERS - 1;
  for (const start of earlier) {
    let [length, characters] = [0, 0];
    while (start + length < at) {
      const [mine, other] = [sentences[at + length], sentences[start + length]];
      if (!mine || !other || mine.key !== other.key || isCopied[start + length] === 1) break;
      if (mine.file !== sentences[at]?.file || other.file !== sentences[start]?.file) break;
      characters += mine.key.length;
      length++;
    }
    if (characters > most) [best, most] = [{ start, length }, characters];
  }
  return best;
}

function placeOf(texts: readonly LoadedText[], sentences: readonly Sentence[], { start, length }: Span): string {
  const first = sentences[start];
  return `${texts[first?.file ?? 0]?.path}#L${first?.line}-L${sentences[start + length - 1]?.line}`;
}

function textOf(texts: readonly LoadedText[], sentences: readonly Sentence[], { start, length }: Span): string {
  const first = sentences[start];
  return (texts[first?.file ?? 0]?.text ?? '').slice(first?.start, sentences[start + length - 1]?.end);
}
