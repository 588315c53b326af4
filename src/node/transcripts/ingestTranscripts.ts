import type { ContextReport } from '../../core/report/contextReport';
import { type TranscriptCycleOptions, transcriptCycles } from '../../core/usage/transcriptCycles';
import type { UsageDraft } from '../../core/usage/usageRecord';
import type { TurnSource } from './transcriptScan';

/** What came of a look at transcripts. */
export interface TranscriptIngest {
  readonly turns: number;
  /** Oldest first. */
  readonly drafts: readonly UsageDraft[];
}

/** Cycles of all turns that are new, oldest first. Of a turn nothing but its draft is held. */
export async function ingestTranscripts(
  source: TurnSource,
  report: ContextReport,
  cite: TranscriptCycleOptions['cite'],
): Promise<TranscriptIngest> {
  const drafts: UsageDraft[] = [];
  let turns = 0;
  for await (const { turn, fileTime } of source.turns()) {
    turns++;
    drafts.push(...transcriptCycles([turn], { report, cite, fallbackTime: fileTime }));
  }
  drafts.sort((left, right) => (left.ts < right.ts ? -1 : left.ts > right.ts ? 1 : 0));
  return { turns, drafts };
}
