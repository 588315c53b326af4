import { maskSecrets } from '../secrets/maskSecrets';
import type { SecretScanner } from '../secrets/secretScanner';
import type { ToolHostOptions } from './toolHost';

/** Masks what `scanner` finds. A secret found in one text is masked in all of them. Rejects when it cannot scan. */
export function maskTexts(scanner: SecretScanner): ToolHostOptions['maskText'] {
  return async (texts) => {
    const matches = await scanner.scan(texts);
    const scanned = texts.map((text, at) => ({ text, matches: matches[at] ?? [] }));
    return maskSecrets(scanned).map(({ text }) => text);
  };
}
