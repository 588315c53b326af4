/** Parts of a window that add up to what the provider counted, exactly. */
import { type RequestUsage, WINDOW_PARTS, type WindowPart } from '../../transcripts/sessions/sessionLog';
import type { PartCounts, TimelineRequest } from './sessionData';

/** Tokens of each part of a window, none of them negative; `residual` is the agent's own prompt and tools, and the rest. */
export type WindowParts = Readonly<Record<Exclude<WindowPart, 'mcp'>, number>> & {
  readonly mcp: Readonly<Record<string, number>>;
  readonly residual: number;
};

/** A window that became smaller by less lost a reminder. */
export const MIN_SHRUNK_TOKENS = 1_000;

/** Tokens that the model read. */
export function windowOf({ input, cacheRead, cacheWrite }: RequestUsage): number {
  return input + cacheRead + cacheWrite;
}

/** Whole numbers in proportion to `amounts` that add up to `total`: the largest remainders get what is left. */
function share(amounts: readonly number[], total: number): readonly number[] {
  const sum = amounts.reduce((all, each) => all + each, 0);
  const exact = amounts.map((each) => (each * total) / sum);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((all, each) => all + each, 0);
  const order = exact
    .map((each, at) => [each - Math.floor(each), at] as const)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  for (const [, at] of order.slice(0, left)) whole[at] = (whole[at] ?? 0) + 1;
  return whole;
}

type ModelCounts = PartCounts & Pick<TimelineRequest, 'factor'>;

function ownCounts({ counted, known, factor }: ModelCounts): ReadonlyMap<string, number> {
  const names = [...new Set([...Object.keys(counted), ...Object.keys(known)])].sort();
  return new Map(
    names.map((name) => [name, Math.max(0, Math.round((counted[name] ?? 0) * factor) + (known[name] ?? 0))]),
  );
}

/** Tokens of all that we count in a window. */
export function ownTokens(counts: ModelCounts): number {
  return [...ownCounts(counts).values()].reduce((all, each) => all + each, 0);
}

/**
 * The parts of a request's window. Where our counts exceed it they are scaled down to it and the residual is 0; without
 * the provider's figures the counts are ours alone.
 */
export function partsOf(counts: ModelCounts, usage: RequestUsage | undefined): WindowParts {
  const found = ownCounts(counts);
  const names = [...found.keys()];
  const own = [...found.values()];
  const sum = own.reduce((all, each) => all + each, 0);
  const window = usage ? windowOf(usage) : sum;
  const amounts = sum > window ? share(own, window) : own;
  const tokens = new Map(names.map((name, at) => [name, amounts[at] ?? 0]));
  const mcp = names.filter((name) => name.startsWith('mcp:')).map((name) => [name.slice(4), tokens.get(name)]);
  const plain = WINDOW_PARTS.filter((part) => part !== 'mcp').map((part) => [part, tokens.get(part) ?? 0]);
  return { ...Object.fromEntries(plain), mcp: Object.fromEntries(mcp), residual: Math.max(0, window - sum) };
}
