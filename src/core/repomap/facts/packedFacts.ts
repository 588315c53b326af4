/**
 * Facts as the index takes them in: words are bytes, so that a word that many files hold is compared, not made into a
 * string for each of them. It decides the shape in memory; bytes on disk are `factsCodec.ts`.
 */
import type { FileFacts } from './types';

/** All words of a file, references first. */
export interface PackedWords {
  /** How often each of the first words is mentioned in code. */
  readonly referenceCounts: Uint32Array;
  /** Length in bytes of each word. */
  readonly lengths: Uint32Array;
  /** The words in UTF-8, one after another; may be a view of something larger. */
  readonly text: Uint8Array;
  /** Who holds which word, as `wordPostings.ts` packs it; undefined when that is not known. */
  readonly postings: Uint8Array | undefined;
}

/** A file's facts, its words packed. */
export interface PackedFacts extends Omit<FileFacts, 'references' | 'words'> {
  readonly packed: PackedWords;
}

const ENCODER = new TextEncoder();

/** Packs the words of facts. */
export function packFacts({ references, words, ...head }: FileFacts): PackedFacts {
  const encoded = [...references.map(([name]) => name), ...(words?.others ?? [])].map((word) => ENCODER.encode(word));
  const text = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const bytes of encoded) {
    text.set(bytes, end);
    end += bytes.length;
  }
  const lengths = Uint32Array.from(encoded, ({ length }) => length);
  const referenceCounts = Uint32Array.from(references, ([, count]) => count);
  return { ...head, packed: { referenceCounts, lengths, text, postings: words?.postings } };
}

/** The inverse of {@link packFacts}. */
export function unpackFacts({ packed, ...head }: PackedFacts): FileFacts {
  const { referenceCounts, lengths, text, postings } = packed;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let end = 0;
  const words = Array.from(lengths, (length) => {
    end += length;
    return decoder.decode(text.subarray(end - length, end));
  });
  const references = Array.from(referenceCounts, (count, at) => [words[at] ?? '', count] as const);
  if (!postings) return { ...head, references };
  return { ...head, references, words: { others: words.slice(referenceCounts.length), postings } };
}
