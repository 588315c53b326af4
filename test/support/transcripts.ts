import { readFileSync } from 'node:fs';
import { ADAPTERS, readTurns } from '../../src/core/transcripts/adapters';
import type { AgentName, AgentTurn, ResumePoint, TranscriptEnd } from '../../src/core/transcripts/transcriptAdapter';
import { WorkspacePaths } from '../../src/core/transcripts/workspacePaths';

export const APP = new WorkspacePaths({ roots: ['/work/app'], home: '/home/me' });
export const WINDOWS = new WorkspacePaths({ roots: ['C:\\Users\\me\\App'], home: 'C:\\Users\\me' });

export function fixture(path: string): Uint8Array {
  return readFileSync(`test/fixtures/transcripts/${path}`);
}

export interface Read {
  readonly turns: readonly AgentTurn[];
  readonly end: TranscriptEnd;
}

/** Reads bytes or text of an agent's file, in pieces of `pieceBytes`. */
export function read(
  agent: AgentName,
  content: Uint8Array | string,
  { paths = APP, resume, pieceBytes }: { paths?: WorkspacePaths; resume?: ResumePoint; pieceBytes?: number } = {},
): Read {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const context = { paths, fileName: 'session', resume };
  if (pieceBytes === undefined) return readTurns(ADAPTERS[agent], bytes, context);
  const reader = ADAPTERS[agent].open(context);
  const turns: AgentTurn[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // The buffer is overwritten, as a reader of files does it.
    const piece = Uint8Array.from(bytes.subarray(at, at + pieceBytes));
    turns.push(...reader.push(piece));
    piece.fill(0);
  }
  const last = reader.end();
  return { turns: [...turns, ...last.turns], end: last.end };
}

/** A turn's calls as `kind name: paths | handles`. */
export function calls(turn: AgentTurn | undefined): readonly string[] {
  return (turn?.toolCalls ?? []).map(({ kind, name, paths, handles, isError }) => {
    const asked = handles.length > 0 ? ` | ${handles.join(' ')}` : '';
    return `${kind} ${name}: ${paths.join(' ')}${asked}${isError ? ' !' : ''}`;
  });
}

export function allText({ turns, end }: Read): string {
  return JSON.stringify([turns, end.open, [...end.skipped], end.broken]);
}
