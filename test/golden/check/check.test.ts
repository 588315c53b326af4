import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { REPOSITORIES, type Repository } from './repositories';

/** Formats with the ending of their golden files. */
const FORMATS = { text: 'txt', json: 'json', markdown: 'md' } as const;

let world: CliWorld;
beforeAll(async () => {
  world = await CliWorld.create();
});

/** Compares with the file beside this test; `UPDATE_GOLDEN=1` rewrites it. */
function expectGolden(name: string, actual: string): void {
  const file = new URL(name, import.meta.url);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  expect(existsSync(file), `${name} is missing: run with UPDATE_GOLDEN=1`).toBe(true);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}

async function build({ files }: Repository): Promise<string> {
  const root = await tempFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

describe.each(REPOSITORIES)('check of a repository: $name', (repository) => {
  it(`exits with ${repository.code} and prints every format`, async () => {
    const root = await build(repository);
    for (const [format, ending] of Object.entries(FORMATS)) {
      const { code, out } = await world.run(['check', '--root', root, '--format', format, ...(repository.args ?? [])]);
      expect(code, format).toBe(repository.code);
      expectGolden(`${repository.name}.${ending}`, out);
    }
  });

  it('has the totals of budget', async () => {
    const root = await build(repository);
    const [check, budget] = await Promise.all(
      ['check', 'budget'].map(async (command) =>
        JSON.parse((await world.run([command, '--root', root, '--json'])).out),
      ),
    );
    const { tokens, chars } = budget.budget;
    expect({ tokens: check.tokens, chars: check.chars }).toEqual({ tokens, chars });
    const sizes = ({ id, tokens: own, tokens_full }: Record<string, unknown>) => ({ id, own, tokens_full });
    expect(check.sections.map(sizes)).toEqual(budget.sections.map(sizes));
  });
});
