/** Numbers as the panel writes them: separators, `≈` before every estimate. */

import { formatThousands, roundEstimate } from '../src/protocol/interfaceLanguage';
import { formatCount, locale } from './language';

export { formatCount } from './language';

/** English keeps the order that sorts; other languages have their own. */
function momentFormat(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale(), {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** An estimate in a row or a subtotal, to the nearest ten so that it never looks exact: `≈790`. */
export function formatEstimate(value: number): string {
  return `≈${formatCount(Math.round(value / 10) * 10)}`;
}

/** An estimated total with two significant digits: `≈6,100`, `≈21,000`. */
export function formatEstimatedTotal(value: number): string {
  return `≈${formatCount(roundEstimate(value))}`;
}

/** A share (1 = the whole) in percent; below the whole it never says 100, above it never rounds up, and of something never 0. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<1%';
  const percent = share < 1 ? Math.min(99, Math.round(share * 100)) : Math.floor(share * 100);
  return `${formatCount(percent)}%`;
}

/** A change in percent with its sign: `−37%`; `±0%` where it is less than half of one. */
export function formatChange(before: number, after: number): string {
  const percent = before > 0 ? Math.round(((after - before) / before) * 100) : 0;
  const sign = percent < 0 ? '−' : percent > 0 ? '+' : '±';
  return `${sign}${formatCount(Math.abs(percent))}%`;
}

/** `272k`, `1M`. */
export function formatTokens(tokens: number): string {
  return tokens < 1_000_000 ? formatThousands(tokens) : `${Math.round(tokens / 100_000) / 10}M`;
}

/** A round number that is not below `largest`: 1, 2 or 5 times a power of ten. */
export function roundUp(largest: number): number {
  if (largest <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(largest));
  return unit * ([1, 2, 5].find((times) => times * unit >= largest) ?? 10);
}

/** A length in percent of its container, for a style. */
export function cssPercent(share: number): string {
  return `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
}

/** A moment in local time, to the minute: `2026-02-03 14:05`, elsewhere as the language has it. `ms` since the Unix epoch. */
export function formatMoment(ms: number): string {
  if (locale() !== 'en') return momentFormat().format(ms);
  const moment = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}
