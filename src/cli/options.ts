import { type Command, InvalidArgumentError, Option } from 'commander';
import { SCORING_MODES } from '../core/model/relevance';
import { PAYLOAD_FORMATS, type TableFormat } from '../core/render/renderPayload';
import { parseNumber } from '../core/text/numbers';
import { CliError, type GlobalOptions } from './context';

/** Formats for code hosts, of `check` alone. */
export const HOST_FORMATS = ['sarif', 'github'] as const;

const TABLE_FORMATS = PAYLOAD_FORMATS.filter((each) => each !== 'xml');

/** Declares the global options on the program; commander accepts them on either side of the command. */
export function declareGlobalOptions(program: Command): void {
  program
    .option('--root <dir>', 'folder to work on (default: the current one)')
    .option('--profile <name>', "budget profile to use (default: the config's default profile)")
    .addOption(
      new Option(
        '--format <format>',
        'output format; xml for payloads only, sarif and github for check only (default: text)',
      ).choices([...PAYLOAD_FORMATS, ...HOST_FORMATS]),
    )
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .option('--trust', "run the folder's own commands (perception plug-ins) this once")
    .addOption(new Option('--quiet', 'hide warnings and progress').conflicts('verbose'))
    .option('--verbose', 'write a detailed log to stderr');
}

/** The global options of a parsed command line. */
export function readGlobalOptions(command: Command): GlobalOptions {
  const given = command.optsWithGlobals<Omit<Partial<GlobalOptions>, 'format'> & GivenFormat>();
  const { root, profile, json, format: named = 'text', trust = false, quiet = false, verbose = false } = given;
  const hostFormat = HOST_FORMATS.find((each) => each === named);
  const format = json ? 'json' : (PAYLOAD_FORMATS.find((each) => each === named) ?? 'text');
  return { root, profile, format, hostFormat, trust, quiet, verbose };
}

interface GivenFormat {
  readonly json?: true;
  readonly format?: string;
}

/** Commands whose result is a payload. */
const PAYLOAD_COMMANDS = new Set(['payload', 'index', 'timeline', 'detail', 'map', 'optimize']);

/** Commands whose result has no form in Markdown; `install` and `remove` are those of `hooks`. */
const PLAIN_COMMANDS = new Set(['observe', 'ingest', 'cite', 'export', 'init', 'trust', 'install', 'remove']);
const PLAIN_FORMATS = TABLE_FORMATS.filter((each) => each !== 'markdown');

/** XML is a form of payloads only: throws a usage error for it, in commander's words. */
export function tableFormat({ format }: Pick<GlobalOptions, 'format'>): TableFormat {
  if (format === 'xml') throw wrongFormat(format, TABLE_FORMATS);
  return format;
}

function wrongFormat(format: string, allowed: readonly string[]): CliError {
  const choices = allowed.join(', ');
  const message = `option '--format <format>' argument '${format}' is invalid. Allowed choices are ${choices}.`;
  return new CliError('usage', message);
}

/** The forms that a command prints. */
function formatsOf(command: string): readonly string[] {
  if (PAYLOAD_COMMANDS.has(command)) return PAYLOAD_FORMATS;
  if (PLAIN_COMMANDS.has(command)) return PLAIN_FORMATS;
  return command === 'check' ? [...TABLE_FORMATS, ...HOST_FORMATS] : TABLE_FORMATS;
}

/** Throws a usage error for a form that the command does not print. */
export function checkFormat(command: Command, { hostFormat, format }: GlobalOptions): void {
  const [named, formats] = [hostFormat ?? format, formatsOf(command.name())];
  if (!formats.includes(named)) throw wrongFormat(named, formats);
}

/** Parses a count or an id: a whole number of at least 1, `7500` or `7,500`. Throws commander's usage error. */
export function parseCount(value: string): number {
  const count = parseNumber(value);
  if (count < 1 || !Number.isSafeInteger(count))
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return count;
}

/** Exit codes of Windows may be negative or have ten digits. */
export function parseExitCode(value: string): number {
  if (/^-?\d{1,10}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Declares `--focus PATH…`. */
export function focusOption(): Option {
  return new Option('--focus <path...>', 'files or folders you are working on; what they use ranks higher');
}

/** Declares `--fail-over N`. */
export function failOverOption(): Option {
  return new Option('--fail-over <tokens>', 'exit with code 3 if the payload has more tokens than this').argParser(
    parseCount,
  );
}

/** A comma between handles: paths in handles may hold others. */
const HANDLE_COMMA = /,(?=\s*(?:[a-z]+:|\d+\s*(?:,|$)|,|$)|[\w@./-]+(?::|#L)\d)/;

/** Handles of a list such as `12,section:soul`. */
export function splitHandles(list: string): readonly string[] {
  const items = list.split(HANDLE_COMMA).map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Handles of all lists; none at all is wrong usage. */
export function parseHandles(lists: readonly string[], option: string): readonly string[] {
  const named = lists.flatMap(splitHandles);
  if (named.length === 0) throw new CliError('usage', `${option} names nothing.`);
  return [...new Set(named)];
}

/** Parses a share: a number from 0 to 1. Throws commander's usage error. */
function parseShare(value: string): number {
  const share = value.trim() === '' ? Number.NaN : Number(value);
  if (share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

/** `--mode`, with its default. */
export function modeOption(): Option {
  return new Option('--mode <mode>', 'how scores decide what is kept (default: dynamic)').choices(SCORING_MODES);
}

/** `--threshold N`. */
export function thresholdOption(): Option {
  return new Option('--threshold <score>', 'sections with a lower score show one line (default: 0.3)').argParser(
    parseShare,
  );
}
