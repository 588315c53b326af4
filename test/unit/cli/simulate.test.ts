import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/text/displayWidth';
import { TABLE_COLUMNS } from '../../../src/core/text/textTable';
import { encodeUsage } from '../../../src/core/usage/usageCodec';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

let world: CliWorld;
let root: string;

const CONFIG = {
  sections: [
    { id: 'soul', file: 'soul.md', priority: 'P2' },
    { id: 'topic', file: 'topic.md', priority: 'P4' },
    { id: 'rules', file: 'rules.md', priority: 'P0' },
  ],
};

async function write(name: string, text: string): Promise<void> {
  const file = path.join(root, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** In each cycle `soul` is cited, `topic` and `rules` never; but `topic` once, in cycle 95. */
function log(cycles: number): string {
  return Array.from({ length: cycles }, (_, at) => {
    const cited = [{ id: 'soul', evidence: 'path', what: 'soul.md' } as const];
    const topic = { id: 'topic', evidence: 'path', what: 'topic.md' } as const;
    return encodeUsage(at + 1, {
      ts: `2026-02-03 10:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`,
      trigger: 'copy',
      profile: 'default',
      mode: 'baseline',
      payload: 'expanded',
      sections: [
        { id: 'rules', chars: 800, tokens: 200, disclosure: 'full', charsFull: 800, tokensFull: 200 },
        { id: 'soul', chars: 1000, tokens: 250, disclosure: 'full', charsFull: 1000, tokensFull: 250 },
        { id: 'topic', chars: 3000, tokens: 750, disclosure: 'full', charsFull: 3000, tokensFull: 750 },
      ],
      cited: at + 1 === 95 ? [...cited, topic] : cited,
    });
  }).join('');
}

beforeEach(async () => {
  world = await CliWorld.create();
  root = await tempFolder();
  await write('.context-budget/config.json', JSON.stringify(CONFIG));
  await write('.context-budget/usage.jsonl', log(100));
  for (const name of ['soul', 'topic', 'rules']) await write(`${name}.md`, `${name}\n`);
});

const simulate = (...args: string[]) => world.run(['simulate', '--root', root, ...args]);

describe('simulate', () => {
  it('says what the last cycles would have cost under a threshold, and what they would have lost', async () => {
    const { code, out } = await simulate('--threshold', '0.5', '--json');
    expect(code).toBe(0);
    const json = JSON.parse(out);
    expect(Object.entries(json)[0]).toEqual(['version', 'simulate.v1']);
    expect(json).toMatchObject({ mode: 'dynamic', profile: null, threshold: 0.3, cycles: 50, judged_cycles: 50 });
    const [result] = json.results;
    expect(result).toMatchObject({
      threshold: 0.5,
      chars_before: 240_000,
      tokens_before: 60_000,
      citations: 51,
      citations_kept: 50,
      lost: [{ id: 'topic', citations: 1 }],
    });
    expect(result.chars_after).toBeLessThan(result.chars_before * 0.5);
    expect(result.stubbed.map(({ id }: { id: string }) => id)).toEqual(['topic']);
  });

  it('tries several thresholds where none is given, with the config’s own marked', async () => {
    const { out } = await simulate();
    for (const line of out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(TABLE_COLUMNS);
    expect(out).toMatch(/^Simulation of mode dynamic over 50 cycles$/m);
    expect(out).toMatch(/^ *0\.10 +4,800 +±0% +1,200 +±0% +100% +none +none$/m);
    expect(out).toMatch(/^ *\* 0\.30 /m);
    expect(out).toMatch(/^ *0\.60 .* 98% +topic 1 +topic \d+$/m);
    expect(out).toContain('As recorded: 4,800 characters and 1,200 tokens per cycle, 51 citations in all.');
    // 1,200 tokens are few already, and 65% of 4,800 characters are 3,120: the topic has to go.
    const words = out.replaceAll(/\s+/g, ' ');
    expect(words).toContain('0.30 is the lowest threshold that meets the targets (35% less, under 5,000 tokens).');
    expect(words).toContain('It turns 1 of 51 citations into requests.');
    const { results } = JSON.parse((await simulate('--json')).out);
    expect(results.map((each: { meets_targets: boolean }) => each.meets_targets)).toEqual([
      ...[false, false, true, true, true, true],
    ]);
    expect((await simulate('--threshold', '0.1')).out).not.toContain('the targets');
    expect((await simulate('--format', 'markdown')).out).toContain('| 0.10 | 4,800 |');
  });

  it('tells a bad line of the log once', async () => {
    await write('.context-budget/usage.jsonl', `${log(60)}oops\n${log(1).replace('"cycle":1,', '"cycle":61,')}`);
    const { err } = await simulate();
    expect(err.match(/usage\.jsonl, line 61: skipped, not a usage record: it is not JSON\./g)).toHaveLength(1);
  });

  it('takes mode, number of cycles and the caps of a profile', async () => {
    const fixed = JSON.parse((await simulate('--mode', 'static', '--cycles', '20', '--json')).out);
    expect(fixed).toMatchObject({ mode: 'static', cycles: 20 });
    expect(fixed.results).toHaveLength(1);
    expect(fixed.results[0].stubbed).toEqual([{ id: 'topic', cycles: 20 }]);
    await write(
      '.context-budget/config.json',
      JSON.stringify({ ...CONFIG, profiles: { tiny: { budget_tokens: 500 } } }),
    );
    const capped = JSON.parse((await simulate('--mode', 'baseline', '--profile', 'tiny', '--json')).out);
    expect(capped.profile).toBe('tiny');
    const [{ stubbed, tokens_after: tokens }] = capped.results;
    expect(stubbed).toEqual([]);
    expect(tokens).toBeGreaterThan(50 * 480);
    expect(tokens).toBeLessThanOrEqual(50 * 500);
    expect((await simulate('--profile', 'nobody')).code).toBe(2);
  });

  it('says in which cycles nothing is judged, and that there is nothing to go through', async () => {
    await write('.context-budget/usage.jsonl', log(12));
    expect((await simulate()).out).toMatch(
      /^In 10 cycles nothing is hidden: they have fewer than 10 cycles before them\.$/m,
    );
    await write('.context-budget/usage.jsonl', '');
    const empty = await simulate();
    expect(empty).toMatchObject({ code: 0, err: '' });
    expect(empty.out).toContain('No cycle recorded yet: there is nothing to simulate.');
  });

  it('refuses what is no threshold', async () => {
    const { code, err } = await simulate('--threshold', '30 %');
    expect(code).toBe(2);
    expect(err).toContain('It must be a number from 0 to 1.');
  });
});
