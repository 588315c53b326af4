/** Relay contexts as a host sends them. */
import { phrase } from './phrase.mjs';

/** A relay log of a long session, as a host sees it: one essential missing, noise of several kinds, a trigger. */
const ESSENTIAL_TEXTS = {
  goal: ['Fix the flaky login test without touching the retry policy'],
  constraints: ['packages/auth alone may change', 'No retries in tests', 'The public API stays as it is'],
  latest_instruction: ['Find why two workers share one Redis database, then propose the smallest change'],
  current_blockers: ['CI has no log of the second worker'],
  controller_route_summary: ['planner → implementer → verifier; next: implementer'],
};

export function droppedGroup(field, rule, words, count, texts) {
  return { field, rule, words, count, entries: texts.map((text, index) => ({ index: index * 2, text })) };
}

const DROPPED = [
  droppedGroup('execution_logs', 'done', phrase('status {0} (case and blanks do not matter)', 'done'), 31, [
    'read packages/auth/src/session.ts',
    'ran the auth suite with four workers',
    'listed the fixtures that open a Redis connection of their own',
  ]),
  droppedGroup(
    'status_reports',
    'duplicate_json',
    phrase('a newer entry is the same except for times and counts'),
    12,
    ['waiting for CI'],
  ),
  droppedGroup('api_error_dumps', 'unstructured', phrase('a traceback without an error code'), 1, [
    'Traceback (most recent call last): File "/srv/ci/run.py", line 41, in main',
  ]),
];

/** A folder's relay context with a patch of its view and of the rest; `missing` names essentials that are not there. */
export function relayOf({ missing = [], view = {}, ...rest } = {}) {
  return {
    kind: 'read',
    path: '.context-budget/relay.json',
    view: {
      essentials: Object.entries(ESSENTIAL_TEXTS).map(([key, texts]) =>
        missing.includes(key)
          ? { key, texts: [], charsLeftOut: 0, source: 'missing' }
          : { key, texts, charsLeftOut: 0, source: key === 'controller_route_summary' ? 'ledger' : 'relay_context' },
      ),
      alarms: [],
      alarmsLeft: 0,
      summary: 'Goal: Fix the flaky login test',
      dropped: DROPPED,
      passedThrough: ['session_id', 'controller'],
      tokens: 9431,
      maxTokens: 8000,
      recovery: undefined,
      fired: [],
      triggerState: undefined,
      problem: undefined,
      ...view,
    },
    due: [],
    recovery: undefined,
    ...rest,
  };
}

export const DUE = [
  { kind: 'length', why: phrase('the log has {0}, more than {1}', phrase('{0} tokens', 9431), 8000) },
  { kind: 'repeated_status', why: phrase('the status "{0}" was reported {1} times in a row', 'waiting task-41', 13) },
];

/** A recovery since a moment that the log itself names. */
export const recoveryAt = (state) => ({ state, since: '2026-02-03 14:05', seenMs: 0 });
