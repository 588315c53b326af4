import type { FileNotice } from '../../core/agents/stale/stalePaths';
import { plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { markdownCell } from '../../core/text/textTable';
import { isInstruction } from '../../core/workspace/instructionQueries';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode, printResult } from '../context';
import { findGivenFiles } from '../givenText';
import { openWorkFolder, type ReadyWorkspace, withWorkspace } from '../workspace';

interface StaleOptions {
  readonly fail?: true;
}

const EXAMPLE = `
Example:
  context-budget stale
  context-budget stale AGENTS.md --fail
`;

const NO_TRUST = 'the folder is not trusted. Pass --trust or run "context-budget trust".';
const NO_HISTORY =
  "Git's history could not be read. It needs Git and a repository with a commit. In a shallow clone, run git fetch --unshallow.";

/** Files as the workspace knows them. Throws a usage error for one that is not there, or is no instruction file. */
async function givenFiles(context: CliContext, names: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  if (names.length === 0) return undefined;
  const folder = await openWorkFolder(context);
  const files = new Set<string>();
  for (const name of names) {
    const [file = ''] = await findGivenFiles(context, folder, [name]);
    if (!isInstruction(file)) throw new CliError('usage', `${name}: not an instruction file, so it is not checked.`);
    files.add(file);
  }
  return files;
}

/** One finding as JSON; lines and columns count from 1, as in the text. */
function asJson({ path, line, columns, message, replacement, commit }: FileNotice): object {
  return {
    path,
    line,
    ...(columns ? { column_start: columns.start + 1, column_end: columns.end + 1 } : {}),
    kind: 'stale-path',
    message: inEnglish(message),
    ...(commit === undefined ? {} : { commit }),
    ...(replacement === undefined ? {} : { replacement }),
  };
}

function printed(
  context: CliContext,
  { snapshot, exitCode }: ReadyWorkspace,
  { fail }: StaleOptions,
  files: ReadonlySet<string> | undefined,
): ExitCode {
  const { options, logger } = context;
  const notices = snapshot.notices.filter(({ kind, path }) => kind === 'stalePath' && (files?.has(path) ?? true));
  const isMarkdown = options.format === 'markdown';
  const texts = notices.map(({ path, line, message }) => `${path}:${line}: ${inEnglish(message)}`);
  // A link may name its path twice; only JSON has the columns.
  const lines = [...new Set(texts)].map((text) => (isMarkdown ? `- ${markdownCell(text)}\n` : `${text}\n`));
  const { isHistoryRead, isTrusted, hasInstructions } = snapshot;
  const json = { version: 'stale.v1', references: notices.map(asJson), looked_up: isHistoryRead } as const;
  printResult(context, json, lines.join(''));
  if (notices.length === 0 && !hasInstructions) logger.warn('This folder has no instruction files.');
  else if (!isHistoryRead) logger.warn(`No path was looked up: ${isTrusted ? NO_HISTORY : NO_TRUST}`);
  else if (options.format !== 'json') logger.info(plural(notices.length, 'stale path'));
  if (exitCode !== EXIT.done || !fail) return exitCode;
  if (!isHistoryRead) return EXIT.unmeasured;
  return notices.length > 0 ? EXIT.failed : exitCode;
}

/** `context-budget stale`: paths in instruction files that git's history had and the folder no longer has. */
export function addStaleCommand(program: CliCommand): void {
  program
    .command('stale')
    .summary('find paths in instruction files that Git deleted or renamed')
    .description(
      'Looks up the paths that instruction files mention. Lists those that a Git commit deleted or renamed and that no longer ' +
        'exist. Needs Git and a trusted folder (--trust). Skips lines with <!-- context-budget-ignore --> on them or on ' +
        'the line before.',
    )
    .argument('[files...]', 'instruction files (default: all in the folder)')
    .option('--fail', 'exit with code 1 if a path is stale, 4 if no path could be looked up')
    .addHelpText('after', EXAMPLE)
    .does(async (context, names: string[], own: StaleOptions) => {
      const files = await givenFiles(context, names);
      return withWorkspace(context, async (ready) => printed(context, ready, own, files), { hasStalePaths: true });
    });
}
