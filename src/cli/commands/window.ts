import type { AgentRules } from '../../core/agents/agentRules';
import { AGENT_TABLE, agentName } from '../../core/agents/agentTable';
import { AGENT_WINDOWS } from '../../core/agents/agentWindows';
import type { WindowRules } from '../../core/agents/windowRules';
import { AGENT_IDS, type AgentId } from '../../core/model/agent';
import { renderWindow } from '../../core/print/windowTable';
import { buildWindow, type WindowRequest } from '../../core/window/loaded/buildWindow';
import { WindowFiles } from '../../core/window/loaded/homeFiles';
import { configuredServers } from '../../core/window/loaded/mcpServers';
import { loadedTokens, type WindowReport } from '../../core/window/loaded/windowReport';
import { type NodeFileSource, openFileSource } from '../../node/fileSource';
import { homeFolder } from '../../node/userFolders';
import { CLI_TOKENIZER, type CliCommand, type CliContext, EXIT, type ExitCode } from '../context';
import { openEngines } from '../masking';
import { MeasuredServers } from '../measureServers';
import { parseCount, tableFormat } from '../options';
import { openWorkFolder, type ReadyWorkspace, withWorkspace } from '../workspace';
import { askedAgents } from './agents';

interface WindowOptions {
  readonly agent?: readonly string[];
  readonly model?: string;
  readonly home?: true;
  readonly measure?: readonly string[];
  readonly failOver?: number;
}

const EXAMPLE = `
Example:
  context-budget window --agent claude-code codex --home
  context-budget window --measure github --trust
  context-budget window --model claude-sonnet-5 --fail-over 20000
`;

/** Agents that were asked for, else those in use, else all with a row. */
function shownAgents(asked: readonly AgentId[] | undefined, inUse: readonly AgentId[]): readonly AgentId[] {
  return asked ?? AGENT_IDS.filter((id) => (inUse.length > 0 ? inUse.includes(id) : AGENT_WINDOWS[id] !== undefined));
}

async function openHome({ io, logger }: CliContext): Promise<NodeFileSource | undefined> {
  const home = homeFolder(io.env);
  try {
    return (await openFileSource(home)).files;
  } catch {
    logger.warn(`The home folder ${home} could not be opened: its files are left out.`);
    return undefined;
  }
}

/** Says on stderr which files of the home folder were read, by their paths, or that none were. */
function tellHome({ logger, io, options }: CliContext, files: WindowFiles): void {
  if (options.quiet) return;
  if (!files.hasHome) logger.warn('files of your home folder were not read; --home includes them');
  else if (files.homePaths.size === 0) io.stderr.write('No files of your home folder are loaded.\n');
  else io.stderr.write(`Read from your home folder: ${[...files.homePaths].sort().join(', ')}\n`);
}

function exitCodeOf(
  report: WindowReport,
  { failOver }: WindowOptions,
  fallback: ExitCode,
  isUnmeasured: boolean,
): ExitCode {
  if (fallback !== EXIT.done) return fallback;
  const isOver = failOver !== undefined && report.agents.some(({ items }) => loadedTokens(items) > failOver);
  if (isOver) return EXIT.overBudget;
  return isUnmeasured ? EXIT.unmeasured : EXIT.done;
}

/** What every agent's window is built from. */
interface WindowWorld extends Pick<WindowRequest, 'files' | 'root' | 'home' | 'model' | 'count'> {
  readonly measured: MeasuredServers;
  readonly snapshot: ReadyWorkspace['snapshot'];
}

/** What one agent's window is built from; asks for the figures of its servers. */
export async function windowRequest(
  { measured, snapshot, ...places }: WindowWorld,
  agent: AgentRules,
  rules: WindowRules,
): Promise<WindowRequest> {
  const servers = await configuredServers(rules, places.root, places.files);
  await measured.take(servers);
  const coverage = snapshot.agents?.find((each) => each.agent === agent.agent);
  return { ...places, agent, rules, servers, coverage, stateOf: (server) => measured.stateOf(server) };
}

/** `context-budget window`: what each agent has in its window before the first word. */
export function addWindowCommand(program: CliCommand): void {
  program
    .command('window')
    .summary('show what each agent loads before the first word')
    .description(
      'Shows what fills the window of a coding agent before the first word: its own prompt and tools, instruction files, ' +
        'MCP servers, skills, subagents and commands, with their tokens (o200k). Without --agent: the agents in use.',
    )
    .option('--agent <id...>', `show only these agents: ${AGENT_IDS.join(', ')}`)
    .option(
      '--model <name>',
      "the model: its window, and its tokens where a factor is known (default: the agent's own)",
    )
    .option('--home', 'also read the files of your home folder that the agents load')
    .option(
      '--measure <server...>',
      'start these MCP servers (all: every configured program) and count their tools; needs a trusted folder',
    )
    .option('--fail-over <tokens>', 'exit with code 3 if an agent loads more tokens than this', parseCount)
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: WindowOptions) => {
      const asked = own.agent && askedAgents(own.agent);
      const { files: workspace, realRoot } = await openWorkFolder(context);
      const files = new WindowFiles(workspace, own.home ? await openHome(context) : undefined);
      return withWorkspace(
        context,
        async ({ snapshot, exitCode }) => {
          const { engine } = openEngines(context);
          const ids = shownAgents(asked, snapshot.agentsInUse);
          const measured = new MeasuredServers(context, realRoot, own.measure ?? []);
          const world: WindowWorld = {
            ...{ files, root: realRoot, home: homeFolder(context.io.env), model: own.model, measured, snapshot },
            count: (texts) =>
              texts.length === 0
                ? Promise.resolve([])
                : engine.countTokens({ tokenizer: CLI_TOKENIZER, texts: [...texts] }, context.life.signal),
          };
          const requests: WindowRequest[] = [];
          for (const id of ids) {
            const [agent, rules] = [AGENT_TABLE.find((row) => row.agent === id), AGENT_WINDOWS[id]];
            if (agent && rules) requests.push(await windowRequest(world, agent, rules));
          }
          const built = await Promise.all(requests.map(buildWindow));
          const unknown = ids.filter((id) => AGENT_WINDOWS[id] === undefined);
          const report: WindowReport = {
            agents: built.map(({ window }) => window),
            duplicates: built.flatMap(({ duplicates }) => duplicates),
            problems: [
              ...unknown.map((id) => `${agentName(id)}: what it loads is decided by its service and not known`),
              ...measured.problems,
              ...files.problems.keys(),
            ],
          };
          tellHome(context, files);
          context.io.stdout.write(renderWindow(report, tableFormat(context.options)));
          return exitCodeOf(report, own, exitCode, measured.problems.length > 0);
        },
        { waitFor: 'sections' },
      );
    });
}
