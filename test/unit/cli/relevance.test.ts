import { beforeEach, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

const DEPLOY = `# Deploying\n\n${'Run the canary, watch the dashboards, then roll out. '.repeat(40)}\n`;
const BILLING = `# Billing\n\n${'Invoices are sent on the first of the month. '.repeat(40)}\n`;

/** One line of the usage log: both memories were shown, the billing one was cited. */
function line(cycle: number): string {
  const sections = ['memory-deploy', 'memory-billing'].map((id) => ({
    id,
    chars: 2000,
    tokens: 500,
    disclosure: 'full',
  }));
  return JSON.stringify({
    schema_version: 'usage.v1',
    cycle,
    ts: `2026-03-01 10:${String(cycle).padStart(2, '0')}:00`,
    trigger: 'copy',
    profile: 'default',
    sections,
    cited: [{ id: 'memory-billing', evidence: 'path', what: 'memory/BILLING.md' }],
  });
}

/** A folder with two memories and a log of 20 cycles, in one scoring mode. */
function folder(mode: string): Promise<string> {
  return tempFolder({
    'AGENTS.md': '# Rules\n',
    'memory/DEPLOY.md': DEPLOY,
    'memory/BILLING.md': BILLING,
    '.context-budget/config.json': JSON.stringify({
      sections: ['deploy', 'billing'].map((name) => {
        return { id: `memory-${name}`, file: `memory/${name.toUpperCase()}.md` };
      }),
      scoring: { mode },
    }),
    '.context-budget/usage.jsonl': Array.from({ length: 20 }, (_, at) => `${line(at + 1)}\n`).join(''),
  });
}

let world: CliWorld;
beforeEach(async () => {
  world = await CliWorld.create();
});

async function run(root: string, ...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await world.run(argv, { cwd: root });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('scoring from the usage log of a folder', () => {
  it('explains every score, as text and as JSON', async () => {
    const root = await folder('baseline');
    const text = await run(root, 'budget', '--explain');
    expect(text).toMatch(
      /memory\/DEPLOY\.md: 0\.\d\d < 0\.30: one line in mode dynamic\n {2}citation 0\.40 × 0\.\d\d {2}cited in 0 of 20/,
    );
    expect(text).toMatch(/memory\/BILLING\.md: 0\.\d\d ≥ 0\.30: kept\n/);
    expect(text).toMatch(/last cited in cycle 20, the newest\n/);
    const { sections } = JSON.parse(await run(root, 'budget', '--explain', '--json'));
    const deploy = sections.find(({ id }: { id: string }) => id === 'memory-deploy');
    expect(deploy).toMatchObject({ citations: 0, relevance: { verdict: 'stub', has_enough_data: true } });
    expect(deploy.score).toBe(deploy.relevance.score);
    expect(await run(root, 'budget')).not.toContain('Relevance');
  });

  it('changes no byte of the payload in mode baseline', async () => {
    const [off, baseline] = [await folder('off'), await folder('baseline')];
    expect(await run(baseline, 'payload', '--expanded')).toBe(await run(off, 'payload', '--expanded'));
  });

  it('makes a stub of what nobody cites in mode dynamic, until the trigger or the task asks for it', async () => {
    const root = await folder('dynamic');
    const payload = await run(root, 'payload', '--expanded');
    expect(payload).toMatch(
      /<memory-deploy>memory\/DEPLOY\.md \| ~\d+ tok \| section:memory-deploy<\/memory-deploy>\n/,
    );
    expect(payload).toContain('Invoices are sent');
    const triggered = await run(root, 'payload', '--expanded', '--trigger', 'canary dashboards are red, roll back');
    expect(triggered).toContain('Run the canary');
    const asked = await run(root, 'payload', '--expanded', '--query', 'canary dashboards are red, roll back');
    expect(asked).toContain('Run the canary');
    expect(await run(root, 'detail', '--ids', 'section:memory-deploy')).toContain('Run the canary');
  });

  it('compares a reply with the payload that was given, whatever its score would hide now', async () => {
    const root = await folder('dynamic');
    const reply = 'I ran the canary and watched the dashboards before the roll out.';
    const cite = async () => {
      const argv = ['cite', '--reply', '-', '--record', '--json'];
      return JSON.parse((await world.run(argv, { cwd: root, input: reply })).out);
    };
    const deploy = [{ id: 'memory-deploy', evidence: 'keyword', what: 'canary, dashboards, roll' }];
    // The task is not kept, and without it the score hides the section again.
    await run(root, 'payload', '--expanded', '--record', '--query', 'canary dashboards are red, roll back');
    expect(await cite()).toEqual({ version: 'cite.v1', cited: deploy, cycle: 21 });
    // Its citation brings the section back: a stub then, its text now.
    const hidden = await folder('dynamic');
    await run(hidden, 'payload', '--expanded', '--record');
    await run(hidden, 'detail', '--record', '--ids', 'section:memory-deploy');
    const after = await world.run(['cite', '--reply', '-', '--record', '--json'], { cwd: hidden, input: reply });
    expect(JSON.parse(after.out)).toEqual({ version: 'cite.v1', cited: [], cycle: 21 });
  });
});
