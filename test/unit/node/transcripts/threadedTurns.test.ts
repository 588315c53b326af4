import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { claudeProjectName } from '../../../../src/node/transcripts/findTranscripts';
import { threadedJobs } from '../../../../src/node/transcripts/threadedTurns';
import { openJob, TranscriptError, type TranscriptJob } from '../../../../src/node/transcripts/transcriptJob';
import type { ScannedTurn, TurnSource } from '../../../../src/node/transcripts/transcriptScan';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';

const TURNS = 40;

let code: string;

beforeAll(async () => {
  const result = await esbuild.build({
    entryPoints: ['src/node/transcripts/threadedTurns.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  });
  code = result.outputFiles[0]!.text;
});

/** What Claude Code writes of a turn in which it reads a file; the file's content comes back as the tool's result. */
function turn(cwd: string, at: number): string {
  const common = { sessionId: 's', cwd, timestamp: new Date(Date.now() - 60_000 + at).toISOString() };
  const read = { type: 'tool_use', id: `t${at}`, name: 'Read', input: { file_path: path.join(cwd, 'a.ts') } };
  const result = { type: 'tool_result', tool_use_id: `t${at}`, content: 'export const a = 1;' };
  const records = [
    { type: 'user', uuid: `u${at}`, ...common, message: { role: 'user', content: `question ${at}` } },
    { type: 'assistant', ...common, message: { role: 'assistant', content: [read] } },
    { type: 'user', ...common, message: { role: 'user', content: [result] } },
    { type: 'assistant', ...common, message: { role: 'assistant', content: 'Done.', stop_reason: 'end_turn' } },
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** A machine with one session of `TURNS` turns, more than a batch, the script of the thread, and the job to read it. */
async function make(script = code) {
  const home = await tempFolder({ 'work/app/a.ts': '', 'transcripts.js': script });
  const app = path.join(home, 'work', 'app');
  const file = path.join(home, '.claude', 'projects', claudeProjectName(app), 'one.jsonl');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, Array.from({ length: TURNS }, (_, at) => turn(app, at)).join(''));
  const place = { roots: [app], home } as const;
  const folders = { claude: [path.join(home, '.claude')], codex: path.join(home, '.codex'), home };
  const scan: TranscriptJob = {
    kind: 'scan',
    request: { agents: ['claude-code'], nowMs: Date.now(), place, folders },
    positionsFolder: path.join(home, 'cache'),
  };
  const named = (name: string): TranscriptJob => ({ kind: 'file', file: path.join(home, name), place, label: name });
  return {
    home,
    file,
    scan,
    named,
    logger: new RecordingLogger(),
    open: threadedJobs(path.join(home, 'transcripts.js')),
  };
}

async function all(source: TurnSource): Promise<readonly ScannedTurn[]> {
  const found: ScannedTurn[] = [];
  for await (const each of source.turns()) found.push(each);
  return found;
}

describe('turns that a thread reads', () => {
  it('are those that this thread would read, but for what came back of calls, and end with the same positions', async () => {
    const { scan, open, logger } = await make();
    const here = openJob(scan, NEVER_ABORTED, logger);
    const expected = await all(here);
    const there = open(scan, NEVER_ABORTED, logger);
    expect(there.read.size).toBe(0);
    const found = await all(there);
    expect(found).toHaveLength(TURNS);
    expect(expected[0]?.turn.toolCalls[0]?.output).toContain('export');
    const bare = expected.map(({ turn: each, fileTime }) => ({
      turn: { ...each, toolCalls: each.toolCalls.map((call) => ({ ...call, output: '' })) },
      fileTime,
    }));
    expect(found).toEqual(bare);
    expect(there.read).toEqual(here.read);
    expect(there.read.size).toBe(1);
  });

  it('end early when they are cancelled, without a position for the file in hand', async () => {
    const { scan, open, file, logger, home } = await make();
    // Far more than one batch, so that the thread is still at it when it hears of the end.
    await appendFile(file, Array.from({ length: 4_000 }, (_, at) => turn(path.join(home, 'work/app'), at)).join(''));
    const caller = new AbortController();
    const source = open(scan, caller.signal, logger);
    let count = 0;
    for await (const _ of source.turns()) {
      count++;
      caller.abort();
    }
    expect(count).toBeLessThan(4_000);
    expect(source.read.size).toBe(0);
  });

  it('end with the thread when nobody wants more of them', async () => {
    const { scan, open, logger } = await make();
    for await (const { turn: first } of open(scan, NEVER_ABORTED, logger).turns()) {
      expect(first.userText).toBe('question 0');
      break;
    }
  });

  it('fail with the words for a file that is no transcript, or not there', async () => {
    const { home, open, named, logger } = await make();
    await writeFile(path.join(home, 'notes.txt'), 'no transcript');
    const failing = async (name: string): Promise<unknown> =>
      all(open(named(name), NEVER_ABORTED, logger)).catch((error: unknown) => error);
    const unknown = await failing('notes.txt');
    expect(TranscriptError.is(unknown, 'unknownFormat')).toBe(true);
    expect((unknown as Error).message).toMatch(/^notes\.txt is not a readable transcript/);
    expect(TranscriptError.is(await failing('gone.jsonl'), 'unreadable')).toBe(true);
  });

  it('have their log here', async () => {
    const { scan, open, file, logger } = await make();
    await appendFile(file, 'no JSON\n');
    await all(open(scan, NEVER_ABORTED, logger));
    expect(logger.lines.join('\n')).toMatch(/broken records: line 161: /);
  });

  it.each([
    ['cannot start', 'throw new Error("no threads here");', /no threads here/],
    ['ends without an answer', 'process.exit(3);', /it ended with code 3/],
  ])('fail, and do not hang, when the thread %s', async (_, script, why) => {
    const { scan, open, logger } = await make(script);
    await expect(all(open(scan, NEVER_ABORTED, logger))).rejects.toThrow(why);
  });
});
