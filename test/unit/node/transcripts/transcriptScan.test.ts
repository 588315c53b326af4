import { appendFile, mkdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT_NAMES, type AgentName } from '../../../../src/core/transcripts/transcriptAdapter';
import { agentFolders } from '../../../../src/node/transcripts/agentFolders';
import { claudeProjectName } from '../../../../src/node/transcripts/findTranscripts';
import { TranscriptPositions } from '../../../../src/node/transcripts/transcriptPositions';
import { TranscriptScan, type TranscriptScanRequest } from '../../../../src/node/transcripts/transcriptScan';
import { workspacePlace } from '../../../../src/node/transcripts/workspaceTranscripts';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';

const NOW = Date.parse('2026-08-20T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A home folder with two workspaces side by side, and the positions of the first. */
interface Machine {
  readonly home: string;
  readonly app: string;
  readonly other: string;
  readonly logger: RecordingLogger;
}

let machine: Machine;

beforeEach(async () => {
  const home = await tempFolder({ 'work/app/a.ts': '', 'work/app-two/b.ts': '', 'work/c.ts': '' });
  const work = path.join(home, 'work');
  machine = { home, app: path.join(work, 'app'), other: path.join(work, 'app-two'), logger: new RecordingLogger() };
});

function claude(cwd: string, text: string, ageMs = MINUTE): readonly object[] {
  const timestamp = new Date(NOW - ageMs).toISOString();
  const common = { sessionId: text.replace(/\W/g, ''), cwd, timestamp };
  const content = [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: path.join(cwd, 'a.ts') } }];
  return [
    { type: 'user', uuid: text, ...common, message: { role: 'user', content: text } },
    { type: 'assistant', ...common, message: { role: 'assistant', content } },
    { type: 'assistant', ...common, message: { role: 'assistant', content: 'Done.', stop_reason: 'end_turn' } },
  ];
}

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

async function put(file: string, content: string, ageMs = MINUTE): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  await touch(file, ageMs);
  return file;
}

async function touch(file: string, ageMs: number): Promise<void> {
  await utimes(file, new Date(NOW - ageMs), new Date(NOW - ageMs));
}

function claudeFile(cwd: string, name: string): string {
  return path.join(machine.home, '.claude', 'projects', cwd.replace(/[^A-Za-z\d]/g, '-'), `${name}.jsonl`);
}

function codexFile(name: string, day = '2026/08/19'): string {
  return path.join(machine.home, '.codex', 'sessions', day, `rollout-${name}.jsonl`);
}

function codex(cwd: string, text: string): string {
  const record = (type: string, payload: object) => ({
    timestamp: new Date(NOW - MINUTE).toISOString(),
    type,
    payload,
  });
  return lines([
    record('session_meta', { id: text.replace(/\W/g, ''), cwd }),
    record('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
    record('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }),
    record('event_msg', { type: 'task_complete' }),
  ]);
}

interface Look {
  readonly texts: readonly string[];
  readonly scan: TranscriptScan;
}

async function look(part: Partial<TranscriptScanRequest> = {}, opened = machine.app): Promise<Look> {
  const { home, app, logger } = machine;
  const request: TranscriptScanRequest = {
    agents: AGENT_NAMES,
    place: await workspacePlace(app, opened, home),
    folders: agentFolders({}, home),
    nowMs: NOW,
    ...part,
  };
  const positions = new TranscriptPositions(path.join(home, 'cache', 'x'), logger);
  const scan = new TranscriptScan(request, positions, logger);
  const texts: string[] = [];
  for await (const { turn } of scan.turns()) texts.push(turn.userText);
  await positions.add(scan.read, request.nowMs);
  return { texts, scan };
}

describe('a look at transcripts', () => {
  it('reads those of the folder and of folders below, of every agent; not of folders beside or above', async () => {
    const { home, app, other } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'claude here')), 2 * MINUTE);
    await put(
      claudeFile(path.join(app, 'src'), 'two'),
      lines(claude(path.join(app, 'src'), 'claude below')),
      3 * MINUTE,
    );
    await put(claudeFile(other, 'three'), lines(claude(other, 'claude beside')));
    await put(claudeFile(path.join(home, 'work'), 'four'), lines(claude(path.join(home, 'work'), 'claude above')));
    await put(codexFile('one'), codex(app, 'codex here'), 4 * MINUTE);
    await put(codexFile('two'), codex(other, 'codex beside'));
    await put(codexFile('three'), codex(path.dirname(app), 'codex above'));
    await put(
      path.join(app, '.aider.chat.history.md'),
      '\n# aider chat started at 2026-08-19 10:00:00\n\n#### aider here  \n\nYes.\n',
      DAY,
    );
    await put(
      path.join(other, '.aider.chat.history.md'),
      '\n# aider chat started at 2026-08-19 10:00:00\n\n#### aider beside  \n\nYes.\n',
      DAY,
    );
    const { texts, scan } = await look();
    expect(texts).toEqual(['claude here', 'claude below', 'codex here', 'aider here']);
    expect(scan.counts).toMatchObject({ files: 4, turns: 4, brokenLines: 0 });
  });

  it('drops what another folder’s turns say even where the file belongs to this one', async () => {
    const { app, other } = machine;
    await put(claudeFile(app, 'one'), lines([...claude(app, 'mine'), ...claude(other, 'theirs')]));
    expect((await look()).texts).toEqual(['mine']);
  });

  it('does not believe a folder’s name', async () => {
    const { app, other } = machine;
    await put(claudeFile(app, 'one'), lines(claude(other, 'theirs')));
    expect((await look()).texts).toEqual([]);
  });

  it('reads only the agents that were asked for', async () => {
    const { app } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'claude')));
    await put(codexFile('one'), codex(app, 'codex'));
    expect((await look({ agents: ['codex'] })).texts).toEqual(['codex']);
  });

  it('reads new bytes alone the next time, and nothing where nothing is new', async () => {
    const { app } = machine;
    const file = await put(claudeFile(app, 'one'), lines(claude(app, 'first')));
    expect((await look()).texts).toEqual(['first']);
    expect((await look()).scan.counts).toMatchObject({ files: 0, bytes: 0 });
    const { size } = await stat(file);
    const added = lines(claude(app, 'second'));
    await appendFile(file, added);
    const { texts, scan } = await look();
    expect(texts.at(-1)).toBe('second');
    expect(scan.counts.bytes).toBeLessThanOrEqual(size + added.length);
    await appendFile(file, lines(claude(app, 'third')));
    const third = await look();
    expect(third.texts).toEqual(['second', 'third']);
    expect(third.scan.counts.bytes).toBeLessThan(size + added.length * 2);
  });

  it('gives the same turn the same key however often it is read', async () => {
    const { app } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'first')));
    const keys = async (): Promise<readonly string[]> => {
      const { scan } = await look({ isAfresh: true });
      const found: string[] = [];
      for await (const { turn } of scan.turns()) found.push(turn.key);
      return found;
    };
    expect(await keys()).toEqual(await keys());
  });

  it('waits for the end of a turn that is going on, and takes it when nothing comes any more', async () => {
    const { app } = machine;
    const file = await put(claudeFile(app, 'one'), lines(claude(app, 'going on').slice(0, 2)));
    expect((await look()).texts).toEqual([]);
    await touch(file, 11 * MINUTE);
    expect((await look()).texts).toEqual(['going on']);
    expect((await look()).texts).toEqual([]);
  });

  it('starts again in a file that has shrunk', async () => {
    const { app } = machine;
    const file = await put(claudeFile(app, 'one'), lines([...claude(app, 'first'), ...claude(app, 'second')]));
    await look();
    await truncate(file, 0);
    await put(file, lines(claude(app, 'new')));
    expect((await look()).texts).toEqual(['new']);
  });

  it('leaves old files and old turns alone', async () => {
    const { app } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'old file')), 40 * DAY);
    await put(claudeFile(app, 'two'), lines([...claude(app, 'old turn', 9 * DAY), ...claude(app, 'new turn')]));
    expect((await look({ since: NOW - 7 * DAY })).texts).toEqual(['new turn']);
    expect((await look({ since: NOW - 60 * DAY, isAfresh: true })).texts).toEqual(['old turn', 'new turn', 'old file']);
  });

  it('finds sessions of a folder that was opened by a link', async () => {
    const { home, app } = machine;
    const link = path.join(home, 'link');
    await symlink(app, link);
    await put(claudeFile(link, 'one'), lines(claude(link, 'by the link')));
    expect((await look({}, link)).texts).toEqual(['by the link']);
  });

  it('counts a Git work tree of the folder, if both sides say so', async () => {
    const { home, app, other } = machine;
    const tree = path.join(home, 'tree');
    await put(path.join(app, '.git', 'worktrees', 'tree', 'gitdir'), `${path.join(tree, '.git')}\n`);
    await put(path.join(tree, '.git'), `gitdir: ${path.join(app, '.git', 'worktrees', 'tree')}\n`);
    // What a downloaded folder could claim.
    await put(path.join(app, '.git', 'worktrees', 'theirs', 'gitdir'), `${path.join(other, '.git')}\n`);
    await put(path.join(other, '.git'), `gitdir: ${path.join(home, 'elsewhere')}\n`);
    await put(claudeFile(tree, 'one'), lines(claude(tree, 'in the tree')));
    await put(claudeFile(other, 'two'), lines(claude(other, 'theirs')));
    await put(codexFile('two'), codex(other, 'theirs too'));
    expect((await look()).texts).toEqual(['in the tree']);
  });

  it('does not follow a history that is a link', async () => {
    const { app, other } = machine;
    await put(
      path.join(other, 'x.md'),
      '\n# aider chat started at 2026-08-19 10:00:00\n\n#### theirs  \n\nYes.\n',
      DAY,
    );
    await symlink(path.join(other, 'x.md'), path.join(app, '.aider.chat.history.md'));
    expect((await look()).texts).toEqual([]);
  });

  it('keeps positions in the user’s folder, without a word of what was read', async () => {
    const { home, app } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'a secret question')));
    await look();
    const kept = await readFile(path.join(home, 'cache', 'x', 'transcripts.json'), 'utf8');
    expect(kept).toContain('one.jsonl');
    expect(kept).not.toContain('secret question');
  });

  it('reads from the start when the positions are damaged', async () => {
    const { home, app } = machine;
    await put(claudeFile(app, 'one'), lines(claude(app, 'first')));
    await look();
    await writeFile(path.join(home, 'cache', 'x', 'transcripts.json'), '{"version":1,"files":');
    expect((await look()).texts).toEqual(['first']);
  });

  it('logs broken lines by number, never by content', async () => {
    const { app, logger } = machine;
    await put(claudeFile(app, 'one'), `${lines(claude(app, 'first'))}{"secret": broken\n`);
    await look();
    const said = logger.lines.join('\n');
    expect(said).toContain('line 4: it is no JSON object');
    expect(said).not.toContain('secret');
  });

  it('finds a working folder behind a first record of a megabyte', async () => {
    const { app } = machine;
    const snapshot = { type: 'file-history-snapshot', snapshot: 'x'.repeat(1_000_000) };
    await put(claudeFile(app, 'one'), lines([snapshot, ...claude(app, 'behind it')]));
    expect((await look()).texts).toEqual(['behind it']);
  });
});

describe('places of agents', () => {
  it('are those of the environment, if absolute', () => {
    const home = path.resolve('/home/me');
    expect(agentFolders({ CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x' }, home)).toMatchObject({
      claude: ['/c'],
      codex: '/x',
    });
    expect(agentFolders({ CLAUDE_CONFIG_DIR: 'c', CODEX_HOME: '' }, home)).toEqual({
      claude: [path.join(home, '.claude'), path.join(home, '.config', 'claude')],
      codex: path.join(home, '.codex'),
      home,
    });
  });

  it('name Claude Code’s folders as it does', () => {
    expect(claudeProjectName('/Users/alice/src/my.app')).toBe('-Users-alice-src-my-app');
    expect(claudeProjectName('C:\\Users\\me')).toBe('C--Users-me');
  });

  it('are none for an export, which is read when somebody names it', async () => {
    const agents: readonly AgentName[] = ['copilot-chat'];
    await put(path.join(machine.app, 'chat.json'), '{"requests":[{"message":"x"}]}');
    expect((await look({ agents })).texts).toEqual([]);
  });
});
