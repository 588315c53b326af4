import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

/** Instructions with a rule that a reply can follow, a memory that it can name, and a source that only the map lists. */
const WORKSPACE = {
  'AGENTS.md': '# Rules\n\n- Prices are integers in cents; floats are forbidden, format with `formatMoney`.\n',
  'MEMORY.md': '# Memory\n\n- Stripe webhooks arrive twice; the event id is the idempotency key.\n',
  'src/server.ts': 'export function startServer(port: number): void {}\n',
};

const LOG = '.context-budget/usage.jsonl';

let world: CliWorld;
let root: string;
beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder(WORKSPACE);
});

async function cite(reply: string, ...argv: readonly string[]): Promise<CliResult> {
  return world.run(['cite', '--reply', '-', ...argv], { cwd: root, input: reply });
}

describe('cite', () => {
  it('prints a table: section, evidence, what was seen', async () => {
    const result = await cite(
      'Changed src/server.ts. Stripe webhooks are deduplicated by the event id as idempotency key.',
    );
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out.split('\n').map((line) => line.split(/\s{2,}/))).toEqual([
      ['section', 'evidence', 'what'],
      ['memory', 'keyword', 'Stripe, webhooks, idempotency'],
      ['repo-map', 'path', 'src/server.ts'],
      [''],
    ]);
  });

  it('gives JSON alone on stdout', async () => {
    const { code, out } = await cite('Please expand section:memory.', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      version: 'cite.v1',
      cited: [{ id: 'memory', evidence: 'handle', what: 'section:memory' }],
    });
  });

  it('reads a file, relative to the current folder', async () => {
    await writeFile(path.join(root, 'answer.md'), 'I use section:memory for that.\n');
    const { out } = await world.run(['cite', '--reply', 'answer.md', '--json'], { cwd: root });
    expect(JSON.parse(out)).toEqual({
      version: 'cite.v1',
      cited: [{ id: 'memory', evidence: 'id', what: 'section:memory' }],
    });
  });

  it('knows which payload the agent had: an index has no section’s text', async () => {
    const reply = 'Prices are kept as cents; formatMoney turns them into text, floats are gone.';
    expect(JSON.parse((await cite(reply, '--json')).out).cited).toMatchObject([{ id: 'agents-md' }]);
    expect(JSON.parse((await cite(reply, '--json', '--payload', 'index')).out).cited).toEqual([]);
  });

  it('writes nothing unless asked', async () => {
    await cite('I use section:memory for that.');
    expect(existsSync(path.join(root, LOG))).toBe(false);
  });

  it('records: of the use before it, and a use of its own when that has its reply', async () => {
    await world.run(['payload', '--record'], { cwd: root });
    const first = await cite('Please expand section:memory.', '--json', '--record');
    expect(JSON.parse(first.out)).toEqual({
      version: 'cite.v1',
      cited: [{ id: 'memory', evidence: 'handle', what: 'section:memory' }],
      cycle: 1,
    });
    expect(JSON.parse((await cite('Changed src/server.ts.', '--json', '--record')).out).cycle).toBe(1);
    expect(JSON.parse((await cite('Changed src/server.ts.', '--json', '--record')).out).cycle).toBe(2);
    const lines = (await readFile(path.join(root, LOG), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).cited.map(({ id }: { id: string }) => id))).toEqual([
      [],
      ['memory'],
      ['repo-map'],
      [],
      ['repo-map'],
    ]);
    expect(lines.map((line) => JSON.parse(line).payload)).toEqual(['index', undefined, undefined, 'index', undefined]);
  });

  it.each([['index'], ['expanded']])('records the %s payload that it is told of', async (payload) => {
    await cite('Changed src/server.ts.', '--payload', payload, '--record');
    expect(JSON.parse(await readFile(path.join(root, LOG), 'utf8'))).toMatchObject({ cycle: 1, payload });
  });

  it('finds the same in a reply however often it is recorded', async () => {
    const reply = 'Prices are kept as cents; formatMoney turns them into text, floats are gone.';
    await world.run(['payload', '--record'], { cwd: root });
    for (const cycle of [1, 2, 3])
      expect(JSON.parse((await cite(reply, '--json', '--record')).out)).toEqual({
        version: 'cite.v1',
        cited: [],
        cycle,
      });
  });

  it('adds measures to the cycle that the reply joins, and keeps no text of task or reply', async () => {
    const task = 'why does the zebra cache forget its stripes';
    await world.run(['payload', '--root', root, '--expanded', '--record', '--query', task]);
    const measures = ['--record', '--response-ms', '41000', '--observability-score', '4'];
    const argv = ['cite', '--root', root, '--reply', '-', '--query', task, ...measures];
    const { code } = await world.run(argv, { input: 'Nothing of the quokka was needed.' });
    expect(code).toBe(0);
    const text = await readFile(path.join(root, LOG), 'utf8');
    const [use, reply] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(use).toMatchObject({ cycle: 1, judged: false, query_hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(reply).toMatchObject({ cycle: 1, cited: [], response_ms: 41_000, observability_score: 4 });
    expect(text).not.toMatch(/zebra|quokka/);
    const wrong = await world.run(['cite', '--root', root, '--reply', '-', '--response-ms', '5'], { input: 'x' });
    expect(wrong.code).toBe(2);
  });

  it('takes the payload that was recorded last for what the agent had', async () => {
    const reply = 'Prices are kept as cents; formatMoney turns them into text, floats are gone.';
    await world.run(['payload', '--record'], { cwd: root });
    expect(JSON.parse((await cite(reply, '--json')).out).cited).toEqual([]);
    await world.run(['payload', '--expanded', '--record'], { cwd: root });
    expect(JSON.parse((await cite(reply, '--json')).out).cited).toMatchObject([{ id: 'agents-md' }]);
  });

  it('says when nothing is cited, and ends well', async () => {
    const result = await cite('All done, my memory is fine.');
    expect(result).toMatchObject({ code: 0, out: '' });
    expect(result.err).toContain('No evidence in the reply that a section was used.');
  });

  it.each([
    ['a missing file', 'nowhere.md', 'error: --reply nowhere.md: the file does not exist.\n'],
    ['a file that is no text', 'logo.png', 'error: --reply logo.png: not a text file.\n'],
    ['an empty file', 'empty.md', 'error: --reply empty.md: the reply is empty.\n'],
  ])('%s is wrong usage', async (_, file, err) => {
    await writeFile(path.join(root, 'logo.png'), Uint8Array.of(137, 80, 0, 1));
    await writeFile(path.join(root, 'empty.md'), ' \n');
    expect(await world.run(['cite', '--reply', file], { cwd: root })).toEqual({ code: 2, out: '', err });
  });

  it('wants a reply and a kind of payload that there is', async () => {
    expect(await world.run(['cite'], { cwd: root })).toMatchObject({ code: 2, out: '' });
    expect(await cite('x', '--payload', 'half')).toMatchObject({ code: 2, out: '' });
  });

  it('explains itself with examples', async () => {
    const { code, out } = await world.run(['cite', '--help'], { cwd: root });
    expect(code).toBe(0);
    expect(out).toContain('context-budget cite --reply answer.md');
    expect(out).toContain('[ctx:soul]');
  });
});
