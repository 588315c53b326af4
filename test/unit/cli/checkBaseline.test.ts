import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let root: string;

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...args], { cwd: root, stdio: 'pipe' });
const write = (name: string, text: string) => writeFile(path.join(root, name), text);
const check = (...args: string[]) => world.run(['check', '--root', root, ...args]);
const RULES = '# Rules\n\n- Write tests first.\n';

let made: string;

/** A base with two files, one of them ignored and added by force. */
beforeAll(() => {
  made = mkdtempSync(path.join(tmpdir(), 'context-budget-test-'));
  root = made;
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(made, 'AGENTS.md'), RULES);
  writeFileSync(path.join(made, 'MEMORY.md'), '# Memory\n\n- 2026-01-02 it began\n');
  writeFileSync(path.join(made, '.gitignore'), 'MEMORY.md\n');
  git('add', '-f', '.');
  git('commit', '-q', '-m', 'base');
  git('branch', 'base');
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  cpSync(made, root, { recursive: true, preserveTimestamps: true });
});

describe('check --baseline', () => {
  it('finds no growth in the tree that it compares with, trusted or not', async () => {
    for (const more of [[], ['--trust']]) {
      const { out, code } = await check('--baseline', 'base', '--max-increase', '0', '--json', ...more);
      expect(code).toBe(0);
      const { baseline, sections } = JSON.parse(out);
      expect(baseline.ref).toBe('base');
      expect(baseline.tokens).toBeGreaterThan(20);
      expect(baseline.compared).toBe(baseline.tokens);
      const compared = sections.filter((section: object) => 'baseline' in section);
      expect(compared.map(({ id }: { id: string }) => id)).toEqual(['agents-md', 'memory', 'repo-map']);
      for (const { baseline: before, compared: now } of compared) expect(now).toBe(before);
    }
  });

  it('reads rules behind a link to a folder in a revision too', async () => {
    await mkdir(path.join(root, '.ai/rules'), { recursive: true });
    await mkdir(path.join(root, '.cursor'));
    await write('.ai/rules/a.mdc', '---\nalwaysApply: true\n---\nUse tabs.\n');
    await symlink('../.ai/rules', path.join(root, '.cursor/rules'));
    git('add', '.');
    git('commit', '-q', '-m', 'rules');
    const { out } = await check('--baseline', 'HEAD', '--max-increase', '0', '--json');
    const { sections } = JSON.parse(out);
    const [rules] = sections.filter(({ id }: { id: string }) => id === 'cursor-rules-a');
    expect(rules.baseline).toBe(rules.compared);
    expect(rules.baseline).toBeGreaterThan(5);
  });

  it('shows the increase by section between a base and a head, and fails when it is too large', async () => {
    await write('AGENTS.md', `${RULES}${'- Keep functions short.\n'.repeat(20)}`);
    git('commit', '-q', '-a', '-m', 'head');
    // The index and the working tree are not what a revision is measured from.
    const shown = await check('--baseline', 'HEAD~1', '--format', 'markdown');
    expect(shown.code).toBe(0);
    expect(shown.out).toMatch(/^\| agents-md \| 116 \| 16 \| 116 \| \+100 \|$/m);
    expect(shown.out).toMatch(/^\| memory \| (\d+) \| \1 \| \1 \| 0 \|$/m);
    const failed = await check('--baseline', 'base', '--max-increase', '10%', '--json');
    expect(failed.code).toBe(3);
    const { findings } = JSON.parse(failed.out);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ rule: 'increase', level: 'error', path: 'AGENTS.md', section: 'agents-md' });
    expect(findings[0].message).toMatch(/^the payload grew by 100 tokens since base, 10% allowed; agents-md grew most/);
    expect((await check('--baseline', 'base', '--max-increase', '100')).code).toBe(0);
    expect((await check('--baseline', 'base', '--max-increase', '99')).code).toBe(3);
  });

  it('compares with a file that was written, and refuses what is neither file nor revision', async () => {
    const file = path.join(await tempFolder(), 'budget.json');
    expect((await check('--write-baseline', file)).code).toBe(0);
    expect((await check('--baseline', file, '--max-increase', '0')).code).toBe(0);
    await write('AGENTS.md', `${RULES}- One more.\n`);
    expect((await check('--baseline', file, '--max-increase', '0')).code).toBe(3);
    const none = await check('--baseline', 'gone');
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain('gone is neither a file nor a revision');
    await writeFile(file, '{}');
    expect((await check('--baseline', file)).err).toContain('the file is no baseline');
    expect((await check('--max-increase', '5')).code).toBe(2);
    expect((await check('--baseline', 'base', '--max-increase', 'much')).code).toBe(2);
  });

  it('works on a file where there is no repository, and says that there is none', async () => {
    await rm(path.join(root, '.git'), { recursive: true });
    const file = path.join(await tempFolder(), 'budget.json');
    expect((await check('--write-baseline', file)).code).toBe(0);
    expect((await check('--baseline', file, '--max-increase', '0')).code).toBe(0);
    const none = await check('--baseline', 'HEAD');
    expect(none.code).toBe(2);
    expect(none.err).toContain('the folder is in no Git repository');
  });
});

describe('a finding whose line moves', () => {
  it('keeps its fingerprint, and another file has another', async () => {
    const prints = async (): Promise<readonly string[]> => {
      const { out } = await check('--format', 'sarif');
      const { results } = JSON.parse(out).runs[0];
      return results.map(
        (result: { ruleId: string; partialFingerprints: object; locations: object[] }) =>
          `${result.ruleId} ${Object.values(result.partialFingerprints)[0]}`,
      );
    };
    const token = ['ghp_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');
    await write('AGENTS.md', `${RULES}- Use ${token}.\n`);
    const before = await prints();
    expect(before).toHaveLength(1);
    await write('AGENTS.md', `${RULES}- One more.\n- Another.\n- Use ${token}.\n`);
    expect(await prints()).toEqual(before);
    await write('AGENTS.md', RULES);
    await write('MEMORY.md', `# Memory\n\n- Use ${token}.\n`);
    expect(await prints()).not.toEqual(before);
  });
});
