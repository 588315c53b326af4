import type { LogRepair } from '../records/recordLog';
import { plural } from '../text/numbers';

/** What was repaired of a log at `path` (workspace-relative) and where the rest of the line is, as a sentence. */
export function repairText(path: string, { kind, sizeBytes, keptIn }: LogRepair): string {
  if (kind === 'completed') return `${path}: the last line lacked its end, which was added.`;
  return `${path}: a writer was killed; ${plural(sizeBytes, 'byte')} of its line are set aside in ${keptIn}.`;
}
