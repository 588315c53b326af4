import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import { prefixSentence, sectionNames } from '../relevance';
import { WORDS } from '../words';

/** How much of the payload a provider's prompt cache still holds; nothing where no payload of the kind was recorded. */
export function PrefixLine({ snapshot }: { readonly snapshot: PanelSnapshot }): JSX.Element | null {
  const prefix = snapshot.usage?.prefix;
  if (!prefix) return null;
  const sentence = prefixSentence(prefix, sectionNames(snapshot));
  return (
    <p class="cb-prefix" title={`${sentence}. ${WORDS.prefix.title}.`}>
      {sentence}
    </p>
  );
}
