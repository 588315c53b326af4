import type { ReportSection } from '../model/report';
import { MIN_CYCLES } from '../model/usage';

/**
 * A section that costs something and was never cited in the window, of which enough cycles loaded it. What is left out
 * anyway, or so new that nothing can be said, is no waste.
 */
export function earnsNothing({ usage, disclosure, isPending }: ReportSection): boolean {
  if (!usage || isPending || disclosure === 'omitted') return false;
  return usage.loaded >= MIN_CYCLES && usage.citations === 0;
}
