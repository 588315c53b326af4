/**
 * Which named paths a workspace does not have. A path is there when a file or folder lies at it, seen from the file's
 * own folder, from the root or from any other folder, in whatever case, with or without its extension.
 */

import type { Phrase } from '../../text/phrase';
import { folderOf, nameOf, resolvePath } from '../../text/safePath';
import { type PathEntry, type PathIndex, stemOfName } from './pathIndex';
import type { PathMention } from './pathMention';

/** Something to say about one place of an instruction or memory file: shown as a diagnostic, listed by the CLI. */
export interface FileNotice {
  /** `agentCut`: an agent reads no further than here. `stalePath`: what is named here does not exist. */
  readonly kind: 'agentCut' | 'stalePath';
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 columns of the words meant, end exclusive; undefined for the whole line. */
  readonly columns: { readonly start: number; readonly end: number } | undefined;
  readonly message: Phrase;
  /** Worth knowing, not a problem: never more than information. Absent: as the setting says. */
  readonly isMinor?: true;
  /** What may stand in place of the columns' words; absent where nothing is known. */
  readonly replacement?: string;
}

/** A mention in the file where it stands. */
export interface PlacedPath {
  /** The instruction file, workspace-relative. */
  readonly file: string;
  readonly mention: PathMention;
}

/** A path that is named and not there. */
interface StalePath extends PlacedPath {
  /** Where it would lie if it were there, in every reading; none is listed. */
  readonly candidates: readonly string[];
  /** What may be written in its place; undefined where nothing is like it. */
  readonly replacement: string | undefined;
}

/** Folders from which a path may be meant; more of the same name say nothing. */
const MAX_ANCHORS = 40;

/** Names that the listing must be asked for before `stalePaths` can tell. */
export function wantedNames(placed: readonly PlacedPath[]): ReadonlySet<string> {
  return new Set(
    placed.flatMap(({ mention }) => {
      const [first, ...rest] = below(mention.path).split('/') as [string, ...string[]];
      return [first, rest[0] ?? first, rest.at(-1) ?? first];
    }),
  );
}

/** Those of the mentions that no file or folder of the index fits. */
export function stalePaths(placed: readonly PlacedPath[], index: PathIndex): readonly StalePath[] {
  return placed.flatMap((place) => {
    const { file, mention } = place;
    const tail = below(mention.path);
    if (isThere(tail, index)) return [];
    const folder = folderOf(file);
    const first = tail.split('/')[0] as string;
    const anchors = tail === first ? [] : index.named(first).filter(({ isFolder }) => isFolder);
    if (tail !== first && mention.form !== 'link' && !isAnchored(place, anchors, index)) return [];
    const own = [resolvePath(folder, mention.path), resolvePath('', mention.path)];
    const others = anchors.slice(0, MAX_ANCHORS).map(({ path }) => path + tail.slice(first.length));
    const candidates = [...new Set([...own, ...others])].filter((path) => path !== undefined);
    return own.every((path) => path === undefined)
      ? []
      : [{ ...place, candidates, replacement: replacementOf(place, index) }];
  });
}

/**
 * Whether a path begins where paths of this workspace begin: with a folder of the root or of the file's own folder, or
 * with two folders that follow each other somewhere. One folder alone is too little: abbreviated paths, and those of
 * other repositories, begin with a `css` or `src` as well.
 */
function isAnchored({ file, mention }: PlacedPath, anchors: readonly PathEntry[], index: PathIndex): boolean {
  const [first = '', second = '', ...rest] = below(mention.path).toLowerCase().split('/');
  const own = folderOf(file).toLowerCase();
  const isAt = (folder: string): boolean => anchors.some(({ path }) => path.toLowerCase() === folder);
  if (isAt(first) || isAt(`${own}/${first}`)) return true;
  if (rest.length === 0) return false;
  const start = `${first}/${second}`;
  return index.named(second).some(({ path, isFolder }) => isFolder && path.toLowerCase().endsWith(`/${start}`));
}

/** Without the steps upwards: what must fit at the end of a path that exists. */
function below(path: string): string {
  return path.replace(/^(?:\.\.\/)+/, '');
}

/** TypeScript is imported by the name of the JavaScript that it becomes. */
const EMITTED = /\.[mc]?jsx?$/;

function isThere(tail: string, index: PathIndex): boolean {
  const name = nameOf(tail);
  const fits = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`);
  const lower = tail.toLowerCase();
  if (index.named(name).some(({ path }) => fits(path.toLowerCase(), lower))) return true;
  const stem = EMITTED.test(lower) ? withoutExtension(lower) : lower;
  const isBare = stem !== lower || !/\.\w+$/.test(name);
  return isBare && index.stemmed(nameOf(stem)).some(({ path }) => fits(withoutExtension(path.toLowerCase()), stem));
}

function withoutExtension(path: string): string {
  return path.slice(0, path.length - nameOf(path).length) + stemOfName(nameOf(path));
}

/** The one path with the same name that shares most with it, as the file would write it. */
function replacementOf({ file, mention }: PlacedPath, index: PathIndex): string | undefined {
  const tail = below(mention.path);
  const alike = index.named(nameOf(tail)).filter(({ isFolder }) => isFolder === mention.isFolder);
  const best = mostAlike(tail.toLowerCase().split('/'), alike);
  if (best === undefined) return undefined;
  const path = mention.form === 'link' ? relativeTo(folderOf(file), best) : best;
  return mention.isFolder ? `${path}/` : path;
}

/** How a file in `folder` links to `path`, both relative to the root. */
export function relativeTo(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}

function mostAlike(segments: readonly string[], entries: readonly PathEntry[]): string | undefined {
  const wanted = new Set(segments);
  let best: string | undefined;
  let most = 0;
  for (const { path } of entries) {
    const own = path.toLowerCase().split('/');
    const shared = new Set(own.filter((segment) => wanted.has(segment))).size;
    if (shared === most) best = undefined;
    if (shared <= most) continue;
    most = shared;
    best = path;
  }
  // The name alone says too little where the path named more.
  return most > 1 || (segments.length <= 2 && entries.length === 1) ? best : undefined;
}
