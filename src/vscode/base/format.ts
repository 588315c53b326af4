/** Numbers as the panel and the status bar write them (PANEL §8). Pure. */

const NO_BREAK_SPACE = '\u00a0';
const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** `6120` → `6,120`. */
export function formatCount(count: number): string {
  return integer.format(count);
}

/** `6120` → `6.1k`, `7500` → `7.5k`, `30000` → `30k`, `640` → `640`. */
export function formatThousands(count: number): string {
  if (count < 1000) return String(count);
  const thousands = count / 1000;
  return `${thousands < 100 ? String(Math.round(thousands * 10) / 10) : formatCount(Math.round(thousands))}k`;
}

/** Share of a cap, such as `82 %` with a no-break space; never `100 %` below the cap, never rounded up above it. */
export function formatShare(used: number, cap: number): string {
  const share = used / cap;
  return `${share < 1 ? Math.min(Math.round(share * 100), 99) : Math.floor(share * 100)}${NO_BREAK_SPACE}%`;
}

/** An estimate carries `≈` and is rounded to hundreds, so that it never looks exact. */
export function formatEstimate(count: number, isExact: boolean): string {
  return isExact ? formatCount(count) : `≈${formatCount(Math.round(count / 100) * 100)}`;
}
