// The kinds of kills of `killRounds.mjs`.

/**
 * What a round does before, what it runs, and when that is killed. `turn` counts the rounds of this kind; `ms` is the
 * time of such a run, more or less.
 */
export const KINDS = {
  /** At any moment of a structural map. */
  indexing: { runs: 'map', at: ({ turn, ms }) => ({ killAfterMs: ms * ((0.3 + turn * 0.37) % 1) }) },
  /** When nothing, a half or all of a pack is in its temporary file. */
  writing: {
    runs: 'map',
    at: ({ turn }) => ({ killAt: { moment: 'writing', nth: 1, share: [0.5, 1, 0][turn % 3] } }),
  },
  /** When a pack has just got its name. */
  written: { runs: 'map', at: () => ({ killAt: { moment: 'written', nth: 1 } }) },
  /** When doubles go, or have gone in part. */
  removing: {
    before: 'double',
    runs: 'map',
    at: ({ turn }) => ({ killAt: { moment: 'removing', nth: 1 + (turn % 2) } }),
  },
  /** At any moment of a map for a task, which parses what it needs. Every other one without a cache. */
  query: {
    before: 'forgetAtTimes',
    runs: 'query',
    at: ({ turn, ms }) => ({ killAfterMs: ms * ((0.3 + turn * 0.37) % 1) }),
  },
  /** When a session for a task, which has answered, writes what it parses in idle time. */
  rest: {
    before: 'forget',
    runs: 'leftOpen',
    at: ({ turn }) => ({
      killAt: { moment: ['written', 'writing'][turn % 2], nth: 1, share: 0.5, afterAnswer: true },
    }),
  },
};
