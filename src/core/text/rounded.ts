/** Numbers for programs have at most four decimals: more would be noise, and the same in every command. */
const DECIMALS = 1e4;

export function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}

/** The same where there may be no number. */
export function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}
