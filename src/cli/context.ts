import { Command } from 'commander';
import type { Clock, Logger, TokenizerName } from '../core/ports/ports';
import type { PayloadFormat } from '../core/render/renderPayload';
import { errorClass } from '../core/text/phrase';
import type { CreateEngines } from '../node/engines';
import { LineLogger, type LogLevel } from '../node/logger';
import { type CliIo, jsonText, type Lifetime } from './io';

/** Why a command ends without its result: `usage` is exit code 2, the others 1. */
type CliErrorReason = 'usage' | 'failed';

/** An expected end of a command, in words for the user: what was wrong and what to do. */
export class CliError extends errorClass<CliErrorReason>('CliError') {}

/** The tokenizer of every count of the command line. */
export const CLI_TOKENIZER: TokenizerName = 'o200k_base';

/** Exit codes of the command line (DESIGN §5.5). */
export const EXIT = {
  done: 0,
  failed: 1,
  /** Wrong usage, or a config that could not be used; with a broken config the result is printed with defaults. */
  usage: 2,
  /** `P0` and `P1` alone exceed a cap, the payload has more tokens than `--fail-over` allows, or a check failed. */
  overBudget: 3,
  /** A part of what was asked for could not be read or measured; the result is printed without it. */
  unmeasured: 4,
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

/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  /** As given; relative to the current folder. */
  readonly root: string | undefined;
  readonly profile: string | undefined;
  readonly format: PayloadFormat;
  /** Set in place of `format`, for `check` alone. */
  readonly hostFormat: 'sarif' | 'github' | undefined;
  readonly trust: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Everything one command runs with. */
export interface CliContext {
  readonly io: CliIo;
  readonly product: CliProduct;
  readonly options: GlobalOptions;
  readonly logger: Logger;
  readonly life: Lifetime;
}

/** Runs the work of a parsed command with its context and keeps its exit code. */
type RunCommand = (command: Command, work: (context: CliContext) => Promise<ExitCode>) => Promise<void>;

/** A command, and those below it, whose work `run` runs. */
export class CliCommand extends Command {
  constructor(
    name: string | undefined,
    private readonly run: RunCommand,
  ) {
    super(name);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.run);
  }

  /** `work` gets a context, then the arguments and options as commander parsed them. */
  does<Given extends unknown[]>(work: (context: CliContext, ...given: Given) => Promise<ExitCode>): this {
    return this.action((...given: unknown[]) => this.run(this, (context) => work(context, ...(given as Given))));
  }
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

/** JSON of a command: one object, which begins with the name of its form (DESIGN §5.5). */
interface JsonResult {
  readonly version: `${string}.v${number}`;
  readonly [key: string]: unknown;
}

/** Prints a result that is no payload: `value` for programs, `text` for people. */
export function printResult({ io, options }: CliContext, value: JsonResult, text: string): void {
  io.stdout.write(options.format === 'json' ? jsonText(value) : text);
}

/** True when `--yes` or the user's answer lets a change be made; else says that nothing was done. */
export async function mayChange(
  { io, logger }: CliContext,
  { yes }: { readonly yes?: true },
  question: string,
  { cannotAsk, nothingDone }: { readonly cannotAsk: string; readonly nothingDone: string },
): Promise<boolean> {
  if (yes) return true;
  if (!io.canAsk) {
    logger.warn(cannotAsk);
    return false;
  }
  const answer = await io.ask(`${question} [y/N] `);
  const isAgreed = /^y(?:es)?$/i.test(answer?.trim() ?? '');
  if (!isAgreed) io.stderr.write(`${nothingDone}\n`);
  return isAgreed;
}
