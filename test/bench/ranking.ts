/** The work behind `ranking.mjs`: ranks each task with each set of weights in this process and prints a table. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { AssetSource, Tokenizer } from '../../src/core/ports/ports';
import { selectMap } from '../../src/core/repomap/map/selection';
import { parseTask } from '../../src/core/repomap/ranking/query';
import { TaskCorpus } from '../../src/core/repomap/ranking/taskCorpus';
import { TaskHistory } from '../../src/core/repomap/ranking/taskHistory';
import { taskOrder } from '../../src/core/repomap/ranking/taskOrder';
import { rankForTask, type TaskRanking } from '../../src/core/repomap/ranking/taskRanking';
import { TASK_WEIGHTS, type TaskWeights } from '../../src/core/repomap/ranking/taskWeights';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { packedAssets } from '../../src/worker/packedAssets';
import { createTokenizer } from '../../src/worker/tokenizer';
import { type BenchTask, readTasks } from './benchTask';
import { CommitFacts, cloneOf } from './commitFacts';

/** What one map of one task gave. `symbols` is undefined for a task whose gold is files alone. */
interface Outcome {
  readonly symbols: number | undefined;
  readonly rank: number;
  readonly isOver: boolean;
}

interface Row {
  readonly task: BenchTask;
  readonly rankMs: number;
  /** 1 − log2(tokens / 128) / 7 of each gold definition's place in the order, its mean: smoother than a share shown. */
  readonly depth: number | undefined;
  /** Rank of the best gold file among all files, 0 for the first, before definitions are chosen. */
  readonly fileRank: number;
  readonly at: ReadonlyMap<number, Outcome>;
}

const BUDGETS = [512, 1024, 4096];
/** What a definition costs on average, to turn places into tokens. */
const TOKENS_A_PLACE = 26;

/** Each signal taken away. */
const ABLATIONS: Readonly<Record<string, Partial<TaskWeights>>> = {
  all: {},
  'without stems': { stems: 0 },
  'without name boosts': { nameBoost: 0, ownerBoost: 0 },
  'without exact identifiers': { identifiers: 0 },
  'without stack frames': { frames: 0 },
  'without the walk': { walk: 0 },
  'without the file’s rank': { rank: 0 },
  'without path words': { pathTerm: 0, baseName: 0 },
  'without named paths': { path: 0, fileName: 0 },
  'without best inside': { bestInside: 0 },
  'without demotion of docs, examples, tools': { extras: 1, docsDefinitions: 1, extraDefinitions: 1 },
  'without demotion of generated and vendored': { derivedFiles: 1, derivedDefinitions: 1 },
  'without packages and folders of the title': { scope: 0 },
  'without past commits': { history: 0 },
  'without further definitions inside': { severalDecay: 0 },
  'files in the order of their first definition': { bestPlace: 1000 },
  'files by their own score alone': { bestPlace: 0 },
  'without diminishing returns': { diminishing: 0 },
  'without the cap on terms': { maxTerms: 100_000 },
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (values: readonly number[]): string =>
  values.length === 0 ? '–' : `${(100 * mean(values)).toFixed(1)} %`;

function outcomeOf(task: BenchTask, map: ReturnType<typeof selectMap>, budget: number, tokenizer: Tokenizer): Outcome {
  const { text, view } = map.render(map.size);
  const shown = new Set(
    view.items.flatMap(({ path, symbols }) => symbols.map(({ name }) => `${path}\0${name.split('.').at(-1)}`)),
  );
  const gold = task.gold_symbols;
  const ranks = task.gold_files
    .map((file) => view.items.findIndex(({ path }) => path === file))
    .filter((at) => at >= 0);
  return {
    symbols:
      gold.length === 0 ? undefined : mean(gold.map(({ path, name }) => (shown.has(`${path}\0${name}`) ? 1 : 0))),
    rank: Math.min(Number.POSITIVE_INFINITY, ...ranks),
    isOver: tokenizer.count(text) > budget,
  };
}

/** How early the gold comes in the whole order, 1 for at once and 0 from 16,384 tokens on. */
function depthOf(task: BenchTask, corpus: TaskCorpus, ranking: TaskRanking): number | undefined {
  if (task.gold_symbols.length === 0) return undefined;
  const wanted = new Map(task.gold_symbols.map(({ path, name }) => [`${path}\0${name}`, 0]));
  let place = 0;
  let left = wanted.size;
  for (const { fileAt, index } of ranking.order()) {
    place++;
    const file = corpus.files[fileAt]?.file;
    const key = `${file?.path}\0${file?.definitions[index]?.name.split('.').at(-1)}`;
    if (wanted.get(key) !== 0) continue;
    wanted.set(key, Math.max(0, 1 - Math.max(0, Math.log2((place * TOKENS_A_PLACE) / 128)) / 7));
    if (--left === 0) break;
  }
  return mean([...wanted.values()]);
}

function measureTask(
  task: BenchTask,
  corpus: TaskCorpus,
  history: TaskHistory,
  weights: TaskWeights,
  tokenizer: Tokenizer,
): Row {
  const query = parseTask(task.query);
  const started = performance.now();
  const ranking = rankForTask(corpus, query, weights, { history: history.shares(query.titleTerms) });
  const rankMs = performance.now() - started;
  const order = taskOrder(ranking);
  const at = BUDGETS.map((budgetTokens): [number, Outcome] => {
    const map = selectMap(corpus.index, order, { budgetTokens }, tokenizer);
    return [budgetTokens, outcomeOf(task, map, budgetTokens, tokenizer)];
  });
  const ofGold = corpus.files.flatMap(({ file }, position) =>
    task.gold_files.includes(file.path) ? [ranking.files.ranks[position] as number] : [],
  );
  const fileRank = Math.min(Number.POSITIVE_INFINITY, ...ofGold);
  return { task, rankMs, depth: depthOf(task, corpus, ranking), fileRank, at: new Map(at) };
}

function line(label: string, rows: readonly Row[]): string {
  const outcomes = (budget: number): readonly Outcome[] => rows.flatMap((row) => row.at.get(budget) ?? []);
  const symbols = (budget: number): string => percent(outcomes(budget).flatMap(({ symbols: share }) => share ?? []));
  const within = (places: number): string => percent(outcomes(1024).map(({ rank }) => (rank < places ? 1 : 0)));
  const over = BUDGETS.reduce((sum, budget) => sum + outcomes(budget).filter(({ isOver }) => isOver).length, 0);
  const firstFiles = percent(rows.map(({ fileRank }) => (fileRank === 0 ? 1 : 0)));
  const depths = rows.flatMap(({ depth }) => depth ?? []);
  const depth = depths.length === 0 ? '–' : mean(depths).toFixed(3);
  const cells = [rows.length, ...BUDGETS.map(symbols), within(1), within(5), firstFiles, depth, over];
  return `| ${label} | ${cells.join(' | ')} |`;
}

/** What to measure. */
export interface MeasureOptions {
  readonly root: string;
  readonly tasks: readonly string[];
  readonly repos: string;
  readonly only: string;
  readonly isPlain: boolean;
  /** Folder that keeps facts between runs. */
  readonly facts: string | undefined;
  /** More arms: name → weights that differ. */
  readonly arms: Readonly<Record<string, Partial<TaskWeights>>>;
  /** Names the tasks whose file is not first, or that miss a definition at 1,024 tokens. */
  readonly listsMisses: boolean;
}

function listMisses(rows: readonly Row[]): void {
  for (const { task, depth, at } of rows) {
    const small = at.get(1024);
    if (!small || (small.rank === 0 && small.symbols !== 0)) continue;
    const shares = [...at].map(([budget, { symbols }]) => `@${budget} ${symbols?.toFixed(2) ?? '–'}`);
    console.log(`${task.id} file ${small.rank + 1} ${shares.join(' ')} depth ${depth?.toFixed(2) ?? '–'}`);
  }
}

async function rowsOf(options: MeasureOptions): Promise<ReadonlyMap<string, readonly Row[]>> {
  const files: AssetSource = { read: async (name) => new Uint8Array(readFileSync(join(options.root, name))) };
  const assets = packedAssets(files, brotliDecompressSync);
  const ranks = await assets.read('dist/tokenizers/o200k_base.ranks');
  const tokenizer = new LineTokenCounter(createTokenizer('o200k_base', ranks));
  const facts = new CommitFacts(assets, options.facts);
  const arms = Object.entries(options.isPlain ? { all: {}, ...options.arms } : { ...ABLATIONS, ...options.arms });
  const rows = new Map(arms.map(([arm]): [string, Row[]] => [arm, []]));
  for (const task of readTasks(options.tasks, options.only)) {
    const clone = cloneOf(options.repos, task.repo);
    if (!clone) {
      console.error(`no clone of ${task.repo}: ${task.id} left out`);
      continue;
    }
    const corpus = new TaskCorpus(await facts.index(clone, task.commit), parseTask(task.query).isAboutTests);
    const history = new TaskHistory(facts.history(clone, task.commit));
    for (const [arm, change] of arms) {
      rows.get(arm)?.push(measureTask(task, corpus, history, { ...TASK_WEIGHTS, ...change }, tokenizer));
    }
  }
  return rows;
}

/** Ranks every task whose repository is there and prints Markdown tables. */
export async function measure(options: MeasureOptions): Promise<void> {
  const rows = await rowsOf(options);
  const head = [
    '',
    'tasks',
    ...BUDGETS.map((budget) => `symbols @${budget}`),
    'R@1',
    'R@5',
    'files R@1',
    'depth',
    'over budget',
  ];
  console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
  for (const [arm, found] of rows) console.log(line(arm, found));
  const all = rows.get('all') ?? [];
  for (const groupOf of [({ language }: BenchTask) => language, ({ repo }: BenchTask) => repo]) {
    const groups = new Set(all.map(({ task }) => groupOf(task)));
    if (groups.size > 1) {
      for (const group of groups) {
        console.log(
          line(
            group,
            all.filter(({ task }) => groupOf(task) === group),
          ),
        );
      }
    }
  }
  if (options.listsMisses) listMisses(all);
  const times = all.map(({ rankMs }) => rankMs).sort((a, b) => a - b);
  console.log(`\nranking, median: ${times[times.length >> 1]?.toFixed(1)} ms`);
}
