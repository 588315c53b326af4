import { describe, expect, it } from 'vitest';
import type { EditorSymbol, EditorSymbolSource } from '../../../../../src/core/ports/ports';
import { encodeFacts } from '../../../../../src/core/repomap/facts/factsCodec';
import { Workspace } from '../../../../../src/core/workspace/workspace';
import { makePorts, PREFERENCES } from '../../../../support/workspaceFakes';

const settle = async () => {
  for (let i = 0; i < 300; i++) await Promise.resolve();
};

const SYMBOL: EditorSymbol = {
  kind: 'function',
  name: 'draw',
  detail: '',
  nameLine: 1,
  lineStart: 1,
  lineEnd: 1,
  children: [],
};

/** Language extensions that know `.shade` files. */
class FakeSymbols implements EditorSymbolSource {
  readonly asked: string[] = [];
  open: readonly string[] = [];
  #listener: () => void = () => undefined;

  openFiles(): readonly string[] {
    return this.open;
  }

  async symbolsOf(path: string): Promise<readonly EditorSymbol[] | undefined> {
    this.asked.push(path);
    return path.endsWith('.shade') ? [SYMBOL] : undefined;
  }

  onDidChange(listener: () => void) {
    this.#listener = listener;
    return { dispose: () => undefined };
  }

  change(open: readonly string[]): void {
    this.open = open;
    this.#listener();
  }
}

async function makeSession(nodes: Readonly<Record<string, string>>, open: readonly string[]) {
  const symbols = new FakeSymbols();
  symbols.open = open;
  const base = makePorts(nodes);
  const { parser } = base;
  const parse = parser.parse.bind(parser);
  parser.parse = async (files) => {
    if (!files[0]?.symbols) return parse(files);
    return files.map(({ path, contentHash, symbols: given }) =>
      encodeFacts({
        path,
        contentHash,
        language: undefined,
        outcome: 'editorSymbols',
        lineCount: 1,
        definitions: (given ?? []).map(() => ({
          kind: 'function',
          name: 'draw',
          signature: 'draw',
          doc: '',
          lineStart: 1,
          lineEnd: 1,
          parent: -1,
        })),
        references: [],
      }),
    );
  };
  const editor = { symbols, diagnostics: () => [], openEditors: () => [] };
  const workspace = new Workspace({ ...base, editor }, PREFERENCES);
  await workspace.whenReady();
  const idle = async () => {
    for (let i = 0; i < 80; i++) {
      base.clock.advance(1500);
      await settle();
    }
  };
  return { ...base, symbols, session: workspace, idle };
}

describe('symbols of the editor', () => {
  it('come in idle time for open files without a grammar, and no other', async () => {
    const { symbols, engine, idle } = await makeSession(
      { 'a.shade': 'draw', 'b.ts': 'x', 'c.other': 'x', 'closed.other': 'x' },
      ['a.shade', 'b.ts', 'c.other', 'outside.shade'],
    );
    expect(symbols.asked).toEqual([]);
    expect(engine.files.get('a.shade')).toMatch(/^noGrammar/);
    await idle();
    expect(symbols.asked).toEqual(['a.shade', 'c.other']);
    expect(engine.files.get('a.shade')).toMatch(/^editorSymbols/);
    expect(engine.files.get('c.other')).toMatch(/^noGrammar/);
  });

  // Whoever chose Open Config paid 123 of 546 tokens for its keys in the sample folder, in the editor's hosts alone.
  it('do not come for data and prose: keys and headings define nothing', async () => {
    const open = [
      '.context-budget/config.json',
      '.vscode/settings.json',
      'ci.yml',
      'Cargo.toml',
      'NOTES.md',
      'pom.XML',
    ];
    const { symbols, idle } = await makeSession(Object.fromEntries(open.map((path) => [path, 'x'])), open);
    await idle();
    expect(symbols.asked).toEqual([]);
  });

  it('come for closed files of an extension that had some, up to a limit', async () => {
    const closed = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`lib/${i}.shade`, 'draw']));
    const { symbols, engine, idle } = await makeSession({ ...closed, 'a.shade': 'draw' }, ['a.shade']);
    await idle();
    expect(symbols.asked).toHaveLength(51);
    expect(symbols.asked[0]).toBe('a.shade');
    expect([...engine.files.values()].filter((facts) => facts.startsWith('editorSymbols'))).toHaveLength(51);
  });

  it('are asked for again when the content changed, and only then', async () => {
    const { symbols, files, session, idle } = await makeSession({ 'a.shade': 'draw' }, ['a.shade']);
    await idle();
    symbols.change(['a.shade']);
    await idle();
    expect(symbols.asked).toEqual(['a.shade']);
    files.nodes.set('a.shade', 'draw more');
    session.notify({ kind: 'files', changed: ['a.shade'], removed: [] });
    symbols.change(['a.shade']);
    await idle();
    expect(symbols.asked).toEqual(['a.shade', 'a.shade']);
  });

  it('are there again after the engine lost its index', async () => {
    const { symbols, engine, session, idle } = await makeSession({ 'a.shade': 'draw' }, ['a.shade']);
    await idle();
    engine.restart();
    await session.whenReady();
    await idle();
    expect(engine.files.get('a.shade')).toMatch(/^editorSymbols/);
    expect(symbols.asked).toHaveLength(2);
  });

  it('are not asked for after the session ended', async () => {
    const { symbols, session, idle } = await makeSession({ 'a.shade': 'draw' }, ['a.shade']);
    session.dispose();
    await idle();
    expect(symbols.asked).toEqual([]);
  });
});
