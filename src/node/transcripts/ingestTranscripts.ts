import type { ContextReport } from '../../core/model/report';
import { taskOfTurn, transcriptCycles } from '../../core/usage/transcriptCycles';
import type { UsageDraft } from '../../core/usage/usageRecord';
import type { Workspace } from '../../core/workspace/workspace';
import type { ScannedTurn, TurnSource } from './transcriptScan';

/** What came of a look at transcripts. */
interface TranscriptIngest {
  readonly turns: number;
  /** Oldest first. */
  readonly drafts: readonly UsageDraft[];
}

/** Turns that are compared at once: few enough that their texts are no burden, enough to keep a worker busy. */
const BATCH_TURNS = 16;
const BATCH_CHARS = 2_000_000;

function charsOf({ turn }: ScannedTurn): number {
  const said = turn.userText.length + turn.replyText.length;
  return turn.toolCalls.reduce((sum, { input, output }) => sum + input.length + output.length, said);
}

/** Cycles of all turns that are new, oldest first. Of a turn nothing but its draft is held; citing is the worker's work. */
export async function ingestTranscripts(
  source: TurnSource,
  report: ContextReport,
  workspace: Pick<Workspace, 'findCitations'>,
): Promise<TranscriptIngest> {
  const drafts: UsageDraft[] = [];
  let turns = 0;
  let batch: ScannedTurn[] = [];
  let chars = 0;
  const flush = async (): Promise<void> => {
    const taken = batch;
    batch = [];
    chars = 0;
    // What came back of a call is no evidence: it need not cross into the worker.
    const asked = taken.map(({ turn }) => ({
      replyText: turn.replyText,
      toolCalls: turn.toolCalls.map((call) => ({ ...call, output: '' })),
      task: taskOfTurn(report.payloads.expanded, turn),
    }));
    const cited = taken.length > 0 ? await workspace.findCitations(asked) : [];
    taken.forEach(({ turn, fileTime }, at) => {
      drafts.push(...transcriptCycles([turn], { report, cite: () => cited[at] ?? [], fallbackTime: fileTime }));
    });
  };
  for await (const scanned of source.turns()) {
    turns++;
    batch.push(scanned);
    chars += charsOf(scanned);
    if (batch.length >= BATCH_TURNS || chars >= BATCH_CHARS) await flush();
  }
  await flush();
  drafts.sort((left, right) => (left.ts < right.ts ? -1 : left.ts > right.ts ? 1 : 0));
  return { turns, drafts };
}
