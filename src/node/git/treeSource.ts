/**
 * A revision's tree as a file source: what `check` measures as its baseline. Read through git's plumbing, so that nothing is
 * checked out and nothing is written below `.git`.
 */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type {
  DirectoryEntry,
  DirectoryRead,
  Disposable,
  FileRead,
  FileSource,
  GitDirectorySource,
  GitGuard,
  LinkTarget,
} from '../../core/ports/ports';
import { unreadableFor } from '../../core/text/decode';
import { errorClass } from '../../core/text/phrase';
import { folderOf, isSafePath, resolvePath } from '../../core/text/safePath';
import { HOST } from '../platform';
import { NodeProcessRunner } from '../process/processRunner';
import { resolveExecutable, searchFolders } from '../process/resolveExecutable';
import { readNamedRef } from './gitDirectory';
import { gitEnvironment } from './gitEnvironment';

/** `noGit`: no git, or no repository. `refused`: only a trusted folder's git reads it. `noRevision`: there is none of this name. */
export class TreeError extends errorClass<'noGit' | 'refused' | 'noRevision'>('TreeError') {}

const TIMEOUT_MS = 60_000;
/** Enough for a list of about a million files. */
const MAX_OUTPUT_BYTES = 200_000_000;
/** As many links may lead to each other. */
const MAX_LINKS = 5;
const NO_REPOSITORY = 'There is no such file, and the folder is in no Git repository.';
/** Neither pages, hooks nor filters of a config are run by these questions. */
const ALWAYS = ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=false'];

interface Blob {
  readonly id: string;
  readonly sizeBytes: number;
  readonly isLink: boolean;
}

/** Where git runs, and what it is told. */
interface GitPlace {
  readonly realRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly guard: GitGuard;
}

interface TreeOptions {
  /** The opened folder's real path; it may lie below the root of the repository. */
  readonly realRoot: string;
  readonly revision: string;
  readonly isTrusted: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly directories: GitDirectorySource;
  /** Files that are read as they are now, such as the config. */
  readonly current: { readonly files: FileSource; readonly paths: ReadonlySet<string> };
}

/** Answers of `git cat-file --batch`, in the order of the questions. */
class BlobReader implements Disposable {
  private readonly waiting: ((bytes: Uint8Array | undefined) => void)[] = [];
  private chunks: Buffer[] = [];
  private have = 0;
  /** Bytes of the answer under way, its header included; undefined until the header was read. */
  private wanted: { readonly header: number; readonly size: number } | undefined;
  private readonly child: ChildProcessWithoutNullStreams;
  private hasEnded = false;

  constructor({ realRoot, env, guard }: GitPlace) {
    const folders = searchFolders(env, HOST, realRoot);
    const program = resolveExecutable('git', folders, HOST);
    if (program === undefined) throw new TreeError('noGit', 'Git was not found.');
    const options = { cwd: realRoot, env: gitEnvironment(env, folders, guard), windowsHide: true };
    this.child = spawn(program, [...ALWAYS, 'cat-file', '--batch'], options);
    this.child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    this.child.stderr.resume();
    // What is asked of a git that went is not there.
    this.child.stdin.on('error', () => this.end());
    this.child.on('error', () => this.end());
    this.child.on('close', () => this.end());
  }

  read(id: string): Promise<Uint8Array | undefined> {
    if (this.hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${id}\n`);
    });
  }

  dispose(): void {
    this.end();
    this.child.kill();
  }

  private end(): void {
    this.hasEnded = true;
    for (const settle of this.waiting.splice(0)) settle(undefined);
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.have += chunk.length;
    while (this.next());
  }

  /** Takes one answer off the buffer; false when it is not all there. */
  private next(): boolean {
    const { wanted } = this;
    // A line end follows the bytes.
    if (wanted && this.have < wanted.header + wanted.size + 1) return false;
    const all = Buffer.concat(this.chunks);
    this.chunks = [all];
    if (wanted) {
      const end = wanted.header + wanted.size;
      this.settle(all.subarray(wanted.header, end), end + 1, all);
      return this.have > 0;
    }
    const lineEnd = all.indexOf('\n');
    if (lineEnd < 0) return false;
    const size = / blob (\d+)$/.exec(all.toString('latin1', 0, lineEnd))?.[1];
    if (size === undefined) this.settle(undefined, lineEnd + 1, all);
    else this.wanted = { header: lineEnd + 1, size: Number(size) };
    return this.have > 0;
  }

  private settle(bytes: Uint8Array | undefined, length: number, all: Buffer): void {
    this.wanted = undefined;
    this.chunks = [all.subarray(length)];
    this.have -= length;
    this.waiting.shift()?.(bytes);
  }
}

/** Which git directory is read, and the folder's place in the repository, with `/` at its end. */
async function placeOf(
  options: TreeOptions,
): Promise<{ readonly guard: GitGuard; readonly prefix: string | undefined }> {
  if (options.isTrusted) return { guard: { isTrusted: true }, prefix: undefined };
  const directory = await options.directories.open();
  if (directory.kind === 'absent') throw new TreeError('noGit', NO_REPOSITORY);
  if (directory.kind !== 'ready')
    throw new TreeError(
      'refused',
      'Git is not read: the repository is elsewhere or has an unusual format. Pass --trust.',
    );
  return { guard: { isTrusted: false, variables: directory.variables }, prefix: directory.prefix };
}

/** What git prints; `undefined` when it fails. */
async function ask(place: GitPlace, args: readonly string[]): Promise<string | undefined> {
  const processes = new NodeProcessRunner(place.realRoot, place.env);
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    const outcome = await processes.run({ argv: ['git', ...ALWAYS, ...args], ...limits, git: place.guard });
    return outcome.kind === 'exited' && outcome.exitCode === 0 ? outcome.stdout : undefined;
  } finally {
    processes.dispose();
  }
}

/** The revision with its branch or tag as a hash, where git does not know the folder's refs. */
async function spelled({ revision, realRoot, isTrusted }: TreeOptions): Promise<string> {
  if (isTrusted) return revision;
  const [, name = '', suffix = ''] = /^([^~^]*)(.*)$/s.exec(revision) ?? [];
  return ((await readNamedRef(realRoot, name)) ?? name) + suffix;
}

/** `<mode> <type> <id> <size>\t<path>` (git-ls-tree(1)); submodules have no files here. */
function blobsOf(output: string): ReadonlyMap<string, Blob> {
  const blobs = new Map<string, Blob>();
  for (const record of output.split('\0')) {
    const [, mode, id = '', size, path = ''] = /^(\d+) blob (\S+) +(\S+)\t(.*)$/s.exec(record) ?? [];
    if (id === '' || !isSafePath(path)) continue;
    blobs.set(path, { id, sizeBytes: Number(size), isLink: mode === '120000' });
  }
  return blobs;
}

/** Opens the tree of a revision. @throws TreeError */
export async function openTree(options: TreeOptions): Promise<TreeSource> {
  const { guard, prefix: known } = await placeOf(options);
  const place = { realRoot: options.realRoot, env: options.env, guard };
  const prefix = known ?? (await ask(place, ['rev-parse', '--show-prefix']))?.trimEnd();
  if (prefix === undefined) throw new TreeError('noGit', NO_REPOSITORY);
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${await spelled(options)}^{commit}`];
  const commit = (await ask(place, named))?.trim();
  if (!commit)
    throw new TreeError('noRevision', `${options.revision} is neither a file nor a revision of the repository.`);
  const tree = prefix === '' ? commit : `${commit}:${prefix.slice(0, -1)}`;
  const listed = await ask(place, ['ls-tree', '-r', '-l', '-z', '--full-tree', tree]);
  if (listed === undefined)
    throw new TreeError('noRevision', `${options.revision} has no readable tree of this folder.`);
  return new TreeSource(blobsOf(listed), new BlobReader(place), options.current);
}

/** The files of a tree. Ignore files are left out: what is tracked counts, whatever they name. */
export class TreeSource implements FileSource, Disposable {
  readonly rootName: string;
  private readonly folders = new Map<string, Map<string, DirectoryEntry>>([['', new Map()]]);
  private readonly blobs: ReadonlyMap<string, Blob>;

  constructor(
    blobs: ReadonlyMap<string, Blob>,
    private readonly reader: { read(id: string): Promise<Uint8Array | undefined> } & Disposable,
    private readonly current: TreeOptions['current'],
  ) {
    this.rootName = current.files.rootName;
    this.blobs = new Map([...blobs].filter(([path]) => !isIgnoreFile(path)));
    for (const [path, { isLink }] of this.blobs) this.add(path, isLink ? 'link' : 'file');
  }

  list(folder: string): Promise<DirectoryRead> {
    const entries = this.folders.get(folder);
    if (!entries) return Promise.resolve({ kind: 'missing' });
    const sorted = [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return Promise.resolve({ kind: 'ok', entries: sorted });
  }

  async read(path: string, maxBytes: number, mayRead?: (realPath: string) => Promise<boolean>): Promise<FileRead> {
    if (this.current.paths.has(path)) return this.current.files.read(path, maxBytes, mayRead);
    const target = await this.resolveLink(path);
    const blob = target.kind === 'file' ? this.blobs.get(target.realPath) : undefined;
    if (!blob || target.kind !== 'file' || (mayRead && !(await mayRead(target.realPath)))) return { kind: 'missing' };
    if (blob.sizeBytes > maxBytes) return { kind: 'tooLarge', sizeBytes: blob.sizeBytes };
    const bytes = await this.reader.read(blob.id);
    return bytes ? { kind: 'ok', bytes } : { kind: 'unreadable', message: unreadableFor('EIO') };
  }

  async resolveLink(link: string): Promise<LinkTarget> {
    let path = link;
    for (let steps = 0; steps <= MAX_LINKS; steps++) {
      if (this.folders.has(path)) return { kind: 'folder', realPath: path };
      const found = this.firstLink(path);
      if (!found) return this.blobs.has(path) ? { kind: 'file', realPath: path } : { kind: 'missing' };
      const bytes = await this.reader.read(found.id);
      const text = bytes ? new TextDecoder().decode(bytes) : '/';
      const rest = path.slice(found.path.length);
      const next = text.startsWith('/') ? undefined : resolvePath(folderOf(found.path), `${text}${rest}`);
      if (next === undefined) return { kind: 'outside' };
      path = next;
    }
    return { kind: 'missing' };
  }

  /** The first part of a path that is a link: the whole, or a folder on its way. */
  private firstLink(path: string): { readonly path: string; readonly id: string } | undefined {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      const blob = this.blobs.get(part);
      if (blob?.isLink) return { path: part, id: blob.id };
      if (end < 0) return undefined;
    }
  }

  dispose(): void {
    this.reader.dispose();
  }

  private add(path: string, kind: DirectoryEntry['kind']): void {
    const folder = folderOf(path);
    const name = path.slice(folder === '' ? 0 : folder.length + 1);
    const known = this.folders.get(folder);
    if (known) {
      known.set(name, { name, kind });
      return;
    }
    this.folders.set(folder, new Map([[name, { name, kind }]]));
    this.add(folder, 'folder');
  }
}

function isIgnoreFile(path: string): boolean {
  return path === '.gitignore' || path.endsWith('/.gitignore');
}
