/** The threat model names guards and tests that exist and are run, and the files that may connect are those it names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MODEL = readFileSync('docs/threat-model.md', 'utf8');

/** Rows of the table of promises: promise, guard, tests. */
const rows = (MODEL.split('## Promises')[1] ?? '')
  .split('## Inherent')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, promise = '', guard = '', tests = '']) => ({ promise, guard, tests }));

const pathsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) => (/^[\w./-]+\.(?:ts|mjs)$/.test(path) ? [path] : []));

/** Suites that Vitest runs, and scripts that other stages and `test:long` run. */
const isRun = (path: string): boolean =>
  /^test\/(?:unit|property|contract)\/.+\.test\.ts$/.test(path) ||
  (path.startsWith('test/attack/cases/') &&
    readFileSync('test/attack/cases/index.mjs', 'utf8').includes(`'./${path.split('/').at(-1)}'`)) ||
  readFileSync('test/run.mjs', 'utf8').includes(`'${path}'`) ||
  readFileSync('CONTRIBUTING.md', 'utf8').includes(`node ${path}`);

describe('the threat model', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(12);
  });

  it.each(rows)('shows by tests that are run: $promise', ({ guard, tests }) => {
    const named = pathsIn(tests);
    expect(named.length).toBeGreaterThan(0);
    // Everything in the column is a path, so that nothing is passed over.
    expect(named.map((path) => `\`${path}\``).join(', ')).toBe(tests);
    expect([...named, ...pathsIn(guard)].filter((path) => !existsSync(path))).toEqual([]);
    expect(named.filter((path) => !isRun(path))).toEqual([]);
  });

  it('is right that nothing but the measuring of servers and the export can connect', () => {
    const connecting =
      /from '(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?'|\bfetch\(|\bWebSocket\(|XMLHttpRequest|EventSource\(|HTTPClientTransport|SSEClientTransport|exporter-metrics-otlp/;
    const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts') && connecting.test(readFileSync(file, 'utf8')));
    expect(found.sort()).toEqual(['src/mcp/measureServer.ts', 'src/node/otlp/sendMetrics.ts']);
  });
});
