import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

const SAMPLES = path.resolve('test/fixtures/sessions');

let world: CliWorld;
let root: string;
let home: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  home = await tempFolder();
});

interface SessionOut {
  readonly id: string;
  readonly requests: readonly {
    readonly turn: number;
    readonly id: string;
    readonly subagent?: string;
    readonly usage: Record<'input' | 'cache_read' | 'cache_write' | 'output', number> | null;
    readonly parts: Record<string, number | Record<string, number>>;
  }[];
  readonly findings: readonly { readonly rule: string; readonly turns: number[]; readonly what: string }[];
}

/** Puts a sample where its agent would, as a session of the folder. */
async function place(sample: string, file: string, change = (text: string) => text): Promise<void> {
  const text = await readFile(path.join(SAMPLES, sample), 'utf8');
  const target = path.join(home, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, change(text.replaceAll('/home/u/proj', root)));
}

async function listed(...args: string[]): Promise<Record<string, unknown>[]> {
  const { out, code, err } = await world.run(['sessions', '--root', root, '--from', home, '--json', ...args]);
  expect(err).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out).sessions;
}

async function session(id: string): Promise<SessionOut> {
  const { out, code, err } = await world.run(['session', id, '--root', root, '--from', home, '--json']);
  expect(err).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out);
}

function expectConserved({ requests }: SessionOut): void {
  for (const { usage, parts } of requests) {
    const { mcp, ...plain } = parts;
    const amounts = [...Object.values(plain), ...Object.values(mcp as Record<string, number>)] as number[];
    expect(amounts.every((amount) => Number.isInteger(amount) && amount >= 0)).toBe(true);
    if (usage) expect(amounts.reduce((a, b) => a + b, 0)).toBe(usage.input + usage.cache_read + usage.cache_write);
  }
}

const CLAUDE = '.claude/projects/-work';

/** Distinct answers of the model in a log of Claude Code, counted without our reader. */
async function claudeRequests(sample: string): Promise<number> {
  const lines = (await readFile(path.join(SAMPLES, sample), 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const records = lines.map((line) => JSON.parse(line));
  return new Set(
    records.flatMap(({ type, message }) =>
      type === 'assistant' && message.model !== '<synthetic>' ? [message.id] : [],
    ),
  ).size;
}

describe('sessions of Claude Code', () => {
  it.each(['big-output', 'image', 'slow-stream-interleaved', 'parent-of-subagent', 'error-400'])(
    '%s: each request counts once and its parts add up',
    async (name) => {
      const sample = `claude-code/${name}.jsonl`;
      await place(sample, `${CLAUDE}/a.jsonl`);
      const [row] = await listed();
      const requests = await claudeRequests(sample);
      expect(row).toMatchObject({ agent: 'claude-code', turns: 1, requests, compactions: 0 });
      const shown = await session(String(row?.id));
      expect(shown.requests).toHaveLength(requests);
      expectConserved(shown);
    },
  );

  it('gives results to the part of their tool, although they stand between records of one answer', async () => {
    await place('claude-code/slow-stream-interleaved.jsonl', `${CLAUDE}/a.jsonl`);
    const { requests } = await session('00000001');
    expect(requests.map(({ id, turn, usage }) => ({ id, turn, usage }))).toEqual([
      { id: 'msg_fake_001', turn: 1, usage: { input: 11, cache_read: 3001, cache_write: 2001, output: 78 } },
      { id: 'msg_fake_002', turn: 1, usage: { input: 12, cache_read: 3002, cache_write: 2002, output: 79 } },
    ]);
    expect(requests[0]?.parts.read).toBe(0);
    expect(requests[1]?.parts.read).toBeGreaterThan(20);
  });

  it("puts a subagent's requests into its parent's session, without a turn of their own", async () => {
    await place('claude-code/parent-of-subagent.jsonl', `${CLAUDE}/00000002-2222-4333-8444-555555555555.jsonl`);
    const own = 'claude-code/subagent.jsonl';
    await place(own, `${CLAUDE}/00000002-2222-4333-8444-555555555555/subagents/agent-a958207a9126e919e.jsonl`);
    const rows = await listed();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ turns: 1 });
    const shown = await session('00000002');
    const ofSubagent = shown.requests.filter(({ subagent }) => subagent === 'a958207a9126e919e');
    expect(ofSubagent).toHaveLength(await claudeRequests(own));
    expect(shown.requests.length - ofSubagent.length).toBe(
      await claudeRequests('claude-code/parent-of-subagent.jsonl'),
    );
    expectConserved(shown);
    const figures = ofSubagent.flatMap(({ usage }) =>
      usage ? [usage.input, usage.cache_read, usage.cache_write] : [],
    );
    const read = figures.reduce((sum, figure) => sum + figure, 0);
    const { out } = await world.run(['session', '00000002', '--root', root, '--from', home]);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(` Subagents read ${read.toLocaleString('en')} of them (`);
  });

  it('counts what a fork copied for the original alone', async () => {
    const sample = 'claude-code/slow-stream-interleaved.jsonl';
    await place(sample, `${CLAUDE}/b.jsonl`);
    const id = '0000000f-2222-4333-8444-555555555555';
    await place(sample, `${CLAUDE}/a.jsonl`, (text) => {
      const copied = text.replaceAll('00000001-2222-4333-8444-555555555555', id);
      const record = copied.split('\n').findLast((line) => line.includes('msg_fake_002')) ?? '';
      return `${copied}${record.replaceAll('msg_fake_002', 'msg_own').replaceAll('req_fake_2', 'req_own')}\n`;
    });
    const rows = await listed();
    expect(rows.map((row) => [String(row.id).slice(12, 20), row.requests])).toEqual([
      ['00000001', 2],
      ['0000000f', 1],
    ]);
  });

  it('does not know the output of an answer that no record ends', async () => {
    await place('claude-code/slow-stream-interleaved.jsonl', `${CLAUDE}/a.jsonl`, (text) =>
      text.replace(/"stop_reason": "[a-z_]+"/g, '"stop_reason": null'),
    );
    const { requests } = await session('00000001');
    expect(requests.map(({ usage }) => usage?.output)).toEqual([null, null]);
  });

  it("leaves other folders' sessions out, and names lines that cannot be read", async () => {
    await place('claude-code/big-output.jsonl', `${CLAUDE}/a.jsonl`, (text) => text.replaceAll(root, `${root}-other`));
    expect(await listed()).toEqual([]);
    let line = 0;
    const broken = (text: string, count: number): string => {
      line = text.split('\n').length;
      return text + '{"broken\n'.repeat(count);
    };
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) => broken(text, 1));
    const { code, out, err } = await world.run(['sessions', '--root', root, '--from', home, '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({
      sessions: [{ agent: 'claude-code' }],
      problems: [{ path: `${home}/${CLAUDE}/b.jsonl`, line, message: '1 line could not be read.' }],
    });
    expect(err).toBe(`warning: ${home}/${CLAUDE}/b.jsonl:${line}: 1 line could not be read.\n`);
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) => broken(text, 2));
    for (const command of [['sessions'], ['export', '--otlp', '--dry-run']]) {
      const given = path.join('..', path.basename(home));
      const result = await world.run([...command, '--root', root, '--from', given], { cwd: root });
      const place = `${given}/${CLAUDE}/b.jsonl:${line}`;
      expect(result.err).toContain(`warning: ${place}: 2 lines could not be read; this is the first.\n`);
    }
  });

  it('counts a record that is nested too deep as a line that cannot be read', async () => {
    const levels = 20_000;
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const call = `{"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": ${deep}}}`;
    let line = 0;
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) => {
      const lines = text.trimEnd().split('\n');
      const answer = JSON.parse(lines.findLast((each) => each.includes('"type": "assistant"')) ?? '');
      const { message } = answer;
      const record = JSON.stringify({ ...answer, requestId: 'x', message: { ...message, id: 'x', content: ['deep'] } });
      line = lines.length + 1;
      return `${[...lines, record.replace('"deep"', call)].join('\n')}\n`;
    });
    const { code, out } = await world.run(['sessions', '--root', root, '--from', home, '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({
      sessions: [{ requests: await claudeRequests('claude-code/image.jsonl') }],
      problems: [{ line, message: '1 line could not be read.' }],
    });
  });

  it('names a log of the home folder with ~', async () => {
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) => `${text}{"broken\n`);
    const { err } = await world.run(['sessions', '--root', root], { env: { HOME: home, USERPROFILE: home } });
    expect(err).toContain(`warning: ~/${CLAUDE}/b.jsonl:`);
  });

  it('writes nothing', async () => {
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`);
    await listed();
    expect(await readdir(root)).toEqual([]);
  });
});

/** What the clients' fake server answered: window, of it from the cache, and output. */
type Figures = readonly (readonly [window: number, cached: number, output: number])[];

interface Sample {
  readonly files: Readonly<Record<string, string>>;
  readonly agent: string;
  readonly turns: number;
  readonly compactions: number;
  readonly figures: Figures;
}

const OTHERS: readonly Sample[] = [
  {
    agent: 'codex',
    files: { 'codex/rollout-resume.jsonl': '.codex/sessions/2026/11/22/rollout-2026-11-22T23-35-00-a.jsonl' },
    turns: 2,
    compactions: 0,
    figures: [
      [5001, 4000, 201],
      [5002, 4000, 202],
      [5003, 4000, 203],
      [5004, 4000, 204],
    ],
  },
  {
    agent: 'gemini-cli',
    files: { 'gemini/session-compress.jsonl': '.gemini/tmp/proj/chats/session-a.jsonl' },
    turns: 2,
    compactions: 1,
    figures: [
      [7011, 6500, 131],
      [7012, 6500, 132],
      [7013, 6500, 133],
      [7016, 6500, 136],
    ],
  },
  {
    agent: 'qwen-code',
    files: { 'qwen/chat-continue.jsonl': '.qwen/projects/-work/chats/a.jsonl' },
    turns: 2,
    compactions: 0,
    figures: [
      [6001, 5000, 301],
      [6002, 5000, 302],
      [6003, 5000, 303],
      [6004, 5000, 304],
    ],
  },
  {
    agent: 'copilot-cli',
    files: { 'copilot-cli/events-resume.jsonl': '.copilot/session-state/a/events.jsonl' },
    turns: 2,
    compactions: 0,
    figures: [
      [6001, 5000, 301],
      [6002, 5000, 302],
      [6003, 5000, 303],
      [6004, 5000, 304],
    ],
  },
  {
    agent: 'cline',
    files: {
      'cline-cli/messages.json': '.cline/data/sessions/a/a.messages.json',
      'cline-cli/session.json': '.cline/data/sessions/a/a.json',
    },
    turns: 1,
    compactions: 0,
    figures: [
      [6001, 5000, 301],
      [6002, 5000, 302],
    ],
  },
];

describe('sessions of Copilot CLI', () => {
  it('count what a tool answered, whether it worked or not, and a tool of a server with the server', async () => {
    const answers: Record<string, string> = {
      call_1: `"result":{"content":"${'alpha '.repeat(400)}"}`,
      call_3: `"error":{"message":"${'no such file '.repeat(300)}"}`,
    };
    await place('copilot-cli/events-resume.jsonl', '.copilot/session-state/a/events.jsonl', (text) =>
      text
        .split('\n')
        .map((line) => {
          const call = Object.keys(answers).find((id) => line.includes(`"toolCallId": "${id}"`)) ?? '';
          if (line.includes('tool.execution_complete'))
            return `{"type":"tool.execution_complete","data":{"toolCallId":"${call}","success":${call === 'call_1'},${answers[call]}}}`;
          return call === 'call_3' ? line.replace('"toolCallId"', '"mcpServerName": "shop", "toolCallId"') : line;
        })
        .join('\n'),
    );
    const [row] = await listed();
    const { requests } = await session(String(row?.id));
    const parts = requests.map((request) => request.parts);
    expect(parts[1]!.read).toBeGreaterThan(300);
    expect((parts[3]!.mcp as Record<string, number>).shop).toBeGreaterThan(300);
    const shown = await world.run(['session', String(row?.id), '--root', root, '--from', home, '--format', 'markdown']);
    const [, cells = ''] = /^\| MCP \|(.*)\|$/m.exec(shown.out) ?? [];
    expect(cells).toMatch(/[1-9]/);
    expect(cells).not.toContain('-');
  });
});

describe("sessions of Cline's extension", () => {
  const TASK = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1795390827486';

  it('have figures beside what is sent, and lose the half of the window that is removed', async () => {
    for (const name of ['api_conversation_history.json', 'ui_messages.json'])
      await place(`cline-task/${name}`, `${TASK}/${name}`);
    const rows = await listed();
    expect(rows).toMatchObject([
      { id: 'cline:1795390827486', turns: 1, requests: 3, compactions: 1, peak_tokens: 3512 },
    ]);
    const shown = await session(String(rows[0]?.id));
    expect(shown.requests.map(({ usage }) => usage)).toEqual([
      { input: 10, cache_read: 0, cache_write: 3000, output: 50 },
      { input: 12, cache_read: 3000, cache_write: 500, output: 60 },
      { input: 9, cache_read: 0, cache_write: 3050, output: 20 },
    ]);
    expectConserved(shown);
    const [first, second, third] = shown.requests.map(({ parts }) => parts);
    expect(first).toMatchObject({ read: 0 });
    expect(second?.read).toBeGreaterThan(100);
    // One of two reads is left.
    expect(third?.read).toBeGreaterThan(100);
    expect(third?.read).toBeLessThan(1.5 * Number(second?.read));
  });

  it('are read without what the screen shows, as newer versions note figures of their own', async () => {
    await place('cline-task/api_conversation_history.json', `${TASK}/api_conversation_history.json`);
    const shown = await session('1795390827486');
    expect(shown.requests.map(({ usage }) => usage)).toEqual([
      { input: 10, cache_read: 3000, cache_write: 0, output: 50 },
    ]);
  });
});

describe('sessions of Pi', () => {
  it('follow the newest path, and keep from a compaction what it keeps', async () => {
    await place('pi/session.jsonl', '.pi/agent/sessions/--home-u-proj--/2026-11-22_5f0b7c1e.jsonl');
    const rows = await listed();
    expect(rows).toMatchObject([{ agent: 'pi', requests: 4, turns: 4, compactions: 1, peak_tokens: 3153 }]);
    const shown = await session(String(rows[0]?.id));
    expect(shown.requests.map(({ usage }) => usage)).toEqual([
      { input: 2001, cache_read: 0, cache_write: 1000, output: 50 },
      { input: 102, cache_read: 3000, cache_write: 0, output: 40 },
      { input: 53, cache_read: 3100, cache_write: 0, output: 40 },
      { input: 2004, cache_read: 0, cache_write: 0, output: 40 },
    ]);
    expectConserved(shown);
    const parts = shown.requests.map(({ parts: { user, read, summary } }) => ({ user, read, summary }));
    expect(parts[1]?.read).toBeGreaterThan(50);
    expect(parts[2]?.user).toBeLessThan(20);
    expect(parts[3]).toMatchObject({ read: 0 });
    expect(parts[3]?.summary).toBeGreaterThan(5);
    expect(parts[3]?.user).toBeGreaterThan(Number(parts[0]?.user));
  });
});

describe('sessions of other agents', () => {
  it.each(OTHERS)('$agent: each request counts once and its parts add up', async ({ agent, files, ...expected }) => {
    for (const [sample, file] of Object.entries(files)) await place(sample, file);
    await mkdir(path.join(home, '.gemini/tmp/proj'), { recursive: true });
    await writeFile(path.join(home, '.gemini/tmp/proj/.project_root'), root);
    const { turns, compactions, figures } = expected;
    const rows = await listed('--agent', agent);
    expect(rows).toMatchObject([{ agent, turns, compactions, requests: figures.length, usage: 'provider' }]);
    const shown = await session(String(rows[0]?.id));
    expect(
      shown.requests.map(({ usage }) =>
        usage ? [usage.input + usage.cache_read + usage.cache_write, usage.cache_read, usage.output] : [],
      ),
    ).toEqual(figures);
    expectConserved(shown);
    const [first, second] = shown.requests;
    expect(first?.parts.read).toBe(0);
    expect(first?.parts.user).toBeGreaterThan(0);
    expect(second?.parts.read).toBeGreaterThan(0);
  });
});

describe('agents that record no tokens', () => {
  it('are named with the number of their sessions of this folder', async () => {
    await mkdir(path.join(home, '.kiro/sessions/cli'), { recursive: true });
    for (const [name, cwd] of [
      ['a', root],
      ['b', `${root}-other`],
    ] as const)
      await writeFile(path.join(home, `.kiro/sessions/cli/${name}.json`), JSON.stringify({ session_id: name, cwd }));
    const project = root.slice(1).replaceAll(/[^A-Za-z0-9]/g, '-');
    await mkdir(path.join(home, `.cursor/projects/${project}/agent-transcripts`), { recursive: true });
    await writeFile(path.join(home, `.cursor/projects/${project}/agent-transcripts/1.txt`), '');
    const { out, code } = await world.run(['sessions', '--root', root, '--from', home]);
    expect(code).toBe(0);
    expect(out).toBe(
      'No sessions of this folder were found.\n' +
        'Kiro: 1 session, no token figures recorded.\nCursor: 1 session, no token figures recorded.\n',
    );
    const json = await world.run(['sessions', '--root', root, '--from', home, '--json']);
    expect(JSON.parse(json.out).without_figures).toEqual([
      { agent: 'kiro', sessions: 1 },
      { agent: 'cursor', sessions: 1 },
    ]);
    const one = await world.run(['sessions', '--root', root, '--from', home, '--agent', 'pi']);
    expect(one.out).toBe('No sessions of this folder were found.\n');
  });
});

describe('the command', () => {
  it('shows tables, and leaves out what was not used in time', async () => {
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`);
    const text = await world.run(['sessions', '--root', root, '--from', home]);
    expect(text.out).toMatch(/Session\s+Agent/);
    expect(await listed('--since', '1m')).toEqual([]);
    const one = await world.run(['session', '00000003', '--root', root, '--from', home, '--format', 'markdown']);
    expect(one.out).toContain('| Files read |');
  });

  it.each([
    ['text', ', m [31m| <b> x'],
    ['markdown', ', m \\[31m\\| \\<b\\> x'],
  ])("shows a model's name in its heading as plain text: %s", async (format, shown) => {
    const model = JSON.stringify('m\u001b[31m| <b>\nx');
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) =>
      text.replaceAll(/"model": "[^"]+"/g, `"model": ${model}`),
    );
    const { out } = await world.run(['session', '00000003', '--root', root, '--from', home, '--format', format]);
    expect(out.split('\n')[0]?.slice(-shown.length)).toBe(shown);
  });

  it('prints no secret that a finding would quote', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    await place('claude-code/image.jsonl', `${CLAUDE}/b.jsonl`, (text) => {
      const lines = text.trimEnd().split('\n');
      const prompt = JSON.parse(lines.find((line) => line.includes('"type": "user"')) ?? '');
      const said = {
        ...prompt,
        parentUuid: 'x',
        message: { role: 'user', content: `Never push with the token ${secret} yourself.` },
      };
      const answer = lines.findLast((line) => line.includes('"type": "assistant"')) ?? '';
      const boundary = { ...prompt, type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } };
      const summary = {
        ...prompt,
        parentUuid: 'x',
        isCompactSummary: true,
        message: { role: 'user', content: 'A picture was read.' },
      };
      const next = answer.replaceAll('msg_fake', 'msg_next').replaceAll('req_fake', 'req_next');
      return `${[...lines, ...[said, boundary, summary].map((each) => JSON.stringify(each)), next].join('\n')}\n`;
    });
    const { findings } = await session('00000003');
    const lost = findings.find(({ rule }) => rule === 'lost-instruction');
    expect(lost?.what).toMatch(/^Never push with the token .* yourself\.$/);
    expect(lost?.what).not.toContain(secret);
  });

  it.each(['sessions', 'session abc', 'export --otlp --dry-run'])(
    'a --from that is no folder is wrong usage of %s',
    async (line) => {
      const command = line.split(' ');
      await writeFile(path.join(home, 'a.jsonl'), '');
      for (const [given, why] of [
        ['none', 'The folder none does not exist.'],
        ['a.jsonl', 'a.jsonl is a file, not a folder.'],
      ] as const) {
        const result = await world.run([...command, '--root', root, '--from', given], { cwd: home });
        expect(result).toMatchObject({ code: 2, out: '' });
        expect(result.err).toContain(`error: ${why} Name a folder with --from.\n`);
      }
      const empty = await world.run([...command, '--root', root, '--from', ''], { cwd: home });
      expect(empty).toMatchObject({ code: 2, out: '' });
      expect(empty.err).toContain('error: --from is empty: give a folder.\n');
    },
  );

  it('says when an id fits none', async () => {
    const { code, err } = await world.run(['session', 'abc', '--root', root, '--from', home]);
    expect(code).toBe(2);
    expect(err).toContain('No session "abc" in this folder.');
  });
});
