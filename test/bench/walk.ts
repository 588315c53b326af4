/**
 * A walk over a copy of a memory folder: payloads are recorded, answered and cited by the CLI, one phase a scoring mode.
 * Where a reply needs a section that is a stub, the agent asks for it, as one with tools would.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CliIo } from '../../src/cli/io';
import { runCli } from '../../src/cli/runCli';
import type { SecretScanner } from '../../src/core/secrets/secretScanner';
import type { CreateEngines } from '../../src/node/engines';
import type { Engines } from '../../src/protocol/engines';
import { createInProcess } from '../../src/worker/nodeEntry';
import { nodeModulesAssets } from '../support/nodeModulesAssets';
import { packedFiles } from '../support/packedFiles';
import { sharedTokenizer } from '../support/sharedTokenizer';

/** One thing that an agent is asked; `uses`: sections that the reply needs. */
export interface Scenario {
  readonly task: string;
  readonly reply: string;
  readonly uses: readonly string[];
}

/** What one cycle gave. */
export interface WalkCycle {
  readonly mode: string;
  readonly task: string;
  readonly uses: readonly string[];
  readonly cited: readonly string[];
  /** Of `uses`, those that were asked for by their handles. */
  readonly asked: readonly string[];
  readonly unknown: readonly string[];
  readonly chars: number;
  readonly tokens: number;
  readonly sections: readonly WalkSection[];
}

/** A section of the payload of a cycle. */
export interface WalkSection {
  readonly id: string;
  readonly priority: string;
  readonly disclosure: string;
  readonly chars: number;
  readonly tokens: number;
  readonly score?: number;
}

const packed = packedFiles(nodeModulesAssets);
const assets = { read: async (name: string) => (name.endsWith('.ranks') ? new Uint8Array() : packed.read(name)) };
const createEngines = (_host: Parameters<CreateEngines>[0], secrets?: SecretScanner): Engines => ({
  ...createInProcess(assets, sharedTokenizer, secrets),
  dispose: () => undefined,
});

/** A command line in this process; throws on any exit code but 0. */
async function cli(home: string, argv: readonly string[], input = ''): Promise<string> {
  const written = { out: '', err: '' };
  const to = (name: 'out' | 'err') => ({
    isTerminal: false,
    write: (text: string) => {
      written[name] += text;
    },
    flush: () => Promise.resolve(),
  });
  const io: CliIo = {
    stdout: to('out'),
    stderr: to('err'),
    cwd: home,
    env: { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: home, CONTEXT_BUDGET_CACHE_DIR: home },
    canAsk: false,
    ask: () => Promise.resolve(undefined),
    readInput: () => Promise.resolve(new TextEncoder().encode(input)),
    onInterrupt: () => ({ dispose: () => undefined }),
  };
  const code = await runCli(argv, io, { root: '/nowhere', createEngines });
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${written.err}`);
  return written.out;
}

async function oneCycle(home: string, root: string, mode: string, { task, reply, uses }: Scenario): Promise<WalkCycle> {
  const at = ['--root', root, '--quiet'];
  const made = await cli(home, ['payload', ...at, '--expanded', '--record', '--query', task, '--json']);
  const payload = JSON.parse(made) as {
    readonly budget: { readonly chars: number; readonly tokens: number };
    readonly sections: readonly WalkSection[];
  };
  const { budget, sections } = payload;
  const asked = uses.filter((id) => sections.some((each) => each.id === id && each.disclosure === 'stub'));
  if (asked.length > 0)
    await cli(home, ['detail', ...at, '--record', '--ids', asked.map((id) => `section:${id}`).join(',')]);
  const found = await cli(home, ['cite', ...at, '--reply', '-', '--query', task, '--record', '--json'], reply);
  const { cited, unknown = [] } = JSON.parse(found) as {
    readonly cited: readonly { readonly id: string }[];
    readonly unknown?: readonly string[];
  };
  const { chars, tokens } = budget;
  return { mode, task, uses, cited: cited.map(({ id }) => id), asked, unknown, chars, tokens, sections };
}

/** What a user who reads `simulate` would set: the lowest threshold that meets the targets, else the default. */
async function suggestedThreshold(home: string, root: string): Promise<{ readonly threshold?: number }> {
  const { results } = JSON.parse(await cli(home, ['simulate', '--root', root, '--quiet', '--json'])) as {
    readonly results: readonly { readonly threshold: number; readonly meets_targets: boolean }[];
  };
  const first = results.find((each) => each.meets_targets);
  return first ? { threshold: first.threshold } : {};
}

/**
 * Walks `cycles` cycles of each mode through `root`, which is written to; then what `report` says. `asSuggested`: the
 * dynamic mode has the threshold that `simulate` suggests from the phases before it.
 */
export async function walk(
  home: string,
  root: string,
  scenarios: readonly Scenario[],
  { cycles, asSuggested }: { readonly cycles: number; readonly asSuggested: boolean },
) {
  const done: WalkCycle[] = [];
  let simulation = '';
  await mkdir(path.join(root, '.context-budget'), { recursive: true });
  for (const mode of ['baseline', 'static', 'dynamic']) {
    const isTuned = asSuggested && mode === 'dynamic';
    if (mode === 'dynamic') simulation = await cli(home, ['simulate', '--root', root, '--quiet']);
    const scoring = { mode, ...(isTuned ? await suggestedThreshold(home, root) : {}) };
    await writeFile(path.join(root, '.context-budget/config.json'), JSON.stringify({ scoring }));
    for (let at = 0; at < cycles; at++) {
      const scenario = scenarios[at % scenarios.length];
      if (scenario) done.push(await oneCycle(home, root, mode, scenario));
    }
  }
  const report = await cli(home, ['report', '--root', root]);
  const scores = await cli(home, ['budget', '--root', root, '--quiet', '--explain']);
  return { done, simulation, report, scores };
}
