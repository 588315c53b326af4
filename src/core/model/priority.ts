/** `P0` is never cut; `P4` goes first. */
export type Priority = 'P0' | 'P1' | 'P2' | 'P3' | 'P4';

export const PRIORITIES: readonly Priority[] = ['P0', 'P1', 'P2', 'P3', 'P4'];
