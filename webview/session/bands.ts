/** The bands of the chart, bottom up, and what each holds. Pure. */
import type { SessionStep } from '../../src/core/window/sessions/sessionPage';

type Parts = SessionStep['parts'];

/** A part that is one number. */
export type PlainPart = Exclude<keyof Parts, 'mcp'>;

export const BANDS = ['before', 'files', 'commands', 'mcp', 'talk', 'other'] as const;

export type Band = (typeof BANDS)[number];

const PARTS_OF: Readonly<Record<Exclude<Band, 'mcp'>, readonly PlainPart[]>> = {
  before: ['residual', 'instructions'],
  files: ['read', 'edit'],
  commands: ['command', 'search'],
  talk: ['user', 'assistant', 'thinking'],
  other: ['summary', 'subagent', 'web'],
};

/** One row of the key. */
export interface KeyRow {
  readonly band: Band;
  readonly part: PlainPart | { readonly server: string };
  readonly tokens: number;
}

/** What a window holds, bottom up; what it does not hold is left out. */
export function keyRows(parts: Parts): readonly KeyRow[] {
  return BANDS.flatMap((band) => rowsOf(parts, band)).filter(({ tokens }) => tokens > 0);
}

export function bandTokens(parts: Parts, band: Band): number {
  return rowsOf(parts, band).reduce((sum, { tokens }) => sum + tokens, 0);
}

function rowsOf(parts: Parts, band: Band): readonly KeyRow[] {
  if (band === 'mcp') return Object.entries(parts.mcp).map(([server, tokens]) => ({ band, part: { server }, tokens }));
  return PARTS_OF[band].map((part) => ({ band, part, tokens: parts[part] }));
}
