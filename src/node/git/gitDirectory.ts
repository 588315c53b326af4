/**
 * Makes a git directory of our own for a folder that is not trusted: a config that says nothing but the format, HEAD and
 * its one ref as text, and the way to objects and index of the repository. Git then finds no filter, hook, remote or
 * other setting of the folder, whatever their names. It lies in the user's cache under a name made of its contents, so
 * that processes share it and a new commit makes a new one.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { GitDirectory, GitDirectorySource, Logger } from '../../core/ports/ports';
import { writeFileAtomic } from '../atomicFile';
import { errorCode } from '../errorCode';
import { isInWorkspace } from '../userFolders';
import { ownConfig } from './gitFormat';
import { type GitHead, readHead } from './gitHead';
import { findRepository, type GitRepository, readInside, statItself } from './gitRepository';

/** Entries of the object store that are looked at; a store of this size was never packed. */
const MAX_OBJECT_ENTRIES = 500_000;

/** Of an index; that of a million files has 100 MB. */
const MAX_INDEX_BYTES = 1024 ** 3;

const MAX_TEXT_BYTES = 1024 * 1024;

/** No run of git takes so long. */
const UNUSED_MS = 60 * 60 * 1000;

const NAME = /^git-[0-9a-f]{32}$/;

/** The place of the repository, and where our own directories for it may lie. */
export interface OwnGitDirectoryOptions {
  /** The folder's real path. */
  readonly realRoot: string;
  /** Absolute, the user's own; need not exist. */
  readonly cacheFolder: string;
  readonly logger: Logger;
}

/** Something that git would follow out of the repository, or wait for. */
class Refused extends Error {}

/** What the object store told of itself. */
interface ObjectStore {
  readonly folder: string;
  readonly isPartial: boolean;
}

export class OwnGitDirectory implements GitDirectorySource {
  readonly #options: OwnGitDirectoryOptions;

  constructor(options: OwnGitDirectoryOptions) {
    this.#options = options;
  }

  async open(): Promise<GitDirectory> {
    try {
      const found = await findRepository(this.#options.realRoot, false);
      return found.kind === 'found' ? await this.#make(found.repository) : found;
    } catch (error) {
      const why = error instanceof Refused ? error.message : (errorCode(error) ?? String(error));
      this.#options.logger.debug(`git was not asked about the untrusted folder: ${why}`);
      return { kind: 'refused' };
    }
  }

  async #make(repository: GitRepository): Promise<GitDirectory> {
    const { settings, own, shared, workTree } = repository;
    // Without a work tree there is no status; git says so too.
    if (isOn(settings.get('core.bare'))) return { kind: 'absent' };
    const config = ownConfig(settings, process.platform);
    if (config === undefined) throw new Refused('its format is not known');
    const head = await readHead(repository);
    if (!head) throw new Refused('HEAD or its ref cannot be read');
    const objects = await proveObjects(path.join(shared, 'objects'));
    const index = await proveIndex(own);
    const folder = await this.#write(config, head, repository);
    const variables = {
      GIT_DIR: folder,
      GIT_OBJECT_DIRECTORY: objects.folder,
      GIT_INDEX_FILE: index.file,
      GIT_CONFIG_GLOBAL: path.join(folder, 'empty'),
    };
    const below = path.relative(workTree, this.#options.realRoot).split(path.sep).join('/');
    const isPartial = objects.isPartial || index.isShared || settings.has('extensions.partialclone');
    return { kind: 'ready', variables, workTree, prefix: below === '' ? '' : `${below}/`, isPartial };
  }

  /** Returns where it lies. Every file is compared, so that one that was damaged is made good. */
  async #write(config: string, { head, packedRefs }: GitHead, { shared }: GitRepository): Promise<string> {
    const files = {
      config,
      empty: '',
      HEAD: head,
      'packed-refs': packedRefs,
      'info/exclude': (await readInside(shared, 'info/exclude', MAX_TEXT_BYTES)) ?? '',
      // Where the history of a shallow clone ends; hashes alone.
      shallow: hashesOf((await readInside(shared, 'shallow', MAX_TEXT_BYTES)) ?? ''),
    };
    const { cacheFolder: cache, realRoot } = this.#options;
    if (await isInWorkspace(realRoot, cache)) throw new Refused('the cache is inside the folder');
    const name = `git-${createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 32)}`;
    const folder = path.join(cache, name);
    let isNew = false;
    for (const sub of ['refs', 'objects', 'info']) {
      isNew = (await mkdir(path.join(folder, sub), { recursive: true, mode: 0o700 })) !== undefined || isNew;
    }
    for (const [file, text] of Object.entries(files)) {
      const at = path.join(folder, ...file.split('/'));
      const known = isNew ? undefined : await readFile(at, 'utf8').catch(() => undefined);
      if (known !== text) await writeFileAtomic(at, [new TextEncoder().encode(text)], { isDurable: false });
    }
    const now = new Date();
    await utimes(folder, now, now);
    if (isNew) await this.#prune(cache, name, now.getTime());
    return folder;
  }

  /** Removes those of earlier commits. */
  async #prune(cache: string, keep: string, nowMs: number): Promise<void> {
    for (const name of await readdir(cache)) {
      if (name === keep || !NAME.test(name)) continue;
      const folder = path.join(cache, name);
      try {
        if (nowMs - (await stat(folder)).mtimeMs > UNUSED_MS) await rm(folder, { recursive: true, force: true });
      } catch (error) {
        // Another process tidies up too.
        this.#options.logger.debug(`${name} was not removed: ${errorCode(error) ?? String(error)}`);
      }
    }
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}

function hashesOf(text: string): string {
  const lines = text.split('\n').filter((line) => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(line));
  return lines.map((line) => `${line}\n`).join('');
}

/** Git opens what lies there by name: a link would lead it elsewhere, a pipe would hold it up. */
async function proveObjects(folder: string): Promise<ObjectStore> {
  let left = MAX_OBJECT_ENTRIES;
  let isPartial = false;
  const prove = async (at: string, depth: number): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true });
    left -= entries.length;
    if (left < 0) throw new Refused('it has too many objects');
    const folders: string[] = [];
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(entry.name);
      else if (!entry.isFile()) throw new Refused('its object store has something else than files');
      else if (/^(?:http-)?alternates$/.test(entry.name)) throw new Refused('its objects are in another repository');
      else isPartial ||= entry.name.endsWith('.promisor');
    }
    if (folders.length > 0 && depth === 0) throw new Refused('its object store is too deep');
    await Promise.all(folders.map((name) => prove(path.join(at, name), depth - 1)));
  };
  await prove(folder, 3);
  return { folder, isPartial };
}

/** A repository without commits has none. A split index has its larger part beside it, which older gits do not find. */
async function proveIndex(own: string): Promise<{ readonly file: string; readonly isShared: boolean }> {
  const shared = (await readdir(own)).filter((name) => name.startsWith('sharedindex.'));
  for (const name of ['index', ...shared]) {
    const found = await statItself(path.join(own, name));
    if (found && (!found.isFile() || found.size > MAX_INDEX_BYTES)) throw new Refused(`${name} is no regular file`);
  }
  return { file: path.join(own, 'index'), isShared: shared.length > 0 };
}
