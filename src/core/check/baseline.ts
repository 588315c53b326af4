/** Baselines of `check`: what of a report is compared, as a value and as a file. */
import type { ContextReport } from '../model/report';
import { isRecord, parseJson } from '../text/jsonRecord';
import { parseNumber } from '../text/numbers';
import type { ComparableContext, MaxIncrease } from './finding';

const VERSION = 'check_baseline.v1';

/** What is compared of a report that was made without sections that depend on the machine; notes are left out. */
export function comparableOf({ profile, payloads }: ContextReport): ComparableContext {
  const sections = payloads.expanded.sections.map(({ id, tokens }) => ({ id, tokens }));
  return { profile, tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0), sections };
}

/** The text of a baseline file. */
export function renderBaseline({ profile, tokens, sections }: ComparableContext): string {
  return `${JSON.stringify({ version: VERSION, profile, tokens, sections }, null, 2)}\n`;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Reads a baseline file; `undefined` for a text that is none. The total is that of its sections. */
export function parseBaseline(text: string): ComparableContext | undefined {
  const file = parseJson(text);
  if (!isRecord(file) || file.version !== VERSION || typeof file.profile !== 'string') return undefined;
  if (!Array.isArray(file.sections)) return undefined;
  const sections = file.sections.flatMap((section: unknown) =>
    isRecord(section) && typeof section.id === 'string' && isCount(section.tokens)
      ? [{ id: section.id, tokens: section.tokens }]
      : [],
  );
  if (sections.length !== file.sections.length) return undefined;
  return { profile: file.profile, tokens: sections.reduce((sum, { tokens }) => sum + tokens, 0), sections };
}

/** Parses `500`, `1,000` or `10%`; `undefined` for anything else. */
export function parseMaxIncrease(text: string): MaxIncrease | undefined {
  const given = text.trim();
  const isShare = given.endsWith('%');
  const amount = parseNumber(isShare ? given.slice(0, -1) : given);
  if (isShare) return Number.isFinite(amount) ? { amount, unit: 'percent' } : undefined;
  return Number.isSafeInteger(amount) ? { amount, unit: 'tokens' } : undefined;
}
