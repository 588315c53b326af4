import { AGENT_IDS, type AgentId } from '../../core/model/agent';
import { renderCoverage } from '../../core/print/coverageTable';
import { type CliCommand, type CliContext, CliError } from '../context';
import { findGivenPath } from '../givenText';
import { tableFormat } from '../options';
import { openWorkFolder, withWorkspace } from '../workspace';

interface AgentsOptions {
  readonly file?: string;
  readonly agent?: readonly string[];
}

const EXAMPLE = `
Example:
  context-budget agents
  context-budget agents --file src/api/users.ts --agent codex claude-code
`;

/** The ids that were asked for. Throws a usage error that names the known ones. */
export function askedAgents(given: readonly string[] | undefined): readonly AgentId[] {
  if (!given) return AGENT_IDS;
  const unknown = given.find((id) => !AGENT_IDS.some((known) => known === id));
  if (unknown !== undefined)
    throw new CliError('usage', `Unknown agent "${unknown}". Agents: ${AGENT_IDS.join(', ')}.`);
  return AGENT_IDS.filter((id) => given.includes(id));
}

/** The file that the chains are for, as the workspace knows it; a folder stands for work somewhere in it. */
async function activePath(context: CliContext, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const found = await findGivenPath(context, await openWorkFolder(context), given, `--file ${given}`);
  if (found.kind === 'file') return found.realPath;
  return found.realPath === '' ? undefined : `${found.realPath}/`;
}

/** `context-budget agents`: what each agent loads, cuts and never reads. */
export function addAgentsCommand(program: CliCommand): void {
  program
    .command('agents')
    .summary('show which instruction files each agent loads, cuts or never reads')
    .description(
      'Shows how each coding agent treats the instruction and memory files: loaded, truncated (with the line of the cut), ' +
        'dropped, shadowed by another file, or read on demand. Follows imports (@path). The rules come from the public ' +
        'documentation of the agents; a question mark means: unconfirmed. Files in your home folder are not read.',
    )
    .option(
      '--file <path>',
      'the file being edited: includes instruction files from the root to its folder (default: the root only)',
    )
    .option('--agent <id...>', `show only these agents: ${AGENT_IDS.join(', ')}`)
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: AgentsOptions) => {
      const asked = askedAgents(own.agent);
      const active = await activePath(context, own.file);
      return withWorkspace(
        context,
        async ({ snapshot, exitCode }) => {
          const agents = (snapshot.agents ?? []).filter(({ agent }) => asked.includes(agent));
          context.io.stdout.write(renderCoverage({ activePath: active, agents }, tableFormat(context.options)));
          return exitCode;
        },
        { waitFor: 'sections', activePath: active },
      );
    });
}
