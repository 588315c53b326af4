import path from 'node:path';
import type { Observation } from '../../core/observations/observation';
import { decodeObservation } from '../../core/observations/observationCodec';
import { observationFacts } from '../../core/observations/observationFacts';
import type { FileSource } from '../../core/ports/ports';
import type { LogCursor } from '../../core/records/recordLog';
import { compactRelay, type RelayCompaction } from '../../core/relay/compactRelay';
import { type DroppedItem, dropWords, groupDropped } from '../../core/relay/dropped';
import { parseExact, writeExact } from '../../core/relay/exactNumbers';
import { joinFacts, ledgerWithFacts, mergeFacts, parseRelay } from '../../core/relay/factsInput';
import { kindOf } from '../../core/relay/jsonValue';
import { checkMessage } from '../../core/relay/overreach';
import { ESSENTIALS, RelayError } from '../../core/relay/relayContext';
import {
  checkTriggers,
  DEFAULT_REPEATS,
  INITIAL_TRIGGER_STATE,
  rememberedState,
  type TriggerState,
} from '../../core/relay/triggers';
import { RELAY_KEPT_PATH } from '../../core/setup/hooks/sessionRelay';
import { decodeText } from '../../core/text/decode';
import { isRecord, type JsonRecord, ownValue, parseJson } from '../../core/text/jsonRecord';
import { formatCount, plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { estimateTokens } from '../../core/tokens/lines';
import type { RelayFacts } from '../../core/transcripts/relayFacts';
import { errorCode } from '../../node/errorCode';
import { JsonlObservationLog } from '../../node/records/fileLogs';
import { readTranscriptFacts } from '../../node/transcriptFacts';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode, printResult } from '../context';
import { readGivenText } from '../givenText';
import { jsonText } from '../io';
import { type MaskOptions, maskedCompaction, maskedData, RELAY_SECTION, unmaskedOption } from '../masking';
import { openedRoot, openWorkFolder, readFolderConfig, type WorkFolder } from '../workspace';

/** Where facts are to be taken from. */
interface FactOptions {
  readonly transcript?: string;
  readonly observations?: boolean;
}

/** Whether facts are asked for. */
function wantsFacts({ transcript, observations }: FactOptions): boolean {
  return transcript !== undefined || observations === true;
}

async function transcriptFacts(context: CliContext, { realRoot }: WorkFolder, given: string): Promise<RelayFacts> {
  const { cwd } = context.io;
  const label = `--transcript ${given}`;
  try {
    const facts = await readTranscriptFacts(path.resolve(cwd, given), false, realRoot, openedRoot(context));
    if (facts) return facts;
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'the file does not exist' : 'it could not be read';
    throw new CliError('usage', `${label}: ${why}.`, { cause });
  }
  const known = 'Claude Code, Codex, Copilot Chat (an export) or Aider';
  throw new CliError('usage', `${label}: not a transcript of ${known}.`);
}

/** All observations of the folder's log, in its order; lines that are none are counted on stderr. */
async function readObservations(context: CliContext, { files, realRoot }: WorkFolder): Promise<readonly Observation[]> {
  const { config } = await readFolderConfig(context, files);
  const { path: logPath } = config.observations;
  const log = new JsonlObservationLog({ realRoot, path: logPath });
  const observations: Observation[] = [];
  let bad = 0;
  let cursor: LogCursor | undefined;
  for (let hasMore = true; hasMore; ) {
    const read = await log.follow(cursor);
    for (const line of new TextDecoder().decode(read.bytes).split('\n')) {
      if (line.trim() === '') continue;
      const decoded = decodeObservation(line);
      if (decoded.kind === 'ok') observations.push(decoded.observation);
      else bad++;
    }
    ({ cursor, hasMore } = read);
  }
  if (bad > 0) context.logger.warn(`${logPath}: ${plural(bad, 'line')} skipped: not observations.`);
  return observations;
}

/** What the transcript and the observations show. Throws a usage error for a transcript that cannot be used. */
async function readFacts(context: CliContext, { transcript, observations }: FactOptions): Promise<RelayFacts> {
  const folder = await openWorkFolder(context);
  const places: RelayFacts[] = [];
  if (transcript !== undefined) places.push(await transcriptFacts(context, folder, transcript));
  if (observations) places.push(observationFacts(await readObservations(context, folder)));
  return mergeFacts(places);
}

/** A relay log as it was given. */
interface GivenLog {
  readonly value: JsonRecord;
  readonly text: string;
}

function itemLine({ field, index, text }: DroppedItem): string {
  const place = index === undefined ? field : `${field}[${index}]`;
  return `  ${place}${text === '' ? '' : `: ${text}`}\n`;
}

/** What is looked at to tell which triggers fire. */
interface Look {
  readonly log: GivenLog;
  readonly ledger: unknown;
  readonly maxTokens: number;
  /** What was seen before. */
  readonly state: TriggerState;
}

function triggerLines({ log, ledger, maxTokens, state }: Look, compacted: RelayCompaction['output']): string {
  const { fired } = checkTriggers(
    state,
    { log: log.value, compacted, ledger, count: () => estimateTokens(log.text) },
    { maxTokens, repeats: DEFAULT_REPEATS },
  );
  if (fired.length === 0) return 'triggers: none\n';
  return fired.map(({ kind, why }) => `trigger ${kind}: ${inEnglish(why)}\n`).join('');
}

/** What compaction did, for people: every dropped item under its rule, sources of the essentials, triggers. */
function explainCompaction({ output, findings }: RelayCompaction, look: Look): string {
  const { dropped, passedThrough, sources } = findings;
  const rules = groupDropped(dropped).map(({ field, rule, items }) => {
    const head = `dropped ${formatCount(items.length)}, ${rule} (${inEnglish(dropWords(field, rule))}):\n`;
    return `${head}${items.map(itemLine).join('')}`;
  });
  const essentials = ESSENTIALS.map(
    (key) => `${key}: ${sources[key] === 'missing' ? 'missing' : `from ${sources[key]}`}\n`,
  );
  const passed = passedThrough.length === 0 ? '' : `unchanged: ${passedThrough.join(', ')}\n`;
  const total = `${plural(dropped.length, 'item')} dropped; ${output.self_check.complete ? 'complete' : 'incomplete'}\n`;
  return [...rules, ...essentials, passed, triggerLines(look, output), total].join('');
}

interface CompactOptions extends FactOptions, MaskOptions {
  readonly ledger?: string;
  readonly check?: string;
  readonly text?: boolean;
  readonly explain?: boolean;
  readonly previous?: string;
}

/** A longer one is of no use. */
const MAX_KEPT_BYTES = 32_000_000;

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
  context-budget compact relay.json --explain --previous compacted.json > next.json
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
  if (own.previous !== undefined && !own.explain) {
    throw new CliError('usage', '--previous needs --explain, which prints the triggers.');
  }
  if (own.previous === '-') throw new CliError('usage', '--previous needs a file name.');
  if ([file, ledger, check].filter((given) => given === '-').length > 1) {
    throw new CliError('usage', 'Only one of the log, --ledger and --check can read stdin (-).');
  }
  if (wantsFacts(own)) {
    if (check === undefined) return;
    throw new CliError('usage', '--check uses only the ledger: remove --transcript and --observations.');
  }
  if (file === undefined && ledger === '-' && check === undefined) {
    throw new CliError('usage', '--ledger -: give the log as a file, because stdin is used by the ledger.');
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

/** What a compaction before this one left: the named file, else what the hook kept in the folder. */
async function readPrevious(
  context: CliContext,
  files: FileSource,
  named: string | undefined,
): Promise<JsonRecord | undefined> {
  if (named !== undefined) return (await readJson(context, named, `--previous ${named}`)).value;
  const read = await files.read(RELAY_KEPT_PATH, MAX_KEPT_BYTES);
  if (read.kind === 'missing') return undefined;
  const decoded = read.kind === 'ok' ? decodeText(read.bytes) : undefined;
  const value = decoded?.kind === 'text' && isRecord(parseJson(decoded.text)) ? parseExact(decoded.text) : undefined;
  if (isRecord(value)) return value;
  context.logger.warn(`${RELAY_KEPT_PATH} could not be read: triggers that compare with it are skipped.`);
  return undefined;
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
  if (missing.length > 0) context.logger.warn(`missing in the log and the ledger: ${missing.join(', ')}`);
  if (own.explain && log) {
    const folder = await openWorkFolder(context);
    const { config, exitCode } = await readFolderConfig(context, folder.files);
    const previous = await readPrevious(context, folder.files, own.previous);
    const state = previous ? rememberedState(previous) : INITIAL_TRIGGER_STATE;
    const look = { log, ledger, maxTokens: config.relay.maxTokens, state };
    context.io.stderr.write(await maskedData(context, own, explainCompaction(compaction, look), RELAY_SECTION));
    return exitCode;
  }
  if (dropped.length > 0 && !context.options.quiet) {
    const rows = counts.map(({ field, rule, count }) => `${field} ${rule} ${formatCount(count)}`);
    const shown = rows.slice(0, 8).join(', ') + (rows.length > 8 ? ', …' : '');
    context.io.stderr.write(`dropped ${plural(dropped.length, 'item')}: ${shown} (--explain lists them)\n`);
  }
  return EXIT.done;
}

async function check(
  context: CliContext,
  own: MaskOptions,
  message: string,
  log: unknown,
  ledger: unknown,
): Promise<ExitCode> {
  const text = message === '-' ? await readGivenText(context.io, '-', '--check -') : message;
  if (text.trim() === '') throw new CliError('usage', '--check: the message is empty.');
  // A log without a ledger may have maps of steps or roles of its own.
  const inner = isRecord(log) ? (ownValue(log, 'ledger') ?? log) : undefined;
  const findings = await maskedData(context, own, checkMessage(text, ledger ?? inner), RELAY_SECTION);
  const said = findings
    .map(({ rule, text: claim, ledger: fact }) => `${rule}: ${claim.replace(/\s*\n\s*/g, ' ')}\n  ledger: ${fact}\n`)
    .join('');
  printResult(context, { version: CHECK_VERSION, ok: said === '', findings }, said || 'nothing found\n');
  return findings.length > 0 ? EXIT.overBudget : EXIT.done;
}

/** The log, if there is one, with what was seen. */
function joined(log: GivenLog | undefined, facts: RelayFacts): GivenLog {
  const value = joinFacts(log?.value ?? {}, facts);
  return { value, text: JSON.stringify(value) };
}

async function compact(context: CliContext, file: string | undefined, own: CompactOptions): Promise<ExitCode> {
  requireOneInput(context, file, own);
  const read = await readLog(context, file, own);
  const given = own.ledger === undefined ? undefined : await readJson(context, own.ledger, `--ledger ${own.ledger}`);
  const ledger = given?.value;
  if (own.check !== undefined) return check(context, own, own.check, read?.value, ledger);
  const facts = wantsFacts(own) ? await readFacts(context, own) : undefined;
  const log = facts ? joined(read, facts) : read;
  const whole = compactRelay(log?.value, {
    ledger: facts ? ledgerWithFacts(read?.value, ledger, facts) : ledger,
  });
  const compaction = own.text ? whole : await maskedCompaction(context, own, whole);
  const exitCode = await tell(context, compaction, log, own, ledger);
  const { output } = compaction;
  const printed = own.text
    ? await maskedData(context, own, `${output.summary}\n`, RELAY_SECTION)
    : writeExact(jsonText(output));
  context.io.stdout.write(printed);
  return exitCode;
}

/** `context-budget compact`: the relay context, compacted; or a message checked against the ledger. */
export function addCompactCommand(program: CliCommand): void {
  program
    .command('compact')
    .summary('compact a relay log, or check a relay message')
    .description(
      'Compacts a relay log: keeps its goal, constraints, latest instruction, blockers and route, and drops finished, ' +
        'stale or repeated entries and unstructured error dumps. Compacting twice changes nothing.',
    )
    .argument('[file]', 'relay log as JSON (default, or -: stdin)')
    .option('--ledger <file>', 'JSON with task states, and essentials missing in the log; - for stdin')
    .option(
      '--check <message>',
      'exit with code 3 if this message claims a completion that the ledger does not show; - for stdin',
    )
    .option(
      '--transcript <file>',
      "add the last instruction, open failures and repeated statuses of an agent's transcript",
    )
    .option('--observations', "add the same from the folder's observations")
    .option('--text', 'print a summary of at most ten lines instead of JSON')
    .addOption(unmaskedOption())
    .option(
      '--explain',
      'explain on stderr what was dropped and why, where essentials come from, and which triggers fire',
    )
    .option(
      '--previous <file>',
      'with --explain: the output of an earlier compaction, to detect a new instruction and the end of a recovery ' +
        '(default: .context-budget/relay.compacted.json)',
    )
    .addHelpText('after', EXAMPLE)
    .does((context, file: string | undefined, own: CompactOptions) => compact(context, file, own));
}
