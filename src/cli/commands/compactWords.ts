import type { RelayCompaction } from '../../core/relay/compactRelay';
import type { DroppedItem } from '../../core/relay/dropped';
import { dropWords } from '../../core/relay/dropWords';
import { ESSENTIALS } from '../../core/relay/relayContext';
import { checkTriggers, DEFAULT_REPEATS, INITIAL_TRIGGER_STATE } from '../../core/relay/triggers';
import { formatCount, plural } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { estimateTokens } from '../../core/tokens/lines';

/** A relay log as it was given. */
export interface GivenLog {
  readonly value: unknown;
  readonly text: string;
}

function itemLine({ field, index, text }: DroppedItem): string {
  const place = index === undefined ? field : `${field}[${index}]`;
  return `  ${place}${text === '' ? '' : `: ${text}`}\n`;
}

function triggerLines({ value: log, text }: GivenLog, ledger: unknown, maxTokens: number): string {
  const count = () => estimateTokens(text);
  const { fired } = checkTriggers(
    INITIAL_TRIGGER_STATE,
    { log, ledger, count },
    { maxTokens, repeats: DEFAULT_REPEATS },
  );
  if (fired.length === 0) return 'triggers: none fires\n';
  return fired.map(({ kind, why }) => `trigger ${kind}: ${inEnglish(why)}\n`).join('');
}

/** What compaction did, for people: every dropped item under its rule, sources of the essentials, triggers. */
export function explainCompaction(
  { output, findings }: RelayCompaction,
  log: GivenLog,
  ledger: unknown,
  maxTokens: number,
): string {
  const { dropped, counts, passedThrough, sources } = findings;
  const rules = counts.map(({ field, rule, count }) => {
    const items = dropped.filter((item) => item.field === field && item.rule === rule).map(itemLine);
    return `dropped ${formatCount(count)}, ${rule} (${inEnglish(dropWords(field, rule))}):\n${items.join('')}`;
  });
  const essentials = ESSENTIALS.map(
    (key) => `${key}: ${sources[key] === 'missing' ? 'missing' : `from ${sources[key]}`}\n`,
  );
  const passed = passedThrough.length === 0 ? '' : `passed through untouched: ${passedThrough.join(', ')}\n`;
  const total = `${plural(dropped.length, 'item')} dropped; ${output.self_check.complete ? 'complete' : 'incomplete'}\n`;
  return [...rules, ...essentials, passed, triggerLines(log, ledger, maxTokens), total].join('');
}
