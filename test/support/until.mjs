// Waiting in tests: one way and one limit, in Node, in an extension host, in a browser and in plain scripts alike.

/** What the loop below takes on the machine that the limit was written on, in ms, when nothing else runs. */
const USUAL_MS = 25;
const ROUNDS = 12_000_000;
/** How much slower a machine may be than the usual one before a wait is given up all the same. */
const SLOWEST = 8;
/** How long is waited on the usual machine. Only a test that fails waits so long. */
const LIMIT_MS = 20_000;
/** A check may ask a whole page: the longer it takes, the less often it is tried. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

let slowest = 1;

/** Runs a loop of a fixed length and keeps how much longer it took than on the usual machine. */
function measure() {
  const start = performance.now();
  let sum = 0;
  for (let round = 0; round < ROUNDS; round++) sum = (sum + round * 31) | 0;
  // The sum is used, so that no engine leaves the loop out.
  const ms = performance.now() - start + (sum === 1 ? 1 : 0);
  slowest = Math.min(SLOWEST, Math.max(slowest, ms / USUAL_MS));
}

measure();

/** `CONTEXT_BUDGET_PATIENCE` multiplies every limit. */
function patientMs(ms) {
  const patience = Number(globalThis.process?.env?.CONTEXT_BUDGET_PATIENCE ?? 1);
  return ms * (patience > 0 ? patience : 1);
}

/** How long `until` waits on this machine, in ms. */
export function limitMs() {
  return patientMs(LIMIT_MS * slowest);
}

/** For limits that are set once, before anybody knows what load will come: the most that `until` ever waits, in ms. */
export function longestMs() {
  return patientMs(LIMIT_MS * SLOWEST);
}

/** How long one of several tries within an `until` may take, in ms. */
export function tryMs() {
  return limitMs() * 0.15;
}

/**
 * Waits until `check` gives something other than `undefined`, `null` and `false`, and tells what it gave and how long
 * that took. The limit follows the speed of the machine, which is measured at the start and, since load may come later,
 * once more before a wait is given up.
 * @param seen what was there instead, for the error
 * @param restMs for how long the product may rest by design, beside
 */
export async function until(what, check, seen = () => '', restMs = 0) {
  const start = performance.now();
  let wasMeasured = false;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const value = await check();
    const ms = performance.now() - start;
    if (value !== undefined && value !== null && value !== false) return { value, ms };
    if (ms > limitMs() + restMs) {
      if (wasMeasured)
        throw new Error([`waited ${Math.round(ms)} ms in vain: ${what}`, seen()].filter(Boolean).join('\n  '));
      wasMeasured = true;
      measure();
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
  }
}
