/**
 * What one workspace costs, in a process of its own: start, new queries, saves, memory. `workspaceCosts.mjs` bundles and runs
 * it: `WorkspaceInput` as JSON on stdin, `WorkspaceCosts` as JSON on stdout, the cache where the environment says.
 *
 * Nothing is written into the folder: a save is a file source that gives other bytes for one path, and an event.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FileSource } from '../../src/core/ports/ports';
import { openFileSource } from '../../src/node/fileSource';
import { createNodeWorkspace } from '../../src/node/nodeWorkspace';

const BUDGET_TOKENS = 1024;
const SAVES = 7;
/** Resolution of the event loop's monitor; that much of each delay is its own timer. */
const TICK_MS = 1;

/** A folder in which single files have been edited without being written. */
class EditedFiles implements FileSource {
  readonly #edits = new Map<string, Uint8Array>();

  constructor(private readonly inner: FileSource) {}

  get rootName(): string {
    return this.inner.rootName;
  }

  /** Adds to the end of a file. */
  async append(path: string, text: string): Promise<void> {
    const before = await this.inner.read(path, Number.MAX_SAFE_INTEGER);
    if (before.kind !== 'ok') throw new Error(`${path} cannot be read`);
    this.#edits.set(path, Buffer.concat([before.bytes, Buffer.from(text)]));
  }

  async read(path: string, maxBytes: number): ReturnType<FileSource['read']> {
    const bytes = this.#edits.get(path);
    return bytes ? { kind: 'ok', bytes } : this.inner.read(path, maxBytes);
  }

  list(folder: string): ReturnType<FileSource['list']> {
    return this.inner.list(folder);
  }

  resolveLink(link: string): ReturnType<FileSource['resolveLink']> {
    return this.inner.resolveLink(link);
  }
}

interface WorkspaceInput {
  readonly root: string;
  readonly productRoot: string;
  readonly queries: readonly string[];
  /** Files to save, in turn. */
  readonly paths: readonly string[];
}

/** Milliseconds but where the name says otherwise. */
interface WorkspaceCosts {
  readonly startMs: number;
  readonly firstQueryMs: number;
  readonly queriesMs: readonly number[];
  /** Processor time of all threads from the event to the new snapshot. */
  readonly savesWorkMs: readonly number[];
  readonly savesWallMs: readonly number[];
  readonly savesLongestMs: readonly number[];
  readonly files: number;
  readonly peakMb: number;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function costs({ root, productRoot, queries, paths }: WorkspaceInput): Promise<WorkspaceCosts> {
  const opened = await openFileSource(root);
  const files = new EditedFiles(opened.files);
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const { workspace, dispose } = createNodeWorkspace({
    realRoot: opened.realRoot,
    files,
    productRoot,
    preferences: { profile: undefined, isTrusted: false, tokenizer: 'o200k_base' },
    logger: silent,
    env: process.env,
  });
  try {
    const startMs = await timeOf(() => workspace.whenReady());
    const ask = (query: string) => timeOf(() => workspace.map({ query, budgetTokens: BUDGET_TOKENS }));
    const firstQueryMs = await ask('the first question asked of an index');
    const queriesMs: number[] = [];
    for (const query of queries) queriesMs.push(await ask(query));
    const saves: { readonly workMs: number; readonly wallMs: number; readonly longestMs: number }[] = [];
    for (let round = 0; round < SAVES; round++) {
      const path = paths[round % paths.length];
      if (path === undefined) break;
      await files.append(path, '\n');
      saves.push(await saveOne(path));
    }
    return {
      startMs,
      firstQueryMs,
      queriesMs,
      savesWorkMs: saves.map(({ workMs }) => workMs),
      savesWallMs: saves.map(({ wallMs }) => wallMs),
      savesLongestMs: saves.map(({ longestMs }) => longestMs),
      files: (await workspace.map({ budgetTokens: BUDGET_TOKENS })).view.filesTotal,
      peakMb: process.resourceUsage().maxRSS / 1024,
    };
  } finally {
    dispose();
  }

  async function saveOne(path: string): Promise<{ workMs: number; wallMs: number; longestMs: number }> {
    const delays = monitorEventLoopDelay({ resolution: TICK_MS });
    delays.enable();
    const before = process.cpuUsage();
    const wallMs = await timeOf(async () => {
      workspace.notify({ kind: 'files', changed: [path], removed: [] });
      await workspace.whenReady();
    });
    const { user, system } = process.cpuUsage(before);
    delays.disable();
    return { workMs: (user + system) / 1000, wallMs, longestMs: Math.max(0, delays.max / 1e6 - TICK_MS) };
  }
}

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const input = JSON.parse(Buffer.concat(chunks).toString('utf8')) as WorkspaceInput;
console.log(JSON.stringify(await costs(input)));
process.exit(0);
