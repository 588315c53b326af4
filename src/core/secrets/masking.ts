/**
 * Masking with a memory: each text is scanned once, however often it is shown. It decides what is scanned and what
 * happens where scanning fails; what a secret is decides the scanner, what stands for it `maskSecrets.ts`.
 */

import type { MaskedText } from '../model/report';
import { hashText } from '../text/hash';
import { errorClass } from '../text/phrase';
import { maskSecrets, type ScannedText } from './maskSecrets';
import type { SecretMatch, SecretScanner } from './secretScanner';

/** The masked form of a text that was asked for; `undefined` where it could not be scanned: then it must not be shown. */
export type Masks = (text: string) => MaskedText | undefined;

/** Texts whose matches are kept: all files of a large folder's sections and the lines of its maps. */
const TEXTS_KEPT = 24_000;

/** Scanning time of one request: a third of what ends an engine's call, and its index with it. */
const REQUEST_MS = 20_000;

/** Characters that are scanned between two looks at the clock: under 1 s of the worst text (measured). */
const BATCH_CHARS = 250_000;

/** For requests that want secrets as they are: every text is its own mask. */
export const UNMASKED: Masks = (text) => ({ text, secrets: [] });

/** Thrown where a text that must be masked could not be scanned. Its message is for agents and shells. */
export class NotScanned extends errorClass<'notScanned'>('NotScanned') {
  constructor() {
    super('notScanned', 'The secret scan failed, so nothing is shown.');
  }
}

/** Whether an error is `NotScanned`, or that of a worker whose cause it is: workers' errors keep their name only. */
export function isNotScanned(error: unknown): boolean {
  return NotScanned.is(error) || (error instanceof Error && NotScanned.is(error.cause));
}

/** Texts that nothing was found in; may be those of earlier processes too. */
interface CleanTexts {
  has(text: string): boolean;
  /** Remembers that `text` has `count()` secrets: none. */
  countOf(text: string, count: () => number): number;
}

const NOTHING: readonly SecretMatch[] = [];

/** Shortest first, so that what takes too long is the text that is left out. */
function inBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const text of texts.toSorted((a, b) => a.length - b.length)) {
    chars += text.length;
    if (chars > BATCH_CHARS) {
      batches.push([]);
      chars = text.length;
    }
    batches.at(-1)?.push(text);
  }
  return batches;
}

/** Scans texts and remembers what it found. */
export class Masking {
  /** By the text's hash, least recently used first; never the text itself. */
  readonly #matches = new Map<string, readonly SecretMatch[]>();
  #deadlineMs = Number.POSITIVE_INFINITY;
  /** What is known of the texts of the request under way, which asks for the same ones several times. */
  #asked: Map<string, readonly SecretMatch[]> | undefined;

  /**
   * @param nowMs needed where `startRequest` is called; scanners in workers have deadlines of their own
   * @param clean remembers texts without a secret, by these rules of the scanner; here where it is absent
   */
  constructor(
    private readonly scanner: SecretScanner,
    private readonly nowMs: () => number = () => 0,
    private readonly clean?: CleanTexts,
  ) {}

  /** Limits the time of all scanning until the next call; what does not get its turn has no mask, and is next time's. */
  startRequest(): void {
    this.#deadlineMs = this.nowMs() + REQUEST_MS;
    this.#asked = new Map();
  }

  /** Lets go of the texts. */
  endRequest(): void {
    this.#asked = undefined;
  }

  /** Masks for `texts`; a secret found in one of them is masked in all. Never rejects: what fails is left out. */
  async masksFor(texts: Iterable<string>): Promise<Masks> {
    const found = new Map<string, readonly SecretMatch[] | undefined>();
    for (const text of texts) if (!found.has(text)) found.set(text, this.#recall(text));
    const unseen = [...found].flatMap(([text, matches]) => (matches ? [] : [text]));
    for (const batch of inBatches(unseen)) {
      const scanned = await this.#scan(batch);
      batch.forEach((text, at) => {
        const matches = scanned[at];
        found.set(text, matches);
        if (matches) this.#keep(text, matches);
      });
      // The first batch always has its turn, so that small texts are never held up by a large one.
      if (this.nowMs() >= this.#deadlineMs) break;
    }
    const scanned = [...found].flatMap(([text, matches]): ScannedText[] => (matches ? [{ text, matches }] : []));
    for (const key of this.#matches.keys()) {
      if (this.#matches.size <= TEXTS_KEPT) break;
      this.#matches.delete(key);
    }
    const masked = maskSecrets(scanned);
    const byText = new Map(scanned.map(({ text }, at) => [text, masked[at]]));
    return (text) => byText.get(text);
  }

  #recall(text: string): readonly SecretMatch[] | undefined {
    const matches = this.#asked?.get(text) ?? (this.clean?.has(text) ? NOTHING : this.#recallHere(text));
    if (matches) this.#asked?.set(text, matches);
    return matches;
  }

  /** As the text that was asked for last. */
  #recallHere(text: string): readonly SecretMatch[] | undefined {
    const key = hashText(text);
    const matches = this.#matches.get(key);
    if (!matches) return undefined;
    this.#matches.delete(key);
    this.#matches.set(key, matches);
    return matches;
  }

  #keep(text: string, matches: readonly SecretMatch[]): void {
    this.#asked?.set(text, matches);
    if (this.clean && matches.length === 0) this.clean.countOf(text, () => 0);
    else this.#matches.set(hashText(text), matches);
  }

  /** All at once; where that fails each on its own, so that one text does not hold back the others. */
  async #scan(texts: readonly string[]): Promise<readonly (readonly SecretMatch[] | undefined)[]> {
    if (texts.length === 0) return [];
    try {
      return await this.scanner.scan(texts);
    } catch {
      if (texts.length === 1) return [undefined];
      const alone: (readonly SecretMatch[] | undefined)[] = [];
      for (const text of texts) alone.push(...(await this.#scan([text])));
      return alone;
    }
  }
}

/** Tells strings that people wrote from those that stand for something else. */
type IsText = (value: string) => boolean;

/** Every text in plain data, keys left out. */
export function stringsOf(value: unknown, isText: IsText = () => true): readonly string[] {
  if (typeof value === 'string') return isText(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => stringsOf(item, isText));
}

/**
 * Plain data of the same shape with each of its texts masked on its own; keys stay.
 * @throws NotScanned where a text has no mask
 */
export function maskStrings<T>(value: T, masks: Masks, isText: IsText = () => true): T {
  // The same shape by construction: only strings are replaced, by strings.
  return replaceStrings(value, masks, isText) as T;
}

function replaceStrings(value: unknown, masks: Masks, isText: IsText): unknown {
  if (typeof value === 'string') {
    if (!isText(value)) return value;
    const masked = masks(value);
    if (!masked) throw new NotScanned();
    return masked.text;
  }
  if (Array.isArray(value)) return value.map((item) => replaceStrings(item, masks, isText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceStrings(item, masks, isText)]));
}
