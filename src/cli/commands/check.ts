import path from 'node:path';
import { version } from '../../../package.json';
import { measureLoad } from '../../core/check/agentLoad';
import { renderGithub, renderSarif } from '../../core/check/annotations';
import { checkContext, findingsOf } from '../../core/check/check';
import type { CheckReport, CheckResult } from '../../core/check/finding';
import { renderCheck } from '../../core/check/render';
import type { CheckInput } from '../../core/check/rules';
import { CONFIG_PATH } from '../../core/config/config';
import { AGENT_IDS } from '../../core/model/agent';
import type { FileSource } from '../../core/ports/ports';
import { decodeText } from '../../core/text/decode';
import { type CliCommand, type CliContext, EXIT, type ExitCode } from '../context';
import { tableFormat } from '../options';
import { openedRoot, openWorkFolder, type ReadyWorkspace, requireReport, withWorkspace } from '../workspace';
import { askedAgents } from './agents';

interface CheckOptions {
  readonly agent?: readonly string[];
}

const EXAMPLE = `
Exit codes: 3 at least one error, 4 something could not be measured and there is no error, 2 invalid config.
Every rule: docs/check.md.

Example:
  context-budget check
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

/** What the rules look at, measured. */
async function measure(
  files: FileSource,
  { workspace, snapshot }: ReadyWorkspace,
  own: CheckOptions,
): Promise<CheckInput> {
  const { config, problems, notices, relay, agentsInUse, agents: coverage = [] } = snapshot;
  const asked = own.agent ? askedAgents(own.agent) : undefined;
  const inUse = asked ?? (agentsInUse.length > 0 ? agentsInUse : AGENT_IDS);
  const { agent: limits } = config.check.limits;
  const limited = coverage.filter(({ agent }) => limits[agent] !== undefined && (asked?.includes(agent) ?? true));
  const reader = {
    textOf: (file: string) => readText(files, file),
    countTokens: (texts: readonly string[]) => workspace.countTokens(texts),
  };
  return {
    config,
    configText: await readText(files, CONFIG_PATH),
    report: requireReport(snapshot),
    problems,
    agents: coverage.filter(({ agent }) => inUse.includes(agent)),
    loads: await Promise.all(limited.map((each) => measureLoad(each, reader))),
    notices,
    relay,
    comparison: undefined,
    maxIncrease: undefined,
  };
}

/** Where the folder lies below the current one, which a code host takes for the repository: `''` or `web/`. */
function folderPrefix(context: CliContext): string {
  const below = path.relative(context.io.cwd, openedRoot(context));
  if (below === '' || path.isAbsolute(below) || below.split(path.sep)[0] === '..') return '';
  return `${below.replaceAll(path.sep, '/')}/`;
}

function rendered(context: CliContext, report: CheckReport): string {
  const { hostFormat } = context.options;
  if (hostFormat === undefined) return renderCheck(report, tableFormat(context.options));
  const prefix = folderPrefix(context);
  const placed = {
    ...report,
    findings: report.findings.map((finding) =>
      finding.path === undefined ? finding : { ...finding, path: prefix + finding.path },
    ),
  };
  return hostFormat === 'sarif' ? renderSarif(placed, version) : renderGithub(placed);
}

async function check(context: CliContext, ready: ReadyWorkspace, own: CheckOptions): Promise<ExitCode> {
  const { files } = await openWorkFolder(context);
  const input = await measure(files, ready, own);
  const texts = new Map<string, string | undefined>();
  for (const { path: file } of findingsOf(input)) if (file !== undefined) texts.set(file, await readText(files, file));
  // Paths are the folder's own names; a secret in one is masked like any other text.
  const report = await ready.workspace.masked(checkContext(input, (file) => texts.get(file)));
  context.io.stdout.write(rendered(context, report));
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
    .addHelpText('after', EXAMPLE)
    .does((context, own: CheckOptions) => {
      if (own.agent) askedAgents(own.agent);
      return withWorkspace(context, (ready) => check(context, ready, own), { hasStalePaths: true });
    });
}
