/** The guide's commands are run on the sample, and print what the guide shows. */
import { cp, readFile } from 'node:fs/promises';
import { parse } from 'shell-quote';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/config/config';
import { CliWorld } from '../support/cliWorld';
import { tempFolder } from '../support/tempFolder';

const SAMPLE = 'test/fixtures/workspaces/sample';
/** Bold words that are no commands of ours. */
const OTHER_BOLD = ['bold', 'Size.', 'Alerts.', 'Reason.', 'Welcome: Open Walkthrough…'];

interface Recipe {
  readonly title: string;
  /** What to type, and right after it what is shown of its output. */
  readonly parts: readonly { readonly commands: readonly string[]; readonly shown: readonly string[] }[];
}

let guide = '';
let recipes: readonly Recipe[] = [];
let world: CliWorld;
let root = '';

beforeAll(async () => {
  [guide = ''] = (await readFile('GUIDE.md', 'utf8')).split(/^## Reference$/m);
  recipes = guide
    .split(/^## /m)
    .slice(1)
    .map((text) => ({
      title: text.split('\n')[0] ?? '',
      parts: [...text.matchAll(/```bash\n([\s\S]*?)```(?:\n+```text\n([\s\S]*?)```)?/g)].map(([, commands, shown]) => ({
        commands: lines(commands),
        shown: lines(shown),
      })),
    }));
});

function lines(text = ''): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

async function copySample(): Promise<void> {
  world = await CliWorld.create();
  root = await tempFolder();
  await cp(SAMPLE, root, { recursive: true });
}

/** Runs `[echo TEXT |] context-budget ARGS` and gives what it printed. */
async function run(line: string): Promise<string> {
  const words = parse(line);
  const start = words.indexOf('context-budget');
  const input = words[0] === 'echo' ? `${String(words[1])}\n` : undefined;
  const argv = words.slice(start + 1).map(String);
  const result = await world.run(argv, { cwd: root, ...(input === undefined ? {} : { input }) });
  expect(result.code, `${line}\n${result.err}`).toBe(0);
  return result.out;
}

describe('GUIDE.md', () => {
  it('has five recipes with commands', () => {
    expect(recipes).toHaveLength(5);
    for (const { title, parts } of recipes) expect(parts.length, title).toBeGreaterThan(0);
  });

  it('each command works on the sample, and prints each line that is shown of it', async () => {
    await copySample();
    for (const { title, parts } of recipes) {
      for (const { commands, shown } of parts) {
        let out = '';
        for (const command of commands) out += await run(command);
        for (const line of shown) expect(out, title).toContain(line);
      }
    }
  });

  it("README's figure is what the sample's simulation prints", async () => {
    await copySample();
    const { cycles, results } = JSON.parse(await run('context-budget simulate --threshold 0.3 --json'));
    const [{ tokens_before: before, tokens_after: after, citations, citations_kept: kept }] = results;
    const count = (tokens: number) => Math.round(tokens / cycles).toLocaleString('en');
    const saved = Math.round((1 - after / before) * 100);
    const readme = await readFile('README.md', 'utf8');
    expect(readme).toContain(`from ${count(before)} to ${count(after)} tokens (−${saved}%)`);
    expect(readme).toContain(`keeps ${kept} of ${citations} citations`);
    expect(readme).toContain(`its ${cycles} recorded cycles`);
  });

  it('its bold words are titles of commands', async () => {
    const titles = Object.values(JSON.parse(await readFile('package.nls.json', 'utf8')) as Record<string, string>);
    const bold = [...guide.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words ?? '');
    expect(bold.length).toBeGreaterThan(10);
    for (const words of bold) if (!OTHER_BOLD.includes(words)) expect(titles).toContain(words);
  });
});

describe('the sample', () => {
  it('has a config without problems', async () => {
    expect(parseConfig(await readFile(`${SAMPLE}/.context-budget/config.json`, 'utf8')).problems).toEqual([]);
  });
});
