import type { MaskedKeys, PanelPayload } from '../src/protocol/panel';
import { listed } from './language';
import { formatUsedTokens } from './model';
import { repeatedFileNames, rowName } from './names';
import { WORDS } from './words';

/** What a copy of the payload has: its tokens, and what the last copy of it masked; or that it would have nothing. Pure. */
export function copyNote(payload: PanelPayload, masked: MaskedKeys | undefined): string {
  if (payload.budget.isExact && payload.sections.every(({ tokens }) => tokens === 0)) return WORDS.form.copyNothing;
  const tokens = WORDS.form.noteTokens(formatUsedTokens(payload));
  return masked ? listed([tokens, WORDS.form.noteMasked(masked.keys, namesOf(payload, masked))]) : tokens;
}

/** As the rows name them; none where some keys stand outside of sections, since the names would not account for all. */
function namesOf({ sections }: PanelPayload, { sectionIds }: MaskedKeys): readonly string[] {
  const repeated = repeatedFileNames(sections);
  const found = sectionIds.flatMap((id) => sections.find((section) => section.id === id) ?? []);
  return found.length === sectionIds.length ? found.map((section) => rowName(section, repeated).main) : [];
}
