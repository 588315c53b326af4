/** Facts of the files of commits, read from a clone without checking anything out; commits share most of theirs. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseHistory } from '../../src/core/pipeline/collect/gitOutput';
import { HISTORY } from '../../src/core/pipeline/collect/gitQuestions';
import type { AssetSource } from '../../src/core/ports/ports';
import { FACTS_VERSION, openFacts } from '../../src/core/repomap/facts/factsCodec';
import { languageOf } from '../../src/core/repomap/facts/languages';
import { RepoIndex } from '../../src/core/repomap/index/repoIndex';
import type { History } from '../../src/core/repomap/project/packages';
import { TreeSitterParser } from '../../src/worker/parser/fileParser';

const MAX_FILE_BYTES = 1_000_000;

/** Runs git in a clone. */
export function git(clone: string, args: readonly string[], input?: string): Buffer {
  return execFileSync('git', ['-C', clone, ...args], {
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(input === undefined ? {} : { input }),
  });
}

/** The clone of a repository below `repos`, wherever people keep it. */
export function cloneOf(repos: string, repo: string): string | undefined {
  return [`${repo.replace('/', '+')}/repo`, repo, repo.replace('/', '__')]
    .map((name) => join(repos, name))
    .find((folder) => existsSync(folder));
}

/** Contents of blobs, in the order asked for. */
export function readBlobs(clone: string, ids: readonly string[]): readonly Uint8Array[] {
  if (ids.length === 0) return [];
  const out = git(clone, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  let at = 0;
  return ids.map(() => {
    const end = out.indexOf(10, at);
    const size = Number(out.subarray(at, end).toString().split(' ')[2]);
    const bytes = new Uint8Array(out.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
    return bytes;
  });
}

/** Facts by blob and path for one clone at a time, optionally kept in a folder between runs. */
export class CommitFacts {
  readonly #parser: TreeSitterParser;
  readonly #folder: string | undefined;
  #clone = '';
  #known = new Map<string, Uint8Array>();
  #log = -1;

  constructor(assets: AssetSource, folder?: string) {
    this.#parser = new TreeSitterParser(assets);
    this.#folder = folder;
  }

  /** Everything the commit holds, as an index. */
  async index(clone: string, commit: string): Promise<RepoIndex> {
    return (await this.indexWithIds(clone, commit)).index;
  }

  /** The same, with the blob of each path. */
  async indexWithIds(
    clone: string,
    commit: string,
  ): Promise<{ readonly index: RepoIndex; readonly ids: ReadonlyMap<string, string> }> {
    this.#open(clone);
    const listing = git(clone, ['ls-tree', '-r', '-l', commit]).toString();
    const files = listing.split('\n').flatMap((line) => {
      const [, id, size, path] = /^\d+ blob (\w+) +(\d+)\t(.+)$/u.exec(line) ?? [];
      return id && path && Number(size) <= MAX_FILE_BYTES && languageOf(path) !== undefined ? [{ id, path }] : [];
    });
    const missing = files.filter(({ id, path }) => !this.#known.has(`${id} ${path}`));
    const contents = readBlobs(
      clone,
      missing.map(({ id }) => id),
    );
    for (const [at, { id, path }] of missing.entries()) {
      const [encoded] = await this.#parser.parse([{ path, contentHash: id, bytes: contents[at] ?? new Uint8Array() }]);
      if (!encoded) throw new Error(`no facts for ${path}`);
      this.#keep(`${id} ${path}`, encoded);
    }
    const index = new RepoIndex();
    for (const { id, path } of files) index.upsert(openFacts(this.#known.get(`${id} ${path}`) ?? new Uint8Array()));
    return { index, ids: new Map(files.map(({ id, path }) => [path, id])) };
  }

  /** What the commits up to one did. */
  history(clone: string, commit: string): History {
    return parseHistory(git(clone, [...HISTORY, commit, '--']).toString());
  }

  #open(clone: string): void {
    if (clone === this.#clone) return;
    this.#clone = clone;
    this.#known = new Map();
    if (this.#folder === undefined) return;
    if (this.#log >= 0) closeSync(this.#log);
    mkdirSync(this.#folder, { recursive: true });
    const file = join(this.#folder, `${clone.replace(/[^\w+-]+/gu, '_')}.${FACTS_VERSION}.facts`);
    if (existsSync(file)) truncateSync(file, this.#load(readFileSync(file)));
    this.#log = openSync(file, 'a');
  }

  /** Records of two lengths, the key, the facts. Returns where the last whole one ends: a run may have been stopped. */
  #load(bytes: Buffer): number {
    let at = 0;
    while (at + 8 <= bytes.length) {
      const keyEnd = at + 8 + bytes.readUInt32LE(at);
      const end = keyEnd + bytes.readUInt32LE(at + 4);
      if (end > bytes.length) break;
      this.#known.set(bytes.toString('utf8', at + 8, keyEnd), bytes.subarray(keyEnd, end));
      at = end;
    }
    return at;
  }

  #keep(key: string, facts: Uint8Array): void {
    this.#known.set(key, facts);
    if (this.#log < 0) return;
    const name = Buffer.from(key);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(name.length, 0);
    head.writeUInt32LE(facts.length, 4);
    writeSync(this.#log, Buffer.concat([head, name, facts]));
  }
}
