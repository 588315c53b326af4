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
