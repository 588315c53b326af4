import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { version } from '../../../package.json';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { AGENT_WINDOWS } from '../../core/agents/agentWindows';
import type { WindowRules } from '../../core/agents/windowRules';
import { type AgentLoad, measureLoad } from '../../core/check/agentLoad';
import { renderGithub, renderSarif } from '../../core/check/annotations';
import { parseMaxIncrease, renderBaseline } from '../../core/check/baseline';
import { checkContext, findingsOf } from '../../core/check/check';
import type { CheckReport, CheckResult, Comparison, MaxIncrease } from '../../core/check/finding';
import { renderCheck } from '../../core/check/render';
import type { AgentList, CheckInput } from '../../core/check/rules';
import { CONFIG_PATH } from '../../core/config/config';
import { AGENT_IDS, type AgentId } from '../../core/model/agent';
import type { FileSource } from '../../core/ports/ports';
import { decodeText } from '../../core/text/decode';
import { buildWindow, listedIn } from '../../core/window/loaded/buildWindow';
import { WindowFiles } from '../../core/window/loaded/homeFiles';
import { writeFileAtomic } from '../../node/atomicFile';
import { errorCode } from '../../node/errorCode';
import { HOST } from '../../node/platform';
import { homeFolder } from '../../node/userFolders';
import { measureBefore, measureNow } from '../baseline';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { MeasuredServers } from '../measureServers';
import { tableFormat } from '../options';
import { openWorkFolder, type ReadyWorkspace, requireReport, type WorkFolder, withWorkspace } from '../workspace';
import { askedAgents } from './agents';
import { windowRequest } from './window';

interface CheckOptions {
  readonly agent?: readonly string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly maxIncrease?: MaxIncrease;
}

const EXAMPLE = `
Exit codes: 3 at least one error, 4 something could not be measured and there is no error, 2 invalid config.
Every rule: docs/check.md.

Example:
  context-budget check
  context-budget check --baseline origin/main --max-increase 10% --format markdown
  context-budget check --format sarif > check.sarif
`;

const EXIT_CODES: Readonly<Record<CheckResult, ExitCode>> = {
  pass: EXIT.done,
  fail: EXIT.overBudget,
  unmeasured: EXIT.unmeasured,
};

/** The largest file that an agent has a rule about has 4 MiB. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;

async function readText(files: FileSource, file: string): Promise<string | undefined> {
  const read = await files.read(file, MAX_FILE_BYTES);
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  return decoded?.kind === 'text' ? decoded.text : undefined;
}

/** The rules of an agent of which nothing but its instruction files is known. */
const UNKNOWN: WindowRules = { asOf: '', source: '', windowTokens: null };

/** What agents list of skills and the like in the folder; the home folder is never read. */
async function listsOf(
  context: CliContext,
  { files, realRoot }: WorkFolder,
  ids: readonly AgentId[],
): Promise<AgentList[]> {
  const places = { files: new WindowFiles(files, undefined), root: realRoot, home: homeFolder(context.io.env) };
  return Promise.all(
    AGENT_TABLE.filter(({ agent }) => ids.includes(agent)).map(async ({ agent, name }) => {
      const rules = AGENT_WINDOWS[agent] ?? UNKNOWN;
      return { agent, name, rows: await listedIn({ ...places, rules, model: undefined }) };
    }),
  );
}

/** What agents load of the folder before the first word, with the figures of servers that `window --measure` kept. */
async function loadsOf(
  context: CliContext,
  { files, realRoot }: WorkFolder,
  { workspace, snapshot }: ReadyWorkspace,
  ids: readonly AgentId[],
): Promise<AgentLoad[]> {
  const measured = new MeasuredServers(context, realRoot, []);
  const shared = { root: realRoot, home: homeFolder(context.io.env), model: undefined, measured, snapshot };
  return Promise.all(
    AGENT_TABLE.filter(({ agent }) => ids.includes(agent)).map(async (agent) => {
      // Of each agent its own, since problems of files are findings about the agent.
      const own = new WindowFiles(files, undefined);
      const world = { ...shared, files: own, count: (texts: readonly string[]) => workspace.countTokens(texts) };
      const { window } = await buildWindow(await windowRequest(world, agent, AGENT_WINDOWS[agent.agent] ?? UNKNOWN));
      return measureLoad(window, own.problems);
    }),
  );
}

/** What the rules look at, measured. */
async function measure(
  context: CliContext,
  folder: WorkFolder,
  ready: ReadyWorkspace,
  own: CheckOptions,
  comparison: Comparison | undefined,
): Promise<CheckInput> {
  const { snapshot } = ready;
  const { config, problems, notices, relay, agentsInUse, agents: coverage = [] } = snapshot;
  const asked = own.agent ? askedAgents(own.agent) : undefined;
  const inUse = asked ?? (agentsInUse.length > 0 ? agentsInUse : AGENT_IDS);
  const { agent: limits } = config.check.limits;
  const limited = (asked ?? AGENT_IDS).filter((agent) => limits[agent] !== undefined);
  return {
    config,
    configText: await readText(folder.files, CONFIG_PATH),
    report: requireReport(snapshot),
    problems,
    agents: coverage.filter(({ agent }) => inUse.includes(agent)),
    lists: await listsOf(context, folder, inUse),
    loads: await loadsOf(context, folder, ready, limited),
    notices,
    relay,
    comparison,
    maxIncrease: own.maxIncrease,
  };
}

/** Measures both sides of the comparison, and writes the baseline. Nothing is measured twice without need. */
async function compare(
  context: CliContext,
  { baseline: ref, writeBaseline }: CheckOptions,
): Promise<Comparison | undefined> {
  if (ref === undefined && writeBaseline === undefined) return undefined;
  // One after the other: each takes all processors.
  const before = ref === undefined ? undefined : await measureBefore(context, ref);
  const now = await measureNow(context);
  if (writeBaseline !== undefined) {
    const file = path.resolve(context.io.cwd, writeBaseline);
    try {
      await writeFileAtomic(file, renderBaseline(now), false);
    } catch (cause) {
      const why = errorCode(cause) ?? 'unknown reason';
      throw new CliError('failed', `--write-baseline ${writeBaseline}: the file could not be written (${why}).`, {
        cause,
      });
    }
  }
  if (before && before.profile !== now.profile)
    context.logger.warn(`The baseline was measured with profile ${before.profile}, this check uses ${now.profile}.`);
  return ref === undefined || !before ? undefined : { ref, before, now };
}

function parseIncrease(value: string): MaxIncrease {
  const parsed = parseMaxIncrease(value);
  if (!parsed) throw new InvalidArgumentError('It must be a number of tokens, or a percentage such as 10%.');
  return parsed;
}

/** Where the folder lies below the current one, which a code host takes for the repository: `''` or `web/`. */
async function folderPrefix(context: CliContext): Promise<string> {
  // Real paths, since either folder may be named through a link.
  const { realRoot } = await openWorkFolder(context);
  const below = HOST.below(await realpath(context.io.cwd), realRoot) ?? '';
  return below === '' ? '' : `${below}/`;
}

async function rendered(context: CliContext, report: CheckReport): Promise<string> {
  const { hostFormat } = context.options;
  if (hostFormat === undefined) return renderCheck(report, tableFormat(context.options));
  const prefix = await folderPrefix(context);
  const placed = {
    ...report,
    findings: report.findings.map((finding) =>
      finding.path === undefined ? finding : { ...finding, path: prefix + finding.path },
    ),
  };
  return hostFormat === 'sarif' ? renderSarif(placed, version) : renderGithub(placed);
}

/** What the rules find in a ready folder, without secrets. */
export async function checkFolder(
  context: CliContext,
  ready: ReadyWorkspace,
  own: CheckOptions = {},
): Promise<CheckReport> {
  const folder = await openWorkFolder(context);
  const { files } = folder;
  const comparison = await compare(context, own);
  const input = await measure(context, folder, ready, own, comparison);
  const texts = new Map<string, string | undefined>();
  for (const { path: file } of findingsOf(input)) if (file !== undefined) texts.set(file, await readText(files, file));
  // Paths are the folder's own names; a secret in one is masked like any other text.
  return ready.workspace.masked(checkContext(input, (file) => texts.get(file)));
}

async function check(context: CliContext, ready: ReadyWorkspace, own: CheckOptions): Promise<ExitCode> {
  const report = await checkFolder(context, ready, own);
  context.io.stdout.write(await rendered(context, report));
  return ready.exitCode === EXIT.done ? EXIT_CODES[report.result] : ready.exitCode;
}

/** `context-budget check`: fails when the context exceeds its limits. */
export function addCheckCommand(program: CliCommand): void {
  program
    .command('check')
    .summary('check the context against limits, for CI')
    .description(
      'Checks the expanded payload and the instruction files against the limits and rules of the config: sizes, agent cuts, ' +
        'stale paths, secrets, config errors. Needs no trust; command sections are not measured without it.',
    )
    .option('--agent <id...>', `check only these agents: ${AGENT_IDS.join(', ')}`)
    .option('--baseline <file|rev>', 'compare with a baseline file, or with a Git revision')
    .option('--write-baseline <file>', 'write the sizes of now as a baseline file')
    .option(
      '--max-increase <n|n%>',
      'with --baseline: fail if the total grew by more tokens, or percent',
      parseIncrease,
    )
    .addHelpText('after', EXAMPLE)
    .does((context, own: CheckOptions) => {
      if (own.agent) askedAgents(own.agent);
      if (own.maxIncrease && own.baseline === undefined)
        throw new CliError('usage', '--max-increase needs --baseline: name a baseline file or a Git revision.');
      return withWorkspace(context, (ready) => check(context, ready, own), { hasStalePaths: true });
    });
}
