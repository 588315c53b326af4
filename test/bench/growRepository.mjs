// Makes a repository of any size out of real sources. Beyond the sources that there are, files repeat with other names:
// words that few files share are renamed in each copy, words that many share stay, as in a repository that grew.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, isSource } from './support.mjs';

/** Files of ordinary size: at 100 files one of a megabyte would be the whole result. */
const MIN_BYTES = 500;
const MAX_BYTES = 40_000;
/** Originals; as many as a middling repository has. */
const MAX_ORIGINALS = 1000;
/** A word that more of the originals hold belongs to the language or to everybody. */
const COMMON_FILES = 6;
const FOLDER_FILES = 25;
const WORD = /[A-Za-z_][A-Za-z0-9_]{3,59}/g;
const SYLLABLES = 'ka lo mi ru ten sa vo del pri nas gor fi bel tu wen ash'.split(' ');

const hashOf = (text) => createHash('sha256').update(text).digest();

/** The originals in an order that has nothing to do with where they lie, so that any first hundred are like all. */
function readOriginals(folders) {
  const files = folders.flatMap((folder) =>
    filesBelow(folder, { withPackages: true }).map((file) => ({ file, name: path.relative(folder, file) })),
  );
  return files
    .filter(({ name }) => isSource(name) && !/\.d\.ts$|\.min\./.test(name))
    .map(({ file, name }) => ({ file, name, order: hashOf(name).toString('hex') }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .filter(({ file }) => {
      const { size } = statSync(file);
      return size >= MIN_BYTES && size <= MAX_BYTES;
    })
    .slice(0, MAX_ORIGINALS)
    .map(({ file, name }) => ({ name: path.basename(name), text: readFileSync(file, 'utf8') }));
}

/** Words that only a few of the originals hold. */
function rareWords(originals) {
  const holders = new Map();
  for (const { text } of originals) {
    for (const word of new Set(text.match(WORD))) holders.set(word, (holders.get(word) ?? 0) + 1);
  }
  return new Set([...holders].filter(([, files]) => files < COMMON_FILES).map(([word]) => word));
}

/** The name of a word in the nth copy: the same in every file of that copy. */
function nameInCopy(word, copy) {
  const hash = hashOf(`${word} ${copy}`);
  const syllable = (at) => SYLLABLES[hash[at] % SYLLABLES.length];
  const added = `${syllable(0)}${syllable(1)}`;
  return word.includes('_') ? `${word}_${added}` : `${word}${added[0].toUpperCase()}${added.slice(1)}`;
}

/** Renames what is rare; one for each copy. */
function renamer(rare, copy) {
  if (copy === 0) return (text) => text;
  const names = new Map();
  const rename = (word) => {
    if (!rare.has(word)) return word;
    const name = names.get(word) ?? nameInCopy(word, copy);
    names.set(word, name);
    return name;
  };
  return (text) => text.replace(WORD, rename);
}

/** Writes `size` files below `target`, made of the sources below `folders`. Equal arguments give equal files. */
export function growRepository(folders, size, target) {
  const originals = readOriginals(folders);
  if (originals.length === 0) throw new Error(`no sources of ordinary size below ${folders.join(', ')}`);
  const rare = rareWords(originals);
  for (let first = 0; first < size; first += originals.length) {
    const copy = first / originals.length;
    const rename = renamer(rare, copy);
    for (const [at, { name, text }] of originals.slice(0, size - first).entries()) {
      const folder = path.join(target, `area${copy}`, `part${Math.floor(at / FOLDER_FILES)}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${at}-${name}`), rename(text));
    }
  }
}
