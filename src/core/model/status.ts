/** As it gets worse. */
export const STATUSES = ['OK', 'WARN', 'ALERT'] as const;

export type Status = (typeof STATUSES)[number];

/** Alarms before the rest. */
export const WORST_FIRST: readonly Status[] = [...STATUSES].reverse();

/** A budget's status turns WARN from this share of either cap (DESIGN §3.4). */
export const WARN_SHARE = 0.8;
