/**
 * Which files may be opened by their names, as handles and paths in focus do: what the listing shows, the files that the
 * config names, and the well-known memory files, ignored or not (DESIGN §3.1). Never git's own. Of anything else a
 * caller must not learn whether it is there.
 */
import type { Config } from '../config/config';
import { isWellKnownMemory } from '../pipeline/collect/fileRules';
import type { FileSource } from '../ports/ports';
import { folderOf, isInGit, nameOf } from '../text/safePath';
import type { FolderListing } from './reading/folderListing';

/** What decides it. */
interface OpenableWorld {
  readonly files: Pick<FileSource, 'list' | 'resolveLink'>;
  readonly listing: Pick<FolderListing, 'files' | 'mayShow'>;
  readonly config: Config;
}

/** Globs are no names: they stand for what the listing shows. */
function namedFiles({ sections, observations, relay, usageLog }: Config): ReadonlySet<string> {
  const files = sections.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : []));
  return new Set([...files, observations.path, relay.path, relay.ledger, usageLog]);
}

/** Whether a folder has a file of exactly that name; file systems that fold case open others as well. */
async function hasFile(files: OpenableWorld['files'], path: string): Promise<boolean> {
  const read = await files.list(folderOf(path));
  return read.kind === 'ok' && read.entries.some(({ kind, name }) => kind === 'file' && name === nameOf(path));
}

/**
 * Whether `path`, normalized, may be opened. A link may when what it leads to may as well. Asks the disk nothing about
 * what may not.
 */
export async function isOpenable(path: string, { files, listing, config }: OpenableWorld): Promise<boolean> {
  const named = namedFiles(config);
  const isOpen = async (at: string): Promise<boolean> => {
    if (isInGit(at)) return false;
    if (listing.files.has(at) || named.has(at) || isWellKnownMemory(at)) return true;
    // Made since the folder was listed.
    return listing.mayShow(at) && (await hasFile(files, at));
  };
  if (!(await isOpen(path))) return false;
  const found = await files.resolveLink(path);
  // What leads to no file here is the reader's to refuse.
  return found.kind !== 'file' || found.realPath === path || isOpen(found.realPath);
}
