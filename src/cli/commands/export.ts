import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { Option } from 'commander';
import { version } from '../../../package.json';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { AGENT_WINDOWS } from '../../core/agents/agentWindows';
import { exportedPoints, METRICS, type MetricPoint } from '../../core/print/exportedMetrics';
import { plural } from '../../core/text/numbers';
import { SESSION_AGENTS } from '../../core/transcripts/sessions/sessionLog';
import type { UsageReport } from '../../core/usage/report/usageReport';
import { buildWindow } from '../../core/window/loaded/buildWindow';
import { WindowFiles } from '../../core/window/loaded/homeFiles';
import type { AgentWindow } from '../../core/window/loaded/windowReport';
import { sessionProblemText } from '../../core/window/sessions/sessionJson';
import { loadOtlpModule, type OtlpReceiver, otlpSettings } from '../../node/otlpModule';
import { homeFolder } from '../../node/userFolders';
import { SYSTEM_CLOCK } from '../../protocol/clock';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode, printResult } from '../context';
import { MeasuredServers } from '../measureServers';
import { openWorkFolder, type ReadyWorkspace, requireReport, withWorkspace } from '../workspace';
import { checkFolder } from './check';
import { parseAge } from './citeTranscripts';
import { reportOf } from './report';
import { fromOption, sessionsOf } from './sessions';
import { windowRequest } from './window';

interface ExportOptions {
  readonly otlp?: true;
  readonly dryRun?: true;
  readonly withNames?: true;
  readonly log?: string;
  readonly from?: string;
  /** Milliseconds. */
  readonly since: number;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
/** Hex digits of a SHA-256. */
const HASH_DIGITS = 16;

const HELP = `
The variables OTEL_EXPORTER_OTLP_* name the receiver (default: http://localhost:4318); no file of the folder can. Totals
are those of the usage log: a later export sends them again, so nothing is lost or counted twice.

Exit codes: 1 the receiver did not take the metrics, 2 a variable is invalid, 4 a session log could not be read.
Every metric, and a dashboard: docs/telemetry.md.

Example:
  context-budget export --otlp --dry-run
  OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.example.com context-budget export --otlp
`;

function hashed(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, HASH_DIGITS);
}

/** What agents in use load of the folder before the first word; the home folder is not read. */
async function windowsOf(
  context: CliContext,
  { workspace, snapshot }: ReadyWorkspace,
): Promise<readonly AgentWindow[]> {
  const { files, realRoot } = await openWorkFolder(context);
  const measured = new MeasuredServers(context, realRoot, []);
  const places = { files: new WindowFiles(files, undefined), root: realRoot, home: homeFolder(context.io.env) };
  const count = (texts: readonly string[]) => workspace.countTokens(texts);
  const world = { ...places, model: undefined, measured, snapshot, count };
  const windows: AgentWindow[] = [];
  for (const agent of AGENT_TABLE) {
    const rules = AGENT_WINDOWS[agent.agent];
    if (!rules || !snapshot.agentsInUse.includes(agent.agent)) continue;
    windows.push((await buildWindow(await windowRequest(world, agent, rules))).window);
  }
  return windows;
}

/** When the totals began. The log has local time. */
function startOf({ firstTime }: UsageReport, now: number): number {
  const time = firstTime === undefined ? Number.NaN : Date.parse(firstTime.replace(' ', 'T'));
  return time <= now ? time : now;
}

function textOf(points: readonly MetricPoint[]): string {
  const line = ({ metric, value, attributes }: MetricPoint): string => {
    const labels = Object.entries(attributes).map(([name, each]) => `${name}=${each}`);
    return [metric, ...labels, String(value)].join(' ');
  };
  return points.map((point) => `${line(point)}\n`).join('');
}

/** The receiver, or undefined where the variables say that nothing is to be sent. */
function receiverOf({ io, logger }: CliContext): OtlpReceiver | undefined {
  const settings = otlpSettings(io.env);
  if (settings.kind === 'wrong') throw new CliError('usage', `${settings.why}.`);
  if (settings.kind === 'on') return settings.receiver;
  logger.warn(`Nothing is sent: ${settings.why}.`);
  return undefined;
}

async function exportFolder(
  context: CliContext,
  ready: ReadyWorkspace,
  own: ExportOptions,
  { receiver, mapSeconds }: { readonly receiver: OtlpReceiver | undefined; readonly mapSeconds: number },
): Promise<ExitCode> {
  const { product, logger, life } = context;
  const { realRoot } = await openWorkFolder(context);
  const [usage] = await reportOf(context, own.log);
  const now = SYSTEM_CLOCK.now();
  const { sessions, problems } = await sessionsOf(context, own, SESSION_AGENTS);
  for (const problem of problems) logger.warn(sessionProblemText(problem));
  const facts = {
    usage,
    report: requireReport(ready.snapshot),
    windows: await windowsOf(context, ready),
    sessions: sessions.filter(({ ended = Number.POSITIVE_INFINITY }) => ended >= now - own.since),
    checks: (await checkFolder(context, ready)).findings,
    mapSeconds,
  };
  const name = own.withNames ? (id: string) => id : (id: string) => hashed(id);
  const points = exportedPoints(facts, name);
  const resource = {
    'service.name': 'context-budget',
    'service.version': version,
    // Tells one developer's folder from another's, and neither's name.
    'service.instance.id': hashed(hostname(), homeFolder(context.io.env), realRoot),
    'context_budget.workspace': name(path.basename(realRoot)),
  };
  if (life.signal.aborted) return EXIT.interrupted;
  const isSent = receiver !== undefined && !own.dryRun;
  if (isSent) {
    const batch = { metrics: METRICS, points, startedAt: startOf(usage, now), now, resource, receiver };
    const result = await loadOtlpModule(product.root).sendMetrics(batch, life.signal);
    if (result.kind === 'failed')
      throw new CliError(
        'failed',
        `${receiver.shownUrl} did not take the metrics (${result.why}). Nothing is lost: the next export sends the same totals.`,
      );
    if (result.rejected) logger.warn(result.rejected);
  }
  const told = `Sent ${plural(points.length, 'number')} to ${receiver?.shownUrl}.\n`;
  const value = { version: 'export.v1', sent: isSent, endpoint: receiver?.shownUrl ?? null, resource, points } as const;
  printResult(context, value, isSent ? told : textOf(points));
  if (ready.exitCode !== EXIT.done) return ready.exitCode;
  return problems.length === 0 ? EXIT.done : EXIT.unmeasured;
}

/** `context-budget export`: numbers for the receiver that a company runs. */
export function addExportCommand(program: CliCommand): void {
  program
    .command('export')
    .summary('send numbers to an OpenTelemetry receiver')
    .description(
      "Sends numbers, never text: tokens by section and status, budget use, map time, agents' windows and sessions, and " +
        'findings. Ids of your own sections and the name of the folder are hashed.',
    )
    .option('--otlp', 'send by OTLP over HTTP (required)')
    .option('--dry-run', 'print what would be sent, and send nothing')
    .option('--with-names', 'send the ids of your own sections and the name of the folder as they are')
    .option('--log <file>', "file of usage records (default: the folder's own log, including older files)")
    .addOption(
      new Option('--since <age>', 'sessions that were used in this time, such as 7d or 12h')
        .argParser(parseAge)
        .default(WEEK_MS, '7d'),
    )
    .addOption(fromOption())
    .addHelpText('after', HELP)
    .does((context, own: ExportOptions) => {
      if (!own.otlp) throw new CliError('usage', 'Name the format to send: --otlp.');
      const receiver = receiverOf(context);
      if (!receiver && !own.dryRun) return Promise.resolve(EXIT.done);
      const begun = SYSTEM_CLOCK.now();
      return withWorkspace(
        context,
        (ready) => {
          const mapSeconds = (SYSTEM_CLOCK.now() - begun) / 1000;
          return exportFolder(context, ready, own, { receiver, mapSeconds });
        },
        { hasStalePaths: true },
      );
    });
}
