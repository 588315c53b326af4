/** The work behind `reach.mjs`: walks every task's ways in this process and prints a table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { AssetSource } from '../../src/core/ports/ports';
import type { RepoIndex } from '../../src/core/repomap/index/repoIndex';
import { selectMap } from '../../src/core/repomap/map/selection';
import { parseTask } from '../../src/core/repomap/ranking/query';
import { TaskCorpus } from '../../src/core/repomap/ranking/taskCorpus';
import { taskOrder } from '../../src/core/repomap/ranking/taskOrder';
import { rankForTask } from '../../src/core/repomap/ranking/taskRanking';
import { TASK_WEIGHTS } from '../../src/core/repomap/ranking/taskWeights';
import { decodeText } from '../../src/core/text/decode';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { packedAssets } from '../../src/worker/packedAssets';
import { createTokenizer } from '../../src/worker/tokenizer';
import { type BenchTask, readTasks } from './benchTask';
import { CommitFacts, cloneOf, readBlobs } from './commitFacts';
import { byGrep, byMap, byWholeFiles, type MapRound, type Place, type Sources, type WayCost } from './reachWays';

/** A small map first, twice as much each time it was not enough: never more than twice the last one's cost is spent. */
const ROUNDS = [256, 512, 1024, 2048, 4096];

interface Row {
  readonly task: BenchTask;
  readonly files: WayCost;
  readonly grep: WayCost;
  readonly map: WayCost;
}

/** What to compare. */
export interface CompareOptions {
  readonly root: string;
  readonly tasks: readonly string[];
  readonly repos: string;
  readonly only: string;
  /** Folder that keeps facts between runs. */
  readonly facts: string | undefined;
  readonly listsEach: boolean;
}

function goldOf(task: BenchTask, index: RepoIndex): readonly Place[] {
  return task.gold_symbols.flatMap(({ path, name, line }) => {
    const named = (index.files.find((file) => file.path === path)?.definitions ?? []).filter(
      (definition) => definition.name.split('.').at(-1) === name,
    );
    const away = (start: number): number => Math.abs(start - (line ?? start));
    const [nearest] = [...named].sort((a, b) => away(a.lineStart) - away(b.lineStart));
    return nearest ? [{ path, start: nearest.lineStart, end: nearest.lineEnd }] : [];
  });
}

function linesOf(blob: Uint8Array | undefined): readonly string[] {
  const decoded = decodeText(blob ?? new Uint8Array());
  return decoded.kind === 'binary' ? [] : decoded.text.split('\n');
}

class Walker {
  readonly #tokenizer: LineTokenCounter;
  readonly #facts: CommitFacts;

  constructor(tokenizer: LineTokenCounter, facts: CommitFacts) {
    this.#tokenizer = tokenizer;
    this.#facts = facts;
  }

  /** Undefined where the commit's index does not hold all that the fix changed. */
  async walk(task: BenchTask, clone: string): Promise<Row | undefined> {
    const { index, ids } = await this.#facts.indexWithIds(clone, task.commit);
    const query = parseTask(task.query);
    const corpus = new TaskCorpus(index, query.isAboutTests);
    const gold = goldOf(task, index);
    if (gold.length < task.gold_symbols.length) return undefined;
    const order = taskOrder(rankForTask(corpus, query, TASK_WEIGHTS));
    const rounds = ROUNDS.map((budgetTokens): MapRound => {
      const map = selectMap(index, order, { budgetTokens }, this.#tokenizer);
      const { text, view } = map.render(map.size);
      const symbols = view.items.flatMap((file) =>
        file.symbols.map(({ path, lineStart, lineEnd }) => ({ path, start: lineStart, end: lineEnd })),
      );
      return { tokens: this.#tokenizer.count(text), symbols };
    });
    // What the map leaves out as tests costs the other ways nothing either.
    const paths = corpus.files.map(({ file }) => file.path).filter((path) => ids.has(path));
    const blobs = readBlobs(
      clone,
      paths.map((path) => ids.get(path) ?? ''),
    );
    const texts = new Map(paths.map((path, at): [string, readonly string[]] => [path, linesOf(blobs[at])]));
    const sources: Sources = { texts, tokenizer: this.#tokenizer };
    return {
      task,
      files: byWholeFiles(task.query, gold, sources),
      grep: byGrep(task.query, gold, sources),
      map: byMap(task.query, gold, sources, rounds),
    };
  }
}

type Kind = 'knows' | 'inOrder';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');

function line(label: string, rows: readonly Row[], kind: Kind): string {
  const of = (way: 'files' | 'grep' | 'map'): readonly number[] => rows.map((row) => row[way][kind]);
  const [files, grep, map] = [median(of('files')), median(of('grep')), median(of('map'))];
  const wins = (way: 'files' | 'grep', factor: number): string =>
    `${rows.filter((row) => row[way][kind] >= factor * row.map[kind]).length} of ${rows.length}`;
  const cells = [rows.length, count(files), count(grep), count(map), `${(files / map).toFixed(1)}×`, wins('files', 5)];
  return `| ${label} | ${[...cells, `${(grep / map).toFixed(1)}×`, wins('grep', 2)].join(' | ')} |`;
}

function printTable(title: string, rows: readonly Row[], kind: Kind): void {
  const head = [
    '',
    'tasks',
    'whole files',
    'listing and grep',
    'map → detail',
    'files ÷ map',
    '≥ 5×',
    'grep ÷ map',
    '≥ 2×',
  ];
  console.log(`\n## ${title}\n\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
  console.log(line('all', rows, kind));
  for (const groupOf of [({ task }: Row) => task.language, ({ task }: Row) => task.repo]) {
    const groups = new Set(rows.map(groupOf));
    if (groups.size < 2) continue;
    for (const group of groups)
      console.log(
        line(
          group,
          rows.filter((row) => groupOf(row) === group),
          kind,
        ),
      );
  }
}

/** Compares the ways for every task whose repository is there and whose fix changed functions; prints Markdown. */
export async function compare(options: CompareOptions): Promise<void> {
  const files: AssetSource = { read: async (name) => new Uint8Array(readFileSync(join(options.root, name))) };
  const assets = packedAssets(files, brotliDecompressSync);
  const ranks = await assets.read('dist/tokenizers/o200k_base.ranks');
  const tokenizer = new LineTokenCounter(createTokenizer('o200k_base', ranks));
  const walker = new Walker(tokenizer, new CommitFacts(assets, options.facts));
  const rows: Row[] = [];
  for (const task of readTasks(options.tasks, options.only)) {
    if (task.gold_symbols.length === 0) continue;
    const clone = cloneOf(options.repos, task.repo);
    const row = clone && (await walker.walk(task, clone));
    if (row) rows.push(row);
    else
      console.error(
        `${task.id} left out: ${clone ? 'the index lacks a function of the fix' : `no clone of ${task.repo}`}`,
      );
    if (row && options.listsEach) {
      const ways = [row.files, row.grep, row.map].map(
        ({ knows, inOrder, isFound }) => `${knows}/${inOrder}${isFound ? '' : '*'}`,
      );
      console.log(`${task.id} ${ways.join(' ')}`);
    }
  }
  printTable('Knows the right thing when it sees its name (tokens, medians)', rows, 'knows');
  printTable('Reads everything in order until it is there (tokens, medians)', rows, 'inOrder');
  const found = (way: 'grep' | 'map'): number => rows.filter((row) => row[way].isFound).length;
  console.log(`\nreached without whole files: grep ${found('grep')}, map ${found('map')} of ${rows.length}`);
}
