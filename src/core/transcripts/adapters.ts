import { aider } from './aider';
import { claudeCode } from './claudeCode';
import { codex } from './codex';
import { copilotChat } from './copilotChat';
import type { AgentName, AgentTurn, TranscriptAdapter, TranscriptContext, TranscriptEnd } from './transcriptAdapter';

/** Every adapter, by its agent. */
export const ADAPTERS: Readonly<Record<AgentName, TranscriptAdapter>> = {
  'claude-code': claudeCode,
  codex,
  'copilot-chat': copilotChat,
  aider,
};

/** The adapter of a file by its path and head; undefined for a format that we do not know. */
export function adapterOf(path: string, head: string): TranscriptAdapter | undefined {
  return Object.values(ADAPTERS).find((adapter) => adapter.isTranscript(path, head));
}

/** A whole transcript that is in memory: finished turns, and the open one as `end.open`. Never throws. */
export function readTurns(
  adapter: TranscriptAdapter,
  bytes: Uint8Array,
  context: TranscriptContext,
): { readonly turns: readonly AgentTurn[]; readonly end: TranscriptEnd } {
  const reader = adapter.open(context);
  const first = reader.push(bytes);
  const { turns, end } = reader.end();
  return { turns: [...first, ...turns], end };
}
