/** Exit codes of the command line (DESIGN §5.5). */
export const EXIT = {
  done: 0,
  failed: 1,
  /** Wrong usage, or a config that could not be used; with a broken config the result is printed with defaults. */
  usage: 2,
  /** `P0` and `P1` alone exceed a cap, the payload has more tokens than `--fail-over` allows, or a check failed. */
  overBudget: 3,
  /** 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** One of the codes a command may end with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
