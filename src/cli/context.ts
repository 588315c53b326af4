import type { Clock, Logger } from '../core/ports/ports';
import type { CreateEngines } from '../node/engines';
import { LineLogger, type LogLevel } from '../node/logger';
import type { CliIo } from './io';
import type { Lifetime } from './lifetime';
import type { GlobalOptions } from './options';

/** What the command line is told about its own product. */
export interface CliProduct {
  /** The folder that holds `dist/` and `grammars/`. Absolute. */
  readonly root: string;
  /** Worker threads unless given. */
  readonly createEngines?: CreateEngines;
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
