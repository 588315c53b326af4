/**
 * The languages that a workspace brings itself (`repo_map.grammars`): which tables are in force, which files they
 * claim, what is wrong with the others. It decides nothing about how a file is parsed. A grammar is code, so none is
 * read in a folder that is not trusted. A table in force wins over the product's for the extensions and names it
 * claims; of two tables of the workspace the first wins, and the other is not loaded.
 */

import type { FileParser } from '../../engine/engine';
import type { Problem } from '../../model/problem';
import { makeProblem } from '../../model/problem';
import type { AssetShelf, FileSource } from '../../ports/ports';
import { claimOf } from '../../repomap/facts/languages';
import { type Phrase, phrase } from '../../text/phrase';
import { type GrammarFiles, type GrammarRead, readGrammarFiles } from './grammarFiles';

/** The parts of the world it needs. */
export interface WorkspaceGrammarsPorts {
  readonly files: FileSource;
  readonly parser: FileParser;
  readonly shelf: AssetShelf;
}

/** A table in force. */
interface Loaded {
  readonly path: string;
  /** Asset name without an ending; holds the hash of table and grammar. */
  readonly asset: string;
}

/** Node types named in one problem. */
const MAX_NAMED = 5;

function problem(words: Phrase, path: string): Problem {
  return makeProblem('index', 'warning', words, { path });
}

/** Names without an ending of the two assets of a grammar. */
export function grammarAsset(version: string): string {
  return `workspace/${version}`;
}

export class WorkspaceGrammars {
  readonly #ports: WorkspaceGrammarsPorts;
  #byExtension = new Map<string, Loaded>();
  #byFileName = new Map<string, Loaded>();
  #assets: ReadonlySet<string> = new Set();
  #problems: readonly Problem[] = [];
  #watched: ReadonlySet<string> = new Set();
  /** What the state was made from. */
  #inputs = JSON.stringify([[], false]);
  #isStale = false;

  constructor(ports: WorkspaceGrammarsPorts) {
    this.#ports = ports;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Asset name of the grammar that the workspace brings for a file; undefined when it brings none. */
  grammarOf(path: string): string | undefined {
    return this.#assets.size === 0 ? undefined : claimOf(path, this.#byFileName, this.#byExtension)?.asset;
  }

  /** Takes changed or removed paths in; a folder stands for all below it. */
  take(paths: readonly string[]): void {
    if (this.#isStale || this.#watched.size === 0) return;
    this.#isStale = paths.some((path) =>
      [...this.#watched].some((watched) => watched === path || watched.startsWith(`${path}/`)),
    );
  }

  /** Reads everything again with the next refresh. */
  forget(): void {
    this.#isStale = this.#watched.size > 0;
  }

  /** Whether `refresh` has something to do. */
  needsRefresh(tables: readonly string[], isTrusted: boolean): boolean {
    return this.#isStale || this.#inputs !== JSON.stringify([tables, isTrusted && tables.length > 0]);
  }

  /**
   * Brings the state up to date with the config's list of tables.
   * @returns true when files may be in another language than before, or in another version of it
   */
  async refresh(tables: readonly string[], isTrusted: boolean): Promise<boolean> {
    if (!this.needsRefresh(tables, isTrusted)) return false;
    this.#inputs = JSON.stringify([tables, isTrusted && tables.length > 0]);
    this.#isStale = false;
    const reads =
      isTrusted && tables.length > 0
        ? await Promise.all(tables.map((path) => readGrammarFiles(this.#ports.files, path)))
        : [];
    this.#watched = new Set(reads.flatMap((read) => read.watch));
    const before = this.#claims();
    this.#byExtension = new Map();
    this.#byFileName = new Map();
    const problems: Problem[] = isTrusted ? [] : tables.slice(0, 1).map((path) => notTrusted(tables, path));
    const assets = new Set<string>();
    for (const [index, read] of reads.entries()) {
      problems.push(...(await this.#load(read, tables[index] ?? '', assets)));
    }
    for (const asset of this.#assets) if (!assets.has(asset)) this.#drop(asset);
    this.#assets = assets;
    this.#problems = problems;
    return before !== this.#claims();
  }

  /** Puts one table in force, or says why not. */
  async #load(read: GrammarRead, path: string, assets: Set<string>): Promise<readonly Problem[]> {
    if (read.kind === 'failed')
      return [problem(phrase('{0}. The repo map goes on without this grammar.', read.message), path)];
    const { files } = read;
    const rival = this.#rivalOf(files);
    if (rival !== undefined)
      return [problem(phrase('{0}: {1}. The repo map goes on without this grammar.', path, rival), path)];
    const asset = grammarAsset(files.version);
    if (!this.#assets.has(asset)) {
      this.#ports.shelf.put(`${asset}.json`, files.tableBytes);
      this.#ports.shelf.put(`${asset}.wasm`, files.wasm);
    }
    const { error, unknownNodes } = await this.#ports.parser.checkGrammar(asset);
    if (error !== undefined) {
      this.#drop(asset);
      const words = phrase(
        '{0}: {1} does not load: {2}. The repo map goes on without it.',
        path,
        files.wasmPath,
        error,
      );
      return [problem(words, path)];
    }
    assets.add(asset);
    const loaded: Loaded = { path, asset };
    for (const extension of files.table.extensions) this.#byExtension.set(extension, loaded);
    for (const fileName of files.table.fileNames) this.#byFileName.set(fileName, loaded);
    return unknownNodes.length === 0 ? [] : [problem(unknownNodesMessage(files, unknownNodes), path)];
  }

  /** Which earlier table claims the same files, in words. */
  #rivalOf({ table }: GrammarFiles): Phrase | undefined {
    const claims = [
      ...table.extensions.map((claim) => [claim, this.#byExtension.get(claim)] as const),
      ...table.fileNames.map((claim) => [claim, this.#byFileName.get(claim)] as const),
    ];
    const [claim, rival] = claims.find(([, loaded]) => loaded !== undefined) ?? [];
    return rival && phrase('{0} belongs to {1} already. Take it out of one of the two', claim ?? '', rival.path);
  }

  #claims(): string {
    const rows = (claims: ReadonlyMap<string, Loaded>) => [...claims].map(([claim, { asset }]) => [claim, asset]);
    return JSON.stringify([rows(this.#byExtension), rows(this.#byFileName)]);
  }

  #drop(asset: string): void {
    this.#ports.shelf.drop(`${asset}.json`);
    this.#ports.shelf.drop(`${asset}.wasm`);
  }
}

function notTrusted(tables: readonly string[], path: string): Problem {
  const words =
    tables.length === 1
      ? phrase(
          '{0} was not loaded, because the folder is not trusted and a grammar is code. Look at it, then trust the folder in the editor, or pass --trust or run "context-budget trust".',
          path,
        )
      : phrase(
          'The grammars of repo_map.grammars were not loaded, because the folder is not trusted and a grammar is code. Look at it, then trust the folder in the editor, or pass --trust or run "context-budget trust".',
        );
  return problem(words, path);
}

function unknownNodesMessage({ path, wasmPath }: GrammarFiles, nodes: readonly string[]): Phrase {
  const named = nodes.slice(0, MAX_NAMED).join(', ');
  const rest = nodes.length - MAX_NAMED;
  return phrase(
    '{0} names node types that {1} does not have: {2}. Their rules never apply; look for a slip of the keyboard or another version of the grammar.',
    path,
    wasmPath,
    rest > 0 ? phrase('{0} and {1} more', named, rest) : named,
  );
}
