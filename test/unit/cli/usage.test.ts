import { access, appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { decodeUsage } from '../../../src/core/usage/usageCodec';
import type { UsageRecord } from '../../../src/core/usage/usageRecord';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

const LOG = '.context-budget/usage.jsonl';

let world: CliWorld;
let root: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder({
    'AGENTS.md': '# Rules\n\n- Be kind.\n',
    'memory/SOUL.md': 'I am calm.\n',
    'src/a.ts': 'export function greet(): void {}\n',
  });
});

const run = (...argv: readonly string[]) => world.run([...argv, '--root', root]);
async function records(): Promise<readonly UsageRecord[]> {
  const lines = (await readFile(path.join(root, LOG), 'utf8')).trimEnd().split('\n');
  return lines.flatMap((line) => {
    const decoded = decodeUsage(line);
    return decoded.kind === 'ok' ? [decoded.record] : [];
  });
}

describe('payload --record', () => {
  it('records the use of exactly that payload; without it nothing is written', async () => {
    const plain = await run('payload', '--expanded', '--json');
    await expect(access(path.join(root, '.context-budget'))).rejects.toMatchObject({ code: 'ENOENT' });
    const recorded = await run('payload', '--expanded', '--json', '--record', '--trigger', 'heartbeat 7');
    expect([recorded.code, recorded.out]).toEqual([0, plain.out]);
    const { sections, budget } = JSON.parse(plain.out);
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      cycle: 1,
      trigger: 'heartbeat 7',
      payload: 'expanded',
      mode: 'baseline',
      cited: [],
    });
    expect(record?.sections.map(({ id, tokens, chars }) => ({ id, tokens, chars }))).toEqual(
      sections.map(({ id, tokens, chars }: UsageRecord['sections'][number]) => ({ id, tokens, chars })),
    );
    const sum = record?.sections.reduce((total, { tokens }) => total + tokens, record.overheadTokens ?? 0);
    expect(sum).toBe(budget.tokens);
  });

  it('goes on numbering, and leaves the payload as it is: the log is no part of the context', async () => {
    const first = await run('payload', '--record');
    const second = await run('payload', '--record');
    expect([second.code, second.out, second.err]).toEqual([0, first.out, '']);
    expect((await records()).map(({ cycle, trigger, payload }) => [cycle, trigger, payload])).toEqual([
      [1, 'tool', 'index'],
      [2, 'tool', 'index'],
    ]);
    expect((await run('map')).out).not.toContain('usage');
  });

  it('says what is wrong with the log by path and line, and uses the rest', async () => {
    await run('payload', '--record');
    const file = path.join(root, LOG);
    await writeFile(file, `oops\n${await readFile(file, 'utf8')}`);
    const result = await run('payload', '--record');
    expect(result.code).toBe(0);
    expect(result.err).toContain(`${LOG}, line 1: skipped, not a usage record: it is not JSON.`);
    expect((await records()).map(({ cycle }) => cycle)).toEqual([1, 2]);
  });

  it('says what a killed writer left, and where it is kept', async () => {
    await run('payload', '--record');
    await appendFile(path.join(root, LOG), '{"schema_version":"usage.v1","cycle":2,');
    expect((await run('payload', '--record')).err).toContain(
      `${LOG}: a writer was killed; 39 bytes of its line are set aside in ${LOG}.torn.`,
    );
  });

  it('fails with what to do when the log is none, after the payload was printed', async () => {
    await run('payload', '--record');
    await writeFile(path.join(root, LOG), '# Notes\n');
    const result = await run('payload', '--record');
    expect(result.code).toBe(1);
    expect(result.out).toContain('<context-index>');
    expect(result.err).toMatch(
      /contains something other than usage records.*usage_log in \.context-budget\/config\.json/,
    );
  });
});

describe('detail --record', () => {
  it('cites the sections of what was asked for in the newest cycle', async () => {
    await run('payload', '--record');
    await run('observe', '--summary', 'the build broke');
    const result = await run('detail', '--ids', 'section:memory-soul,section:soul,1,file:src/a.ts', '--record');
    expect(result.out).toContain('I am calm.');
    await run('detail', '--ids', '1', '--record');
    await run('detail', '--ids', '1');
    const lines = await records();
    expect(lines.map(({ cycle, sections }) => [cycle, sections.length > 0])).toEqual([
      [1, true],
      [1, false],
      [1, false],
    ]);
    const cited = lines.flatMap((line) => line.cited.map(({ id, evidence, what }) => `${id} ${evidence} ${what}`));
    expect(cited).toEqual([
      'soul handle section:soul',
      'observations handle 1',
      'repo-map handle file:src/a.ts',
      'observations handle 1',
    ]);
  });
});
