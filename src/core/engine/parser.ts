/** What a parser is asked. It has worker(s) of its own. */
import type { EditorSymbol } from '../ports/ports';
import { call, type Service } from './call';

/** A file to parse. */
export interface ParseInput {
  readonly path: string;
  readonly contentHash: string;
  readonly bytes: Uint8Array;
  /** `words`: scan only; the outcome is then `scanned` where parsing would give more. `definitions` when absent. */
  readonly depth?: 'words' | 'definitions';
  /** What the editor says of a file without a grammar: its facts are made of these. */
  readonly symbols?: readonly EditorSymbol[];
}

/** The buffers that `views` fill exactly, each once; views of larger buffers are copied by the channel instead. */
export function ownBuffers(views: readonly Uint8Array[]): ArrayBuffer[] {
  const filled = new Map<ArrayBuffer, number>();
  for (const { buffer, byteLength } of views)
    if (buffer instanceof ArrayBuffer) filled.set(buffer, (filled.get(buffer) ?? 0) + byteLength);
  return [...filled].flatMap(([buffer, bytes]) => (bytes === buffer.byteLength ? [buffer] : []));
}

export const PARSER_CALLS = {
  /** Encoded facts, parallel to the files. Never rejects for a bad file: its facts say so. */
  parse: call<(files: readonly ParseInput[]) => readonly Uint8Array[]>({
    movesThere: (files) => ownBuffers(files.map(({ bytes }) => bytes)),
    movesBack: ownBuffers,
  }),
};

/** Turns files into encoded facts. */
export interface FileParser extends Service<typeof PARSER_CALLS> {
  /** Starts what takes its time, for files that are about to come. */
  prepare?(): void;
  /** Gives back the memory that a long run has taken, where nothing is under way; the next parse starts again. */
  release?(): void;
}
