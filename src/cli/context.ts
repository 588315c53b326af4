import type { Command } from 'commander';
import type { Clock, Logger } from '../core/ports/ports';
import type { CreateEngines } from '../node/engines';
import { LineLogger, type LogLevel } from '../node/logger';
import type { CliIo, Lifetime } from './io';
import type { GlobalOptions } from './options';

/** Runs the work of a parsed command with its context and keeps its exit code; given to every command's declaration. */
export type RunCommand = (command: Command, work: (context: CliContext) => Promise<ExitCode>) => Promise<void>;

/** Exit codes of the command line (DESIGN §5.5). */
export const EXIT = {
  done: 0,
  failed: 1,
  /** Wrong usage, or a config that could not be used; with a broken config the result is printed with defaults. */
  usage: 2,
  /** `P0` and `P1` alone exceed a cap, the payload has more tokens than `--fail-over` allows, or a check failed. */
  overBudget: 3,
  /** 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** One of the codes a command may end with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What the command line is told about its own product. */
export interface CliProduct {
  /** The folder that holds `dist/` and `grammars/`. Absolute. */
  readonly root: string;
  /** Worker threads unless given. */
  readonly createEngines?: CreateEngines | undefined;
  /** Times the answers of hooks; the machine's unless given. */
  readonly clock?: Clock;
}

/** Everything one command runs with. */
export interface CliContext {
  readonly io: CliIo;
  readonly product: CliProduct;
  readonly options: GlobalOptions;
  readonly logger: Logger;
  readonly life: Lifetime;
}

function levelOf({ quiet, verbose }: GlobalOptions): LogLevel {
  if (quiet) return 'error';
  return verbose ? 'debug' : 'warn';
}

/** A context whose log goes to stderr, as loud as the options say. */
export function createContext(io: CliIo, product: CliProduct, options: GlobalOptions, life: Lifetime): CliContext {
  const logger = new LineLogger((line) => io.stderr.write(line), levelOf(options));
  return { io, product, options, logger, life };
}
