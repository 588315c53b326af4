import path from 'node:path';
import type { CliProduct } from '../../src/cli/context';
import type { CliIo, CliOutput } from '../../src/cli/io';
import { runCli } from '../../src/cli/runCli';
import type { FileParser } from '../../src/core/engine/parser';
import type { AssetSource, Clock } from '../../src/core/ports/ports';
import type { SecretScanner } from '../../src/core/secrets/secretScanner';
import type { CreateEngines } from '../../src/node/engines';
import type { Engines } from '../../src/protocol/engines';
import { createInProcess, processorMs } from '../../src/worker/nodeEntry';
import { TreeSitterParser } from '../../src/worker/parser/fileParser';
import { nodeModulesAssets } from './nodeModulesAssets';
import { sharedTokenizer } from './sharedTokenizer';
import { tempFolder } from './tempFolder';

/** Tokenizers bring their own ranks, and the parser of all tests its grammars. */
const NO_ASSETS: AssetSource = { read: async () => new Uint8Array() };

/** The limits of a hook's answer: a test that is about them brings a clock of its own, others may take as long as they need. */
const patientClock: Clock = { now: () => Date.now(), schedule: () => ({ dispose: () => undefined }) };

let madeParser: FileParser | undefined;

/**
 * One parser for all engines: it keeps nothing but its grammars, and to load these takes longer than most commands. Without
 * the product's way to compile, which would have the grammars behind a large one optimized, see `setup.ts`.
 */
const sharedParser: FileParser = {
  async parse(files, signal) {
    madeParser ??= new TreeSitterParser(nodeModulesAssets, () => performance.now(), processorMs);
    try {
      return await madeParser.parse(files, signal);
    } catch (error) {
      // One that crashed stays so; the tests after this one get another.
      madeParser = undefined;
      throw error;
    }
  },
};

/** Engines in this process, each of its own but for tokenizers and parser. */
export const createEngines = (_host: Parameters<CreateEngines>[0], secrets?: SecretScanner): Engines => ({
  ...createInProcess(NO_ASSETS, sharedTokenizer, secrets),
  parser: sharedParser,
  dispose: () => undefined,
});

/** Keeps what was written. */
export class MemoryOutput implements CliOutput {
  text = '';

  constructor(readonly isTerminal = false) {}

  write(text: string): void {
    this.text += text;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a command line gave. */
export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How a test's world differs from a pipe in an empty machine. */
export interface WorldOptions {
  readonly cwd?: string;
  /** What a person at a terminal answers; no terminal when absent. */
  readonly answer?: string;
  readonly isTerminal?: boolean;
  /** What is piped in. */
  readonly input?: string;
  readonly product?: CliProduct;
  /** Whoever pipes never ends. */
  readonly isInputOpen?: boolean;
  /** Variables beside those of the world. */
  readonly env?: NodeJS.ProcessEnv;
}

/** One user on one machine: their own folders, and command lines that run in this process. */
export class CliWorld {
  /** Listeners for Ctrl-C of the command under way. */
  private readonly interrupts = new Set<() => void>();

  private constructor(
    readonly config: string,
    readonly cache: string,
  ) {}

  static async create(): Promise<CliWorld> {
    const user = await tempFolder();
    return new CliWorld(path.join(user, 'config'), path.join(user, 'cache'));
  }

  async run(argv: readonly string[], options: WorldOptions = {}): Promise<CliResult> {
    const stdout = new MemoryOutput();
    const stderr = new MemoryOutput(options.isTerminal);
    const io: CliIo = {
      stdout,
      stderr,
      cwd: options.cwd ?? path.dirname(this.config),
      env: {
        PATH: process.env.PATH,
        CONTEXT_BUDGET_CONFIG_DIR: this.config,
        CONTEXT_BUDGET_CACHE_DIR: this.cache,
        ...options.env,
      },
      canAsk: options.answer !== undefined,
      ask: async (question) => {
        stderr.write(question);
        return options.answer;
      },
      readInput: () =>
        options.isInputOpen
          ? new Promise(() => undefined)
          : Promise.resolve(new TextEncoder().encode(options.input ?? '')),
      onInterrupt: (listener) => {
        this.interrupts.add(listener);
        return { dispose: () => this.interrupts.delete(listener) };
      },
    };
    const code = await runCli(argv, io, options.product ?? { root: '/nowhere', createEngines, clock: patientClock });
    return { code, out: stdout.text, err: stderr.text };
  }

  interrupt(): void {
    for (const listener of [...this.interrupts]) listener();
  }
}
