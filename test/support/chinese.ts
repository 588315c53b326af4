/** Words as a reader of Chinese gets them, by the bundles that ship; one is made by the build, which need not have run. */
// @ts-expect-error a build script without types
import { chineseTexts } from '../../esbuild.chinese.mjs';
import { type Phrase, type PhraseBundle, sayPhrase } from '../../src/core/text/phrase';

export const CHINESE = ['zh-cn', 'zh-tw'] as const;
export type Chinese = (typeof CHINESE)[number];

/** The texts of `package.nls` or `l10n/bundle.l10n`. */
export const textsOf: (file: string, language: Chinese) => PhraseBundle = chineseTexts;

const BUNDLES = { 'zh-cn': textsOf('l10n/bundle.l10n', 'zh-cn'), 'zh-tw': textsOf('l10n/bundle.l10n', 'zh-tw') };

export function bundleOf(language: Chinese): PhraseBundle {
  return BUNDLES[language];
}

export function inChinese(words: Phrase, language: Chinese): string {
  return sayPhrase(words, bundleOf(language), String);
}

/** English that is left in a Chinese text: two words in a row that are no name and no command in quotation marks. */
export function englishIn(text: string): readonly string[] {
  return text.replace(/"[^"]*"|tree-sitter build --wasm/g, '').match(/\b[a-z]{2,} [a-z]{2,}\b/g) ?? [];
}
