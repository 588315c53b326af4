/**
 * Finds the repository of a folder as git does, from the folder upwards, without running git. Where the folder is not
 * trusted, only what is proved to belong to it counts: links are not followed, and a `.git` file or a `commondir` is
 * believed only where its target names the folder too. Else a download could show another repository of the user.
 */
import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseGitConfig } from '../../core/pipeline/collect/gitConfigText';
import { ignoreMissing } from '../errorCode';
import { placeByPath } from '../openedPlace';
import { HOST } from '../platform';
import { readWhole } from '../readWhole';

/** Git's small files have a line. Bytes. */
export const MAX_GIT_LINE_BYTES = 8192;

const MAX_CONFIG_BYTES = 256 * 1024;

/** A repository of a folder. All paths are absolute and real. */
export interface GitRepository {
  readonly workTree: string;
  readonly own: string;
  /** Git directory that all work trees share; equal to `own` but in a linked work tree. */
  readonly shared: string;
  /** The repository's own settings; empty where its config cannot be read. */
  readonly settings: ReadonlyMap<string, string>;
}

/** `refused`: there is one, but it is not proved to be the folder's. */
type FoundRepository =
  | { readonly kind: 'found'; readonly repository: GitRepository }
  | { readonly kind: 'absent' | 'refused' };

const ABSENT: FoundRepository = { kind: 'absent' };
const REFUSED: FoundRepository = { kind: 'refused' };

/** The file's state, a link's own; `undefined` when there is nothing. */
export function statItself(file: string): Promise<Stats | undefined> {
  return lstat(file).catch(ignoreMissing);
}

/** The text of a regular file below `base`, reached without a link; `undefined` when there is none, or it is larger. */
export async function readInside(base: string, name: string, maxBytes: number): Promise<string | undefined> {
  const bytes = await readBytesInside(base, name, maxBytes);
  return bytes && new TextDecoder().decode(bytes);
}

/** The bytes of a regular file below `base`, reached without a link; `undefined` when there is none, or it is larger. */
export async function readBytesInside(base: string, name: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const file = path.join(base, ...name.split('/'));
  try {
    // `readWhole` refuses a link, but one of the folders on the way may be one.
    const read = await readWhole(file, maxBytes, async (_descriptor, stat) => {
      const place = await placeByPath(file, stat);
      return place !== undefined && HOST.isSamePlace(place, file) ? undefined : 'outside';
    });
    return typeof read === 'object' && read.kind === 'ok' ? read.bytes : undefined;
  } catch {
    // Not there, swapped for a link, no permission: as good as not there.
    return undefined;
  }
}

/**
 * The real place that `named` means, seen from `from`; `undefined` when there is none, when it is on another machine, or
 * when a link of the folder `at` leads there: that link may lead to another machine too.
 */
async function placeOf(at: string, from: string, named: string): Promise<string | undefined> {
  const place = path.resolve(from, named);
  if (HOST.isNetworkPlace(place) && !HOST.isNetworkPlace(from)) return undefined;
  if (HOST.isInside(at, place)) {
    for (let part = place; part !== at; part = path.dirname(part)) {
      if ((await statItself(part))?.isSymbolicLink()) return undefined;
    }
  }
  return realpath(place).catch(() => undefined);
}

/** The repository of `realRoot`, the nearest one upwards on the same file system. */
export async function findRepository(realRoot: string, isTrusted: boolean): Promise<FoundRepository> {
  const root = await lstat(realRoot);
  const owners = [root.uid, process.geteuid?.() ?? root.uid];
  for (let at = realRoot; ; at = path.dirname(at)) {
    const entry = path.join(at, '.git');
    const stat = await statItself(entry);
    if (stat) {
      if (!isTrusted && !owners.includes(stat.uid)) return ABSENT;
      const found = await readEntry(at, stat, isTrusted);
      if (found) return found;
    }
    const parent = path.dirname(at);
    if (parent === at || (await lstat(parent)).dev !== root.dev) return ABSENT;
  }
}

/** What `at/.git` is; `undefined` when git would look further up. */
async function readEntry(at: string, stat: Stats, isTrusted: boolean): Promise<FoundRepository | undefined> {
  const entry = path.join(at, '.git');
  if (stat.isSymbolicLink() && !isTrusted) return REFUSED;
  if (stat.isFile()) return readGitFile(at, isTrusted);
  const own = await realpath(entry).catch(() => undefined);
  if (own === undefined || (await gitParts({ own, shared: own })).includes(undefined)) return undefined;
  if (isTrusted) return believed(at, own);
  const hasCommon = (await statItself(path.join(own, 'commondir'))) !== undefined;
  return hasCommon ? REFUSED : proved({ workTree: at, own, shared: own }, 'notElsewhere');
}

/** A linked work tree, a submodule, or a folder that keeps its repository apart. */
async function readGitFile(at: string, isTrusted: boolean): Promise<FoundRepository> {
  const named = /^gitdir: (.+?)[\r\n]*$/.exec((await readInside(at, '.git', MAX_GIT_LINE_BYTES)) ?? '')?.[1];
  if (named === undefined) return ABSENT;
  const own = await placeOf(at, at, named);
  if (own === undefined) return isTrusted ? ABSENT : REFUSED;
  if (isTrusted) return believed(at, own);
  const common = await readInside(own, 'commondir', MAX_GIT_LINE_BYTES);
  if (common !== undefined) return readWorkTree(at, own, common.trim());
  if (await statItself(path.join(own, 'commondir'))) return REFUSED;
  return proved({ workTree: at, own, shared: own }, HOST.isInside(at, own) ? 'notElsewhere' : 'here');
}

/** A linked work tree: its repository lists it, and names the `.git` file that led here. */
async function readWorkTree(at: string, own: string, common: string): Promise<FoundRepository> {
  const shared = await placeOf(at, own, common);
  const back = (await readInside(own, 'gitdir', MAX_GIT_LINE_BYTES))?.trim();
  if (shared === undefined || back === undefined || path.dirname(own) !== path.join(shared, 'worktrees'))
    return REFUSED;
  if ((await placeOf(at, own, back)) !== path.join(at, '.git')) return REFUSED;
  return proved({ workTree: at, own, shared }, 'notElsewhere');
}

/** What tells git that a folder is one of its own. */
function gitParts({ own, shared }: Pick<GitRepository, 'own' | 'shared'>): Promise<readonly (Stats | undefined)[]> {
  return Promise.all([path.join(own, 'HEAD'), path.join(shared, 'objects'), path.join(shared, 'refs')].map(statItself));
}

/** In a trusted folder git itself decides; this says where to look whether something changed. */
async function believed(workTree: string, own: string): Promise<FoundRepository> {
  const common = (await readInside(own, 'commondir', MAX_GIT_LINE_BYTES))?.trim();
  const shared = common === undefined ? own : await placeOf(workTree, own, common);
  if (shared === undefined) return ABSENT;
  return { kind: 'found', repository: { workTree, own, shared, settings: new Map() } };
}

/**
 * With the settings, if these do not name another work tree. `here`: they have to name this one, as those of a
 * submodule do, since nothing else tells that the repository is the folder's.
 */
async function proved(
  place: Omit<GitRepository, 'settings'>,
  workTree: 'here' | 'notElsewhere',
): Promise<FoundRepository> {
  const { own, workTree: at } = place;
  const [head, objects, refs] = await gitParts(place);
  if (!head?.isFile() || !objects?.isDirectory() || !refs?.isDirectory()) return REFUSED;
  const settings = await readSettings(place);
  if (!settings) return REFUSED;
  const named = settings.get('core.worktree');
  if (named === undefined) return workTree === 'here' ? REFUSED : { kind: 'found', repository: { ...place, settings } };
  return (await placeOf(at, own, named)) === at ? { kind: 'found', repository: { ...place, settings } } : REFUSED;
}

/** Of the repository, and of the work tree where it has settings of its own. `undefined` when git could not read them. */
async function readSettings({
  own,
  shared,
}: Pick<GitRepository, 'own' | 'shared'>): Promise<ReadonlyMap<string, string> | undefined> {
  const settings = await readConfig(shared, 'config');
  if (!settings) return undefined;
  const hasOwn = settings.get('extensions.worktreeconfig')?.toLowerCase() === 'true';
  // A linked work tree without settings of its own takes neither from the repository that it is linked to.
  const isLinked = own !== shared && !hasOwn;
  const isOfOther = (key: string): boolean => isLinked && (key === 'core.bare' || key === 'core.worktree');
  const common = [...settings].filter(([key]) => !isOfOther(key));
  const added = hasOwn ? await readConfig(own, 'config.worktree') : new Map<string, string>();
  return added && new Map([...common, ...added]);
}

async function readConfig(folder: string, name: string): Promise<ReadonlyMap<string, string> | undefined> {
  if (!(await statItself(path.join(folder, name)))) return new Map();
  const text = await readInside(folder, name, MAX_CONFIG_BYTES);
  return text === undefined ? undefined : parseGitConfig(text);
}
