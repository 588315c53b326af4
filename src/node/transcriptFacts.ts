import os from 'node:os';
import path from 'node:path';
import { ADAPTERS, adapterOf, readTurns } from '../core/transcripts/adapters';
import { type RelayFacts, relayFacts } from '../core/transcripts/relayFacts';
import { WorkspacePaths } from '../core/transcripts/workspacePaths';
import { openNamed, readAt } from './readWhole';

/** The end of a long session: what is open now stands there. Read and parsed in well under a second. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Enough to tell which agent wrote a file. */
const HEAD_BYTES = 64 * 1024;
const LF = 10;

/** The last `MAX_BYTES` of a regular file, from a line's start, or all of it. */
async function readEnd(file: string): Promise<Uint8Array> {
  const handle = await openNamed(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - MAX_BYTES);
    const bytes = await readAt(handle, start, size - start);
    return start === 0 ? bytes : bytes.subarray(bytes.indexOf(LF) + 1);
  } finally {
    await handle.close();
  }
}

/**
 * What a session's transcript shows of the work in a folder; undefined for a transcript of a format that is not known.
 * `realRoot` and `opened` are the folder by its real path and as the agent calls it. Rejects with the platform's error
 * when the file cannot be read.
 */
export async function readTranscriptFacts(
  file: string,
  isClaudeCode: boolean,
  realRoot: string,
  opened: string,
): Promise<RelayFacts | undefined> {
  const bytes = await readEnd(file);
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  const adapter = isClaudeCode ? ADAPTERS['claude-code'] : adapterOf(file, head);
  if (!adapter) return undefined;
  const paths = new WorkspacePaths({ roots: [realRoot, path.resolve(opened)], home: os.homedir() });
  const { turns, end } = readTurns(adapter, bytes, { paths, fileName: path.basename(file, path.extname(file)) });
  return relayFacts(end.open ? [...turns, end.open] : turns);
}
