/**
 * Runs `work` over `items` in order, at most `limit` at once, and stops taking new items once cancelled or failed.
 * Rejects with the first failure after the running ones have settled.
 */
export async function forEachLimited<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly cause: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (next < items.length && !signal.aborted && !failure) {
      const item = items[next++] as T;
      try {
        await work(item);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failure) throw failure.cause;
}
