import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { beforeEach, describe, expect, it } from 'vitest';
import { addTranscriptOptions, citeTranscripts, parseAge } from '../../../../src/cli/commands/citeTranscripts';
import { CliError, createContext } from '../../../../src/cli/context';
import type { CliIo } from '../../../../src/cli/io';
import { Lifetime } from '../../../../src/cli/io';
import { declareGlobalOptions, readGlobalOptions } from '../../../../src/cli/options';
import { createEngines, MemoryOutput } from '../../../support/cliWorld';
import { tempFolder } from '../../../support/tempFolder';

let home: string;
let app: string;

beforeEach(async () => {
  home = await tempFolder({
    'app/AGENTS.md': '# Rules\n\nThe dispatcher retries in src/dispatch.ts.\n',
    'app/src/dispatch.ts': '',
  });
  app = path.join(home, 'app');
});

/** Runs the part of `cite` that reads transcripts, as its command does. */
async function cite(argv: readonly string[], cwd = app): Promise<{ readonly out: string; readonly err: string }> {
  const stdout = new MemoryOutput();
  const stderr = new MemoryOutput();
  const user = (name: string): string => path.join(home, name);
  const env = {
    HOME: home,
    USERPROFILE: home,
    CONTEXT_BUDGET_CONFIG_DIR: user('c'),
    CONTEXT_BUDGET_CACHE_DIR: user('x'),
  };
  const io: CliIo = {
    stdout,
    stderr,
    cwd,
    env,
    canAsk: false,
    ask: async () => undefined,
    readInput: async () => new Uint8Array(),
    onInterrupt: () => ({ dispose: () => undefined }),
  };
  const life = new Lifetime();
  const command = addTranscriptOptions(new Command('cite')).option('--record').exitOverride();
  declareGlobalOptions(command);
  command.parse([...argv], { from: 'user' });
  const { transcripts = [], since, record = false } = command.opts();
  const context = createContext(io, { root: '/nowhere', createEngines }, readGlobalOptions(command), life);
  try {
    await citeTranscripts(context, { transcripts, sinceMs: since, record });
  } finally {
    life.dispose();
  }
  return { out: stdout.text, err: stderr.text };
}

async function session(name: string, cwd: string, content = 'a SECRET question'): Promise<void> {
  const folder = path.join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z\d]/g, '-'));
  const common = { sessionId: name, cwd, timestamp: new Date(Date.now() - 60_000).toISOString() };
  const read = { type: 'tool_use', id: 't', name: 'Read', input: { file_path: path.join(cwd, 'src/dispatch.ts') } };
  const records = [
    { type: 'user', uuid: name, ...common, message: { content } },
    { type: 'assistant', ...common, message: { content: [read] } },
    { type: 'assistant', ...common, message: { content: 'Done.', stop_reason: 'end_turn' } },
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.jsonl`), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

interface Answer {
  readonly turns: readonly { readonly origin: string; readonly cited: readonly object[] }[];
  readonly recorded: readonly number[];
}

async function answer(argv: readonly string[]): Promise<Answer> {
  return JSON.parse((await cite([...argv, '--json'])).out);
}

describe('cite --transcripts', () => {
  it('says what the turns of this folder cite, and records nothing unless asked to', async () => {
    await session('mine', app);
    await session('theirs', path.join(home, 'app-two'));
    const said = await answer(['--transcripts', 'claude-code,codex']);
    expect(said).toMatchObject({
      turns: [{ origin: 'claude-code:mine:mine', cited: [{ evidence: 'path' }] }],
      recorded: [],
    });
    expect(await answer(['--transcripts', 'claude-code'])).toEqual(said);
  });

  it.each([
    ['in a pasted payload', 'Go on.\n<agents-md>\nRetries in src/dispatch.ts.\n</agents-md>\n', 1],
    ['in the task itself', 'Go on with src/dispatch.ts.', 0],
  ])('credits a file that stands %s as it should', async (_, content, count) => {
    await session('mine', app, content);
    const { turns } = await answer(['--transcripts', 'claude-code']);
    expect(turns.map(({ cited }) => cited.length)).toEqual([count]);
  });

  it('records each turn once, however often it is asked', async () => {
    await session('one', app);
    expect((await answer(['--transcripts', 'claude-code', '--record'])).recorded).toEqual([1]);
    expect(await answer(['--transcripts', 'claude-code', '--record'])).toEqual({
      version: 'cite_transcripts.v1',
      turns: [],
      recorded: [],
    });
    expect((await answer(['--transcripts', 'claude-code', '--record', '--since', '7d'])).recorded).toEqual([]);
    await session('two', app);
    expect((await answer(['--transcripts', 'claude-code', '--record'])).recorded).toEqual([2]);
  });

  it('prints rows without a word of the conversation', async () => {
    await session('one', app);
    const { out } = await cite(['--transcripts', 'claude-code', '--record']);
    expect(out).toMatch(/claude-code:one:one {2}.*path: src\/dispatch\.ts/);
    expect(out).toContain('1 turn, 1 citation, 1 cycle recorded');
    expect(out).not.toContain('SECRET');
  });

  it('reads a file that is named, such as an export of Copilot Chat', async () => {
    const requests = [{ requestId: 'r', message: 'x', response: [{ value: 'As src/dispatch.ts says.' }] }];
    await writeFile(path.join(home, 'chat.json'), JSON.stringify({ responderUsername: 'GitHub Copilot', requests }));
    const { turns } = await answer(['--transcripts', path.join('..', 'chat.json')]);
    expect(turns).toMatchObject([{ origin: 'copilot-chat:export:r' }]);
  });

  it.each([
    [['--transcripts', 'copilot-chat'], 'Chat: Export Chat'],
    [['--transcripts', 'gone.json'], '--transcripts gone.json: the file does not exist.'],
    [['--transcripts', 'src'], '--transcripts src: this is a folder, not a file.'],
    [
      ['--transcripts', 'claud'],
      '--transcripts claud: the file does not exist. Agents: claude-code, codex, copilot-chat, aider.',
    ],
    [['--transcripts', 'AGENTS.md'], 'is not a readable transcript'],
  ])('explains %j', async (argv, message) => {
    await expect(cite(argv)).rejects.toSatisfy(
      (error) => CliError.is(error, 'usage') && error.message.includes(message) && !error.message.includes(home),
    );
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe that nobody writes to', async () => {
    execFileSync('mkfifo', [path.join(app, 'pipe.jsonl')]);
    await expect(cite(['--transcripts', 'pipe.jsonl'])).rejects.toThrow('pipe.jsonl cannot be read (ENXIO).');
  });

  it('does not take a session of another folder even when its file is named', async () => {
    const other = path.join(home, 'app-two');
    await session('theirs', other);
    const file = path.join(home, '.claude', 'projects', other.replace(/[^A-Za-z\d]/g, '-'), 'theirs.jsonl');
    await expect(cite(['--transcripts', file])).rejects.toThrow('session of another folder');
  });

  it.each([
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
  ])('reads the age %s', (text, expected) => {
    expect(parseAge(text)).toBe(expected);
  });

  it.each(['7', '0d', 'd', '-1d', '1y', ''])('refuses the age %j', (text) => {
    expect(() => parseAge(text)).toThrow('30m, 12h, 7d or 2w');
  });
});
