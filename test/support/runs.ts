import { IS_LONG } from './extent.mjs';

/** How often a property is tried: a sample in `npm test`, in full in `npm run test:long`. */
export function runs(sample: number, full: number): { readonly numRuns: number } {
  return { numRuns: IS_LONG ? full : sample };
}

/** Some of a list, spread over it, the first among them; all of it in the long run. */
export function some<T>(list: readonly T[], count: number): readonly T[] {
  if (IS_LONG || list.length <= count) return list;
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!);
}
