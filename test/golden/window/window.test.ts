/**
 * What `window --json` says of agents whose first request cannot be recorded. The fixtures were written from documents
 * alone, by a reader who had not seen the code: folders as projects have them, and for each file, server, skill, subagent
 * and command the fate that the documents give it. Several fates are as good as each other where they are joined by `|`.
 * `absent` is what the agent does not have in its window: no row, or one that says why not.
 */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CliWorld } from '../../support/cliWorld';
import { tempFolder } from '../../support/tempFolder';

type Kind = 'instructions' | 'mcp' | 'skills' | 'subagents' | 'commands';

interface Fixture {
  readonly agent: string;
  readonly files: Readonly<Record<string, string>>;
  /** Fates by path, or by name. */
  readonly expected: Readonly<Record<Kind, Readonly<Record<string, string>>>>;
}

interface Row {
  readonly id: string;
  readonly source: string;
  readonly fate: string;
}

/** Where `window` says something else, and why that stays. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'cline instructions .clinerules/broken.md': 'a head is not read as YAML: what looks like a list of globs is one',
  'roo-code instructions .roo/rules-code/code.md': 'which mode is on is not known from the folder',
  'roo-code subagents docs-writer': '`not_read` names modes of .roomodes',
  'continue mcp github': '`not_read` names .continue/mcpServers',
  'continue mcp docs': '`not_read` names .continue/mcpServers',
  'kiro subagents reviewer': '`not_read` names custom agents',
  'copilot-vscode subagents planner': '`not_read` names custom agents',
  ...Object.fromEntries(
    ['cursor', 'windsurf', 'cline', 'roo-code', 'continue', 'copilot-vscode']
      .map((agent) => `${agent} commands release`)
      .concat('qwen-code commands git:commit', 'qwen-code commands old')
      .map((key) => [key, 'only the user calls it: no row, and nothing in the window']),
  ),
};

const FIXTURES: readonly Fixture[] = JSON.parse(readFileSync(new URL('fixtures.json', import.meta.url), 'utf8'));
const NOT_THERE: readonly string[] = ['dropped', 'shadowed', 'disabled'];

let world: CliWorld;
beforeAll(async () => {
  world = await CliWorld.create();
});

async function windowOf({ agent, files }: Fixture): Promise<ReadonlyMap<string, readonly Row[]>> {
  const root = await tempFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
  const { code, out, err } = await world.run(['window', '--agent', agent, '--json', '--root', root]);
  expect(code, err).toBe(0);
  const [report] = (JSON.parse(out) as { agents: { categories: { kind: string; items: Row[] }[] }[] }).agents;
  return new Map(report?.categories.map(({ kind, items }) => [kind, items]));
}

function fateOf(kind: Kind, name: string, rows: readonly Row[]): string {
  const found = rows.filter(({ id, source }) =>
    kind === 'instructions' ? source === name : id.slice(id.indexOf(':') + 1) === name,
  );
  return found.length === 0 ? 'absent' : [...new Set(found.map(({ fate }) => fate))].join('+');
}

describe('window, as documents have it', () => {
  it.each(FIXTURES.map((fixture) => [fixture.agent, fixture] as const))('%s', async (agent, fixture) => {
    const rows = await windowOf(fixture);
    const different = Object.entries(fixture.expected).flatMap(([kind, fates]) =>
      Object.entries(fates).flatMap(([name, fate]) => {
        const got = fateOf(kind as Kind, name, rows.get(kind) ?? []);
        const isRight = fate.split('|').some((each) => each === got || (each === 'absent' && NOT_THERE.includes(got)));
        return isRight ? [] : [{ key: `${agent} ${kind} ${name}`, fate, got }];
      }),
    );
    expect(different.filter(({ key }) => !(key in OTHERWISE))).toEqual([]);
    // What agrees by now is no exception any more.
    const known = Object.keys(OTHERWISE).filter((key) => key.startsWith(`${agent} `));
    expect(known.sort()).toEqual(different.map(({ key }) => key).sort());
  });
});
