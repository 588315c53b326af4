/** Every word of the interface is there in every language, and nothing else is. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error a build script without types
import { CHINESE_FILES, toTraditional } from '../../esbuild.chinese.mjs';
import { CHINESE, type Chinese, textsOf } from '../support/chinese';
import { interfaceStrings, literalsOf, placeholdersOf, stringsOf } from './interfaceStrings';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Texts = Readonly<Record<string, string>>;

function readTexts(file: string): Texts {
  return JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')) as Texts;
}

/** Names and words of the contract, which are the same in every language. */
const SAME_EVERYWHERE = /\b(?:Context Budget|ROI|OK|WARN|ALERT|WASTE|LOW|tokens?)\b/gi;

const HAN = /\p{Script=Han}/u;
const LETTER = /\p{Letter}/u;
/** Characters of one script whose counterpart is another character: enough to catch a text in the wrong one. */
const OF_THE_OTHER_SCRIPT = {
  'zh-cn': /[個設檔這為開關閉從與區塊複製顯沒無數]/u,
  'zh-tw': /[个设这为开关闭从与区块复显没无数]/u,
};

/** What has to stay as it is in a translation: placeholders, code, icons, commands and settings that are named. */
function partsToKeep(text: string): readonly string[] {
  const code = [...text.matchAll(/`[^`]*`|\$\([a-z-]+\)|\]\(command:[^)]*\)/g)].map(([part]) => part);
  return [...placeholdersOf(text), ...code.sort()];
}

/** What is wrong with one translation, in words. */
function faultOf(english: string, translated: string, language: Chinese): string | undefined {
  if (translated.trim() === '') return 'is empty';
  if (partsToKeep(english).join() !== partsToKeep(translated).join())
    return `must keep ${partsToKeep(english).join(' ')}`;
  const words = translated.replace(SAME_EVERYWHERE, '').replace(/`[^`]*`/g, '');
  if (!HAN.test(words) && LETTER.test(words)) return 'is not translated';
  if (OF_THE_OTHER_SCRIPT[language].test(translated)) return 'has characters of the other script';
  if (/\p{Script=Han}[,;:!?.]|[,;:!?]\p{Script=Han}/u.test(translated)) return 'needs full-width punctuation';
  const isTight = /\p{Script=Han}[A-Za-z0-9`]|[A-Za-z0-9`]\p{Script=Han}/u.test(translated);
  return isTight ? 'needs a space between Chinese and Latin' : undefined;
}

function faults(file: string, english: Texts, language: Chinese): readonly string[] {
  return Object.entries(textsOf(file, language)).flatMap(([key, translated]) => {
    const fault = english[key] === undefined ? undefined : faultOf(english[key], translated, language);
    return fault === undefined
      ? []
      : [`${file}.${language}.json: ${JSON.stringify(key)} ${fault}: ${JSON.stringify(translated)}`];
  });
}

/** Where the manifest names another file in another language. */
function isPath(text: string): boolean {
  return text.startsWith('./');
}

const { found, wrong } = interfaceStrings(ROOT);
const places = new Map(found.map(({ message, at }) => [message, at]));
const messages: Texts = Object.fromEntries(found.map(({ message }) => [message, message]));
/** A template of placeholders and signs alone need not be translated, unless a sign is another one in Chinese. */
const needed = [...places].filter(([message]) => /[\p{Letter},.;:!?]/u.test(message.replace(/\{\d+\}/g, '')));

describe('strings of the interface', () => {
  it('are literals whose placeholders are all filled', () => {
    expect(found.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });

  it('are all in the bundle of Simplified Chinese, with no other', () => {
    const file = 'l10n/bundle.l10n.zh-cn.json';
    const bundle = readTexts(file);
    const missing = needed
      .filter(([message]) => !Object.hasOwn(bundle, message))
      .map(([message, at]) => `${file} lacks ${JSON.stringify(message)} of ${at}`);
    const unused = Object.keys(bundle)
      .filter((message) => !places.has(message))
      .map((message) => `${file}: ${JSON.stringify(message)} is used nowhere: take it out`);
    expect([...missing, ...unused]).toEqual([]);
  });

  it('of the manifest are all in Simplified Chinese, with no other', () => {
    const file = 'package.nls.zh-cn.json';
    const [english, translated] = [readTexts('package.nls.json'), readTexts(file)];
    const missing = Object.keys(english).filter((key) => translated[key] === undefined);
    const unused = Object.keys(translated).filter((key) => english[key] === undefined);
    expect(missing.map((key) => `${file} lacks ${key}`)).toEqual([]);
    expect(unused.map((key) => `${file}: ${key} is not in package.nls.json: take it out`)).toEqual([]);
  });

  it.each(CHINESE)('are whole and well set in %s', (language) => {
    const manifest = Object.entries(readTexts('package.nls.json')).filter(([, text]) => !isPath(text));
    expect([
      ...faults('package.nls', Object.fromEntries(manifest), language),
      ...faults('l10n/bundle.l10n', messages, language),
    ]).toEqual([]);
  });

  it.each(CHINESE)('of the config’s schema are a file of their own in %s, which goes along', (language) => {
    const [english, translated] = [readTexts('package.nls.json'), textsOf('package.nls', language)];
    const paths = Object.keys(english).filter((key) => isPath(english[key] ?? ''));
    expect(paths).toEqual(['config.schema']);
    const packed = readFileSync(`${ROOT}/.vscodeignore`, 'utf8').split('\n');
    for (const [file, part] of [
      [english['config.schema'], ''],
      [translated['config.schema'], `.${language}`],
    ]) {
      expect(file).toBe(`./media/config.schema${part}.json`);
      expect(packed).toContain(`!media/config.schema${part}.json`);
    }
  });

  it('go along in the package', () => {
    const packed = readFileSync(`${ROOT}/.vscodeignore`, 'utf8').split('\n');
    expect(packed).toEqual(
      expect.arrayContaining(['!l10n/bundle.l10n.*.json', ...CHINESE.map((each) => `!package.nls.${each}.json`)]),
    );
  });
});

describe('Traditional Chinese', () => {
  const files: readonly string[] = CHINESE_FILES;
  const convert: (text: string, english: string) => string = toTraditional;
  const { terms, exceptions } = JSON.parse(readFileSync(`${ROOT}/l10n/traditional.json`, 'utf8')) as {
    readonly terms: Texts;
    readonly exceptions: Texts;
  };
  const simplified = files.map((file) => textsOf(file, 'zh-cn'));

  it('has the words of Taiwan, the longest that fits, and rows apart from lines', () => {
    expect(convert('代理的软件', '')).toBe('代理程式的軟體');
    expect(convert('匹配 {0}，与任务匹配，一一匹配', '')).toBe('符合 {0}，與任務相符，一一比對');
    expect(convert('第 {0} 行，第 {1} 列', 'line {0}, column {1}')).toBe('第 {0} 行，第 {1} 欄');
    expect(convert('{0} 行', '{0} rows')).toBe('{0} 列');
    expect(convert('{0} 行', '{0} arrows, brow')).toBe('{0} 行');
  });

  it('has code, commands, placeholders and names as in Simplified Chinese, character for character', () => {
    const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '');
    for (const [at, file] of files.entries())
      for (const [key, text] of Object.entries(textsOf(file, 'zh-tw')))
        if (!isPath(text)) expect(plain(text), key).toBe(plain(simplified[at]?.[key] ?? ''));
  });

  it('needs every term and every exception', () => {
    const texts = simplified.flatMap((each) => Object.values(each));
    expect(Object.keys(terms).filter((term) => !texts.some((text) => text.includes(term)))).toEqual([]);
    expect(Object.keys(exceptions).filter((key) => !simplified.some((each) => Object.hasOwn(each, key)))).toEqual([]);
  });
});

describe('the search for strings', () => {
  it('finds literals, choices and sums of literals', () => {
    const source = `import * as vscode from 'vscode';
vscode.l10n.t('a {0}', 1);
phrase(count === 1 ? 'one' : \`many\`);
phrase('left, ' + 'right');
t('of webviews alone');`;
    const host = stringsOf('src/vscode/a.ts', source);
    expect(host.found.map(({ at, message }) => `${at} ${message}`)).toEqual([
      'src/vscode/a.ts:2 a {0}',
      'src/vscode/a.ts:3 one',
      'src/vscode/a.ts:3 many',
      'src/vscode/a.ts:4 left, right',
    ]);
    expect(host.wrong).toEqual([]);
    expect(stringsOf('webview/a.tsx', 'const view = <p>{t("x")}</p>;').found).toHaveLength(1);
  });

  it('tells the place of what it cannot follow, and of placeholders that nothing fills', () => {
    expect(stringsOf('src/a.ts', 'const x = 1;\nphrase(words);').wrong).toEqual([
      'src/a.ts:2: the first argument has to be a literal, or a choice of literals',
    ]);
    expect(stringsOf('src/a.ts', "phrase('{0} of {1}', 1);").wrong).toEqual([
      'src/a.ts:1: nothing fills {1} of "{0} of {1}"',
    ]);
    expect(literalsOf(undefined)).toBeUndefined();
  });
});

describe('the check of a translation', () => {
  // Each of these has been a mistake in a translation before.
  it.each([
    ['{0} tokens', '{1} 个 token', 'must keep {0}'],
    ['Copy', 'Copy', 'is not translated'],
    ['Copy', ' ', 'is empty'],
    ['Copy', '複製', 'has characters of the other script'],
    ['a, b', '甲,乙', 'needs full-width punctuation'],
    ['Copy JSON', '复制JSON', 'needs a space between Chinese and Latin'],
    ['Copy', '复制', undefined],
    ['ROI', 'ROI', undefined],
  ])('of %s as %s', (english, translated, fault) => {
    expect(faultOf(english, translated, 'zh-cn')).toBe(fault);
  });
});
