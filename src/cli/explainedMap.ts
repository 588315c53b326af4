import type { MapExplanation } from '../core/repomap/facts/types';
import { inEnglish } from '../core/text/phrase';

/** A map with the reasons of each file and symbol: the text that `map --explain` prints. */
export function renderExplanation({ files }: MapExplanation): string {
  return files
    .flatMap(({ path, because, symbols }) => [
      `${path}: ${because.map(inEnglish).join('; ')}`,
      ...symbols.map(
        ({ lineStart, qualifiedName, because: reasons }) =>
          `  ${lineStart} ${qualifiedName}: ${reasons.map(inEnglish).join('; ')}`,
      ),
    ])
    .map((line) => `${line.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n`)
    .join('');
}
