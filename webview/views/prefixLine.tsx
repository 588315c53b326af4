import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import { prefixSentence, sectionNames } from '../relevance';
import { WORDS } from '../words';

/** The line's words; none until the log is read. */
function sentenceOf(snapshot: PanelSnapshot): string {
  const { usage } = snapshot;
  if (!usage) return '';
  return usage.prefix ? prefixSentence(usage.prefix, sectionNames(snapshot)) : WORDS.prefix.none;
}

/**
 * How much of the payload a provider's prompt cache still holds. Absent where nothing was recorded; where something was,
 * it keeps its place, so that nothing below moves with profile and payload.
 */
export function PrefixLine(props: {
  readonly snapshot: PanelSnapshot;
  readonly hasHistory: boolean;
}): JSX.Element | null {
  if (!props.hasHistory) return null;
  const sentence = sentenceOf(props.snapshot);
  return (
    <p class="cb-prefix" title={sentence === '' ? undefined : `${sentence}. ${WORDS.prefix.title}.`}>
      {sentence}
    </p>
  );
}
