import type { Command } from 'commander';
import type { CliContext } from './context';
import type { ExitCode } from './exitCode';

/** Runs the work of a parsed command with its context and keeps its exit code; given to every command's declaration. */
export type RunCommand = (command: Command, work: (context: CliContext) => Promise<ExitCode>) => Promise<void>;
