import type { FileHandle } from 'node:fs/promises';
import { appendFile, mkdir, readdir, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Logger, NEVER_ABORTED } from '../../../../../src/core/ports/ports';
import { SESSION_AGENTS } from '../../../../../src/core/transcripts/sessions/sessionLog';
import { sessionJson, sessionsJson } from '../../../../../src/core/window/sessions/sessionJson';
import { type ReadSessions, readSessions } from '../../../../../src/node/transcripts/sessions/readSessions';
import { SessionCache, sessionCacheFile } from '../../../../../src/node/transcripts/sessions/sessionCache';
import { tempFolder } from '../../../../support/tempFolder';

/** Bytes that anything read through the platform's file functions. */
const reads = vi.hoisted(() => ({ bytes: 0 }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    readFile: async (...args: Parameters<typeof real.readFile>) => {
      const content = await real.readFile(...args);
      reads.bytes += Buffer.byteLength(content);
      return content;
    },
    open: async (...args: Parameters<typeof real.open>) => {
      const handle = await real.open(...args);
      const read = handle.read.bind(handle) as (...given: unknown[]) => Promise<{ bytesRead: number }>;
      handle.read = (async (...given: unknown[]) => {
        const result = await read(...given);
        reads.bytes += result.bytesRead;
        return result;
      }) as FileHandle['read'];
      return handle;
    },
  };
});

const SILENT: Logger = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
const RULE = 'Never commit without running the migration checks of Wolkenburg first.';
const OLD = new Date('2026-11-01T00:00:00Z');

let root: string;
let home: string;
let cacheFolder: string;
let cacheFile: string;

beforeEach(async () => {
  [root, home, cacheFolder] = await Promise.all([tempFolder(), tempFolder(), tempFolder()]);
  cacheFile = sessionCacheFile(cacheFolder, home);
});

const record = (fields: object): string =>
  `${JSON.stringify({ sessionId: 's', cwd: root, timestamp: '2026-11-20T09:00:00Z', ...fields })}\n`;

const said = (text: string): string => record({ type: 'user', uuid: text, message: { role: 'user', content: text } });

const answer = (session: string, at: number, text: string): string =>
  record({
    type: 'assistant',
    requestId: `req-${session}-${at}`,
    message: {
      id: `msg-${session}-${at}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text }],
      usage: { input_tokens: 5, cache_read_input_tokens: 5_000, cache_creation_input_tokens: 900, output_tokens: 40 },
    },
  });

const COMPACTION = { type: 'system', subtype: 'compact_boundary', compactMetadata: { preTokens: 6_000 } };

/** A session of 12 turns of so many words, with an order that its compaction loses. */
function log(session: string, filler: string, words = 1_000): string {
  const turns = Array.from(
    { length: 12 },
    (_, at) => said(`${filler} ${at} ${'word '.repeat(words)}`) + answer(session, at, 'Done.'),
  );
  const compacted = record(COMPACTION) + said('This session goes on.') + answer(session, 99, 'Going on.');
  return (said(RULE) + turns.join('') + compacted).replaceAll('"sessionId":"s"', `"sessionId":"${session}"`);
}

function logPath(name: string): string {
  return path.join(home, '.claude/projects/-work', `${name}.jsonl`);
}

async function place(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(logPath(name)), { recursive: true });
  await writeFile(logPath(name), text);
  await utimes(logPath(name), OLD, OLD);
}

async function look(isCached: boolean, key = 'k', since?: number): Promise<ReadSessions> {
  return readSessions({
    agents: SESSION_AGENTS,
    place: { roots: [root], home },
    env: {},
    home,
    signal: NEVER_ABORTED,
    since,
    countTokens: async (texts) => texts.map(({ length }) => Math.ceil(length / 4)),
    cache: isCached ? await SessionCache.open(cacheFile, key, Date.now(), SILENT) : undefined,
  });
}

const jsonOf = ({ sessions, problems }: ReadSessions): string =>
  JSON.stringify([
    sessionsJson(sessions, problems),
    sessions.map((session) => [session.title, sessionJson(session, problems)]),
  ]);

/** Bytes that a look with the cache read, once its JSON was found to be that of a fresh look. */
async function bytesOfSameLook(): Promise<number> {
  const fresh = jsonOf(await look(false));
  reads.bytes = 0;
  const cached = jsonOf(await look(true));
  const { bytes } = reads;
  expect(cached).toBe(fresh);
  return bytes;
}

describe('the cache of sessions', () => {
  beforeEach(async () => {
    for (const name of ['a', 'b', 'c']) await place(name, log(name, `filler ${name}`));
    await place('other', log('other', 'foreign').replaceAll(root, `${root}-other`));
    await look(true);
  });

  it('knows the first line that could not be read', async () => {
    await place('a', `${log('a', 'filler a')}{"broken\n{"broken\n`);
    await look(true);
    await bytesOfSameLook();
    expect((await look(true)).problems).toMatchObject([
      { line: expect.any(Number), message: '2 lines could not be read; this is the first.' },
    ]);
  });

  it('reads under 1% of the bytes again, and quotes the sentence of a finding as before', async () => {
    for (const name of ['a', 'b', 'c']) await place(name, log(name, `filler ${name}`, 4_000));
    await look(true);
    const total = (await Promise.all(['a', 'b', 'c', 'other'].map((name) => stat(logPath(name))))).reduce(
      (sum, { size }) => sum + size,
      0,
    );
    const { sessions } = await look(true);
    expect(sessions.map(({ findings }) => findings.find(({ rule }) => rule === 'lost-instruction')?.what)).toEqual([
      RULE,
      RULE,
      RULE,
    ]);
    const bytes = await bytesOfSameLook();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(total / 100);
  });

  it('knows the first line that a person wrote as the title, which is read again', async () => {
    await place(
      'd',
      said('<command-name>/clear</command-name>') + said(`\n# Fix the harbour\nIt leaks.`) + answer('d', 1, 'Done.'),
    );
    for (const isCached of [false, true, true])
      expect((await look(isCached)).sessions.map(({ title }) => title)).toContain('Fix the harbour');
    expect(gunzipSync(await readFile(cacheFile)).toString('utf8')).not.toContain('harbour');
  });

  it('leaves logs alone that were written before the time asked for, and what is known of them', async () => {
    await utimes(logPath('a'), new Date(), new Date(Date.now() - 60_000));
    expect((await look(true, 'k', OLD.getTime() + 1)).sessions.map(({ id }) => id)).toEqual(['claude-code:a']);
    const { size } = await stat(logPath('b'));
    expect(await bytesOfSameLook()).toBeLessThan(size / 20);
  });

  it('keeps nothing of the text', async () => {
    const kept = gunzipSync(await readFile(cacheFile)).toString('utf8');
    expect(kept).toContain('claude-sonnet-4-5');
    const texts = ['Wolkenburg', 'filler', 'word ', 'Done.', 'Going on', path.basename(root), path.basename(home)];
    expect(texts.filter((text) => kept.includes(text))).toEqual([]);
  });

  const changes: Readonly<Record<string, (file: string) => Promise<void>>> = {
    append: (file) => appendFile(file, said('One more thing.') + answer('b', 13, 'That too.')),
    truncation: (file) => truncate(file, 60_000),
    compaction: (file) => appendFile(file, record(COMPACTION) + said('And on.') + answer('b', 14, 'On.')),
    'replacement by another file of the same size and time': async (file) => {
      await writeFile(
        `${file}.new`,
        (await readFile(file, 'utf8')).replaceAll('"cache_read_input_tokens":5000', '"cache_read_input_tokens":7000'),
      );
      await rename(`${file}.new`, file);
    },
    'writing over a part of it, with the old time': async (file) => {
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll('"cache_read_input_tokens":5000', '"cache_read_input_tokens":6000'));
    },
  };

  it.each(Object.entries(changes))('gives the same as a fresh look after %s', async (_, change) => {
    const before = jsonOf(await look(true));
    await change(logPath('b'));
    await utimes(logPath('b'), OLD, OLD);
    const { size } = await stat(logPath('b'));
    const bytes = await bytesOfSameLook();
    // The others are not read again.
    expect(bytes).toBeGreaterThanOrEqual(size);
    expect(bytes).toBeLessThan(size * 1.1);
    expect(jsonOf(await look(true))).not.toBe(before);
    expect(await bytesOfSameLook()).toBeLessThan(size / 20);
  });

  it('does not trust a log that was written just now', async () => {
    await utimes(logPath('b'), new Date(), new Date());
    const { size } = await stat(logPath('b'));
    await look(true);
    expect(await bytesOfSameLook()).toBeGreaterThanOrEqual(size);
  });

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['no archive', () => Buffer.from('{}')],
    [
      'changed',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 20 ? byte ^ 255 : byte))),
    ],
    ['of another shape', () => gzipSync('{"layout":1,"key":[],"logs":{"x":{"stamp":1}}}')],
  ])('reads afresh with a cache that is %s, and mends it', async (_, damage) => {
    await writeFile(cacheFile, damage(await readFile(cacheFile)));
    const { size } = await stat(logPath('a'));
    expect(await bytesOfSameLook()).toBeGreaterThan(3 * size * 0.9);
    expect(await bytesOfSameLook()).toBeLessThan(size / 30);
  });

  it('reads afresh what another version or another folder made', async () => {
    const { size } = await stat(logPath('a'));
    reads.bytes = 0;
    await look(true, 'other');
    expect(reads.bytes).toBeGreaterThan(3 * size * 0.9);
  });

  it('reads a log afresh whose quoted sentence is not where it was', async () => {
    const kept = JSON.parse(gunzipSync(await readFile(cacheFile)).toString('utf8'));
    const findings = Object.values<{ files: { timeline: { findings: { what: { hash: string } }[] } }[] }>(
      kept.logs,
    ).flatMap(({ files }) => files.flatMap(({ timeline }) => timeline.findings));
    const quoting = findings.filter(({ what }) => typeof what === 'object');
    expect(quoting).toHaveLength(3);
    for (const { what } of quoting) what.hash = 'elsewhere';
    await writeFile(cacheFile, gzipSync(JSON.stringify(kept)));
    const { size } = await stat(logPath('a'));
    expect(await bytesOfSameLook()).toBeGreaterThan(3 * size * 0.9);
  });

  it('is one file', async () => {
    expect(await readdir(cacheFolder)).toEqual([path.basename(cacheFile)]);
  });
});
