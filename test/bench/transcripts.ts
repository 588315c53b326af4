/**
 * Reads a long transcript of each agent piece by piece, and the same bytes with nothing but `JSON.parse`; prints one JSON
 * object. Sessions are the test fixtures repeated, with tool output of the size that agents have.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ADAPTERS } from '../../src/core/transcripts/adapters';
import { WorkspacePaths } from '../../src/core/transcripts/workspacePaths';

const [, , root = '.', megabytes = '64'] = process.argv;
const PIECE_BYTES = 64 * 1024;
const FILES = {
  'claude-code': 'claude-code/session.jsonl',
  codex: 'codex/rollout-2026-08-10T13-02-01-0198-codex.jsonl',
} as const;

/** A session of about `bytes`, in which every tool's output has some kilobytes. */
function grown(text: string, bytes: number): readonly string[] {
  const output = 'const answer = [what, a, tool, gave, back];\\n'.repeat(100);
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => line.replace(/("(?:output|content)":")/, `$1${output}`));
  const rounds = Math.ceil(bytes / lines.join('\n').length);
  return Array.from({ length: rounds }, () => lines).flat();
}

const rows = Object.entries(FILES).map(([agent, file]) => {
  const text = readFileSync(path.join(root, 'test/fixtures/transcripts', file), 'utf8');
  const lines = grown(text, Number(megabytes) * 1024 * 1024);
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const adapter = ADAPTERS[agent as keyof typeof FILES];
  const measure = (work: () => void): number => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  let turns = 0;
  let longestPieceMs = 0;
  const parseMs = measure(() => {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(10, from);
      JSON.parse(bytes.toString('utf8', from, end));
      from = end + 1;
    }
  });
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const readMs = measure(() => {
    const reader = adapter.open({ paths: new WorkspacePaths({ roots: ['/work/app'] }), fileName: 'bench' });
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const pieceMs = measure(() => {
        turns += reader.push(bytes.subarray(at, at + PIECE_BYTES)).length;
      });
      longestPieceMs = Math.max(longestPieceMs, pieceMs);
      // Asking takes as long as reading some pieces.
      if (at % (100 * PIECE_BYTES) === 0) most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    turns += reader.end().turns.length;
  });
  return {
    agent,
    megabytes: bytes.length / 1024 / 1024,
    turns,
    readMs,
    parseMs,
    longestPieceMs,
    heapMb: most / 1024 / 1024,
  };
});
console.log(JSON.stringify(rows));
