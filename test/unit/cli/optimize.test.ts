import { mkdir, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeUsage } from '../../../src/core/usage/usageCodec';
import { CliWorld } from '../../support/cliWorld';
import { STUDY_SECTIONS, studyDraft } from '../../support/studyLog';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let folder: string;

/** Words of no language, so that nothing is a keyword of anything. */
function prose(id: string, chars: number): string {
  return Array.from({ length: Math.ceil(chars / 12) }, (_, at) => `${id.slice(0, 3)}${at % 7}ab ${at % 5}xyz\n`)
    .join('')
    .slice(0, chars);
}

const STUDY = Object.fromEntries(STUDY_SECTIONS.map(([id, chars]) => [id, prose(id, chars)]));

async function write(name: string, value: unknown): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
}

/** Sixty cycles in which `memory` is cited in every one, the rest of the study's payload hardly. */
function log(): string {
  const cited = [{ id: 'memory', evidence: 'path', what: 'memory.md' } as const];
  return Array.from({ length: 60 }, (_, at) => encodeUsage(at + 1, studyDraft(at + 1, { cited }))).join('');
}

beforeEach(async () => {
  world = await CliWorld.create();
  folder = await tempFolder();
  await write('usage.jsonl', log());
  await write('sections.json', STUDY);
});

const optimize = (...args: string[]) =>
  world.run(['optimize', '--sections', 'sections.json', '--log', 'usage.jsonl', ...args], { cwd: folder });

describe('optimize', () => {
  it('makes stubs of what nobody cites, keeps what is cited, and says what was cut and why', async () => {
    const { code, out, err } = await optimize('--budget', '20000');
    expect(code).toBe(0);
    // Whole the study exceeds the cap by a twentieth: what memory lacks there, no stub gives it.
    const kept = STUDY.memory!.trimEnd()
      .split('\n')
      .filter((line) => out.includes(line))
      .join('\n').length;
    expect(kept).toBeGreaterThan(STUDY.memory!.length * 0.8);
    expect(out).not.toContain(STUDY.heartbeat!.slice(0, 200));
    expect(out).toMatch(/<heartbeat>.*section:heartbeat<\/heartbeat>/);
    expect(err).toMatch(/^[\d,]+ → [\d,]+ characters \(−\d+%\), [\d,]+ → [\d,]+ tokens \(−\d+%\)$/m);
    expect(err).toMatch(/^heartbeat: score 0\.\d\d < 0\.30, 2,\d\d\d → \d+ characters \(−9\d%\); left out: /m);
    expect((await optimize('--budget', '20000', '--quiet')).err).toBe('');
  });

  it('prints context_payload.v2 with the cuts as JSON', async () => {
    const { out, err } = await optimize('--budget', '20000', '--json');
    const json = JSON.parse(out);
    expect(json).toMatchObject({ version: 'context_payload.v2', mode: 'expanded', budget: { budget_tokens: 20_000 } });
    const { sections, cuts, chars_before: before } = json;
    expect(before).toBeGreaterThan(31_000);
    expect(json.budget.chars).toBeLessThan(before * 0.65);
    const memory = sections.find(({ id }: { id: string }) => id === 'memory');
    expect(memory).toMatchObject({ disclosure: 'summary', citations: 50, roi_class: 'MED+' });
    expect(memory.tokens).toBeGreaterThan(memory.tokens_full * 0.8);
    expect(cuts.map(({ id }: { id: string }) => id)).toContain('heartbeat');
    // AGENTS.md is no name of an element: its history is found all the same.
    expect(sections.find(({ title }: { title: string }) => title === 'AGENTS.md')).toMatchObject({
      citations: 0,
      roi: 0,
    });
    expect(err).toContain('the section "AGENTS.md" gets the id agents-md');
  });

  it('takes threshold, mode and query', async () => {
    const stubs = async (...args: string[]): Promise<number> => {
      const { out } = await optimize('--json', '--budget', '20000', ...args);
      const { sections } = JSON.parse(out) as { sections: { disclosure: string; reason: string }[] };
      return sections.filter(({ disclosure, reason }) => disclosure === 'stub' && reason.startsWith('score')).length;
    };
    expect(await stubs('--threshold', '0')).toBe(0);
    expect(await stubs('--mode', 'baseline')).toBe(0);
    expect(await stubs()).toBeGreaterThan(3);
    const scoreOf = async (...args: string[]): Promise<number> => {
      const { out } = await optimize('--json', '--budget', '20000', ...args);
      return JSON.parse(out).sections.find(({ id }: { id: string }) => id === 'heartbeat').score;
    };
    expect(await scoreOf('--query', 'what did the heartbeat say')).toBeGreaterThan(await scoreOf('--query', 'soul'));
  });

  it('never goes over the budget, and ends with 3 where what is never removed does not fit', async () => {
    const small = await optimize('--mode', 'off', '--budget', '3000', '--json');
    expect(small.code).toBe(0);
    expect(JSON.parse(small.out).budget.tokens).toBeLessThanOrEqual(3000);
    await write('sections.json', [{ id: 'rules', text: STUDY.memory, priority: 'P0' }]);
    expect((await optimize('--budget', '100')).code).toBe(3);
  });

  it('reads the sections from stdin, in any of the forms of a payload', async () => {
    const argv = ['optimize', '--sections', '-', '--log', 'usage.jsonl', '--format', 'markdown'];
    const { code, out } = await world.run(argv, {
      cwd: folder,
      input: '[{"id":"ports","text":"x","status":"WARN","summary":"1 down"}]',
    });
    expect(code).toBe(0);
    expect(out).toContain('1 down');
  });

  it('needs no folder and looks at none, unless one is named', async () => {
    await write(
      '.context-budget/config.json',
      '{ "scoring": { "threshold": 1 }, "profiles": { "tiny": { "budget_tokens": 300 } } }',
    );
    const without = JSON.parse((await optimize('--json')).out);
    expect(without).toMatchObject({ profile: 'default', budget: { budget_tokens: 7500 } });
    const withRoot = await optimize('--json', '--root', folder, '--profile', 'tiny');
    expect(JSON.parse(withRoot.out)).toMatchObject({ profile: 'tiny', budget: { budget_tokens: 300 } });
    const unknown = await optimize('--profile', 'tiny');
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toContain('Unknown profile "tiny"');
  });

  it('says what is wrong with its input', async () => {
    const wrong = async (...args: string[]) => {
      const { code, err } = await world.run(['optimize', ...args], { cwd: folder });
      return `${code} ${err.trim()}`;
    };
    expect(await wrong('--log', 'usage.jsonl')).toMatch(/^2 error: required option '--sections <file>'/);
    expect(await wrong('--sections', 'no.json', '--log', 'usage.jsonl')).toBe(
      '2 error: --sections no.json: the file does not exist.',
    );
    expect(await wrong('--sections', 'sections.json', '--log', '.')).toContain(
      'error: --log .: this is a folder, not a file.',
    );
    expect(await wrong('--sections', 'sections.json', '--log', devNull)).toContain(
      `error: --log ${devNull}: not a regular file.`,
    );
    await write('sections.json', '[{"id":"a"}]');
    expect(await wrong('--sections', 'sections.json', '--log', 'usage.jsonl')).toBe(
      '2 error: --sections sections.json: sections[0].text must be a string, but is missing.',
    );
    expect(await wrong('--sections', 'sections.json', '--log', 'usage.jsonl', '--threshold', '3')).toContain(
      'It must be a number from 0 to 1.',
    );
  });

  it('says that a log knows none of the sections, or nothing at all', async () => {
    await write('sections.json', { other: 'a text' });
    expect((await optimize()).err).toContain('warning: the log knows none of these sections: nothing is cut for it');
    await write('usage.jsonl', '');
    expect((await optimize()).err).toContain('warning: the log has no usage records: nothing is cut for it');
  });

  it('names bad lines of the log', async () => {
    await write('usage.jsonl', `${log()}oops\n`);
    expect((await optimize('--budget', '20000')).err).toContain(
      'usage.jsonl, line 61: skipped, not a usage record: it is not JSON.',
    );
  });
});
