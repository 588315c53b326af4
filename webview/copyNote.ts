import type { MaskedKeys, PanelPayload } from '../src/protocol/panel';
import { formatUsedTokens } from './model';
import { WORDS } from './words';

/** What a copy of the payload has: its tokens, what is left out, and what the last copy of it masked. Pure. */
export function copyNote(payload: PanelPayload, masked: MaskedKeys | undefined): string {
  const omitted = payload.sections.filter((section) => section.disclosure === 'omitted' && !section.isPending).length;
  const parts = [WORDS.form.noteTokens(formatUsedTokens(payload))];
  if (omitted > 0) parts.push(WORDS.form.noteOmitted(omitted));
  if (masked) {
    const titles = masked.sectionIds.map((id) => payload.sections.find((section) => section.id === id)?.title);
    const names = titles.filter((title) => title !== undefined);
    // Some stand outside of sections: the names would not account for all keys.
    parts.push(WORDS.form.noteMasked(masked.keys, names.length === titles.length ? names : []));
  }
  return parts.join(' · ');
}
