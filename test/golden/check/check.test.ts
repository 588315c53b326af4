import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../package.json';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';
import { REPOSITORIES, type Repository } from './repositories';

/** Formats with the ending of their golden files. */
const FORMATS = { text: 'txt', json: 'json', markdown: 'md', sarif: 'sarif', github: 'github.txt' } as const;

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

/** The official schema, which is draft-04 but for nothing that draft-07 reads otherwise; one of its patterns is no Unicode one. */
function sarifValidator(): (log: unknown) => readonly unknown[] {
  const require = createRequire(import.meta.url);
  const { $schema: _, id: __, ...schema } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return (log) => (validate(log) ? [] : (validate.errors ?? []));
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
      const { code, out } = await world.run(['check', '--root', root, '--format', format, ...(repository.args ?? [])], {
        cwd: root,
      });
      expect(code, format).toBe(repository.code);
      // Another version of the product is no other result.
      expectGolden(`${repository.name}.${ending}`, out.replace(`"version": "${version}"`, '"version": "0.0.0"'));
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

describe('SARIF', () => {
  const faultsOf = sarifValidator();

  it('is refused by the schema when it is wrong', () => {
    const result = { message: { text: 'x' }, level: 'bad' };
    expect(faultsOf({ version: '2.1.0', runs: [{ tool: { driver: { name: 'a' } }, results: [result] }] })).not.toEqual(
      [],
    );
  });

  it.each(REPOSITORIES)('of $name is valid, and its rules lead to headings of the docs', ({ name }) => {
    const log = JSON.parse(readFileSync(new URL(`${name}.sarif`, import.meta.url), 'utf8'));
    expect(faultsOf(log)).toEqual([]);
    const page = readFileSync('docs/check.md', 'utf8');
    for (const { id, helpUri } of log.runs[0].tool.driver.rules) {
      expect(helpUri.endsWith(`/docs/check.md#${id}`)).toBe(true);
      expect(page).toContain(`\n## ${id}\n`);
    }
  });
});
