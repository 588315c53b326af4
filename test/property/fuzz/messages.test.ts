/** Messages that no client should send: each request gets one answer, and none shows what is not served. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTEXT_TOOLS } from '../../../src/core/tools/toolCatalog';
import { serve } from '../../../src/mcp/serve';
import { openFileSource } from '../../../src/node/fileSource';
import { createNodeWorkspace } from '../../../src/node/nodeWorkspace';
import { createEngines } from '../../support/cliWorld';
import { eventLines } from '../../support/toolWorld';
import { until } from '../../support/until.mjs';
import { SILENT } from '../../support/workspaceFakes';
import { keptFolder } from './folder';
import { countInput, damagedText, FUZZ_LIMIT, fuzzing, HOSTILE_TEXTS, hostileValue, tellInputs } from './fuzz';

/** What no answer may show: of an ignored file, of git, of a file beside the folder. */
const CLOSED = /IGNORED-WORD|GIT-WORD|OUTSIDE-WORD/;
const FILES = {
  'root/AGENTS.md': `# Rules\n${'One more rule.\n'.repeat(60)}`,
  'root/src/app.ts': 'export function parseConfig(text: string) {\n  return text;\n}\n',
  'root/.gitignore': '.env\n',
  'root/.env': 'IGNORED-WORD\n',
  'root/.git/config': '[user]\n\tname = GIT-WORD\n',
  'root/.context-budget/observations.jsonl': eventLines(
    Array.from({ length: 20 }, (_, at) => ({ id: at + 1, summary: `step ${at + 1}` })),
  ),
  'outside/secret.txt': 'OUTSIDE-WORD\n',
};

const handle = fc.constantFrom(
  ...['section:agents-md', 'section:none', '7', '99999', 'file:src/app.ts', 'sym:src/app.ts:parseConfig'],
  ...['file:.env', 'file:.git/config', 'file:../outside/secret.txt', 'file:src/../../outside/secret.txt#L1-L9'],
  ...HOSTILE_TEXTS.map((text) => `file:${text}`),
  ...HOSTILE_TEXTS,
);
const text = fc.oneof(fc.constantFrom('parseConfig', 'step 7', ...HOSTILE_TEXTS), fc.string({ maxLength: 20 }));
const toolInput = fc.oneof(
  fc.record(
    {
      handles: fc.array(handle, { maxLength: 4 }),
      query: text,
      id: fc.oneof(fc.integer({ min: 1, max: 30 }), hostileValue),
      window: fc.integer({ min: -1, max: 60 }),
      budget: fc.integer({ min: -1, max: 3000 }),
      after: handle,
    },
    { requiredKeys: [] },
  ),
  hostileValue,
);
const params = fc.oneof(
  fc.record(
    {
      name: fc.oneof(
        fc.constantFrom(...CONTEXT_TOOLS.map(({ name }) => name), 'context_for_task', 'relay_observer'),
        text,
      ),
      arguments: fc.oneof(toolInput, fc.record({ task: text })),
      uri: fc
        .oneof(fc.constantFrom('index', 'map.json', 'section/agents-md', 'section/../x'), text)
        .map((name) => `context-budget://${name}`),
      level: text,
      requestId: fc.constantFrom<unknown>('other', 7, null),
      _meta: fc.oneof(fc.record({ progressToken: fc.constantFrom<unknown>('p', 1) }), hostileValue),
    },
    { requiredKeys: [] },
  ),
  hostileValue,
);
const method = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...['tools/call', 'tools/call', 'tools/list', 'prompts/get', 'prompts/list', 'resources/read', 'resources/list'],
      ...['resources/templates/list', 'logging/setLevel', 'ping', 'completion/complete', 'resources/subscribe'],
    ),
  },
  { weight: 1, arbitrary: text },
);
/** A request whose id the run gives: it must be answered. */
const proper = fc.record({ method, params });
/** What need not be answered, or only by an error. */
const improper = fc.oneof(
  fc
    .record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0'),
        id: fc.constantFrom<unknown>('other', 7, null, {}, 1.5),
        method: fc.oneof(
          method,
          fc.constantFrom('notifications/cancelled', 'notifications/initialized', 'notifications/progress'),
        ),
        params,
        result: hostileValue,
        error: hostileValue,
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message)),
  damagedText(proper.map((message) => JSON.stringify({ jsonrpc: '2.0', id: 'other', ...message }))),
  hostileValue.map((value) => JSON.stringify(value)),
  fc.constantFrom(
    ...HOSTILE_TEXTS,
    '['.repeat(50_000),
    `{"jsonrpc":"2.0","id":"${'i'.repeat(100_000)}","method":"ping"}`,
  ),
);
type Sent = { readonly method: string; readonly params: unknown } | string;
const messages = fc.array(fc.oneof<fc.Arbitrary<Sent>[]>(proper, improper), { minLength: 1, maxLength: 6 });

interface Answer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: unknown; readonly message: unknown };
}

describe('an MCP server that is sent anything', () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const stop = new AbortController();
  const answers: Answer[] = [];
  let base = '';
  let served: Promise<void> = Promise.resolve();
  let sent = 0;

  beforeAll(async () => {
    base = await keptFolder(FILES);
    const { files, realRoot } = await openFileSource(path.join(base, 'root'));
    const user = path.join(base, 'user');
    const openWorkspace = () =>
      createNodeWorkspace({
        realRoot,
        files,
        productRoot: '/nowhere',
        preferences: { profile: undefined, isTrusted: false, tokenizer: 'o200k_base' },
        logger: SILENT,
        env: { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: user, CONTEXT_BUDGET_CACHE_DIR: user },
        createEngines,
      });
    let rest = '';
    output.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        expect(line).not.toMatch(CLOSED);
        expect(line).not.toContain(base);
        answers.push(JSON.parse(line) as Answer);
      }
    });
    served = serve(
      { version: '1', realRoot, files, openWorkspace, profile: undefined, logger: SILENT, input, output },
      stop.signal,
    );
    const start = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'start', method: 'initialize', params: start })}\n`);
    await until('the server starts', () => answers.some(({ id }) => id === 'start'));
  });

  afterAll(async () => {
    tellInputs('messages');
    stop.abort();
    await served;
  });

  it('answers each request once, in form, and stays alive', FUZZ_LIMIT, async () => {
    await fc.assert(
      fc.asyncProperty(messages, fc.integer({ min: 1, max: 400 }), async (all, pieceBytes) => {
        countInput();
        answers.length = 0;
        const first = sent + 1;
        const lines = all.map((message) =>
          typeof message === 'string'
            ? message.replaceAll('\n', ' ')
            : JSON.stringify({ jsonrpc: '2.0', id: `q${++sent}`, ...message }),
        );
        const bytes = Buffer.from(
          `${lines.join('\n')}\n${JSON.stringify({ jsonrpc: '2.0', id: 'end', method: 'ping' })}\n`,
        );
        const size = bytes.length > 5000 ? bytes.length : pieceBytes;
        for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
        const asked = ['end', ...Array.from({ length: sent - first + 1 }, (_, at) => `q${first + at}`)];
        await until('all requests are answered', () => asked.every((id) => answers.some((answer) => answer.id === id)));
        for (const id of asked) expect(answers.filter((answer) => answer.id === id)).toHaveLength(1);
        for (const answer of answers) {
          expect(answer.jsonrpc).toBe('2.0');
          if (answer.method !== undefined) expect(answer.method).toMatch(/^notifications\//);
          else if (answer.error) {
            expect(Number.isSafeInteger(answer.error.code)).toBe(true);
            expect(answer.error.message).toMatch(/\S/);
          } else expect(answer.result).toBeTypeOf('object');
        }
      }),
      fuzzing(30, 800),
    );
    expect(await readFile(path.join(base, 'root/.git/config'), 'utf8')).toBe(FILES['root/.git/config']);
    expect(await readFile(path.join(base, 'root/AGENTS.md'), 'utf8')).toBe(FILES['root/AGENTS.md']);
  });
});
