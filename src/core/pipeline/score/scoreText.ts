/** Two digits, rounded down, so that a score below the threshold never looks as if it reached it. */
export function formatScore(score: number): string {
  return (Math.floor(Math.round(score * 10_000) / 100) / 100).toFixed(2);
}

/** As the config has it: two digits, or as many as it takes. */
export function formatThreshold(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}
