/**
 * Puts every hostile source to every grammar through the real worker pool, and says for each what became of it. Checks
 * that an honest file before and after it is parsed, that nothing takes longer than its deadline, and that the
 * process's memory stays bounded. Run by `hostile.mjs`.
 */

import type { ParseInput } from '../../src/core/engine/parser';
import { hashBytes } from '../../src/core/text/hash';
import { FileAssetSource } from '../../src/node/assets';
import { ThreadLauncher } from '../../src/node/workerLauncher';
import { SYSTEM_CLOCK } from '../../src/protocol/clock';
import { ParserPool } from '../../src/protocol/parserPool';
import type { WorkerHandle, WorkerLauncher } from '../../src/protocol/workerClient';
import { HOSTILE_SOURCES, hostileBytes } from '../fixtures/hostileSources';
import { decodeFacts } from '../support/repoMapBuilders';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class CountingLauncher implements WorkerLauncher {
  launched = 0;

  constructor(private readonly inner: WorkerLauncher) {}

  launch(): WorkerHandle {
    this.launched++;
    return this.inner.launch();
  }
}

const input = (path: string, bytes: Uint8Array): ParseInput => ({ path, contentHash: hashBytes(bytes), bytes });
const honest = (path: string) => input(path, new TextEncoder().encode('def honest(a):\n    return a\n'));
const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** One source of one language. */
interface Finding {
  readonly language: string;
  readonly source: string;
  readonly outcome: string;
  readonly ms: number;
  readonly restarts: number;
  readonly rssMb: number;
  readonly isHonestParsed: boolean;
}

/** `only` limits languages and sources by name. */
export async function runHostile(
  productRoot: string,
  languages: readonly { readonly id: string; readonly extensions: readonly string[] }[],
  rounds: number,
  only: readonly string[],
): Promise<void> {
  const launcher = new CountingLauncher(new ThreadLauncher(`${productRoot}/dist/worker.js`, silent));
  const pool = new ParserPool({
    launcher,
    assets: new FileAssetSource(productRoot),
    clock: SYSTEM_CLOCK,
    workers: 1,
  });
  const sources = Object.keys(HOSTILE_SOURCES).filter((name) => keeps(only, 'source:', name));
  for (let round = 1; round <= rounds; round++) {
    const started = performance.now();
    for (const { id, extensions } of languages.filter((language) => keeps(only, 'language:', language.id))) {
      for (const source of sources) tell(await putTo(pool, launcher, id, extensions[0] ?? '', source));
    }
    globalThis.gc?.();
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`round ${round}: ${seconds} s, rss ${mb(process.memoryUsage().rss)} MB, workers ${launcher.launched}`);
  }
  pool.dispose();
}

function keeps(only: readonly string[], prefix: string, name: string): boolean {
  const wanted = only.filter((each) => each.startsWith(prefix));
  return wanted.length === 0 || wanted.includes(`${prefix}${name}`);
}

async function putTo(
  pool: ParserPool,
  launcher: CountingLauncher,
  language: string,
  extension: string,
  source: string,
): Promise<Finding> {
  const files = [honest('before.py'), input(`hostile${extension}`, hostileBytes(source)), honest('after.py')];
  const before = launcher.launched;
  const started = performance.now();
  const facts = (await pool.parse(files)).map((bytes) => decodeFacts(bytes));
  return {
    language,
    source,
    outcome: `${facts[1]?.outcome} ${facts[1]?.definitions.length}`,
    ms: Math.round(performance.now() - started),
    restarts: launcher.launched - before,
    rssMb: mb(process.memoryUsage().rss),
    isHonestParsed: [facts[0], facts[2]].every((each) => each?.definitions[0]?.name === 'honest'),
  };
}

function tell({ language, source, outcome, ms, restarts, rssMb, isHonestParsed }: Finding): void {
  const flags = [isHonestParsed ? '' : 'HONEST FILE LOST', ms > 6000 ? 'SLOW' : '', rssMb > 1024 ? 'LARGE' : ''];
  console.log([language, source, outcome, `${ms} ms`, `+${restarts}`, `${rssMb} MB`, ...flags].join('\t').trimEnd());
  if (!isHonestParsed) process.exitCode = 1;
}
