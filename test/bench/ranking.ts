/** The work behind `ranking.mjs`: ranks each task with each set of weights in this process and prints a table. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssetSource, Tokenizer } from '../../src/core/ports';
import { decodeFacts } from '../../src/core/repomap/factsCodec';
import { languageOf } from '../../src/core/repomap/languages';
import { parseTask } from '../../src/core/repomap/query';
import { RepoIndex } from '../../src/core/repomap/repoIndex';
import { selectMap } from '../../src/core/repomap/selection';
import { TaskCorpus } from '../../src/core/repomap/taskCorpus';
import { taskOrder } from '../../src/core/repomap/taskOrder';
import { rankForTask } from '../../src/core/repomap/taskRanking';
import { TASK_WEIGHTS, type TaskWeights } from '../../src/core/repomap/taskWeights';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { TreeSitterParser } from '../../src/worker/parser/fileParser';
import { createTokenizer } from '../../src/worker/tokenizer';

interface Task {
  readonly id: string;
  readonly repo: string;
  readonly commit: string;
  readonly query: string;
  readonly gold_files: readonly string[];
  readonly gold_symbols: readonly { readonly path: string; readonly name: string }[];
}

/** What one map of one task gave. `symbols` is undefined for a task whose gold is files alone. */
interface Outcome {
  readonly symbols: number | undefined;
  readonly rank: number;
  readonly isOver: boolean;
}

interface Row {
  readonly repo: string;
  readonly rankMs: number;
  readonly at: ReadonlyMap<number, Outcome>;
}

const BUDGETS = [512, 1024, 4096];
const MAX_FILE_BYTES = 1_000_000;

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
  'without demotion of extras': { extras: 1 },
  'without diminishing returns': { diminishing: 0 },
  'without the cap on terms': { maxTerms: 100_000 },
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (values: readonly number[]): string =>
  values.length === 0 ? '–' : `${(100 * mean(values)).toFixed(1)} %`;

function cloneOf(repos: string, repo: string): string | undefined {
  return [`${repo.replace('/', '+')}/repo`, repo, repo.replace('/', '__')]
    .map((name) => join(repos, name))
    .find((folder) => existsSync(folder));
}

/** Encoded facts of a commit's files, by content: the commits of one repository share most of theirs. */
class FactsOfCommits {
  readonly #parser: TreeSitterParser;
  readonly #known = new Map<string, Uint8Array>();

  constructor(assets: AssetSource) {
    this.#parser = new TreeSitterParser(assets);
  }

  async index(clone: string, commit: string): Promise<RepoIndex> {
    const listing = execFileSync('git', ['-C', clone, 'ls-tree', '-r', '-l', commit], { maxBuffer: 1 << 28 });
    const index = new RepoIndex();
    for (const line of listing.toString().split('\n')) {
      const [, id, size, path] = /^\d+ blob (\w+) +(\d+)\t(.+)$/u.exec(line) ?? [];
      if (!id || !path || Number(size) > MAX_FILE_BYTES || languageOf(path) === undefined) continue;
      const key = `${id} ${path}`;
      const encoded = this.#known.get(key) ?? (await this.#parse(clone, id, path));
      this.#known.set(key, encoded);
      index.upsert(decodeFacts(encoded));
    }
    return index;
  }

  async #parse(clone: string, id: string, path: string): Promise<Uint8Array> {
    const bytes = new Uint8Array(execFileSync('git', ['-C', clone, 'cat-file', 'blob', id], { maxBuffer: 1 << 28 }));
    const [encoded] = await this.#parser.parse([{ path, contentHash: id, bytes }]);
    if (!encoded) throw new Error(`no facts for ${path}`);
    return encoded;
  }
}

function outcomeOf(task: Task, map: ReturnType<typeof selectMap>, budget: number, tokenizer: Tokenizer): Outcome {
  const { text, view } = map.render(map.size);
  const shown = new Set(view.items.flatMap(({ path, symbols }) => symbols.map(({ name }) => `${path}\0${name}`)));
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

function measureTask(task: Task, corpus: TaskCorpus, weights: TaskWeights, tokenizer: Tokenizer): Row {
  const query = parseTask(task.query);
  const started = performance.now();
  const ranking = rankForTask(corpus, query, weights);
  const rankMs = performance.now() - started;
  const order = taskOrder(ranking);
  const at = BUDGETS.map((budgetTokens): [number, Outcome] => {
    const map = selectMap(corpus.index, order, { budgetTokens }, tokenizer);
    return [budgetTokens, outcomeOf(task, map, budgetTokens, tokenizer)];
  });
  return { repo: task.repo, rankMs, at: new Map(at) };
}

function line(label: string, rows: readonly Row[]): string {
  const outcomes = (budget: number): readonly Outcome[] => rows.flatMap((row) => row.at.get(budget) ?? []);
  const symbols = (budget: number): string => percent(outcomes(budget).flatMap(({ symbols: share }) => share ?? []));
  const within = (places: number): string => percent(outcomes(1024).map(({ rank }) => (rank < places ? 1 : 0)));
  const over = BUDGETS.reduce((sum, budget) => sum + outcomes(budget).filter(({ isOver }) => isOver).length, 0);
  const cells = [rows.length, ...BUDGETS.map(symbols), within(1), within(5), over];
  return `| ${label} | ${cells.join(' | ')} |`;
}

/** Ranks every task whose repository is there and prints Markdown tables. */
export async function measure(options: {
  readonly root: string;
  readonly tasks: string;
  readonly repos: string;
  readonly only: string;
  readonly isPlain: boolean;
}): Promise<void> {
  const assets: AssetSource = { read: async (name) => new Uint8Array(readFileSync(join(options.root, name))) };
  const ranks = await assets.read('dist/tokenizers/o200k_base.json');
  const tokenizer = new LineTokenCounter(createTokenizer('o200k_base', ranks));
  const facts = new FactsOfCommits(assets);
  const tasks: readonly Task[] = JSON.parse(readFileSync(options.tasks, 'utf8'));
  const arms = Object.entries(ABLATIONS).slice(0, options.isPlain ? 1 : undefined);
  const rows = new Map(arms.map(([arm]): [string, Row[]] => [arm, []]));
  for (const task of tasks.filter(({ repo }) => repo.includes(options.only))) {
    const clone = cloneOf(options.repos, task.repo);
    if (!clone) {
      console.error(`no clone of ${task.repo}: ${task.id} left out`);
      continue;
    }
    const corpus = new TaskCorpus(await facts.index(clone, task.commit), parseTask(task.query).isAboutTests);
    for (const [arm, change] of arms) {
      rows.get(arm)?.push(measureTask(task, corpus, { ...TASK_WEIGHTS, ...change }, tokenizer));
    }
  }
  const head = ['', 'tasks', ...BUDGETS.map((budget) => `symbols @${budget}`), 'R@1', 'R@5', 'over budget'];
  console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`);
  for (const [arm, found] of rows) console.log(line(arm, found));
  const all = rows.get('all') ?? [];
  for (const repo of new Set(all.map((row) => row.repo))) {
    console.log(
      line(
        repo,
        all.filter((row) => row.repo === repo),
      ),
    );
  }
  const times = all.map(({ rankMs }) => rankMs).sort((a, b) => a - b);
  console.log(`\nranking, median: ${times[times.length >> 1]?.toFixed(1)} ms`);
}
