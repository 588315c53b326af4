import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maskFor } from '../../../src/core/secrets/secretMask';
import { FakeKeys } from '../../fixtures/fakeSecrets';
import { CliWorld, createEngines } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

const TOKEN = `ghp_${new FakeKeys(5).random(36)}`;
const MASK = maskFor(TOKEN, 'GitHub token');

const NO_SCANNER = { scan: () => Promise.reject(new Error('no scanner')) };

/** A folder whose instructions, code, observations and relay log have the same key. */
const WORKSPACE = {
  'AGENTS.md': `# Agents\n\nUse ${TOKEN} for releases.\n`,
  'src/release.ts': `export function release(token = '${TOKEN}'): string {\n  return token;\n}\n`,
  'relay.json': JSON.stringify({
    relay_context: { goal: `release with ${TOKEN}`, constraints: ['none'], latest_instruction: 'go' },
    execution_logs: [],
  }),
};

describe('secrets in what is printed for an agent', () => {
  const LOG = '.context-budget/observations.jsonl';
  let observations: string;
  let world: CliWorld;
  let root: string;

  beforeAll(async () => {
    const folder = await tempFolder();
    const observed = ['observe', '--summary', `pushed with ${TOKEN}`, '--task-id', 'T1', '--detail', `log\n${TOKEN}\n`];
    expect((await (await CliWorld.create()).run(observed, { cwd: folder })).code).toBe(0);
    observations = await readFile(path.join(folder, LOG), 'utf8');
    expect(observations).toContain(TOKEN);
  });

  beforeEach(async () => {
    world = await CliWorld.create();
    root = await tempFolder({ ...WORKSPACE, [LOG]: observations });
  });

  it.each([
    ['payload', '--expanded'],
    ['payload', '--expanded', '--json'],
    ['payload', '--expanded', '--format', 'xml'],
    ['payload', '--expanded', '--format', 'markdown'],
    ['payload', '--json'],
    ['index'],
    ['index', '--json'],
    ['timeline', '--task-id', 'T1'],
    ['timeline', '--id', '1', '--json'],
    ['detail', '--ids', '1'],
    ['detail', '--ids', '1', '--json'],
    ['detail', '--ids', 'section:agents-md,file:src/release.ts'],
    ['detail', '--ids', 'section:agents-md,file:src/release.ts', '--format', 'xml'],
    ['map'],
    ['map', '--query', 'release', '--json'],
    ['map', '--query', 'release', '--explain'],
    ['compact', 'relay.json'],
    ['compact', 'relay.json', '--text'],
  ])('are masked and named by %s %s %s %s', async (...argv) => {
    const masked = await world.run(argv, { cwd: root });
    expect(masked.code, masked.err).toBe(0);
    expect(masked.out).not.toContain(TOKEN);
    expect(masked.err).not.toContain(TOKEN);
    const given = await world.run([...argv, '--unmasked'], { cwd: root });
    expect(given.err).not.toContain('masked in');
    if (!given.out.includes(TOKEN)) return;
    expect(masked.out).toContain(MASK);
    expect(masked.err).toMatch(/\d+ keys? masked in [\w, ./:-]+; --unmasked prints (it|them):/);
    expect(masked.out.split('\n').length).toBe(given.out.split('\n').length);
  });

  // Markers, numbers and tables: no form of output and no command shows what another one masks.
  it.each(
    [
      ['budget'],
      ['payload'],
      ['payload', '--expanded'],
      ['index'],
      ['timeline', '--task-id', 'T1'],
      ['report'],
      ['agents'],
      ['stale'],
      ['simulate'],
      ['check'],
      ['window'],
    ].flatMap((argv) => ['text', 'markdown', 'xml', 'json'].map((format) => [...argv, '--format', format])),
  )('are in no format of %s %s %s %s %s', async (...argv) => {
    const { out, err, code } = await world.run(argv, { cwd: root });
    expect([0, 2, 3, 4], err).toContain(code);
    expect(`${out}${err}`).not.toContain(TOKEN);
  });

  it('are no evidence that cite prints or records', async () => {
    const bare = new FakeKeys(9).random(24);
    await writeFile(
      path.join(root, 'MEMORY.md'),
      `# Memory\n\n- Orders of ${bare} from ${TOKEN} go to the warehouse twice.\n`,
    );
    const reply = `Orders reach the warehouse twice. I set API_KEY="${bare}" and ${TOKEN} in section:memory.`;
    for (const format of ['text', 'json']) {
      const { code, out, err } = await world.run(['cite', '--reply', '-', '--record', '--format', format], {
        cwd: root,
        input: reply,
      });
      expect(code, err).toBe(0);
      expect(out).toContain('memory');
      expect(`${out}${err}`).not.toMatch(new RegExp(`${bare}|${TOKEN}`));
    }
    const log = await readFile(path.join(root, '.context-budget/usage.jsonl'), 'utf8');
    expect(log).toContain('memory');
    expect(log).not.toMatch(new RegExp(`${bare}|${TOKEN}`, 'i'));
  });

  it('are there with --unmasked', async () => {
    for (const argv of [
      ['payload', '--expanded'],
      ['detail', '--ids', '1,section:agents-md'],
      ['map', '--query', 'release'],
      ['compact', 'relay.json'],
    ])
      expect((await world.run([...argv, '--unmasked'], { cwd: root })).out, argv[0]).toContain(TOKEN);
  });

  it('are named with section, line and file', async () => {
    const { err } = await world.run(['payload', '--expanded'], { cwd: root });
    expect(err).toContain('  agents-md, AGENTS.md:3: GitHub token\n');
  });

  it('are named where only lines from inside of one are asked for', async () => {
    const keys = new FakeKeys(7);
    const body = Array.from({ length: 24 }, () => keys.random(64)).join('\n');
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE ${'KEY'}-----`);
    await writeFile(path.join(root, 'k.txt'), `intro\nkey:\n${begin}\n${body}\n${end}\nafter\n`);
    const { out, err } = await world.run(['detail', '--ids', 'file:k.txt#L10-L12,file:k.txt#L27-L30'], { cwd: root });
    expect(out.match(/\n\[masked: private key[^\n]*\]\n\n/g)).toHaveLength(2);
    expect(out).toContain('\nafter\n');
    expect(err).toContain('k.txt:3: private key');
    for (const line of body.split('\n')) expect(out).not.toContain(line);
  });

  it('leave numbers that are those of the printed text', async () => {
    const { out } = await world.run(['payload', '--expanded', '--json'], { cwd: root });
    const text = (await world.run(['payload', '--expanded'], { cwd: root })).out;
    const { budget, sections } = JSON.parse(out);
    const { engine } = createEngines({} as Parameters<typeof createEngines>[0]);
    expect(budget.chars).toBe(text.length);
    expect([budget.tokens]).toEqual(await engine.countTokens({ texts: [text], tokenizer: 'o200k_base' }));
    for (const { id, text: content, chars } of sections) {
      const element = new RegExp(`<${id}>[\\s\\S]*?</${id}>\\n`).exec(text)?.[0] ?? '';
      expect([id, chars]).toEqual([id, content === '' ? 0 : element.length]);
    }
  });

  it('are masked in what a hook answers', async () => {
    await mkdir(path.join(root, '.context-budget'), { recursive: true });
    await writeFile(path.join(root, '.context-budget/config.json'), '{"version": 1, "session_start": {"index": true}}');
    const answered = await world.run(['hook', 'SessionStart'], { cwd: root, input: '{}' });
    expect(answered.out).toMatch(/^<context-index>\n/);
    expect(answered.out).not.toContain(TOKEN);
    expect(answered.out).toContain(MASK);
  });

  it.each([
    ['payload', '--expanded'],
    ['payload', '--json'],
    ['index'],
    ['timeline', '--task-id', 'T1'],
    ['detail', '--ids', '1,section:agents-md,file:src/release.ts'],
    ['map'],
    ['compact', 'relay.json'],
    ['hook', 'SessionStart'],
  ])('never leave by %s %s %s where they cannot be looked for', async (...argv) => {
    const product = {
      root: '/nowhere',
      createEngines: (host: Parameters<typeof createEngines>[0]) => createEngines(host, NO_SCANNER),
    };
    const { out, err } = await world.run(argv, { cwd: root, product, input: '{}' });
    expect(out + err).not.toContain(TOKEN.slice(0, 12));
    expect(out).not.toContain('for releases');
    expect(out + err).toMatch(/secret scan failed/);
  });
});
