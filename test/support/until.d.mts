type Nothing = undefined | null | false;

export function limitMs(): number;

export function longestMs(): number;

export function tryMs(): number;

export function until<T>(
  what: string,
  check: () => T | Nothing | Promise<T | Nothing>,
  seen?: () => string,
  restMs?: number,
): Promise<{ readonly value: Exclude<T, Nothing>; readonly ms: number }>;
