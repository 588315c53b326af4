/** `npm run test:long`: everything in full. `npm test` runs a sample of what takes long, the same one every time. */
export const isLong = process.env.TEST_LONG === '1';

/** How often a property is tried: a sample by itself, in full in the long run. */
export function runs(sample: number, full: number): { readonly numRuns: number } {
  return { numRuns: isLong ? full : sample };
}

/** Some of a list, spread over it, the first among them; all of it in the long run. */
export function some<T>(list: readonly T[], count: number): readonly T[] {
  if (isLong || list.length <= count) return list;
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!);
}
