export const PRIORITIES = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;

/** `P0` is never cut; `P4` goes first. */
export type Priority = (typeof PRIORITIES)[number];
