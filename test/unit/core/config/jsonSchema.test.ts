import { expect, test } from 'vitest';
import { configJsonSchema } from '../../../../src/core/config/jsonSchema';
import { AGENT_IDS } from '../../../../src/core/model/agent';
import { bundleOf, CHINESE, englishIn } from '../../../support/chinese';

interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly errorMessage?: string;
  readonly additionalProperties?: SchemaNode | boolean;
}

function properties(node: SchemaNode, at: string): [string, SchemaNode][] {
  const own = Object.entries(node.properties ?? {}).map(
    ([key, child]) => [`${at}.${key}`, child] as [string, SchemaNode],
  );
  const record = typeof node.additionalProperties === 'object' ? properties(node.additionalProperties, `${at}.*`) : [];
  const items = node.items ? properties(node.items, `${at}[]`) : [];
  return [...own, ...own.flatMap(([key, child]) => properties(child, key)), ...record, ...items];
}

test('is draft-07 without references, and allows comments as the reader does', () => {
  const schema = configJsonSchema() as Record<string, unknown>;
  expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#');
  expect(schema.allowComments).toBe(true);
  expect(schema.allowTrailingCommas).toBe(true);
  expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs|"definitions"/);
});

test('describes every key, and gives the default of every key that has one', () => {
  const all = properties(configJsonSchema() as SchemaNode, '');
  expect(all.length).toBeGreaterThan(40);
  expect(all.filter(([, node]) => !node.description).map(([key]) => key)).toEqual([]);
  const withoutDefault = all.filter(([, node]) => node.default === undefined).map(([key]) => key);
  expect(withoutDefault.sort()).toEqual([
    '.$schema',
    ...[...AGENT_IDS].sort().map((agent) => `.check.limits.agent.${agent}`),
    '.check.limits.total',
    '.profiles.*.agent',
    '.sections[].builtin',
    '.sections[].command',
    '.sections[].file',
    '.sections[].files',
    '.sections[].id',
    '.sections[].keep_recent',
    '.sections[].priority',
  ]);
});

test('says what a value should be where VS Code would show its pattern, but not of objects', () => {
  const { default_profile, pinned, profiles, scoring } = (configJsonSchema() as SchemaNode).properties!;
  expect([default_profile, profiles?.propertyNames].map((node) => node?.errorMessage)).toEqual(
    Array(2).fill(
      'Expected a profile name of 1 to 64 characters (A-Z, a-z, 0-9, " ", "_", "." and "-") that starts with a letter or digit.',
    ),
  );
  expect(pinned?.items?.errorMessage).toMatch(/^Expected an id of letters, digits/);
  expect(scoring?.properties?.threshold?.errorMessage).toBe('Expected a number from 0 to 1.');
  expect([profiles, scoring].map((node) => node?.errorMessage)).toEqual([undefined, undefined]);
});

test("knows every key of the design, the panel's three lists, and no other", () => {
  const schema = configJsonSchema() as SchemaNode;
  expect(Object.keys(schema.properties!)).toEqual([
    '$schema',
    'version',
    'default_profile',
    'profiles',
    'sections',
    // What the panel's pin, exclude and on-demand actions write, for sections that are found and not configured.
    'pinned',
    'excluded',
    'on_demand',
    'agents',
    'scoring',
    'observations',
    // Where a folder keeps what DESIGN §7 calls the relay context.
    'relay',
    'usage_log',
    'repo_map',
    'check',
    // Parts of what a hook says at a session's start.
    'session_start',
  ]);
  expect(schema.additionalProperties).toBe(false);
});

test.each(CHINESE)('says every description in %s, and is the same in all else', (language) => {
  const told = (node: unknown): unknown =>
    JSON.parse(JSON.stringify(node), (key, value: unknown) =>
      ['description', 'errorMessage'].includes(key) ? undefined : value,
    );
  const [english, chinese] = [configJsonSchema(), configJsonSchema(bundleOf(language))];
  expect(told(chinese)).toEqual(told(english));
  const all = properties(chinese as SchemaNode, '');
  expect(all.filter(([, { description }]) => !/\p{Script=Han}/u.test(description!)).map(([key]) => key)).toEqual([]);
  expect(all.flatMap(([, { description }]) => englishIn(description!))).toEqual([]);
});

test('is made of plain data', () => {
  const schema = configJsonSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
