import type { MapExplanation } from '../core/repomap/types';

/** A map with the reasons of each file and symbol: the text that `map --explain` prints. */
export function renderExplanation({ files }: MapExplanation): string {
  return files
    .flatMap(({ path, because, symbols }) => [
      `${path}: ${because.join('; ')}`,
      ...symbols.map(
        ({ lineStart, qualifiedName, because: reasons }) => `  ${lineStart} ${qualifiedName}: ${reasons.join('; ')}`,
      ),
    ])
    .map((line) => `${line.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n`)
    .join('');
}
