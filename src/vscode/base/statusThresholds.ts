import { STATUS_THRESHOLDS, type StatusThresholds } from '../../core/config/profile';

/** Bounds of the two settings in percent of a cap, as package.json has them. */
export const THRESHOLD_BOUNDS = {
  warnAt: { least: 1, most: 100 },
  alertAt: { least: 50, most: 200 },
} as const;

/**
 * The status bar's thresholds from its settings, in percent of a cap. A settings file may hold anything: what is no
 * number counts as the default, what is out of bounds as the nearest bound.
 */
export function statusThresholds(warnAt: unknown, alertAt: unknown): StatusThresholds {
  return {
    warnShare: share(warnAt, THRESHOLD_BOUNDS.warnAt) ?? STATUS_THRESHOLDS.warnShare,
    alertShare: share(alertAt, THRESHOLD_BOUNDS.alertAt) ?? STATUS_THRESHOLDS.alertShare,
  };
}

/** The highest threshold that a share of a cap has reached, as a share itself; undefined below both. */
export function reachedThreshold(
  used: number,
  cap: number,
  { warnShare, alertShare }: StatusThresholds,
): number | undefined {
  const reached = [...(used / cap >= warnShare ? [warnShare] : []), ...(used / cap > alertShare ? [alertShare] : [])];
  return reached.length === 0 ? undefined : Math.max(...reached);
}

function share(percent: unknown, { least, most }: { least: number; most: number }): number | undefined {
  if (typeof percent !== 'number' || Number.isNaN(percent)) return undefined;
  return Math.min(Math.max(percent, least), most) / 100;
}
