import { openFacts, type PackedFacts } from '../../src/core/repomap/facts/factsCodec';
import type { Definition, FileFacts } from '../../src/core/repomap/facts/types';

/** A definition with the fields that a test cares about. */
export function definition(name: string, more: Partial<Definition> = {}): Definition {
  return {
    kind: 'function',
    name,
    signature: `function ${name}()`,
    doc: '',
    lineStart: 1,
    lineEnd: 1,
    parent: -1,
    ...more,
  };
}

/** Facts of a TypeScript file that defines and mentions some names. */
export function facts(
  path: string,
  definitions: readonly (string | Definition)[],
  references: Readonly<Record<string, number>> = {},
  more: Partial<FileFacts> = {},
): FileFacts {
  return {
    path,
    contentHash: path,
    language: 'typescript',
    outcome: 'parsed',
    lineCount: 100,
    definitions: definitions.map((one, at) =>
      typeof one === 'string' ? definition(one, { lineStart: at + 1, lineEnd: at + 1 }) : one,
    ),
    references: Object.entries(references).sort(([a], [b]) => (a < b ? -1 : 1)),
    ...more,
  };
}

/** The inverse of `packFacts`. */
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

/** Decodes facts with words as strings. @throws FactsCodecError as `openFacts` */
export function decodeFacts(bytes: Uint8Array): FileFacts {
  return unpackFacts(openFacts(bytes));
}
