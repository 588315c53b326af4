import { decodeText } from '../text/decode';
import { isRecord } from '../text/jsonRecord';
import { formatCount } from '../text/numbers';
import { inEnglish, type Phrase, phrase } from '../text/phrase';
import { compactRelay } from './compactRelay';
import { parseRelay } from './factsInput';
import { saidItems } from './jsonValue';
import { ESSENTIAL_TITLES, ESSENTIALS, type RelayContext, RelayError } from './relayContext';
import { nextActor } from './relaySummary';
import { type RelayLook, type RelayView, relayView } from './relayView';

/** A file of the relay context, as it lies in the folder. */
export interface RelayFile {
  /** Workspace-relative. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The relay log and the ledger; at least one of them. */
export interface RelayFiles {
  readonly log: RelayFile | undefined;
  readonly ledger: RelayFile | undefined;
  /** Why a ledger that is there could not be read. */
  readonly ledgerProblem?: Phrase;
  /** What was seen of the log before; a first look without it. */
  readonly look?: RelayLook;
}

/** The relay context as a section of the payload. */
export type RelaySection =
  | { readonly kind: 'text'; readonly text: string; readonly note: Phrase; readonly view: RelayView }
  | { readonly kind: 'failed'; readonly path: string; readonly message: Phrase };

/** Later lines are indented, whatever ends them, so that they do not read as lines of their own. */
function whole(text: string): string {
  return text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\n  ');
}

function linesOf(context: RelayContext): readonly string[] {
  return ESSENTIALS.flatMap((key) => {
    const title = ESSENTIAL_TITLES[key];
    const value = context[key];
    if (value === undefined) return [`${title}: missing`];
    if (!Array.isArray(value)) return saidItems(value).map((said) => `${title}: ${whole(said)}`);
    if (value.length === 0) return [`${title}: none`];
    return [`${title}:`, ...saidItems(value).map((item) => `- ${whole(item)}`)];
  });
}

function parseFile(file: RelayFile): { readonly value: unknown; readonly text: string } {
  const decoded = decodeText(file.bytes);
  if (decoded.kind !== 'text') throw new RelayError('notJson', phrase('it is not text.'));
  return { value: parseRelay(decoded.text, phrase('it')), text: decoded.text };
}

/** The ledger's value, or what is wrong with it: the log is worth more than a broken ledger. */
function ledgerOf(file: RelayFile | undefined): { readonly value: unknown; readonly problem: Phrase | undefined } {
  try {
    const value = file && parseFile(file).value;
    if (file && !isRecord(value)) throw new RelayError('notAnObject', phrase('it is not an object'));
    return { value, problem: undefined };
  } catch (error) {
    if (!RelayError.is(error) || !file) throw error;
    return { value: undefined, problem: phrase('{0} could not be used: {1}', file.path, error.words) };
  }
}

/**
 * Compacts the folder's relay log and makes the section of it: the five essentials whole, who acts next, the state of a
 * recovery. A missing essential or a broken ledger makes it `WARN`; a log that cannot be used fails.
 */
export function buildRelaySection({ log, ledger, ledgerProblem, look }: RelayFiles): RelaySection {
  const { value: facts, problem = ledgerProblem } = ledgerOf(ledger);
  try {
    const { value, text } = log ? parseFile(log) : { value: {}, text: undefined };
    const compaction = compactRelay(value, { ledger: facts });
    const { output } = compaction;
    const { relay_context: context, self_check: check } = output;
    const route = context.controller_route_summary;
    const actor = route === undefined ? undefined : nextActor(route);
    const view = relayView({ compaction, log: value, text, ledger: facts, problem, look });
    const { recovery } = view;
    const lines = [
      ...linesOf(context),
      ...(view.alarms.length > 0 ? ['Alarms:'] : []),
      ...view.alarms.map((alarm) => `- ${alarm}`),
      ...(view.alarmsLeft > 0 ? [`- and ${formatCount(view.alarmsLeft)} more`] : []),
      ...(actor === undefined ? [] : [`Next: ${actor}`]),
      ...(recovery === undefined ? [] : [`State: ${recovery.state}; observe and forward, take nothing over`]),
    ];
    const lacking = check.complete ? undefined : `Missing: ${check.missing.join(', ')}`;
    const warning = [lacking, problem && inEnglish(problem)].filter((part) => part !== undefined).join('; ');
    const head = warning === '' ? [] : [`SUMMARY:WARN:${warning}`, '---'];
    const note = phrase(
      '{0} of {1}',
      ESSENTIALS.length - check.missing.length,
      phrase('{0} essentials', ESSENTIALS.length),
    );
    return { kind: 'text', text: `${[...head, ...lines].join('\n')}\n`, note, view };
  } catch (error) {
    if (!RelayError.is(error) || !log) throw error;
    return { kind: 'failed', path: log.path, message: error.words };
  }
}
