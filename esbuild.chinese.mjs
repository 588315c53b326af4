// Makes Traditional Chinese from Simplified. OpenCC knows the characters and many words of Taiwan; l10n/traditional.json
// has the rest:
//   terms        words with their translation, used instead of OpenCC's; the longest that fits
//   termsWhere   the same, for strings whose English has a word: 行 is a line, but also a row
//   exceptions   whole strings by key, for what no term can say
import { readFileSync } from 'node:fs';
import { Converter } from 'opencc-js/cn2t';

/** Texts of the manifest, whose English is in package.nls.json, and all others, whose key is the English. */
export const CHINESE_FILES = ['package.nls', 'l10n/bundle.l10n'];

const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
const { terms, termsWhere, exceptions } = read('l10n/traditional.json');

const convert = Converter({ from: 'cn', to: 'twp' });
const convertPlain = withTerms(terms);

/** A conversion that takes these words from a table and the text between them from OpenCC. */
function withTerms(words) {
  const longestFirst = Object.keys(words).sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(${longestFirst.join('|')})`);
  // A split by a group gives text and word by turns.
  return (text) =>
    text
      .split(pattern)
      .map((part, at) => (at % 2 === 1 ? words[part] : convert(part)))
      .join('');
}

/** A text of Simplified Chinese, and the English that it translates, in Traditional Chinese. */
export function toTraditional(text, english) {
  const isMeant = ([word]) => new RegExp(`\\b${word}s?\\b`, 'i').test(english);
  const more = Object.entries(termsWhere).filter(isMeant);
  if (more.length === 0) return convertPlain(text);
  return withTerms(Object.assign({}, terms, ...more.map(([, words]) => words)))(text);
}

/** The texts of one of `CHINESE_FILES` by key. */
export function chineseTexts(file, language) {
  const texts = read(`${file}.zh-cn.json`);
  if (language === 'zh-cn') return texts;
  const english = file === 'package.nls' ? read('package.nls.json') : {};
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, exceptions[key] ?? toTraditional(text, english[key] ?? key)]),
  );
}
