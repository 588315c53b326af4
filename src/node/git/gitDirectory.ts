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
import { HOST, type Platform } from '../platform';
import { isInWorkspace } from '../userFolders';
import {
  findRepository,
  type GitRepository,
  MAX_GIT_LINE_BYTES,
  readBytesInside,
  readInside,
  statItself,
} from './gitRepository';

/** Refs of half a million branches. */
const MAX_PACKED_REFS_BYTES = 64 * 1024 * 1024;

/** As git follows them. */
const MAX_SYMBOLIC_REFS = 5;

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Where a repository stands, as the text of two files of a git directory. */
interface GitHead {
  readonly head: string;
  /** The ref that HEAD names, the only one there is; empty for a branch without commits. */
  readonly packedRefs: string;
}

/** `undefined` when HEAD or what it names is no plain text of git's. */
async function readHead({ own, shared }: GitRepository): Promise<GitHead | undefined> {
  const text = (await readInside(own, 'HEAD', MAX_GIT_LINE_BYTES))?.trimEnd();
  if (text === undefined) return undefined;
  if (HASH.test(text)) return { head: `${text}\n`, packedRefs: '' };
  let name = refOf(text);
  for (let steps = 0; name !== undefined && steps < MAX_SYMBOLIC_REFS; steps++) {
    const value: string | undefined = await readRef(shared, name);
    if (value === undefined) return undefined;
    const next = refOf(value);
    if (next === undefined) {
      if (value !== '' && !HASH.test(value)) return undefined;
      return { head: `ref: ${name}\n`, packedRefs: value === '' ? '' : `${value} ${name}\n` };
    }
    name = next;
  }
  return undefined;
}

/** The ref that a symbolic one names (git-check-ref-format(1)); `undefined` for anything else. */
function refOf(text: string): string | undefined {
  const name = /^ref:\s*(refs\/.+)$/.exec(text)?.[1];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git forbids
  const isName = name !== undefined && !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[/.]$/.test(name);
  return isName ? name : undefined;
}

/** A ref's value, `''` when there is no such ref; `undefined` when it cannot be read without following a link. */
async function readRef(shared: string, name: string): Promise<string | undefined> {
  const loose = await statItself(path.join(shared, ...name.split('/')));
  if (loose && !loose.isDirectory()) return (await readInside(shared, name, MAX_GIT_LINE_BYTES))?.trimEnd();
  if (!(await statItself(path.join(shared, 'packed-refs')))) return '';
  const packed = await readBytesInside(shared, 'packed-refs', MAX_PACKED_REFS_BYTES);
  return packed && packedValue(Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength), name);
}

function packedValue(packed: Buffer, name: string): string {
  const end = Buffer.from(` ${name}\n`);
  for (let at = packed.indexOf(end); at >= 0; at = packed.indexOf(end, at + 1)) {
    const start = packed.lastIndexOf(0x0a, at) + 1;
    const value = packed.toString('latin1', start, at);
    if (HASH.test(value)) return value;
  }
  return '';
}

// What our own git directory takes over from a repository's settings: its format, and how it compares files.

/** Words for a switch, as git knows them. */
const SWITCH = /^(?:true|false|yes|no|on|off|[01])$/i;

/** Settings that `status` needs to see the files as the user's git does. None of them names a program or a place. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  filemode: SWITCH,
  ignorecase: SWITCH,
  symlinks: SWITCH,
  precomposeunicode: SWITCH,
  trustctime: SWITCH,
  checkstat: /^(?:default|minimal)$/i,
  autocrlf: /^(?:true|false|input)$/i,
  eol: /^(?:lf|crlf|native)$/i,
};

/** Extensions that change nothing for our questions. */
const HARMLESS = /^extensions\.(?:noop|noop-v1|preciousobjects|partialclone|worktreeconfig|relativeworktrees)$/;

/** The text of our config; `undefined` for a format that only the user's own git should read. */
export function ownConfig(settings: ReadonlyMap<string, string>, { gitDefaults }: Platform): string | undefined {
  const version = settings.get('core.repositoryformatversion') ?? '0';
  if (version !== '0' && version !== '1') return undefined;
  const hash = settings.get('extensions.objectformat')?.toLowerCase() ?? 'sha1';
  if (!/^sha(?:1|256)$/.test(hash)) return undefined;
  const others = [...settings.keys()].filter((key) => key.startsWith('extensions.') && !HARMLESS.test(key));
  if (others.some((key) => key !== 'extensions.objectformat' && !isPlainRefs(key, settings))) return undefined;
  const taken = Object.entries(TAKEN).flatMap(([key, values]) => {
    const value = settings.get(`core.${key}`);
    return value !== undefined && values.test(value) ? [`${key} = ${value}`] : [];
  });
  // The system config is not read.
  for (const [key, value] of gitDefaults) if (!settings.has(`core.${key}`)) taken.push(`${key} = ${value}`);
  const format = hash === 'sha1' ? 0 : 1;
  const core = [`repositoryformatversion = ${format}`, 'bare = true', 'untrackedCache = false', ...taken];
  const extensions = hash === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${hash}\n`;
  return `[core]\n${core.map((line) => `\t${line}\n`).join('')}${extensions}`;
}

/** Refs as files, not as tables. */
function isPlainRefs(key: string, settings: ReadonlyMap<string, string>): boolean {
  return key === 'extensions.refstorage' && settings.get(key)?.toLowerCase() === 'files';
}

/** Entries of the object store that are looked at; a store of this size was never packed. */
const MAX_OBJECT_ENTRIES = 500_000;

/** Largest index that is read; that of a million files has 100 MB. */
const MAX_INDEX_BYTES = 1024 ** 3;

const MAX_TEXT_BYTES = 1024 * 1024;

/** No run of git takes so long. */
const UNUSED_MS = 60 * 60 * 1000;

const NAME = /^git-[0-9a-f]{32}$/;

/** The place of the repository, and where our own directories for it may lie. */
interface OwnGitDirectoryOptions {
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
  constructor(private readonly options: OwnGitDirectoryOptions) {}

  async open(): Promise<GitDirectory> {
    try {
      const found = await findRepository(this.options.realRoot, false);
      return found.kind === 'found' ? await this.#make(found.repository) : found;
    } catch (error) {
      const why = error instanceof Refused ? error.message : (errorCode(error) ?? String(error));
      this.options.logger.debug(`git was not asked about the untrusted folder: ${why}`);
      return { kind: 'refused' };
    }
  }

  async #make(repository: GitRepository): Promise<GitDirectory> {
    const { settings, own, shared, workTree } = repository;
    // Without a work tree there is no status; git says so too.
    if (isOn(settings.get('core.bare'))) return { kind: 'absent' };
    const config = ownConfig(settings, HOST);
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
    const below = HOST.portable(path.relative(workTree, this.options.realRoot));
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
    const { cacheFolder: cache, realRoot } = this.options;
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
      if (known !== text) await writeFileAtomic(at, text, false);
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
        this.options.logger.debug(`${name} was not removed: ${errorCode(error) ?? String(error)}`);
      }
    }
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[1-9]\d*)$/i.test(value);
}

function hashesOf(text: string): string {
  const lines = text.split('\n').filter((line) => HASH.test(line));
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

/** Where git looks for a short name, in its order (gitrevisions(7)); `HEAD` and object ids are git's own to read. */
const REF_PLACES = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/** The hash that a branch or tag names in a folder that is not trusted; `undefined` where there is no such ref. */
export async function readNamedRef(realRoot: string, name: string): Promise<string | undefined> {
  const found = await findRepository(realRoot, false);
  if (found.kind !== 'found') return undefined;
  for (const full of [...REF_PLACES.map((place) => place + name), `refs/remotes/${name}/HEAD`]) {
    let ref = refOf(`ref: ${full}`);
    for (let steps = 0; ref !== undefined && steps < MAX_SYMBOLIC_REFS; steps++) {
      const value: string | undefined = await readRef(found.repository.shared, ref);
      if (value !== undefined && HASH.test(value)) return value;
      ref = value === undefined ? undefined : refOf(value);
    }
  }
  return undefined;
}
