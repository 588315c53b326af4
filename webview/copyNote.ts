import type { MaskedKeys, PanelPayload } from '../src/protocol/panel';
import { formatUsedTokens } from './model';
import { repeatedFileNames, rowName } from './names';
import { WORDS } from './words';

/** What a copy of the payload has: its tokens, what the last copy of it masked, and what is left out. Pure. */
export function copyNote(payload: PanelPayload, masked: MaskedKeys | undefined): string {
  const omitted = payload.sections.filter((section) => section.disclosure === 'omitted' && !section.isPending).length;
  const parts = [WORDS.form.noteTokens(formatUsedTokens(payload))];
  // Before what the rows say as well: a narrow panel cuts the end.
  if (masked) parts.push(WORDS.form.noteMasked(masked.keys, namesOf(payload, masked)));
  if (omitted > 0) parts.push(WORDS.form.noteOmitted(omitted));
  return parts.join(' · ');
}

/** As the rows name them; none where some keys stand outside of sections, since the names would not account for all. */
function namesOf({ sections }: PanelPayload, { sectionIds }: MaskedKeys): readonly string[] {
  const repeated = repeatedFileNames(sections);
  const found = sectionIds.flatMap((id) => sections.find((section) => section.id === id) ?? []);
  return found.length === sectionIds.length ? found.map((section) => rowName(section, repeated).main) : [];
}
