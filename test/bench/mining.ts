/** The work behind `mining.mjs`: tasks out of a repository's history, a commit's message → the definitions it changed. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { AssetSource } from '../../src/core/ports/ports';
import { languageOf } from '../../src/core/repomap/facts/languages';
import type { Definition } from '../../src/core/repomap/facts/types';
import { classifyPath } from '../../src/core/repomap/index/pathClass';
import { packedAssets } from '../../src/worker/packedAssets';
import { TreeSitterParser } from '../../src/worker/parser/fileParser';
import { decodeFacts } from '../support/repoMapBuilders';
import { cloneOf, git } from './commitFacts';

interface Candidate {
  readonly sha: string;
  readonly message: string;
  readonly paths: readonly string[];
}

interface Gold {
  readonly path: string;
  readonly name: string;
}

const TRAILER = /^(?:signed-off-by|co-authored-by|change-id|reviewed-by|acked-by|tested-by|closes?|cc):?\s.*$/gimu;
/** Messages that machines write, or that say nothing. */
const ROUTINE = /^(?:revert|bump|release|merge|v?\d+\.\d+|(?:chore|build)\(?.*deps|update dependenc|prepare)/iu;
const MAX_HISTORY = 12_000;
const MAX_SOURCES = 2;
const MAX_GOLD = 5;
const MAX_BYTES = 1_000_000;

function wordsIn(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length;
}

/** A commit that changes one or two sources in place; tests and docs may change with them. */
function candidateOf(record: string): Candidate | undefined {
  const [sha = '', body = '', changes = ''] = record.split('\0');
  const message = body.replace(TRAILER, '').trim();
  if (ROUTINE.test(message)) return undefined;
  const changed = changes.split('\n').flatMap((line) => {
    const [status, path] = line.split('\t');
    return status && path && languageOf(path) !== undefined && classifyPath(path) === 'source'
      ? [{ status, path }]
      : [];
  });
  if (changed.length < 1 || changed.length > MAX_SOURCES || changed.some(({ status }) => status !== 'M')) {
    return undefined;
  }
  return { sha, message, paths: changed.map(({ path }) => path) };
}

function innermost(definitions: readonly Definition[], line: number, isInsertion: boolean): Definition | undefined {
  let best: Definition | undefined;
  for (const definition of definitions) {
    const { lineStart, lineEnd } = definition;
    if (lineStart > line || lineEnd < line || (isInsertion && lineEnd === line)) continue;
    if (!best || lineEnd - lineStart <= best.lineEnd - best.lineStart) best = definition;
  }
  return best?.kind === 'module' || best?.kind === 'namespace' ? undefined : best;
}

/** Definitions at the parent that hold the changed lines. */
async function goldOf(clone: string, { sha, paths }: Candidate, parser: TreeSitterParser): Promise<readonly Gold[]> {
  const gold = new Map<string, Gold>();
  for (const path of paths) {
    const bytes = new Uint8Array(git(clone, ['show', `${sha}^:${path}`]));
    if (bytes.length > MAX_BYTES) return [];
    const [encoded] = await parser.parse([{ path, contentHash: sha, bytes }]);
    const { definitions } = decodeFacts(encoded ?? new Uint8Array());
    const diff = git(clone, ['diff', '-U0', '--no-renames', `${sha}^`, sha, '--', path]).toString();
    for (const [, start, count] of diff.matchAll(/^@@ -(\d+)(?:,(\d+))? /gmu)) {
      const lines = count === undefined ? 1 : Number(count);
      for (let line = Number(start); line < Number(start) + Math.max(1, lines); line++) {
        const name = innermost(definitions, line, lines === 0)
          ?.name.split('.')
          .at(-1);
        if (name !== undefined) gold.set(`${path}\0${name}`, { path, name });
      }
    }
  }
  return [...gold.values()];
}

function candidatesOf(clone: string, minWords: number, maxWords: number): readonly Candidate[] {
  const format = '--format=%x01%H%x00%B%x00';
  const log = git(clone, ['log', '--no-merges', '--name-status', '--no-renames', `-n${MAX_HISTORY}`, format]);
  return log
    .toString()
    .split('\x01')
    .flatMap((record) => candidateOf(record) ?? [])
    .filter(({ message }) => wordsIn(message) >= minWords && wordsIn(message) <= maxWords);
}

/** Takes up to `per` commits of each repository, evenly over its history, and writes them as tasks. */
export async function mine(options: {
  readonly root: string;
  readonly repos: string;
  readonly names: readonly string[];
  readonly per: number;
  readonly minWords: number;
  readonly maxWords: number;
  readonly out: string;
}): Promise<void> {
  const files: AssetSource = { read: async (name) => new Uint8Array(readFileSync(join(options.root, name))) };
  const parser = new TreeSitterParser(packedAssets(files, brotliDecompressSync));
  const tasks: unknown[] = [];
  for (const repo of options.names) {
    const clone = cloneOf(options.repos, repo);
    if (!clone) throw new Error(`no clone of ${repo} below ${options.repos}`);
    const found = candidatesOf(clone, options.minWords, options.maxWords);
    const step = Math.max(1, found.length / (2 * options.per));
    let taken = 0;
    for (let at = 0; at < found.length && taken < options.per; at += step) {
      const candidate = found[Math.floor(at)] as Candidate;
      const gold = await goldOf(clone, candidate, parser);
      if (gold.length === 0 || gold.length > MAX_GOLD) continue;
      const gold_files = [...new Set(gold.map(({ path }) => path))];
      const { sha, message: query } = candidate;
      const language = languageOf(gold_files[0] as string);
      tasks.push({ id: `${repo}-${sha}`, repo, commit: `${sha}^`, language, query, gold_files, gold_symbols: gold });
      taken++;
    }
    console.error(`${repo}: ${taken} tasks of ${found.length} commits`);
  }
  writeFileSync(options.out, JSON.stringify(tasks, null, 1));
}
