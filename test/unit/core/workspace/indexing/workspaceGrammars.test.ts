import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asGiven } from '../../../../../src/core/text/phrase';
import { resolveBeside } from '../../../../../src/core/workspace/indexing/grammarFiles';
import { WorkspaceGrammars } from '../../../../../src/core/workspace/indexing/workspaceGrammars';
import { MemoryFiles, type MemoryNode } from '../../files/memoryFiles';
import { CHINESE, englishIn, inChinese } from '../../text/chinese';
import { FakeParser, makePorts } from '../fakes';

const TABLE = readFileSync('test/fixtures/workspaceGrammar/toml.json', 'utf8');
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const WASM = Uint8Array.from(HEADER);
const FOLDER = { 'g/toml.json': TABLE, 'g/wasm/tree-sitter-toml.wasm': WASM };

function table(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...JSON.parse(TABLE), ...change });
}

function make(nodes: Readonly<Record<string, MemoryNode>>) {
  const { shelf } = makePorts({});
  const files = new MemoryFiles(nodes);
  const parser = new FakeParser();
  return { files, parser, shelf, grammars: new WorkspaceGrammars({ files, parser, shelf }) };
}

async function messages(nodes: Readonly<Record<string, MemoryNode>>, paths = ['g/toml.json']) {
  const { grammars } = make(nodes);
  await grammars.refresh(paths, true);
  for (const { words } of grammars.problems)
    for (const language of CHINESE) expect(englishIn(inChinese(words, language))).toEqual([]);
  return grammars.problems.map((problem) => problem.message);
}

describe('a table in force', () => {
  it('claims its extensions and names, and puts table and grammar where the workers read', async () => {
    const { grammars, shelf, parser } = make(FOLDER);
    expect(await grammars.refresh(['g/toml.json'], true)).toBe(true);
    expect(grammars.problems).toEqual([]);
    const asset = grammars.grammarOf('a/b.toml');
    expect(asset).toMatch(/^workspace\/[0-9a-f]{32}$/);
    expect([grammars.grammarOf('Pipfile'), grammars.grammarOf('a.ts')]).toEqual([asset, undefined]);
    expect(parser.checked).toEqual([asset]);
    expect(new TextDecoder().decode(await shelf.read(`${asset}.json`))).toBe(TABLE);
    expect(await shelf.read(`${asset}.wasm`)).toEqual(WASM);
  });

  it('has another name after a change of the table or of the grammar, and drops the old one', async () => {
    const { grammars, files, shelf } = make(FOLDER);
    const assets = new Set<string | undefined>();
    await grammars.refresh(['g/toml.json'], true);
    const first = grammars.grammarOf('a.toml');
    assets.add(first);
    for (const [path, node] of [
      ['g/toml.json', table({ name: 'Other' })],
      ['g/wasm/tree-sitter-toml.wasm', Uint8Array.from([...HEADER, 1])],
    ] as const) {
      files.nodes.set(path, node);
      expect(await grammars.refresh(['g/toml.json'], true)).toBe(false);
      grammars.take([path]);
      expect(await grammars.refresh(['g/toml.json'], true)).toBe(true);
      assets.add(grammars.grammarOf('a.toml'));
    }
    expect(assets.size).toBe(3);
    await expect(shelf.read(`${first}.wasm`)).rejects.toThrow('not there any more');
  });

  it('is looked at again when its folder is removed, and not for other files', async () => {
    const { grammars, files } = make(FOLDER);
    await grammars.refresh(['g/toml.json'], true);
    grammars.take(['src/a.ts', 'g2']);
    expect(grammars.needsRefresh(['g/toml.json'], true)).toBe(false);
    files.nodes.clear();
    grammars.take(['g']);
    expect(await grammars.refresh(['g/toml.json'], true)).toBe(true);
    expect(grammars.grammarOf('a.toml')).toBeUndefined();
  });

  it('with rules for nodes that its grammar does not have is used, and the problem names them', async () => {
    const { grammars, parser } = make(FOLDER);
    parser.grammarCheck = { error: undefined, unknownNodes: ['tabel'] };
    await grammars.refresh(['g/toml.json'], true);
    expect(grammars.grammarOf('a.toml')).toBeDefined();
    expect(grammars.problems[0]?.message).toContain('g/wasm/tree-sitter-toml.wasm does not have: tabel.');
  });
});

describe('what is wrong', () => {
  it('names the file, the place and the way out', async () => {
    const wasm = 'g/wasm/tree-sitter-toml.wasm';
    const cases: readonly (readonly [Readonly<Record<string, MemoryNode>>, RegExp])[] = [
      [{}, /^g\/toml\.json is not there\. Put it there, or change repo_map\.grammars/],
      [{ 'g/toml.json': '{\n "id": ' }, /^g\/toml\.json, line 2: not valid JSON: a value is expected here/],
      [{ 'g/toml.json': '{ } // none' }, /^g\/toml\.json is not JSON: comments, and a comma before a closing bracket/],
      [{ 'g/toml.json': Uint8Array.from([0, 1, 2]) }, /^g\/toml\.json is not text/],
      [{ 'g/toml.json': '[]' }, /^g\/toml\.json: the table: must be of type object/],
      [{ 'g/toml.json': table({ colour: 1 }) }, /^g\/toml\.json: the table: unknown field colour/],
      [
        { 'g/toml.json': table({ extensions: ['toml'] }) },
        /^g\/toml\.json: extensions\.0: is not an extension with its dot/,
      ],
      [{ 'g/toml.json': table({ id: 'T' }) }, /^g\/toml\.json: id: is not an id of lower-case letters/],
      [{ 'g/toml.json': table({ docPattern: '(' }) }, /^g\/toml\.json: docPattern: is not a regular expression/],
      [{ 'g/toml.json': table({ definitions: [{}] }) }, /^g\/toml\.json: definitions\.0\.nodes: must be of type array/],
      [
        { 'g/toml.json': table({ definitions: [{ nodes: [], kind: 'class' }] }) },
        /^g\/toml\.json: definitions\.0\.nodes: is empty/,
      ],
      [
        { 'g/toml.json': table({ definitions: [{ nodes: ['a'], kind: 'thing' }] }) },
        /^g\/toml\.json: definitions\.0\.kind: must be one of .*class/,
      ],
      [{ 'g/toml.json': { unreadable: 'EACCES' } }, /^g\/toml\.json could not be read: EACCES/],
      [{ 'g/toml.json': table({ extensions: [], fileNames: [] }) }, /^g\/toml\.json: extensions: name an extension/],
      [{ 'g/toml.json': TABLE }, /^g\/toml\.json: grammar\.file: g\/wasm\/tree-sitter-toml\.wasm is not there/],
      [{ 'g/toml.json': TABLE, [wasm]: '<html>' }, /tree-sitter-toml\.wasm is no WebAssembly file/],
      [{ 'g/toml.json': TABLE, [wasm]: { sizeBytes: 99_000_000 } }, /99,000,000 bytes, the limit is 32,000,000/],
      [
        { 'g/toml.json': TABLE, [wasm]: Uint8Array.from([...HEADER, 0, 7, 6, ...new TextEncoder().encode('dylink')]) },
        /was built for tree-sitter before 0\.26\. Build it again: tree-sitter build --wasm/,
      ],
      [
        { 'g/toml.json': table({ grammar: { file: '../../x.wasm' } }) },
        /"\.\.\/\.\.\/x\.wasm" is outside of the folder/,
      ],
      [{ 'g/toml.json': table({ grammar: { file: '/etc/x.wasm' } }) }, /"\/etc\/x\.wasm" is outside of the folder/],
    ];
    for (const [nodes, expected] of cases) {
      const found = await messages(nodes);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(expected);
      expect(found[0]).toMatch(/The repo map goes on without this grammar\.$/);
    }
  });

  it('is what the parser says of a grammar that does not load', async () => {
    const { grammars, parser, shelf } = make(FOLDER);
    parser.grammarCheck = { error: asGiven('Incompatible language version 9'), unknownNodes: [] };
    expect(await grammars.refresh(['g/toml.json'], true)).toBe(false);
    expect(grammars.grammarOf('a.toml')).toBeUndefined();
    expect(grammars.problems[0]).toMatchObject({
      path: 'g/toml.json',
      message: expect.stringContaining('g/wasm/tree-sitter-toml.wasm does not load: Incompatible language version 9.'),
    });
    await expect(shelf.read(`${parser.checked[0]}.wasm`)).rejects.toThrow();
  });

  it('is a second table for the same files: the first wins', async () => {
    const { grammars } = make({ ...FOLDER, 'g/again.json': table({ extensions: ['.tml', '.toml'], fileNames: [] }) });
    await grammars.refresh(['g/toml.json', 'g/again.json'], true);
    expect(grammars.problems[0]?.message).toMatch(/^g\/again\.json: \.toml belongs to g\/toml\.json already\./);
    expect(grammars.grammarOf('a.tml')).toBeUndefined();
    expect(grammars.grammarOf('a.toml')).toBeDefined();
  });
});

describe('a folder that is not trusted', () => {
  it('has nothing read, and one problem that says how to trust it', async () => {
    const { grammars, files, parser } = make(FOLDER);
    expect(await grammars.refresh(['g/toml.json'], false)).toBe(false);
    expect([files.reads, parser.checked]).toEqual([[], []]);
    expect(grammars.problems.map(({ message }) => message)).toEqual([expect.stringMatching(/not trusted.*--trust/)]);
    expect(await grammars.refresh(['g/toml.json'], true)).toBe(true);
    expect(grammars.problems).toEqual([]);
    expect(await grammars.refresh(['g/toml.json'], false)).toBe(true);
    expect(grammars.grammarOf('a.toml')).toBeUndefined();
  });
});

describe('resolveBeside', () => {
  it('stays in the folder or says no', () => {
    expect(resolveBeside('g/t.json', './w/../x.wasm')).toBe('g/x.wasm');
    expect(resolveBeside('g/t.json', '../x.wasm')).toBe('x.wasm');
    expect(resolveBeside('t.json', 'x.wasm')).toBe('x.wasm');
    for (const file of ['../x.wasm', '/x.wasm', 'C:/x.wasm', 'a\\x.wasm', '', '..', 'a/..']) {
      expect(resolveBeside('t.json', file)).toBeUndefined();
    }
  });
});
