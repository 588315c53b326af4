import { beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { attackOnce } from '../attack/attackOnce.mjs';
// @ts-expect-error: a script without types
import { CASES } from '../attack/cases/index.mjs';
// @ts-expect-error: a script without types
import { CONTROLS, runControl } from '../attack/controls.mjs';
import { limitMs } from '../support/until.mjs';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';

interface Attack {
  readonly name: string;
  readonly finding: string;
  readonly sample?: readonly ('cli' | 'mcp')[];
}

const attacks: readonly Attack[] = CASES;
const sample = attacks.flatMap((attack) => (attack.sample ?? []).map((host) => ({ ...attack, host, attack })));
const FINDINGS = ['C1', 'C2', 'H1', 'H2', 'H3', 'H5', 'M3', 'M4', 'M5', 'L3'];

/** `deadlineOfMachine` finds much the same by a command of its own. */
const deadlineMs = limitMs();

beforeAll(ensureBuilt);

// A sample of `npm run test:attack`.
describe('a hostile folder', () => {
  it.each(sample)('does nothing by $host: $finding, $name', async ({ attack, host }) => {
    expect(await attackOnce(attack, host, { deadlineMs })).toEqual([]);
  });

  it('is tried for every finding, and no two have one name', () => {
    expect(FINDINGS.filter((finding) => !sample.some((one) => one.finding === finding))).toEqual([]);
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  });
});

describe('the canaries', () => {
  it.each(Object.keys(CONTROLS))('wake when %s', async (name) => {
    expect(await runControl(name, { deadlineMs })).toBe(true);
  });
});
