import type { ProcessOutcome } from './ports';

/** The outcome of a process that never ran: `cancelled` before its start, or `notStarted` for the platform's reason. */
export function neverRan(
  kind: 'cancelled' | 'notStarted',
  errorCode?: string | undefined,
  durationMs = 0,
): ProcessOutcome {
  return { kind, exitCode: undefined, signal: undefined, stdout: '', stderr: '', errorCode, durationMs };
}
