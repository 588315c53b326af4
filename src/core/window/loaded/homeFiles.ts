/** Files of the workspace and of the home folder under one kind of path: those of the home folder begin with `~/`. */

import { globMatcher } from '../../files/glob';
import type { FileSource } from '../../ports/ports';
import { decodeText } from '../../text/decode';

/** The largest file that an agent has a rule about has 4 MiB. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_FILES = 500;
const MAX_DEPTH = 4;
const MAX_PATTERN_DEPTH = 12;
/** Folders that one pattern may be looked for in. */
const MAX_FOLDERS = 2000;
/** Folders that are not searched for instructions. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Reads both places. Without a home folder nothing below `~/` is there. */
export class WindowFiles {
  /** Paths below `~/` that were found and read, in the order of reading. */
  readonly homePaths = new Set<string>();
  readonly #problems = new Map<string, string>();
  readonly #texts = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly workspace: FileSource,
    private readonly home: FileSource | undefined,
  ) {}

  get hasHome(): boolean {
    return this.home !== undefined;
  }

  /** What is wrong with files, as sentences without a period, each with its file's path. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  addProblem(path: string, message: string): void {
    this.#problems.set(message, path);
  }

  /** A file's text; undefined where there is none, which is a problem only if something is there. */
  text(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? this.#read(path);
    this.#texts.set(path, known);
    return known;
  }

  /** Files below a folder with this ending, in the order of their paths; links to folders are followed once. */
  async below(folder: string, ending: string, depth = MAX_DEPTH): Promise<readonly string[]> {
    const { source, path } = this.#at(folder);
    const listed = await source?.list(path);
    if (listed?.kind !== 'ok') return [];
    const found: string[] = [];
    for (const { name, kind } of listed.entries) {
      if (found.length >= MAX_FILES) break;
      const child = `${folder}/${name}`;
      const target = kind === 'link' ? (await source?.resolveLink(this.#at(child).path))?.kind : kind;
      if (target === 'file' && name.endsWith(ending)) found.push(child);
      else if (target === 'folder' && depth > 1) found.push(...(await this.below(child, ending, depth - 1)));
    }
    return found.slice(0, MAX_FILES);
  }

  /** Files of the workspace that fit a pattern; only folders that can hold any are looked into. */
  async matching(pattern: string): Promise<readonly string[]> {
    const found: string[] = [];
    let folders = 0;
    const walk = async (folder: string, [segment = '', ...rest]: readonly string[], depth: number): Promise<void> => {
      if (segment === '**' && rest.length > 0) await walk(folder, rest, depth);
      if (depth > MAX_PATTERN_DEPTH || ++folders > MAX_FOLDERS) return;
      const listed = await this.workspace.list(folder);
      if (listed.kind !== 'ok') return;
      const fits = segment === '**' ? (name: string) => !SKIPPED.has(name) : globMatcher(segment);
      for (const { name, kind } of [...listed.entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (found.length >= MAX_FILES) return;
        const child = folder === '' ? name : `${folder}/${name}`;
        if (!fits(name)) continue;
        if (kind === 'folder' && segment === '**') await walk(child, [segment, ...rest], depth + 1);
        else if (kind === 'folder' && rest.length > 0) await walk(child, rest, depth + 1);
        else if (kind !== 'folder' && rest.length === 0) found.push(child);
      }
    };
    await walk('', pattern.split('/'), 0);
    return [...new Set(found)];
  }

  async #read(path: string): Promise<string | undefined> {
    const at = this.#at(path);
    const read = await at.source?.read(at.path, MAX_BYTES);
    if (read === undefined || read.kind === 'missing') return undefined;
    const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
    if (decoded?.kind !== 'text') {
      this.addProblem(path, `${path} could not be read`);
      return undefined;
    }
    if (path.startsWith('~/')) this.homePaths.add(path);
    return decoded.text;
  }

  #at(path: string): { readonly source: FileSource | undefined; readonly path: string } {
    return path.startsWith('~/') ? { source: this.home, path: path.slice(2) } : { source: this.workspace, path };
  }
}
