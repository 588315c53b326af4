import { Option } from 'commander';
import { profileOf } from '../../core/config/config';
import type { MapResult } from '../../core/engine/map';
import { leastShareFor } from '../../core/repomap/map/selection';
import { formatCount, plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { type CliCommand, type CliContext, CliError, type ExitCode } from '../context';
import { type Focus, findFocus, openableFocus, readGivenText } from '../givenText';
import { type MaskOptions, printRequested, unmaskedOption } from '../masking';
import { focusOption, parseCount } from '../options';
import { openWorkFolder, type ReadyWorkspace, tellProblems, withWorkspace } from '../workspace';

/** The task comes from one of `query` and `queryFile`. */
interface MapOptions extends MaskOptions {
  readonly query?: string;
  /** A path, relative to the current folder; `-` is stdin. */
  readonly queryFile?: string;
  readonly focus?: readonly string[];
  readonly budget?: number;
  readonly explain?: true;
  /** A branch or commit; `true` for the default one. */
  readonly changed?: string | true;
}

const EXAMPLES = `
Example:
  context-budget map --query "Config files with a BOM are refused" --budget 1024
  git log -1 --format=%B | context-budget map --explain -
  context-budget map --focus src/server.ts --budget 2000
  context-budget map --changed origin/main --trust
`;

/** `map -` is `map --query-file -`. */
function withStdin(own: MapOptions, stdin: string | undefined): MapOptions {
  if (stdin === undefined) return own;
  if (stdin !== '-')
    throw new CliError('usage', `"${stdin}" is not an argument of map. Use --query or --query-file for the task.`);
  if (own.changed !== undefined) throw new CliError('usage', 'Give a task or --changed, not both.');
  if (own.query !== undefined || own.queryFile !== undefined) throw new CliError('usage', 'Give the task once.');
  return { ...own, queryFile: '-' };
}

/** `context-budget map`: the repo map on its own. */
export function addMapCommand(program: CliCommand): void {
  program
    .command('map')
    .summary('print the repo map: the most important symbols that fit')
    .description(
      'Prints files and the signatures of their symbols, as many as the budget holds. With a task: the symbols that match ' +
        'it. Without one: packages with their purpose, main types and public functions, those near the files of --focus or ' +
        'near changed files first. With --changed: definitions that changed since the merge base with a branch, then their ' +
        'callers and tests, each with why.',
    )
    .argument('[-]', 'read the task from stdin')
    .addOption(new Option('--query <text>', 'the task: an issue, a message or a prompt').conflicts('queryFile'))
    .option('--query-file <file>', 'read the task from this file; - for stdin')
    .addOption(
      new Option(
        '--changed [base]',
        "what changed since this branch or commit (default: origin's main branch, else main or master); needs trust",
      ).conflicts(['query', 'queryFile', 'focus']),
    )
    .addOption(focusOption())
    .option('--budget <tokens>', "maximum tokens of the map (default: the profile's map_tokens)", parseCount)
    .addOption(unmaskedOption())
    .option('--explain', 'explain why each file and symbol is listed')
    .addHelpText('after', EXAMPLES)
    .does((context, stdin: string | undefined, own: MapOptions) => printMap(context, withStdin(own, stdin)));
}

async function printMap(context: CliContext, own: MapOptions): ReturnType<typeof withWorkspace> {
  const folder = await openWorkFolder(context);
  const focus = await findFocus(context, folder, own.focus ?? []);
  const { query, queryFile } = own;
  const task =
    queryFile === undefined ? query : await readGivenText(context.io, queryFile, `--query-file ${queryFile}`);
  // A map for a task is made before all files are parsed, and whatever the sections say.
  const needs = { isOneMap: true, ...(task === undefined ? {} : ({ task, waitFor: 'files' } as const)) };
  return withWorkspace(context, (ready) => print(context, ready, { ...own, focus, task }), needs);
}

interface PrintOptions extends Omit<MapOptions, 'focus'> {
  readonly focus: readonly Focus[];
  readonly task: string | undefined;
}

async function print(
  context: CliContext,
  { workspace, snapshot, exitCode }: ReadyWorkspace,
  { focus, task, budget, explain, changed, unmasked }: PrintOptions,
): Promise<ExitCode> {
  const focusedPaths = await openableFocus(workspace, focus);
  const profile = profileOf(snapshot.config, snapshot.profile);
  const budgetTokens = budget ?? profile.mapTokens;
  const { text, tokens, view, match, explanation, maxChars, secrets, since } = await workspace.map({
    budgetTokens,
    leastShare: leastShareFor(budget),
    isUnmasked: unmasked === true,
    ...(focusedPaths.length > 0 ? { focusPaths: focusedPaths } : {}),
    ...(task === undefined ? {} : { query: task }),
    withReasons: explain === true,
    ...(changed === undefined ? {} : { changedSince: { base: changed === true ? undefined : changed } }),
  });
  tellProblems(
    context,
    workspace.problems.filter((problem) => !snapshot.problems.includes(problem)),
  );
  const total = plural(view.filesTotal, 'file');
  const isNothing = match !== undefined && view.filesShown === 0 && text !== '';
  if (since) tellChanges(context, since);
  else if (view.filesShown === 0 && !isNothing) context.logger.warn(`The map is empty: no symbol of ${total} fits.`);
  if (maxChars !== undefined)
    context.logger.warn(`The map is limited to ${formatCount(maxChars)} characters, by hard_cap_chars of the profile.`);
  const payload = {
    mode: 'map',
    profile: snapshot.profile,
    text,
    tokens,
    secrets,
    repoMap: view,
    match,
    // There is nothing to explain of a map that has nothing.
    explanation: isNothing ? undefined : explanation,
    notes: [
      `repo map: ${formatCount(view.filesShown)} of ${total}; ask for a symbol by its handle`,
      ...(since ? [sinceWords(since), ...(since.note ? [inEnglish(since.note)] : [])] : []),
    ],
  } as const;
  printRequested(context, { ...profile, budgetTokens }, payload);
  return exitCode;
}

/** `changed since origin/main (merge base 1a2b3c4d): 12 files` */
function sinceWords({ base, commit, files }: NonNullable<MapResult['since']>): string {
  return `changed since ${base} (merge base ${commit.slice(0, 8)}): ${plural(files, 'file')}`;
}

function tellChanges({ logger }: CliContext, since: NonNullable<MapResult['since']>): void {
  if (since.files === 0) logger.warn(`Nothing changed since ${since.base} (merge base ${since.commit.slice(0, 8)}).`);
  else logger.info(sinceWords(since));
  if (since.note) logger.warn(inEnglish(since.note));
}
