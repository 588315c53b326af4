import type { Command } from 'commander';
import { compactRelay, type RelayCompaction } from '../../core/relay/compactRelay';
import { essentialsWithFacts, joinFacts } from '../../core/relay/factsInput';
import { kindOf } from '../../core/relay/jsonValue';
import { checkMessage, type OverreachFinding } from '../../core/relay/overreach';
import { parseRelay } from '../../core/relay/parseRelay';
import { RelayError } from '../../core/relay/relayError';
import { isRecord, ownValue } from '../../core/text/jsonRecord';
import { formatCount, plural } from '../../core/text/numbers';
import type { RelayFacts } from '../../core/transcripts/relayFacts';
import { CliError } from '../cliError';
import type { CliContext } from '../context';
import { EXIT, type ExitCode } from '../exitCode';
import { readFolderConfig } from '../folderConfig';
import { readGivenText } from '../givenText';
import { type MaskOptions, maskedData, unmaskedOption } from '../masking';
import type { RunCommand } from '../runCommand';
import { openWorkFolder } from '../workFolder';
import { type FactOptions, readFacts, wantsFacts } from './compactFacts';
import { explainCompaction, type GivenLog } from './compactWords';

interface CompactOptions extends FactOptions, MaskOptions {
  readonly ledger?: string;
  readonly check?: string;
  readonly text?: boolean;
  readonly explain?: boolean;
}

/** What findings belong to. */
const RELAY = 'relay';
/** Version of the JSON of `--check` (DESIGN §5.6). */
const CHECK_VERSION = 'relay_check.v1';

const EXAMPLE = `
The log is an object with relay_context (goal, constraints, latest_instruction, current_blockers,
controller_route_summary) and the lists execution_logs, status_reports, failure_noise, api_error_dumps and
evidence_paths. The ledger has the same five keys, a state, and tasks with an id and a status.

Example:
  context-budget compact relay.json --ledger ledger.json > compacted.json
  agent-log --json | context-budget compact --text
  context-budget compact --ledger ledger.json --check "T3 is done."
  context-budget compact --transcript session.jsonl --observations --text
`;

/** A log or a ledger. Throws a usage error for what is no JSON object. */
async function readJson({ io }: CliContext, file: string, label: string): Promise<GivenLog> {
  const text = await readGivenText(io, file, label);
  try {
    const value = parseRelay(text, label);
    if (!isRecord(value)) throw new CliError('usage', `${label} must be a JSON object, but is ${kindOf(value)}.`);
    return { value, text };
  } catch (cause) {
    if (!RelayError.is(cause)) throw cause;
    throw new CliError('usage', cause.message, { cause });
  }
}

const nameOf = (file: string): string => (file === '-' ? 'stdin' : file);

function requireOneInput(context: CliContext, file: string | undefined, own: CompactOptions): void {
  const { ledger, check } = own;
  const { format } = context.options;
  if (format === 'markdown') throw new CliError('usage', 'compact prints JSON, or its summary with --text.');
  if ([file, ledger, check].filter((given) => given === '-').length > 1) {
    throw new CliError('usage', 'Only one of the log, --ledger and --check can be -.');
  }
  if (wantsFacts(own)) {
    if (check === undefined) return;
    throw new CliError('usage', '--check goes by the ledger alone: leave --transcript and --observations out.');
  }
  if (file === undefined && ledger === '-' && check === undefined) {
    throw new CliError('usage', '--ledger -: name the log too, since it is read from stdin otherwise.');
  }
  if (file === undefined && check === undefined && context.io.canAsk) {
    throw new CliError('usage', 'Name a relay log, or pipe one in.');
  }
}

/** A log for `--check` is only needed for its own ledger. */
async function readLog(
  context: CliContext,
  file: string | undefined,
  own: CompactOptions,
): Promise<GivenLog | undefined> {
  if (file === undefined && (own.check !== undefined || wantsFacts(own))) return undefined;
  const given = file ?? '-';
  return readJson(context, given, nameOf(given));
}

/** What was dropped in numbers, what is missing, and with `--explain` everything; on stderr. */
async function tell(
  context: CliContext,
  compaction: RelayCompaction,
  log: GivenLog | undefined,
  own: CompactOptions,
  ledger: unknown,
): Promise<ExitCode> {
  const { output, findings } = compaction;
  const { dropped, counts } = findings;
  const { missing } = output.self_check;
  if (missing.length > 0) context.logger.warn(`missing, also in the ledger: ${missing.join(', ')}`);
  if (own.explain && log) {
    const folder = await openWorkFolder(context);
    const { config, exitCode } = await readFolderConfig(context, folder.files);
    context.io.stderr.write(explainCompaction(compaction, log, ledger, config.relay.maxTokens));
    return exitCode;
  }
  if (dropped.length > 0 && !context.options.quiet) {
    const rows = counts.map(({ field, rule, count }) => `${field} ${rule} ${formatCount(count)}`);
    const shown = rows.slice(0, 8).join(', ') + (rows.length > 8 ? ', …' : '');
    context.io.stderr.write(`dropped ${plural(dropped.length, 'item')}: ${shown} (--explain lists them)\n`);
  }
  return EXIT.done;
}

function renderFindings(context: CliContext, findings: readonly OverreachFinding[]): string {
  if (context.options.format === 'json') {
    return `${JSON.stringify({ version: CHECK_VERSION, ok: findings.length === 0, findings }, null, 2)}\n`;
  }
  if (findings.length === 0) return 'nothing found\n';
  return findings.map(({ rule, text, ledger }) => `${rule}: ${text}\n  ledger: ${ledger}\n`).join('');
}

async function check(context: CliContext, message: string, log: unknown, ledger: unknown): Promise<ExitCode> {
  const text = message === '-' ? await readGivenText(context.io, '-', '--check -') : message;
  if (text.trim() === '') throw new CliError('usage', '--check is empty: give the message.');
  const inner = isRecord(log) ? ownValue(log, 'ledger') : undefined;
  const findings = checkMessage(text, ledger ?? inner);
  context.io.stdout.write(renderFindings(context, findings));
  return findings.length > 0 ? EXIT.overBudget : EXIT.done;
}

/** The log, if there is one, with what was seen. */
function joined(log: GivenLog | undefined, facts: RelayFacts): GivenLog {
  const value = joinFacts(isRecord(log?.value) ? log.value : {}, facts);
  return { value, text: JSON.stringify(value) };
}

async function compact(context: CliContext, file: string | undefined, own: CompactOptions): Promise<ExitCode> {
  requireOneInput(context, file, own);
  const read = await readLog(context, file, own);
  const given = own.ledger === undefined ? undefined : await readJson(context, own.ledger, `--ledger ${own.ledger}`);
  const ledger = given?.value;
  if (own.check !== undefined) return check(context, own.check, read?.value, ledger);
  const facts = wantsFacts(own) ? await readFacts(context, own) : undefined;
  const log = facts ? joined(read, facts) : read;
  const compaction = compactRelay(log?.value, {
    ledger: facts ? essentialsWithFacts(read?.value, ledger, facts) : ledger,
  });
  const exitCode = await tell(context, compaction, log, own, ledger);
  const { output } = compaction;
  const printed = own.text
    ? await maskedData(context, own, `${output.summary}\n`, RELAY)
    : `${JSON.stringify(await maskedData(context, own, output, RELAY), null, 2)}\n`;
  context.io.stdout.write(printed);
  return exitCode;
}

/** `context-budget compact`: the relay context, compacted; or a message checked against the ledger. */
export function addCompactCommand(program: Command, run: RunCommand): void {
  program
    .command('compact')
    .summary('compact a relay log, or check a relay message')
    .description(
      'Keeps goal, constraints, latest instruction, blockers and route of a relay log, drops what is finished, stale or ' +
        'repeated and unstructured error dumps, and prints the rest. Compacting twice changes nothing.',
    )
    .argument('[file]', 'the relay log, JSON; - or nothing for stdin')
    .option('--ledger <file>', 'JSON with the essentials that the log lacks, and the state of tasks; - for stdin')
    .option(
      '--check <message>',
      'check that a message claims no completion that the ledger does not show; - for stdin; exit code 3 if it does',
    )
    .option(
      '--transcript <file>',
      "an agent's transcript: its last instruction, open failures, repeated statuses join in",
    )
    .option('--observations', "the same of the folder's observations")
    .option('--text', 'print the summary, at most ten lines, and no JSON')
    .addOption(unmaskedOption())
    .option('--explain', 'say on stderr what was dropped and why, where essentials come from, and which triggers fire')
    .addHelpText('after', EXAMPLE)
    .action((file: string | undefined, own: CompactOptions, command: Command) =>
      run(command, (context) => compact(context, file, own)),
    );
}
