/** A whole number with `,` between groups of three digits, the same in every locale: reports are deterministic. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `6120` → `6.1k`, `7500` → `7.5k`, `30000` → `30k`, `640` → `640`. */
export function formatThousands(count: number): string {
  if (count < 1000) return String(count);
  const thousands = count / 1000;
  return `${thousands < 100 ? String(Math.round(thousands * 10) / 10) : formatCount(Math.round(thousands))}k`;
}

/** An estimated total to two significant digits, at the finest to tens, so that it never looks exact: `6120` → 6100, `7` → 10. */
export function roundEstimate(total: number): number {
  const unit = Math.max(10, 10 ** (Math.floor(Math.log10(Math.max(1, total))) - 1));
  return Math.round(Math.max(0, total) / unit) * unit;
}

/** `1 entry`, `41 entries`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The first `most` names of a list, then how many are left: `a, b, 3 more`. */
export function listNames(names: readonly string[], most: number): string {
  const rest = names.length - most;
  return [...names.slice(0, most), ...(rest > 0 ? [`${formatCount(rest)} more`] : [])].join(', ');
}

/**
 * Reads a number as people write it: `7500`, `7,500`, `7_500`, `12.5`; NaN for anything else. A comma or underscore that
 * doesn't group thousands is refused, since `10,5` is ten and a half in half the world, and so is a point that would group
 * them: `8.000`.
 */
export function parseNumber(text: string): number {
  const isNumber = /^(?:\d+|\d{1,3}(?:[,_]\d{3})+)(?:\.\d+)?$/.test(text) && !/^[1-9]\d{0,2}\.\d{3}$/.test(text);
  return isNumber ? Number(text.replaceAll(/[,_]/g, '')) : Number.NaN;
}
