import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/text/displayWidth';
import { TABLE_COLUMNS } from '../../../src/core/text/textTable';
import { encodeUsage } from '../../../src/core/usage/usageCodec';
import { CliWorld } from '../../support/cliWorld';
import { studyDraft, studyLog } from '../../support/studyLog';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let root: string;

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
});

async function write(name: string, text: string): Promise<string> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const report = (...args: string[]) => world.run(['report', '--root', root, ...args]);

describe('report', () => {
  it('says that nothing is recorded yet, and what would be a cycle', async () => {
    const { code, out, err } = await report();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      'Usage report, no cycles\n\nNo cycle recorded yet. A cycle is one use of a payload: copy one, or let an agent ask for one.\n',
    );
    expect(JSON.parse((await report('--json')).out)).toMatchObject({
      cycles: 0,
      sections: [],
      phases: [],
      targets: [],
    });
  });

  it('gives exactly the keys of the contract as JSON', async () => {
    const log = await write('some.jsonl', studyLog());
    const { code, out, err } = await report('--log', log, '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const json = JSON.parse(out);
    expect(Object.keys(json)).toEqual(['version', 'cycles', 'sections', 'classes', 'phases', 'targets']);
    expect(json.version).toBe('report.v1');
    expect(json.cycles).toBe(720);
    expect(json.sections[0]).toMatchObject({ id: 'AGENTS.md', loaded: 720, cited: 4, chars_mean: 5168, roi: 0.774 });
    expect(Object.keys(json.sections[0])).toEqual([
      'id',
      'loaded',
      'cited',
      'chars_mean',
      'tokens_mean',
      'share',
      'roi',
      'roi_class',
      'judged',
      'roi_interval',
      'last_cited_cycle',
      'trend',
    ]);
    expect(json.classes[1]).toEqual({ class: 'LOW', chars: 15_504, share: 0.5001, citations: 12, roi: 0.774 });
    expect(json.phases).toEqual([
      {
        mode: 'baseline',
        cycles: 720,
        chars_mean: 31_000,
        tokens_mean: 7750,
        observability_mean: null,
        response_ms_mean: null,
      },
    ]);
    expect(json.targets[0]).toEqual({
      metric: 'chars_mean',
      baseline: 31_000,
      target: 20_150,
      actual: null,
      met: null,
      better: null,
    });
  });

  it('lays sections, classes, phases and targets out in tables of at most 100 columns', async () => {
    const dynamic = studyDraft(721, { mode: 'dynamic', responseMs: 900 });
    const sections = dynamic.sections.map((each) => ({
      ...each,
      chars: Math.round(each.chars * 0.6),
      id: `${each.id}`,
    }));
    await write('.context-budget/usage.jsonl', studyLog() + encodeUsage(721, { ...dynamic, sections }));
    const { out } = await report();
    for (const line of out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(TABLE_COLUMNS);
    expect(out).toContain('Usage report, 721 cycles, 1 to 721\n');
    expect(out).toMatch(/^WASTE +heartbeat +721 +0 +2,479 +8% +720 +0\.00 +0\.00–0\.93 +never +▁+$/m);
    expect(out).toMatch(/^LOW +3 +15,495 +50% +12 +0\.77 +Shorten, or show a summary first$/m);
    expect(out).toMatch(/^dynamic +1 +18,601 +7,750 +not logged +900 ms$/m);
    expect(out).toMatch(/^Context size +at least 35% less +31,000 +20,150 +18,601 +−40%, better +met$/m);
    expect(out).toMatch(/^Decision quality +at least 3\.0 of 6 +not logged +3\.00 +not logged +not measured$/m);
  });

  it('reads the older files of the log beside it, and tells what is wrong with lines', async () => {
    await write('.context-budget/usage.000001.jsonl', `${encodeUsage(1, studyDraft(1))}oops\n`);
    await write('.context-budget/usage.jsonl', encodeUsage(2, studyDraft(2)));
    const text = await report();
    expect(text.out).toContain('2 cycles, 1 to 2');
    expect(text.out).toContain('Note: Line 2 is skipped: it is not JSON.');
    expect(text.err).toBe('');
    const json = await report('--json');
    expect(JSON.parse(json.out).cycles).toBe(2);
    expect(json.err).toContain('Line 2 is skipped: it is not JSON');
    expect((await report('--json', '--quiet')).err).toBe('');
    expect((await report('--format', 'markdown')).out).toContain('| LOW | 0 | 0 | 0% | 0 |  | None |');
  });

  it('keeps the config’s path and its borders of the classes', async () => {
    await write(
      '.context-budget/config.json',
      '{ "usage_log": "logs/u.jsonl", "scoring": { "roi_thresholds": { "waste": 0.8, "med": 2 } } }',
    );
    await write('logs/u.jsonl', studyLog());
    const { classes } = JSON.parse((await report('--json')).out);
    expect(classes.map((each: { chars: number }) => each.chars)).toEqual([21_704, 0, 9_296]);
  });

  it('refuses a log that is not there, and a folder', async () => {
    const missing = await report('--log', path.join(root, 'no.jsonl'));
    expect(missing.code).toBe(2);
    expect(missing.err).toMatch(/^error: --log .*no\.jsonl: the file does not exist\.$/m);
    expect((await report('--log', root)).err).toContain('this is a folder, not a file.');
  });

  it('leaves out what could rewrite the terminal', async () => {
    const [section] = studyDraft(1).sections;
    const draft = studyDraft(1, { sections: [{ ...section!, id: 'a\u001b[2Jb\u202e' }], cited: [] });
    await write('.context-budget/usage.jsonl', encodeUsage(1, draft));
    expect((await report()).out).not.toMatch(/\p{Cc}(?<!\n)|\u202e/u);
  });
});
