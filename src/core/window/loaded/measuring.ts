/** What crosses between a host and the thread that reads windows and measures servers. Plain data. */
import type { Phrase } from '../../text/phrase';
import type { AgentWindow } from './windowReport';

/** What people are shown before a server is started or reached. */
export interface ShownStart {
  readonly name: string;
  /** The file that names it. */
  readonly source: string;
  /** The command line, or the address, as the file has it: variables may hold keys. */
  readonly line: string;
  readonly isProgram: boolean;
  /** Where it is started. Absolute. */
  readonly cwd: string;
  /** Names of the variables, or headers, that its entry gives; never their values. */
  readonly names: readonly string[];
  readonly commandHash: string;
}

/** A measurement that gave no figure. */
export interface FailedMeasurement extends Pick<ShownStart, 'name' | 'source' | 'commandHash'> {
  readonly reason: Phrase;
}

/** An agent's window, and how each of its servers that is not off is started. */
export interface ReadWindow {
  readonly window: AgentWindow;
  readonly servers: readonly ShownStart[];
}
