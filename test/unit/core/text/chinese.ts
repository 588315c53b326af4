/** Words as a reader of Chinese gets them, by the bundles that ship. */
import { readFileSync } from 'node:fs';
import { type Phrase, type PhraseBundle, sayPhrase } from '../../../../src/core/text/phrase';

export const CHINESE = ['zh-cn', 'zh-tw'] as const;
export type Chinese = (typeof CHINESE)[number];

export function bundleOf(language: Chinese): PhraseBundle {
  return JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8')) as PhraseBundle;
}

export function inChinese(words: Phrase, language: Chinese): string {
  return sayPhrase(words, bundleOf(language), String);
}

/** English that is left in a Chinese text: two words in a row that are no name and no command in quotation marks. */
export function englishIn(text: string): readonly string[] {
  return text.replace(/"[^"]*"|tree-sitter build --wasm/g, '').match(/\b[a-z]{2,} [a-z]{2,}\b/g) ?? [];
}
