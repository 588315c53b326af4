import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/core/model/problem';
import { largestAnswer, largestCount, tooSmall } from '../../../../src/core/tools/fitAnswer';
import { runTool } from '../../../../src/core/tools/runTool';
import type { ToolCall, ToolHost } from '../../../../src/core/tools/tool';
import { ToolError } from '../../../../src/core/tools/tool';
import { workspaceToolHost } from '../../../../src/core/tools/toolHost';
import type { Workspace } from '../../../../src/core/workspace/workspace';
import { librarySecretScanner } from '../../../../src/worker/secrets/librarySecretScanner';
import { FakeKeys } from '../../../fixtures/fakeSecrets';
import { CALL, costOf, eventLines, openTools } from '../../../support/toolWorld';
import { SILENT } from '../../../support/workspaceFakes';
import { commit, git } from '../../node/git/gitWorld';

/** A folder with a section, a plug-in that is never run, code, events, and a secret in each place that is shown. */
const FOLDER = {
  'AGENTS.md': `# Rules\nUse SECRET-agents for all.\n${'One more rule.\n'.repeat(40)}`,
  'memory/SOUL.md': '# Soul\nBe kind.\n',
  'src/parser.ts': [
    'export function parseConfig(text: string): Config {',
    '  return read(text);',
    '}',
    'export class Reader {',
    "  open(path: string, key = 'SECRET-parser') {",
    '    return path;',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/other.ts': 'export const other = (): number => 1;\n',
  'src/long.txt': `short\n${'x '.repeat(6000)}\nend\n`,
  '.context-budget/observations.jsonl': eventLines(
    Array.from({ length: 60 }, (_, at) => ({
      id: at + 1,
      summary: at === 40 ? 'BOM refused by SECRET-summary' : `step ${at + 1} done`,
      task: at % 2 === 0 ? 'TASK-1' : 'TASK-2',
      detail: `detail of ${at + 1}\nwith SECRET-detail${at}\n`,
    })),
  ),
};

interface Answer {
  readonly text: string;
}

async function ask(host: ToolHost, name: string, input: unknown, call: Partial<ToolCall> = {}): Promise<Answer> {
  const text = await runTool(name, input, host, { ...CALL, ...call });
  if (text === undefined) throw new Error('cancelled');
  return { text };
}

interface Table {
  /** Handle, place or time, what it is, tokens of its detail. */
  readonly rows: readonly (readonly [handle: string, place: string, what: string, tokens: number | undefined])[];
  readonly leftOut: number;
  readonly next: readonly string[];
}

/** The handle of a row: the cell that is one, else that of the section which it names. */
function handleOf(cells: readonly string[]): string {
  const [first = '', second = ''] = cells;
  const own = cells.find((cell) => /^(?:\d+$|sym:|section:)/.test(cell));
  return /^\d+$/.test(first) ? first : (own ?? `section:${second}`);
}

/** What the text of a table says. */
function table({ text }: Answer): Table {
  const rows = text.split('\n').filter((line) => line.includes(' | '));
  const [, left = '0', goOn = ''] = /^… ([\d,]+) more(?: around)?(?:: (.*))?$/m.exec(text) ?? [];
  return {
    rows: rows.map((row) => {
      const cells = row.split(' | ');
      const tokens = /~(\d+) tok/.exec(row)?.[1];
      return [handleOf(cells), cells[1] ?? '', cells[2] ?? '', tokens === undefined ? undefined : Number(tokens)];
    }),
    leftOut: Number(left.replaceAll(',', '')),
    next: (goOn.match(/"(?:[^"\\]|\\.)*"|\b\d+\b/g) ?? []).map((each) => String(JSON.parse(each))),
  };
}

interface Details {
  readonly items: readonly { readonly handle: string; readonly text: string }[];
  /** What to ask for next: the rest of what is cut, and what found no room. */
  readonly next: readonly string[];
}

/** What the text of a detail says: the texts between its marker lines. */
function details({ text }: Answer): Details {
  const blocks = [...text.matchAll(/^(`{3,}) (\S+).*\n([\s\S]*?)^\1$/gm)];
  const rests = [...text.matchAll(/^… .* more: (\S+)$/gm)].map(([, rest = '']) => rest);
  const left = /^left out, ask again: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
  return { items: blocks.map(([, , handle = '', body = '']) => ({ handle, text: body })), next: [...rests, ...left] };
}

/** All handles of a list, page by page. */
async function pageThrough(host: ToolHost, name: string, input: object, budgetTokens: number): Promise<string[]> {
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 200; page++) {
    const answer = await ask(host, name, after === undefined ? input : { ...input, after }, { budgetTokens });
    expect(await costOf(host, answer.text)).toBeLessThanOrEqual(budgetTokens);
    seen.push(...table(answer).rows.map(([handle]) => handle));
    [after] = table(answer).next;
    expect(after === undefined).toBe(table(answer).leftOut === 0);
    if (after === undefined) return seen;
  }
  throw new Error('the pages have no end');
}

describe('context_index', () => {
  it('lists sections, then events, newest first, within index_tokens', async () => {
    const host = await openTools(FOLDER);
    const answer = await ask(host, 'context_index', {});
    const handles = table(answer).rows.map(([handle]) => handle);
    expect(handles).toContain('section:agents-md');
    expect(handles.filter((handle) => /^\d/.test(handle)).slice(0, 2)).toEqual(['60', '59']);
    expect(answer.text).toMatch(/^60 \| 2026-02-03 01:00 \| TASK-2 \| verify \| step 60 done \| ~\d+ tok$/m);
    expect(answer.text).toMatch(/… \d+ more: after "\d+"\n$/);
    expect(await costOf(host, answer.text)).toBeLessThanOrEqual(1200);
  });

  it('promises nothing of what is still being read', async () => {
    const host = await openTools(FOLDER);
    await host.workspace.whenReady();
    const { snapshot } = host.workspace;
    const { payloads } = snapshot.report!;
    const sections = payloads.index.sections.map((each) =>
      each.id === 'repo-map' ? { ...each, isPending: true, tokensFull: 0 } : each,
    );
    const report = { ...snapshot.report, payloads: { ...payloads, index: { ...payloads.index, sections } } };
    const session = { snapshot, observations: undefined, whenCollected: async () => ({ ...snapshot, report }) };
    const answer = await ask({ ...host, workspace: session as unknown as Workspace }, 'context_index', {});
    expect(answer.text).toMatch(/^counting \| repo-map \| .* \| section:repo-map$/m);
    expect(table(answer).rows).toContainEqual(['section:repo-map', 'repo-map', expect.any(String), undefined]);
    expect(answer.text).not.toContain('~0 tok');
  });

  it('gives every row once, page by page, however small the pages are', async () => {
    const host = await openTools(FOLDER);
    const seen = await pageThrough(host, 'context_index', {}, 150);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((handle) => /^\d+$/.test(handle))).toEqual(
      Array.from({ length: 60 }, (_, at) => String(60 - at)),
    );
    expect(seen.findIndex((handle) => /^\d+$/.test(handle))).toBe(seen.filter((h) => h.startsWith('section:')).length);
  });

  it('gives events of a query or a task alone', async () => {
    const host = await openTools(FOLDER);
    expect(table(await ask(host, 'context_index', { query: 'BOM' })).rows.map(([handle]) => handle)).toEqual(['41']);
    const ofTask = await pageThrough(host, 'context_index', { task: 'TASK-2' }, 200);
    expect(ofTask).toHaveLength(30);
    expect((await ask(host, 'context_index', { task: 'TASK-9' })).text).toBe('Nothing matches.\n');
    expect((await ask(host, 'context_index', { query: 'donne' })).text).toBe(
      'No match for: donne.\nUnknown here, with the nearest words: donne → done.\n',
    );
    expect((await ask(host, 'context_index', { query: 'done', task: 'TASK-9' })).text).toBe('Nothing matches.\n');
  });

  it.each(['x', '是'])('names a query that is one word of "%s" by its first 80 characters', async (letter) => {
    const host = await openTools(FOLDER);
    const { text } = await ask(host, 'context_index', { query: letter.repeat(100_000) });
    expect(text).toBe(`No match for: ${letter.repeat(79)}….\n`);
  });

  it('masks secrets', async () => {
    const host = await openTools(FOLDER);
    const { text } = await ask(host, 'context_index', { query: 'BOM' });
    expect(text).toContain('BOM refused by [masked]');
    expect(text).not.toContain('SECRET-');
  });
});

describe('context_timeline', () => {
  it('goes on from both ends', async () => {
    const host = await openTools(FOLDER);
    const middle = table(await ask(host, 'context_timeline', { id: 30, window: 5 }));
    expect(middle.rows.map(([handle]) => handle)).toEqual(['28', '29', '30', '31', '32']);
    expect([middle.leftOut, middle.next]).toEqual([55, ['28', '32']]);
    const first = await ask(host, 'context_timeline', { id: 1, window: 5 });
    expect(first.text).toMatch(/… 55 more around: id 5\n$/);
    const alone = await ask(host, 'context_timeline', { id: 30, window: 1 });
    expect(alone.text).toMatch(/^30 \|.*\n… 59 more around: give a larger window\n$/);
    const one = await ask(host, 'context_timeline', { id: 30, window: 60 }, { budgetTokens: 60 });
    expect(one.text).toMatch(/^30 \|.*\n… 59 more around: give a larger budget\n$/);
    const small = await ask(host, 'context_timeline', { id: 30 }, { budgetTokens: 120 });
    expect(await costOf(host, small.text)).toBeLessThanOrEqual(120);
    expect(table(small).rows.map(([handle]) => handle)).toContain('30');
  });

  it('says what is wrong with what it is asked', async () => {
    const host = await openTools(FOLDER);
    await expect(ask(host, 'context_timeline', {})).rejects.toMatchObject({ reason: 'input' });
    await expect(ask(host, 'context_timeline', { id: 1, task: 'T' })).rejects.toMatchObject({ reason: 'input' });
    await expect(ask(host, 'context_timeline', { id: 99 })).rejects.toMatchObject({ reason: 'unknown' });
    await expect(ask(host, 'context_timeline', { id: 1e300 })).rejects.toMatchObject({ reason: 'input' });
  });
});

describe('context_detail', () => {
  it('costs what the index says, secrets masked', async () => {
    const detail = `${'word '.repeat(30)}\nSECRET-${'x1y2'.repeat(4)}\nend\n`;
    const host = await openTools({
      '.context-budget/observations.jsonl': eventLines([{ id: 1, summary: 'a step', detail }]),
    });
    const row = table(await ask(host, 'context_index', {})).rows.find(([handle]) => handle === '1');
    const { text } = await ask(host, 'context_detail', { handles: ['1'] });
    expect(text).toContain('[masked]');
    expect([row?.[3]]).toEqual(await host.countTokens([text]));
  });

  it('masks what only stands there once colours are gone', async () => {
    const host = await openTools({ 'run.log': 'key \u001b[32mSEC\u001b[0mRET-coloured\n' });
    const { text } = await ask(host, 'context_detail', { handles: ['file:run.log'] });
    expect(text).toContain('key [masked]');
    expect(text).not.toContain('coloured');
  });

  it('masks the lines of a private key, however they are asked for', async () => {
    const lines = new FakeKeys(4).pem('RSA PRIVATE KEY').split('\n');
    const host = await openTools({ 'deploy/id_rsa': `${lines.join('\n')}\n` }, { scanner: librarySecretScanner });
    for (const range of ['', '#L1-L3', '#L3', '#L4-L9', '#L8-L40']) {
      const { text } = await ask(host, 'context_detail', { handles: [`file:deploy/id_rsa${range}`] });
      expect(lines.slice(1, -2).filter((line) => text.includes(line.slice(0, 12)))).toEqual([]);
    }
  });

  it('gives texts masked, each a citation', async () => {
    const host = await openTools(FOLDER);
    const handles = ['41', 'section:soul', 'file:src/parser.ts#L4-L5', 'sym:src/parser.ts:parseConfig'];
    const { text } = await ask(host, 'context_detail', { handles });
    expect(text).toContain('with [masked]');
    expect(text).toContain("open(path: string, key = '[masked]')");
    expect(text).toContain('function parseConfig');
    expect(text).toContain('Be kind.');
    expect(text).not.toContain('SECRET-');
    const { records } = await (host.workspace as Workspace).usage!.records(10);
    const cited = records.flatMap((record) => record.cited.map(({ id, what }) => [id, what]));
    expect(cited).toContainEqual(['observations', '41']);
    expect(cited).toContainEqual(['soul', 'section:soul']);
    expect(cited).toContainEqual(['repo-map', 'sym:src/parser.ts:parseConfig']);
  });

  it('leaves no trace where usage is not recorded', async () => {
    const host = await openTools(FOLDER, { recordsUsage: false });
    await ask(host, 'context_detail', { handles: ['41'] });
    expect((await (host.workspace as Workspace).usage!.records(10)).records).toEqual([]);
  });

  it('goes on by handle until all of a section was given', async () => {
    const host = await openTools(FOLDER);
    let handles: readonly string[] = ['section:agents-md'];
    let text = '';
    for (let page = 0; handles.length > 0; page++) {
      expect(page).toBeLessThan(60);
      const answer = await ask(host, 'context_detail', { handles }, { budgetTokens: 130 });
      expect(await costOf(host, answer.text)).toBeLessThanOrEqual(130);
      const { items, next } = details(answer);
      text += items.map((item) => item.text).join('');
      handles = next;
    }
    expect(text).toBe(FOLDER['AGENTS.md'].replace('SECRET-agents', '[masked]'));
  });

  it('reads a line that no answer could hold piece by piece', async () => {
    const host = await openTools(FOLDER);
    const whole = FOLDER['src/long.txt'];
    let handles: readonly string[] = ['file:src/long.txt'];
    let text = '';
    for (let page = 0; handles.length > 0; page++) {
      expect(page).toBeLessThan(whole.length / 1000);
      const { items, next } = details(await ask(host, 'context_detail', { handles }));
      // A piece that ends inside of the line has a line end before its marker line.
      text += items
        .map((item) => (next.some((handle) => handle.includes('C')) ? item.text.slice(0, -1) : item.text))
        .join('');
      handles = next;
    }
    expect(text).toBe(whole);
  });

  it('serves what there is and names the rest, paths of the machine by their place', async () => {
    const host = await openTools(FOLDER);
    const { text } = await ask(host, 'context_detail', {
      handles: ['12', '999', 'file:/etc/passwd', 'AGENTS.md:9999'],
    });
    expect(text).toMatch(/\nnothing has this handle: 999, handles\[2\], AGENTS\.md:9999 \(it has \d+ lines\)\n$/);
    await expect(ask(host, 'context_detail', { handles: ['file:/etc/passwd'] })).rejects.toThrow(
      'Nothing here has this handle: handles[0].',
    );
  });

  it('leaves out what finds no room, and names it', async () => {
    const host = await openTools(FOLDER);
    const handles = ['section:agents-md', '1', '2', '3', '4', '5', '6'];
    const answer = await ask(host, 'context_detail', { handles }, { budgetTokens: 260 });
    expect(await costOf(host, answer.text)).toBeLessThanOrEqual(260);
    const { items, next } = details(answer);
    expect(items.length).toBeGreaterThan(0);
    expect(next.length).toBeGreaterThan(0);
  });
});

describe('context_detail under a cap that holds nothing', () => {
  it('names that cap, not the one of the whole answer', async () => {
    const config = { version: 1, profiles: { default: { detail_tokens: 9 } } };
    const host = await openTools({ 'a.md': '# A\n', '.context-budget/config.json': JSON.stringify(config) });
    const isTooLarge = 'No answer fits into 9 tokens: ask for less, or raise the cap in the config.';
    await expect(ask(host, 'context_detail', { handles: ['file:a.md'] })).rejects.toThrow(isTooLarge);
  });
});

describe('context_detail of a name that several have', () => {
  const body = Array.from({ length: 30 }, (_, at) => `    const word${at} = ${at};`).join('\n');
  const classes = ['One', 'Two', 'Three', 'Four'].map((name) => `class ${name} {\n  run() {\n${body}\n  }\n}\n`);

  it('names each that found no room by its lines', async () => {
    const host = await openTools({ 'src/a.ts': classes.join('') });
    let handles: readonly string[] = ['sym:src/a.ts:run'];
    const seen: string[] = [];
    for (let page = 0; handles.length > 0; page++) {
      expect(page).toBeLessThan(20);
      const answer = await ask(host, 'context_detail', { handles }, { budgetTokens: 700 });
      expect(await costOf(host, answer.text)).toBeLessThanOrEqual(700);
      const { items, next } = details(answer);
      seen.push(...items.flatMap(({ text }) => text.match(/word\d+/g) ?? []));
      handles = next;
    }
    expect(seen).toHaveLength(4 * 30);
  });

  it('says how a member is asked for when a name leads nowhere', async () => {
    const host = await openTools({ 'src/a.ts': classes.join('') });
    await expect(ask(host, 'context_detail', { handles: ['sym:src/a.ts:walk'] })).rejects.toThrow(
      'Nothing here has this handle: sym:src/a.ts:walk. context_search finds symbols by name.',
    );
  });
});

describe('repo_map', () => {
  it('holds no less for a larger budget where the cap of characters rules', async () => {
    const names = Array.from(
      { length: 400 },
      (_, at) => `export function doSomethingWithNumber${at}(input: string): string {}\n`,
    );
    const files = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`src/f${at}.ts`, names.slice(at * 50, at * 50 + 50).join('')]),
    );
    const config = { version: 1, profiles: { default: { hard_cap_chars: 6000 } } };
    const host = await openTools({ ...files, '.context-budget/config.json': JSON.stringify(config) });
    const [less, more] = [
      await ask(host, 'repo_map', { budget: 1300 }),
      await ask(host, 'repo_map', { budget: 10_000 }),
    ];
    expect(more.text.length).toBeLessThanOrEqual(6000);
    expect(more.text.length).toBeGreaterThanOrEqual(less.text.length);
  });

  it('keeps to 256 tokens for a task that names no budget, and to the profile’s for an orientation', async () => {
    const names = Array.from(
      { length: 300 },
      (_, at) => `export function readTheTokenOf${at}(input: string): string {\n  return input;\n}\n`,
    );
    const host = await openTools({ 'src/a.ts': names.join(''), 'src/b.ts': names.join('') });
    const [small, named, whole] = [
      await ask(host, 'repo_map', { query: 'read the token' }),
      await ask(host, 'repo_map', { query: 'read the token', budget: 900 }),
      await ask(host, 'repo_map', {}),
    ];
    expect(await costOf(host, small.text)).toBeLessThanOrEqual(256);
    expect(await costOf(host, named.text)).toBeGreaterThan(500);
    expect(await costOf(host, whole.text)).toBeGreaterThan(500);
  });

  it('lists what changed as far as git knows, and says what it does not know', async () => {
    const text = 'export function parseConfig(text: string): string {\n  return text;\n}\n';
    const host = await openTools(
      { 'src/parser.ts': text },
      {
        preferences: { isTrusted: true },
        prepare: (at) => {
          git(at, 'init', '-q', '--template=');
          commit(at, 'first');
          git(at, 'branch', '-m', 'main', 'work');
          writeFileSync(path.join(at, 'src/parser.ts'), text.replace('return text', 'return text.trim()'));
        },
      },
    );
    const { text: known } = await ask(host, 'repo_map', { changed: '' });
    expect(known.split('\n').slice(1)).toEqual([
      'No origin/HEAD, main or master to compare with: only uncommitted changes are listed.',
      'src/parser.ts',
      '  1 export function parseConfig(text: string): string | changed +1 -1',
      '… 1 of 1 file',
      '',
    ]);
    const object = git(host.folder, 'rev-parse', 'HEAD:src/parser.ts').trim();
    rmSync(path.join(host.folder, '.git/objects', object.slice(0, 2), object.slice(2)));
    const { text: whole } = await ask(host, 'repo_map', { changed: 'HEAD' });
    expect(whole).toContain('Git lacks old texts in this clone: all definitions of changed files are listed.\n');
    expect(whole).toContain('parseConfig(text: string): string | in a changed file');
    const unknown = await ask(host, 'repo_map', { changed: 'nowhere' }).catch((error: unknown) => error);
    // What is a cause is logged beside the message.
    expect(String(unknown)).toContain('Git knows no commit "nowhere"');
    expect(unknown).not.toHaveProperty('cause');
  });

  it.each([{ query: 'parse' }, { focus: ['src/'] }])('refuses changed together with %o', async (more) => {
    const host = await openTools({ 'src/a.ts': 'export const a = 1;\n' });
    await expect(ask(host, 'repo_map', { changed: '', ...more })).rejects.toThrow('Give changed alone');
  });

  it('says without a task what each package is for', async () => {
    const host = await openTools({
      'package.json': '{ "description": "A shop for birds" }',
      'cart/package.json': '{ "description": "Keeps what is bought" }',
      'cart/cart.ts': 'export class Cart {\n  size = 1;\n}\n',
      'shop.ts': 'export class Shop {\n  cart = new Cart();\n}\n',
    });
    const answer = await ask(host, 'repo_map', {});
    expect(answer.text.split('\n').slice(0, 6)).toEqual([
      '# A shop for birds',
      'shop.ts',
      '  1 export class Shop',
      '# cart: Keeps what is bought',
      'cart/cart.ts',
      '  1 export class Cart',
    ]);
  });

  it('ranks for the task, within the budget', async () => {
    const host = await openTools(FOLDER);
    const answer = await ask(host, 'repo_map', { query: 'parseConfig refuses a BOM', budget: 200 });
    expect(answer.text).toMatch(/^src\/parser\.ts\n {2}1 .*parseConfig/);
    expect(await costOf(host, answer.text)).toBeLessThanOrEqual(200);
  });

  it('says that nothing matches instead of a map, with the nearest words', async () => {
    const host = await openTools(FOLDER);
    const none = await ask(host, 'repo_map', { query: 'zzzzqqq wwwxxx' });
    expect(none.text).toMatch(
      /^No match for: zzzzqqq, wwwxxx\.\nOnly files in languages that the map reads .*\n… 0 of /,
    );
    const typo = await ask(host, 'repo_map', { query: 'parseConfgi' });
    expect(typo.text).toContain('parseConfgi → parseConfig');
    const some = await ask(host, 'repo_map', { query: 'Reader parseConfgi' });
    expect(some.text).toContain('src/parser.ts\n');
    expect(some.text).toContain('parseConfgi → parseConfig');
  });

  it('takes files in focus that there are', async () => {
    const host = await openTools(FOLDER);
    expect((await ask(host, 'repo_map', { focus: ['src/other.ts'] })).text).toContain('src/parser.ts');
    for (const path of ['src/none.ts', '../x', '/etc/passwd', 'C:/x', 'src\\other.ts']) {
      await expect(ask(host, 'repo_map', { focus: [path] })).rejects.toThrow(
        'focus[0] is not a folder or a text file here',
      );
    }
  });

  it('takes a folder in focus for the files below it', async () => {
    const host = await openTools({
      'src/report/a.ts': 'export function sendReport() {\n  return 1;\n}\n',
      'src/reports.ts': 'export function sendHeader() {\n  return 2;\n}\n',
      'lib/b.ts': 'export function sendBody() {\n  return 3;\n}\n',
    });
    const first = async (path: string) =>
      (await ask(host, 'repo_map', { query: 'send', focus: [path] })).text.split('\n')[0];
    expect([await first('src/report'), await first('./src/report/'), await first('lib')]).toEqual([
      ...['src/report/a.ts', 'src/report/a.ts', 'lib/b.ts'],
    ]);
  });

  it('lists for a task what files in focus hold of it first', async () => {
    const host = await openTools({
      'src/parse.ts':
        'export function parseHeader() {\n  return 1;\n}\nexport function parseBody() {\n  return 2;\n}\n',
      'src/send.ts': 'export function sendHeader() {\n  return 3;\n}\n',
      'src/other.ts': 'export function unrelated() {\n  return 4;\n}\n',
    });
    const shown = async (focus?: readonly string[]) => {
      const { text } = await ask(host, 'repo_map', { query: 'parse header', ...(focus ? { focus } : {}) });
      const at = (path: string) => text.indexOf(`${path}\n`);
      return ['src/parse.ts', 'src/send.ts', 'src/other.ts']
        .filter((path) => at(path) >= 0)
        .sort((a, b) => at(a) - at(b));
    };
    expect(await shown()).toEqual(['src/parse.ts', 'src/send.ts']);
    expect((await shown(['src/send.ts']))[0]).toBe('src/send.ts');
    expect(await shown(['src/other.ts'])).toEqual(['src/parse.ts', 'src/send.ts']);
  });

  it('obeys a budget that another tokenizer counts', async () => {
    const countTokens = async (texts: readonly string[]) => texts.map(({ length }) => length);
    const host = await openTools(FOLDER, { countTokens });
    for (const budgetTokens of [60, 120, 400]) {
      const answer = await ask(host, 'repo_map', {}, { budgetTokens });
      expect(answer.text.length).toBeLessThanOrEqual(budgetTokens);
    }
  });
});

describe('a secret in the name of a file', () => {
  // Exports of a service are named by its token now and then.
  const NAMED = { 'src/SECRET-token.ts': 'export function readToken(path: string) {\n  return path;\n}\n' };

  it('is masked in a map and in a search', async () => {
    const host = await openTools(NAMED);
    const map = await ask(host, 'repo_map', { query: 'read the token' });
    expect(map.text).toContain('src/[masked].ts\n');
    const found = await ask(host, 'context_search', { query: 'readToken' });
    expect(table(found).rows[0]?.[1]).toBe('src/[masked].ts:1');
    expect(map.text + found.text).not.toContain('SECRET-');
  });

  it('is masked where a symbol leads to its lines; the rest is asked for by the handle that was given', async () => {
    const long = Array.from({ length: 200 }, (_, at) => `  const word${at} = ${at};`).join('\n');
    const host = await openTools({ 'src/SECRET-token.ts': `export function readToken() {\n${long}\n}\n` });
    const [row] = table(await ask(host, 'context_search', { query: 'readToken' })).rows;
    const first = await ask(host, 'context_detail', { handles: [row![0]] }, { budgetTokens: 300 });
    expect(first.text).not.toContain('SECRET-');
    const { items, next } = details(first);
    expect(items[0]?.handle).toBe(row![0]);
    const rest = await ask(host, 'context_detail', { handles: next }, { budgetTokens: 300 });
    expect(rest.text).not.toContain('SECRET-');
    const shown = items[0]!.text.split('\n').filter((line) => line.includes('const word')).length;
    expect(rest.text).toContain(`const word${shown} =`);
  });
});

/** The handles of an answer's blocks of lines. */
function codeLines({ text }: { readonly text: string }): readonly string[] {
  let path = '';
  return text.split('\n').flatMap((row) => {
    const [, named = '', line] = /^(?!sym:)([^\s:]*):(\d+)(?= \| |$)/u.exec(row) ?? [];
    if (line === undefined) return [];
    path = named || path;
    return [`${path}:${line}`];
  });
}

describe('context_search', () => {
  it('finds events and symbols, the named symbol first', async () => {
    const host = await openTools(FOLDER);
    const answer = await ask(host, 'context_search', { query: 'parseConfig' });
    expect(table(answer).rows[0]?.[2]).toContain('parseConfig');
    expect(table(answer).rows[0]?.[0]).toMatch(/^sym:[0-9a-f]{8}$/);
    const events = await ask(host, 'context_search', { query: 'BOM refused' });
    expect(table(events).rows[0]?.[0]).toBe('41');
  });

  it('finds a path with any characters, and says of a file without symbols where it is', async () => {
    const host = await openTools({ 'src dir/a & b.ts': 'export function thing() {}\n', 'src/empty.ts': '\n' });
    const found = await ask(host, 'context_search', { query: 'src dir/a & b.ts' });
    expect(table(found).rows[0]?.slice(1, 3)).toEqual(['src dir/a & b.ts:1', 'export function thing()']);
    const empty = await ask(host, 'context_search', { query: 'src/empty.ts' });
    expect(empty.text).toBe('No symbols in file:src/empty.ts\n');
  });

  it('answers a name with what has it, or begins with it, alone, and says what its detail costs', async () => {
    const members = Array.from({ length: 30 }, (_, at) => `export function other${at}() {\n  return openStore();\n}\n`);
    const host = await openTools({
      'src/store.ts': 'export function openStore() {\n  return 1;\n}\nexport function openStoreLater() {}\n',
      'src/use.ts': members.join(''),
      '.context-budget/observations.jsonl': eventLines([
        { id: 1, summary: 'the store is open' },
        { id: 2, summary: 'OpenStore failed' },
      ]),
    });
    const exact = await ask(host, 'context_search', { query: 'openStore' });
    const { rows } = table(exact);
    expect(rows.slice(0, 2).map(([, place]) => place)).toEqual([expect.stringContaining('2026'), 'src/store.ts:1']);
    expect(rows[0]?.[0]).toBe('2');
    const [cost] = await host.countTokens(['export function openStore() {\n  return 1;\n}']);
    expect(rows[1]?.[3]).toBe(cost);
    expect(exact.text).toContain(`| ~${cost} tok\n`);
    // Then where it is used; the others are counted.
    expect(codeLines(exact)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29].map((line) => `src/use.ts:${line}`));
    expect(exact.text).toMatch(/src\/use\.ts:2 \| other0\n2: return openStore\(\);\n:5 \| other1\n/);
    const begun = table(await ask(host, 'context_search', { query: 'openSto' })).rows;
    expect(begun.slice(1, 3).map(([, place]) => place)).toEqual(['src/store.ts:1', 'src/store.ts:4']);
    const words = table(await ask(host, 'context_search', { query: 'store open' })).rows;
    expect(words.length).toBeGreaterThan(3);
    expect(words.every(([handle, , , tokens]) => !String(handle).startsWith('sym:') || Number(tokens) > 0)).toBe(true);
    const none = await ask(host, 'context_search', { query: 'zzzzqqq wwwxxx' });
    expect(none.text).toMatch(/^No match for: zzzzqqq, wwwxxx\.\nOnly files in languages that the map reads .*\n$/);
  });

  it('tells a place once: no row of a symbol whose first line is there as a line', async () => {
    const host = await openTools({
      'src/leave.ts': 'export function leaveNetwork() {\n  return joinNetwork();\n}\n',
      'src/join.ts': 'export function joinNetwork() {\n  return 2;\n}\n',
    });
    const answer = await ask(host, 'context_search', { query: 'leave network' });
    expect(codeLines(answer)).toContain('src/leave.ts:1');
    const places = answer.text.match(/src\/\w+\.ts:\d+/gu) ?? [];
    expect(places).toEqual([...new Set(places)]);
    // A line that holds all the words needs no symbol beside it.
    expect(answer.text).not.toContain('sym:');
  });

  it('says a path and a line once, with what stands around few lines, and no symbol beside those that hold all the words', async () => {
    const uses =
      'const a = 1;\nretryCount += retryLimit;\nexport function later() {\n  return retryCount - retryLimit;\n}\n';
    const others = Array.from(
      { length: 6 },
      (_, at) => `export function retry${at}() {}\nexport function count${at}() {}\n`,
    );
    const host = await openTools({ 'src/use.ts': uses, 'src/others.ts': others.join('') });
    const symbols = async (query: string) => {
      const { text } = await ask(host, 'context_search', { query });
      return [text, text.match(/^sym:/gmu)?.length] as const;
    };
    const [text, beside] = await symbols('retryCount retryLimit');
    expect(text).toBe(
      'src/use.ts:2\n1: const a = 1;\n2: retryCount += retryLimit;\n' +
        ':4 | later\n3: export function later() {\n4:   return retryCount - retryLimit;\n5: }\n',
    );
    expect(beside).toBe(undefined);
    expect((await symbols('retry limit count3 later'))[1]).toBe(2);
  });

  it('prints rows of which each form is a handle', async () => {
    const text = 'export class Store {\n  open(path: string, mode = 1) {\n    return path;\n  }\n}\n';
    const host = await openTools({ 'src/store.ts': text, 'src/notes.txt': 'one\ntwo\nthree\n' });
    const of = async (handle: string) => {
      const { items } = details(await ask(host, 'context_detail', { handles: [handle] }));
      return items.map((item) => item.text);
    };
    const open = ['  open(path: string, mode = 1) {\n    return path;\n  }\n'];
    const search = (await ask(host, 'context_search', { query: 'Store.open' })).text.split('\n');
    const map = (await ask(host, 'repo_map', { query: 'open path mode', budget: 1000 })).text.split('\n');
    const row = map.find((line) => line.includes('open(path')) ?? '';
    const forms = ['Store.open', 'Store::open', 'Store#open', 'open', 'src/store.ts:2', 'src/store.ts:3:7'];
    for (const form of [...forms, 'src/store.ts:open', search[0] ?? '', row, row.trim()]) {
      expect([form, await of(form)]).toEqual([form, open]);
    }
    expect(await of('src/store.ts')).toEqual([text]);
    expect(await of('src/store.ts#L2-L4')).toEqual(open);
    expect(await of('src/store.ts:2-4')).toEqual(open);
    expect(await of('src/notes.txt#L2')).toEqual(['two\nthree\n']);
    expect(await of('src/notes.txt:3')).toEqual(['three\n']);
    for (const form of ['../src/store.ts', '/etc/passwd', 'Store.shut', 'src/none.ts:3', '.git/config']) {
      await expect(of(form)).rejects.toMatchObject({ reason: 'unknown' });
    }
  });

  it('finds lines that say a text, such as a message, with what they stand in: of the source first', async () => {
    const message = 'raise AddError("The following packages are already present and stay")';
    const host = await openTools({
      'src/add.py': `def notify(names):\n    if names:\n        ${message}\n\n\ndef other(present):\n    return present\n`,
      'tests/test_add.py': [1, 2, 3].map((at) => `def test_${at}():\n    with ${message}:\n        pass\n`).join('\n'),
      'docs/add.md': 'They are already present.\n',
    });
    const answer = await ask(host, 'context_search', { query: 'are already  present' });
    expect(answer.text).toMatch(
      /^src\/add\.py:3 \| notify\n1: def notify\(names\):\n2: {5}if names:\n3: {9}raise AddError\("The following packages/u,
    );
    expect(codeLines(answer).filter((handle) => !handle.startsWith('src/'))).toHaveLength(1);
    // A row leads to the definition around its line.
    const [first = ''] = answer.text.split('\n');
    const { items } = details(await ask(host, 'context_detail', { handles: [first] }));
    expect(items[0]?.text).toContain('def notify(names):');
  });

  it('takes words of the path as said, the form that was asked for first, and parts of a name that no file has', async () => {
    const host = await openTools({
      'src/mail/sender.ts': 'export function send() {\n  leaving();\n}\nexport function leave() {\n  return 1;\n}\n',
      'src/other.ts': 'export function stop() {\n  leaving();\n}\n',
      'src/nested.ts': 'export function _is_nested(value) {\n  return value;\n}\n',
    });
    const of = async (query: string) => codeLines(await ask(host, 'context_search', { query }));
    expect(await of('sender leaving')).toEqual(['src/mail/sender.ts:2']);
    expect(await of('mail/sender.ts leave')).toEqual(['src/mail/sender.ts:4']);
    expect(await of('is_nested')).toEqual(['src/nested.ts:1']);
    expect(await of('is_nested_padded')).toEqual(['src/nested.ts:1']);
  });

  it('shows lines as they are written, a name below its decorators first, and where its type stands', async () => {
    const text = [
      'type Box struct {',
      '\tsize int',
      '}',
      '',
      'func (b *Box) Grow(step int) {',
      '\tb.size  +=  step',
      '}',
    ].join('\n');
    const host = await openTools({
      'pkg/box.go': text,
      'src/a.py': 'def use(cart):\n    cart.total_of()\n\n\n@cached\n@logged\ndef total_of():\n    return 1\n',
    });
    const grow = await ask(host, 'context_search', { query: 'box.go size step' });
    expect(grow.text).toBe(
      'pkg/box.go:6 | Box.Grow | Box :1\n5: func (b *Box) Grow(step int) {\n6: \tb.size  +=  step\n7: }\n',
    );
    expect(codeLines(await ask(host, 'context_search', { query: 'a.py total_of' }))).toEqual([
      'src/a.py:7',
      'src/a.py:2',
    ]);
  });

  it('finds other forms of the words; where no line holds most of them, the few that hold more than others', async () => {
    const host = await openTools({
      'src/archive.py': 'def unpack(path):\n    """Extract all members of a tar file."""\n    return path\n',
      'src/main.py': 'import archive\n\n\ndef main():\n    return archive.unpack("a")\n',
    });
    expect(codeLines(await ask(host, 'context_search', { query: 'extraction of members' }))).toEqual([
      'src/archive.py:2',
    ]);
    const some = codeLines(await ask(host, 'context_search', { query: 'extraction into main' }));
    expect(some).toContain('src/archive.py:2');
    // An import says nothing of its own.
    expect(codeLines(await ask(host, 'context_search', { query: 'archive' }))[0]).toBe('src/main.py:5');
  });

  it('shows no line with a secret, and none of a file that may not be opened', async () => {
    const host = await openTools({
      'src/key.ts': 'export function connect() {\n  return open("account", "SECRET-token");\n}\n',
      '.env': 'account=1\n',
    });
    const { text } = await ask(host, 'context_search', { query: 'open account' });
    expect(text).toContain(
      'src/key.ts:2 | connect\n1: export function connect() {\n2:   return open("account", "[masked]");\n',
    );
    expect(text).not.toMatch(/SECRET-|\.env/);
  });

  it('shows the lines around one that stands inside of a long definition, and a shorter one whole', async () => {
    const body = (count: number) => Array.from({ length: count }, (_, at) => `  step(${at});\n`).join('');
    const host = await openTools({
      'src/long.ts': `export function long() {\n${body(300)}}\n\nexport function short() {\n${body(60)}}\n`,
    });
    const of = async (handle: string) => (await ask(host, 'context_detail', { handles: [handle] })).text;
    const inside = await of('src/long.ts:200');
    expect(inside).toMatch(/^``` file:src\/long\.ts#L185-L224 in function long, 1-302\n {2}step\(183\);\n/);
    expect(inside).toContain('  step(222);\n```\n');
    expect(await of('src/long.ts:302')).toMatch(/#L263-L302 in function long/);
    expect(await of('src/long.ts:2')).toMatch(/#L1-L40 in function long/);
    expect(await of('src/long.ts:340')).toMatch(/#L304-L365 function short\n/);
  });

  it('goes on after a line', async () => {
    const members = Array.from({ length: 13 }, (_, at) => `export function use${at}() {\n  return openStore();\n}\n`);
    const host = await openTools({ 'src/use.ts': members.join('') });
    const first = table(await ask(host, 'context_search', { query: 'openStore()' }));
    expect(first.next).toContain('src/use.ts:29');
    const second = await ask(host, 'context_search', { query: 'openStore()', after: 'src/use.ts:29' });
    expect(codeLines(second)).toEqual(['src/use.ts:32', 'src/use.ts:35', 'src/use.ts:38']);
    const wrong = ask(host, 'context_search', { query: 'openStore()', after: 'src/use.ts:3' });
    await expect(wrong).rejects.toMatchObject({ reason: 'unknown' });
  });

  it('goes on after an event or a symbol', async () => {
    const host = await openTools(FOLDER);
    const first = table(await ask(host, 'context_search', { query: 'step' }, { budgetTokens: 160 }));
    const [after] = first.next;
    const second = table(await ask(host, 'context_search', { query: 'step', after }, { budgetTokens: 160 }));
    const seen = new Set(first.rows.map(([handle]) => handle));
    expect(second.rows.length).toBeGreaterThan(0);
    expect(second.rows.filter(([handle]) => seen.has(handle))).toEqual([]);
    await expect(ask(host, 'context_search', { query: 'step', after: 'sym:00000000' })).rejects.toMatchObject({
      reason: 'unknown',
    });
  });
});

describe('context_budget', () => {
  it('tells problems without secrets and the places of this machine', async () => {
    const { workspace: session } = await openTools(FOLDER);
    await session.whenReady();
    const message = "No index for SECRET-name: EACCES: permission denied, open '/home/ann/cache/a.bin'.";
    const failing: Partial<Workspace> = {
      snapshot: { ...session.snapshot, problems: [{ kind: 'index', severity: 'error', message } as Problem] },
      whenReady: () => session.whenReady(),
      masked: (value) => session.masked(value),
      countTokens: (texts) => session.countTokens(texts),
    };
    const host = workspaceToolHost(failing as Workspace, { logger: SILENT, recordsUsage: false });
    const { text } = await ask(host, 'context_budget', {});
    expect(text).toContain('error: No index for [masked]: EACCES');
    expect(text).not.toContain('/home/ann');
  });

  it('tells three problems, and how many more there are', async () => {
    const { workspace: session } = await openTools(FOLDER);
    await session.whenReady();
    const told = async (count: number): Promise<readonly string[]> => {
      const problems = Array.from({ length: count }, (_, at) => {
        return { kind: 'index', severity: 'warning', message: `problem ${at}` } as Problem;
      });
      const failing: Partial<Workspace> = {
        snapshot: { ...session.snapshot, problems },
        whenReady: () => session.whenReady(),
        masked: (value) => session.masked(value),
        countTokens: (texts) => session.countTokens(texts),
      };
      const host = workspaceToolHost(failing as Workspace, { logger: SILENT, recordsUsage: false });
      const { text } = await ask(host, 'context_budget', {});
      return text.split('\n').filter((line) => /problem/.test(line));
    };
    const three = ['warning: problem 0', 'warning: problem 1', 'warning: problem 2'];
    expect(await told(3)).toEqual(three);
    expect(await told(4)).toEqual([...three, '1 more problem']);
    expect(await told(5)).toEqual([...three, '2 more problems']);
  });

  it('says what is used of both caps, and of each section', async () => {
    const host = await openTools(FOLDER);
    const answer = await ask(host, 'context_budget', {});
    expect(answer.text).toMatch(/^OK: [\d,]+ of 7,500 tokens, [\d,]+ of 30,000 characters\n/);
    expect(table(answer).rows.map(([handle]) => handle)).toContain('section:agents-md');
    const all = await pageThrough(host, 'context_budget', {}, 110);
    expect(all).toEqual(table(answer).rows.map(([handle]) => handle));
  });
});

describe('largestCount', () => {
  it('is the largest that fits, whichever that is', async () => {
    const most = 40;
    const largest = (limit: number) => largestCount([1, most], async (count) => count <= limit);
    const limits = Array.from({ length: most + 5 }, (_, at) => at + 1);
    expect(await Promise.all(limits.map(largest))).toEqual(limits.map((limit) => Math.min(limit, most)));
    expect(await largest(0)).toBeUndefined();
  });
});

describe('largestAnswer', () => {
  it('may take its whole budget, and no more', async () => {
    const host = { countTokens: async (texts: readonly string[]) => texts.map(({ length }) => length) };
    const rows = (tokens: number, isOfCall = true) =>
      largestAnswer([1, 9], (count) => 'x'.repeat(count), { tokens, chars: 1000, isOfCall, host });
    expect(await rows(5)).toBe('xxxxx');
    expect(await rows(20)).toBe('xxxxxxxxx');
    await expect(rows(0)).rejects.toThrow('No answer fits into 0 tokens: give a larger budget.');
    expect(tooSmall({ tokens: 1, isOfCall: true }).message).toBe('No answer fits into 1 token: give a larger budget.');
    await expect(rows(0, false)).rejects.toThrow('No answer fits into 0 tokens: ask for less, or raise the cap');
  });
});

describe('any tool', () => {
  it.each([
    ['context_index', { after: '' }],
    ['context_index', { surprise: 1 }],
    ['context_index', 'text'],
    ['context_detail', {}],
    ['context_detail', { handles: [] }],
    ['context_detail', { handles: 'section:soul' }],
    ['context_detail', { handles: [1] }],
    ['context_detail', { handles: ['  '] }],
    ['context_index', { task: '\t' }],
    ['context_detail', { handles: Array.from({ length: 21 }, String) }],
    ['repo_map', { query: 'x'.repeat(1_000_000) }],
    ['repo_map', { budget: 0 }],
    ['repo_map', { budget: 1.5 }],
    ['repo_map', { focus: [['src']] }],
    ['context_search', { query: '' }],
    ['context_budget', { after: { $gt: '' } }],
  ])('%s refuses %j in words', async (name, input) => {
    const host = await openTools({});
    const failure: unknown = await ask(host, name, input).catch((error: unknown) => error);
    expect(ToolError.is(failure, 'input')).toBe(true);
    expect((failure as Error).message.length).toBeLessThan(300);
  });

  it('is unknown by another name, and gives nothing when it was cancelled', async () => {
    const host = await openTools({});
    await expect(ask(host, 'rm_rf', {})).rejects.toMatchObject({ reason: 'noTool' });
    const call = { ...CALL, signal: AbortSignal.abort() };
    expect(await runTool('context_index', {}, host, call)).toBeUndefined();
  });

  it('gives nothing when secrets cannot be looked for', async () => {
    const scanner = { scan: () => Promise.reject(new Error('/home/me/rules.json is broken')) };
    const host = await openTools(FOLDER, { scanner });
    const calls = {
      context_detail: { handles: ['12'] },
      repo_map: {},
      context_index: {},
      context_timeline: { id: 12 },
    };
    for (const [name, input] of Object.entries(calls)) {
      const failure: unknown = await ask(host, name, input).catch((error: unknown) => error);
      expect(ToolError.is(failure, 'masking')).toBe(true);
      expect((failure as Error).message).not.toContain('/home');
    }
  });

  it('says that a budget is too small instead of exceeding it', async () => {
    const host = await openTools(FOLDER);
    for (const name of ['context_index', 'context_budget', 'repo_map']) {
      const failure = { reason: 'budget', message: expect.stringContaining('give a larger budget.') };
      await expect(ask(host, name, {}, { budgetTokens: 1 })).rejects.toMatchObject(failure);
    }
  });
});
