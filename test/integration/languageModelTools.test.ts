import * as assert from 'node:assert/strict';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import * as vscode from 'vscode';
import { FakeKeys } from '../fixtures/fakeSecrets';
import { testWith } from './host';
import { extensionApi, readRecords, readText, ready, remove, until, uriOf, write } from './support';

type Counter = (text: string) => number;

const encoding = new Tiktoken(cl100k);
/** Tokenizers of models that are not ours: a real one, and two that no text of ours was ever measured with. */
const COUNTERS: Readonly<Record<string, Counter>> = {
  cl100k_base: (text) => encoding.encode(text).length,
  'a third of the characters': (text) => Math.ceil(text.length / 3),
  'every line dear': (text) => text.length / 5 + text.split('\n').length * 7,
};

const SUMMARY = 'asked by tools';

const BUDGETS = [0, 1, 12, 40, 90, 200, 600, 3000];

/** A call of each tool; `id` is an observation's. */
function calls(id: number): readonly (readonly [name: string, input: object])[] {
  return [
    ['context_index', {}],
    ['context_timeline', { id }],
    ['context_detail', { handles: ['section:agents-md', 'file:src/prices.ts', String(id)] }],
    ['repo_map', { query: 'orders with wrong prices' }],
    ['context_search', { query: 'price' }],
    ['context_budget', {}],
  ];
}

function toolNames(): readonly string[] {
  return vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('contextBudget_'));
}

/** The text that a model would get. */
export async function callTool(
  name: string,
  input: object,
  tokenizationOptions?: vscode.LanguageModelToolTokenizationOptions,
  token?: vscode.CancellationToken,
): Promise<string> {
  const options = { input, toolInvocationToken: undefined, ...(tokenizationOptions ? { tokenizationOptions } : {}) };
  const { content } = await vscode.lm.invokeTool(`contextBudget_${name}`, options, token);
  assert.equal(content.length, 1);
  const [part] = content;
  assert.ok(part instanceof vscode.LanguageModelTextPart, 'a text');
  return part.value;
}

/** What a call fails with, in the words that a model gets. */
async function failureOf(name: string, input: object, tokenBudget?: number): Promise<string> {
  const options =
    tokenBudget === undefined ? undefined : { tokenBudget, countTokens: async (text: string) => text.length };
  try {
    await callTool(name, input, options);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return assert.fail(`${name} answers`);
}

const LOG = '.context-budget/observations.jsonl';

/** The id of the observation that is made here. */
async function ownId(): Promise<number | undefined> {
  const records = await readRecords<{ readonly id: number; readonly summary: string }>(LOG);
  return records.find(({ summary }) => summary === SUMMARY)?.id;
}

/** Hosts name the folder that they open each in their way. */
function folderName(): string {
  return vscode.workspace.workspaceFolders?.[0]?.name ?? '';
}

/** The editor's language model tools, as any other extension or the chat calls them. */
export function languageModelToolTests(): void {
  suite('language model tools', () => {
    let id = 0;

    suiteSetup(async () => {
      await extensionApi();
      const input = { summary: SUMMARY, detail: 'why it was asked' };
      await vscode.commands.executeCommand('contextBudget.addObservation', input);
      id = (await until('the observation is written', ownId)).value;
    });

    suiteTeardown(() => remove(LOG));

    test('are registered with a schema of their arguments', async () => {
      assert.deepEqual(
        [...toolNames()].sort(),
        calls(id)
          .map(([name]) => `contextBudget_${name}`)
          .sort(),
      );
      for (const { name, description, inputSchema, tags } of vscode.lm.tools) {
        if (!name.startsWith('contextBudget_')) continue;
        assert.ok(description.length > 0 && tags.includes('context-budget'), name);
        assert.ok('properties' in (inputSchema ?? {}), name);
      }
    });

    test('answer without a budget', async () => {
      const texts = new Map<string, string>();
      for (const [name, input] of calls(id)) texts.set(name, await callTool(name, input));
      assert.match(texts.get('context_index') ?? '', /section:agents-md/);
      assert.match(texts.get('context_timeline') ?? '', /asked by tools/);
      assert.match(texts.get('context_detail') ?? '', /Prices are integers in cents[\s\S]*why it was asked/);
      assert.match(texts.get('repo_map') ?? '', /src\/(?:prices|orders)\.ts/);
      assert.match(texts.get('context_search') ?? '', /sym:[0-9a-f]{8}/);
      assert.match(texts.get('context_budget') ?? '', /^(?:OK|WARN|ALERT): [\d,]+ of 7,500 tokens/);
    });

    for (const [tokenizer, counter] of Object.entries(COUNTERS)) {
      test(`keep every budget, counted by ${tokenizer}`, async () => {
        let answered = 0;
        for (const [name, input] of calls(id)) {
          for (const tokenBudget of BUDGETS) {
            const counted = new Set<string>();
            const countTokens = async (text: string): Promise<number> => {
              counted.add(text);
              return counter(text);
            };
            const what = `${name} within ${tokenBudget}`;
            const answer = await callTool(name, input, { tokenBudget, countTokens }).catch((error: Error) => error);
            if (typeof answer === 'string') {
              assert.ok(counter(answer) <= tokenBudget, `${what} costs ${counter(answer)}:\n${answer}`);
              assert.ok(counted.has(answer), `${what}: the text itself was counted`);
              answered++;
            } else {
              assert.match(answer.message, /No answer fits into [\d,]+ tokens?: give a larger budget\./, what);
              assert.ok(tokenBudget < 200, what);
            }
          }
        }
        assert.ok(answered >= 3 * calls(id).length, `${answered} answers`);
      });
    }

    test('give more where the budget is larger', async () => {
      const countTokens = async (text: string) => text.length;
      const small = await callTool('repo_map', { query: 'prices', budget: 3000 }, { tokenBudget: 150, countTokens });
      const large = await callTool('repo_map', { query: 'prices', budget: 3000 }, { tokenBudget: 3000, countTokens });
      assert.ok(small.length <= 150 && large.length > small.length);
    });

    test('say what was wrong, and no absolute path', async () => {
      const outside = ['file:../../../../etc/passwd', 'file:/etc/passwd', 'file:C:\\Windows\\win.ini'];
      const failures = [
        await failureOf('context_detail', { handles: ['section:nowhere'] }),
        ...(await Promise.all(outside.map((handle) => failureOf('context_detail', { handles: [handle] })))),
        await failureOf('context_timeline', { id: 999_999 }),
        await failureOf('repo_map', { focus: ['../elsewhere.ts'] }),
        await failureOf('repo_map', { budget: -1 }),
        await failureOf('repo_map', { folder: 'nowhere' }),
        await failureOf('context_search', { query: '' }),
      ];
      assert.match(failures[0] ?? '', /Nothing here has this handle: section:nowhere/);
      assert.ok(failures.at(-2)?.includes(`No folder here has this name. Open are: ${folderName()}.`), failures.at(-2));
      const home = uriOf('').path.split('/')[1] ?? '';
      for (const failure of failures) {
        assert.ok(!/\/etc\/|Windows/.test(failure) && !failure.includes(`/${home}/`), failure);
      }
    });

    testWith('processes', 'list what changed since main with its callers, where git may be asked', async () => {
      const before = await readText('src/prices.ts');
      try {
        await write('src/prices.ts', before.replace('Math.round(', 'Math.floor('));
        await ready();
        const answer = await callTool('repo_map', { changed: '' });
        assert.match(answer, /^changed since main \([0-9a-f]{8}\): \d+ files?\n/);
        assert.match(answer, /applyDiscount\(.* \| changed \+1 -1/);
        assert.match(await failureOf('repo_map', { changed: 'nowhere' }), /Git knows no commit "nowhere"/);
      } finally {
        await write('src/prices.ts', before);
      }
    });

    test('take the folder by its name', async () => {
      // What earlier tests recorded may still be counted.
      await until('both say the same', async () => {
        const [named, active] = [
          await callTool('context_budget', { folder: folderName() }),
          await callTool('context_budget', {}),
        ];
        return named === active && named.includes('section:agents-md');
      });
    });

    test('end when they are cancelled', async () => {
      const source = new vscode.CancellationTokenSource();
      source.cancel();
      await assert.rejects(callTool('repo_map', { query: 'prices' }, undefined, source.token), /cancel/i);
      const late = new vscode.CancellationTokenSource();
      const countTokens = async (text: string, token?: vscode.CancellationToken): Promise<number> => {
        late.cancel();
        // It travels to the editor and back.
        await until('the tool is told', () => token?.isCancellationRequested);
        return text.length;
      };
      const options = { tokenBudget: 2000, countTokens };
      await assert.rejects(callTool('context_index', {}, options, late.token), /cancel/i);
    });

    test('mask secrets', async () => {
      const key = `ghp_${new FakeKeys(23).random(36)}`;
      const before = await readText('AGENTS.md');
      await write('AGENTS.md', `${before.trimEnd()}\nThe bot's token is ${key}.\n`);
      try {
        await until('the payload has a mask for the key', async () => {
          const { report } = await ready();
          return report?.payloads.expanded.text.includes('[masked: GitHub token]');
        });
        for (const handle of ['section:agents-md', 'file:AGENTS.md']) {
          const text = await callTool('context_detail', { handles: [handle] });
          assert.ok(!text.includes(key) && text.includes('[masked: GitHub token]'), text);
        }
        for (const [name, input] of calls(id)) assert.ok(!(await callTool(name, input)).includes(key), name);
      } finally {
        await write('AGENTS.md', before);
        await until('the key is gone', async () => !(await ready()).report?.payloads.expanded.text.includes('[masked'));
      }
    });

    test('record each expansion as a citation', async () => {
      const records = () =>
        readRecords<{ readonly cited: readonly { evidence: string }[] }>('.context-budget/usage.jsonl');
      const citations = async () =>
        (await records()).flatMap(({ cited }) => cited).filter(({ evidence }) => evidence === 'handle').length;
      const cycles = (await records()).length;
      await vscode.commands.executeCommand('contextBudget.copyExpandedPayload');
      await until('the copy is recorded', async () => (await records()).length > cycles);
      const before = await citations();
      await callTool('context_detail', { handles: ['section:agents-md'] });
      await until('it is cited', async () => (await citations()) > before);
    });
  });
}
