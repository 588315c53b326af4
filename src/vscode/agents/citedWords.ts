import type { Citation } from '../../core/usage/usageRecord';

/** More names do not fit a status bar. */
const MAX_NAMES = 3;

/** The cited sections' ids, the first three, then how many more: `soul`, `memory`, `git`, `+2`. Pure. */
export function citedNames(cited: readonly Pick<Citation, 'id'>[]): readonly string[] {
  const names = cited.slice(0, MAX_NAMES).map(({ id }) => id);
  const more = cited.length - names.length;
  return more > 0 ? [...names, `+${more}`] : names;
}
