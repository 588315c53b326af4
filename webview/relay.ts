/** What the Relay part says of a folder's relay context. Pure. */
import type { EssentialKey } from '../src/core/relay/relayContext';
import type { EssentialView } from '../src/core/relay/relayView';
import type { RelayStatus } from '../src/core/relay/relayWatch';
import { isForwardOnly } from '../src/protocol/panel';
import type { PanelCommand } from '../src/protocol/panelAction';
import { formatEstimatedTotal, formatMoment } from './format';
import { listed } from './language';
import { ESSENTIAL_WORDS, WORDS } from './words';

/** A log that could be read. */
export type RelayRead = Extract<RelayStatus, { readonly kind: 'read' }>;

/** One essential as its row shows it. */
export interface EssentialRow {
  readonly key: EssentialKey;
  readonly title: string;
  readonly isMissing: boolean;
  /** In one line. */
  readonly line: string;
  /** Whole, and where it is from. */
  readonly tooltip: string;
  /** What opening shows; empty where the line says it all. */
  readonly texts: readonly string[];
  /** Characters that opening does not show. */
  readonly charsLeftOut: number;
}

/** A button of the part. */
interface RelayButton {
  readonly command: PanelCommand;
  readonly icon: 'copy' | 'fold' | 'go-to-file';
  readonly label: string;
  readonly title: string;
}

/** A recovery in words. */
interface RecoveryWords {
  readonly state: string;
  readonly since: string;
  readonly advice: string;
}

/** Beyond this a line is cut by every width. */
const MAX_LINE_CHARS = 400;

const isAbsent = ({ source }: EssentialView): boolean => source === 'missing';

function missingKeys({ view }: RelayRead): readonly EssentialKey[] {
  return view.essentials.filter(isAbsent).map(({ key }) => key);
}

/** What a person should look at: a log that cannot be read, missing essentials, a recovery. */
export function relayAlarms(relay: RelayStatus): readonly string[] {
  if (relay.kind === 'failed') return ['failed'];
  return [...missingKeys(relay), ...(relay.recovery ? [relay.recovery.state] : [])];
}

/** The part's header in one line. */
export function relayHeader(relay: RelayStatus): string {
  if (relay.kind === 'failed') return WORDS.relay.unreadable;
  const { essentials } = relay.view;
  const count = WORDS.relay.count(essentials.length - missingKeys(relay).length, essentials.length);
  return relay.recovery ? WORDS.relay.inRecovery(relay.recovery.state, count) : count;
}

/** An essential's row. */
export function essentialRow(essential: EssentialView): EssentialRow {
  const { key, texts, charsLeftOut, source } = essential;
  const isMissing = isAbsent(essential);
  const said = texts.length === 0 ? WORDS.relay.none : texts.join(WORDS.relay.separator);
  const line = isMissing ? WORDS.relay.missingText : said.slice(0, MAX_LINE_CHARS).replace(/\s+/g, ' ');
  const whole = isMissing ? line : said === WORDS.relay.none ? said : texts.join('\n');
  const tooltip = source === 'ledger' ? `${whole}\n(${WORDS.relay.fromLedger})` : whole;
  return { key, title: ESSENTIAL_WORDS[key], isMissing, line, tooltip, texts, charsLeftOut };
}

/** A recovery: its state, since when, and what a relay may do. */
export function recoveryWords({ recovery }: RelayRead): RecoveryWords | undefined {
  if (!recovery) return undefined;
  const { state, since, seenMs } = recovery;
  return {
    state,
    since: since === undefined ? WORDS.relay.seenSince(formatMoment(seenMs)) : WORDS.relay.since(since),
    advice: isForwardOnly(state) ? WORDS.relay.forwardOnly : WORDS.relay.warning,
  };
}

/** The log's size, and whether compaction is due; of that nothing where it is not offered. */
export function dueCaption({ view, due, recovery }: RelayRead): string {
  const size = WORDS.relay.size(formatEstimatedTotal(view.tokens), view.maxTokens);
  if (isForwardOnly(recovery?.state)) return size;
  return due.length === 0 ? WORDS.relay.notDue(size) : WORDS.relay.due(size);
}

/** Entries that compaction drops. */
export function droppedCount({ view }: RelayRead): number {
  return view.dropped.reduce((total, { count }) => total + count, 0);
}

/** What the part offers: in the recovery of another process, copying alone. */
export function relayButtons(relay: RelayStatus): readonly RelayButton[] {
  const words = WORDS.relay;
  const compact: RelayButton = {
    command: 'compactRelay',
    icon: 'fold',
    label: words.compact,
    title: words.compactTitle,
  };
  const open: RelayButton = { command: 'openRelayLog', icon: 'go-to-file', label: words.open, title: relay.path };
  const prompt: RelayButton = {
    command: 'copyObserverPrompt',
    icon: 'copy',
    label: words.copyPrompt,
    title: words.copyPromptTitle,
  };
  if (relay.kind === 'failed') return [open];
  const summary: RelayButton = {
    command: 'copyRelaySummary',
    icon: 'copy',
    label: words.copySummary,
    title: words.copySummaryTitle,
  };
  if (isForwardOnly(relay.recovery?.state)) return [summary, prompt];
  return [compact, summary, prompt, open];
}

/** What a screen reader is told when the relay context changes. */
export function relaySentence(before: RelayStatus | undefined, after: RelayStatus | undefined): string | undefined {
  if (before === after || before?.kind !== 'read' || after?.kind !== 'read') return undefined;
  const [was, is] = [before.recovery?.state, after.recovery?.state];
  if (is !== undefined && is !== was) return WORDS.live.relayState(is);
  const [old, now] = [missingKeys(before), missingKeys(after)];
  const added = now.filter((key) => !old.includes(key)).map((key) => ESSENTIAL_WORDS[key]);
  if (added.length > 0) return WORDS.live.relayMissing(listed(added));
  if (is === undefined && was !== undefined) return WORDS.live.relayOver(was);
  return old.length > 0 && now.length === 0 ? WORDS.live.relayComplete : undefined;
}
