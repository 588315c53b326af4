/** `@path` words of a text, outside code: what agents take for imports. */

import { codeSpans } from '../text/markdown';
import { folderOf, resolvePath } from '../text/safePath';

/** Punctuation that ends a sentence rather than a path. */
const TRAILING = /[.,;:!?)\]}'"*_>]+$/;

/** Ends like a file's name, so that a file was meant: `docs/a.md`, not `user` or `types/node`. */
const FILE_NAME = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;

/** Two words around an `@`, such as `user@example.org`; `a.md,@b.md` is a list. */
const ADDRESS = /^[^/,]+@[^/]+$/;

/** What an agent leaves off the end of a word to find the file: a fragment such as `#top`, that and closing punctuation. */
export type WordEnd = 'nothing' | 'fragment' | 'punctuation';

/** A word without what an agent leaves off its end. */
export function bareWord(target: string, end: WordEnd = 'punctuation'): string {
  const plain = end === 'nothing' ? target : target.replace(/#.*$/, '');
  return end === 'punctuation' ? plain.replace(TRAILING, '') : plain;
}

/**
 * What a word after `@` may stand for, most literal first: as it is, without a fragment, without closing punctuation, and
 * where that is left off, up to the next `@`, as in `@a.md,@b.md`.
 */
export function spellings(target: string, end: WordEnd = 'punctuation'): readonly string[] {
  const plain = bareWord(target, end === 'nothing' ? end : 'fragment');
  const first = end === 'punctuation' ? [bareWord(target.replace(/@.*$/, ''))] : [];
  return [...new Set([target, plain, bareWord(target, end), ...first])].filter((word) => word !== '');
}

/** Whether a word was meant as a path, even if nothing is there; `@user@example.org` was not. */
export function looksLikeFile(target: string): boolean {
  const bare = bareWord(target);
  return /^(?:\.{1,2}|~)?\//.test(bare) || (FILE_NAME.test(bare) && !ADDRESS.test(bare));
}

/** A path relative to the file that names it; undefined when it is absolute, of the user's home, or above the folder. */
export function resolveImport(importer: string, target: string): string | undefined {
  return /^(?:~|\/|[A-Za-z]:[\\/])/.test(target) ? undefined : resolvePath(folderOf(importer), target);
}

/** Files inside the folder that a word may name: beside the importer, and then below the root if agents look there too. */
export function importCandidates(
  importer: string,
  target: string,
  end?: WordEnd,
  isAlsoFromRoot = false,
): readonly string[] {
  const from = isAlsoFromRoot ? [importer, ''] : [importer];
  return from.flatMap((each) => spellings(target, end).flatMap((word) => resolveImport(each, word) || []));
}

/** One word after an `@`. */
export interface Mention {
  /** As written, without the `@`. */
  readonly target: string;
  /** 1-based. */
  readonly line: number;
}

/** More imports than this in one file is not a file of instructions. */
const MAX_MENTIONS = 500;

/** A word longer than any path. */
const MAX_TARGET_CHARS = 500;

/** Finds the words after `@` at the start of a text or after blank space, up to the next, outside code. Linear. */
export function findMentions(text: string): readonly Mention[] {
  if (!text.includes('@')) return [];
  const found: Mention[] = [];
  let fence: { readonly char: string; readonly length: number } | undefined;
  let paragraph: { readonly text: string; readonly line: number }[] = [];
  const flush = (): void => {
    found.push(...mentionsOf(paragraph));
    paragraph = [];
  };
  for (const [at, line] of text.split('\n').entries()) {
    const marker = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const run = marker?.[1] ?? '';
    if (fence) {
      const isEnd = run[0] === fence.char && run.length >= fence.length && (marker?.[2] ?? '').trim() === '';
      if (isEnd) fence = undefined;
    } else if (run !== '' && !(run[0] === '`' && marker?.[2]?.includes('`'))) {
      flush();
      fence = { char: run[0] ?? '', length: run.length };
    } else if (line.trim() === '') flush();
    else paragraph.push({ text: line, line: at + 1 });
    if (found.length >= MAX_MENTIONS) break;
  }
  flush();
  return found.slice(0, MAX_MENTIONS);
}

function mentionsOf(lines: readonly { readonly text: string; readonly line: number }[]): readonly Mention[] {
  if (!lines.some(({ text }) => text.includes('@'))) return [];
  const joined = lines.map(({ text }) => text).join('\n');
  const open = joined.includes('`') ? withoutSpans(joined, '`') : joined;
  const mentions: Mention[] = [];
  let line = 0;
  let counted = 0;
  for (const match of open.matchAll(/(^|\s)@([^\s@]\S*)/g)) {
    const at = match.index + (match[1] ?? '').length;
    for (; counted < at; counted++) if (open[counted] === '\n') line++;
    const target = match[2] ?? '';
    if (mentions.length === MAX_MENTIONS) break;
    if (target.length <= MAX_TARGET_CHARS) mentions.push({ target, line: (lines[0]?.line ?? 1) + line });
  }
  return mentions;
}

/** The text with code spans replaced by as many of `fill`; line ends stay. */
export function withoutSpans(text: string, fill: '`' | ' '): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of codeSpans(text)) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, fill));
    from = end;
  }
  return parts.join('') + text.slice(from);
}
