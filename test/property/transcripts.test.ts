import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesOfCommand } from '../../src/core/transcripts/commandPaths';
import { relayFacts } from '../../src/core/transcripts/relayFacts';
import { AGENT_NAMES, type AgentName } from '../../src/core/transcripts/transcriptAdapter';
import { runs } from '../support/runs';
import { APP, fixture, type Read, read } from '../support/transcripts';

const FILES: Readonly<Record<AgentName, string>> = {
  'claude-code': 'claude-code/session.jsonl',
  codex: 'codex/rollout-2026-08-10T13-02-01-0198-codex.jsonl',
  'copilot-chat': 'copilot-chat/chat.json',
  aider: 'aider/.aider.chat.history.md',
};

const agents = fc.constantFrom(...AGENT_NAMES);

/** What a tool argument may be, and what it must not: values of every type, paths of every kind, half of a pair. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    '/work/app/../../etc/passwd',
    '../../x.ts',
    'C:\\x.ts',
    'a\0b.ts',
    '\ud83d',
    '~',
    'file://%',
    '{"a":',
  ),
);

/** Every place of a JSON value: the keys that lead to it. */
function places(node: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof node !== 'object' || node === null) return [at];
  return [at, ...Object.entries(node).flatMap(([key, child]) => places(child, [...at, key]))];
}

function replaced(node: unknown, [key, ...rest]: readonly string[], put: unknown): unknown {
  if (key === undefined) return put;
  const copy: Record<string, unknown> = Array.isArray(node) ? ([...node] as never) : { ...(node as object) };
  copy[key] = replaced(copy[key], rest, put);
  return copy;
}

function isConfined(path: string): boolean {
  return (
    path !== '' && !/^(?:\/|[a-z]:|~)/i.test(path) && !path.split('/').some((part) => ['', '.', '..'].includes(part))
  );
}

/** Paths are confined, and every part of them stands in the file. */
function checkPaths({ turns, end }: Read, source: string): void {
  const all = end.open ? [...turns, end.open] : turns;
  for (const path of all.flatMap(({ toolCalls }) => toolCalls.flatMap(({ paths }) => paths))) {
    expect(path).toSatisfy(isConfined);
    for (const part of path.split('/')) expect(source).toContain(JSON.stringify(part).slice(1, -1));
  }
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  relayFacts(all);
}

describe('transcripts as nobody should write them', () => {
  it('are read to where they are cut, wherever that is', () => {
    fc.assert(
      fc.property(agents, fc.nat(), fc.nat(), (agent, end, start) => {
        const bytes = fixture(FILES[agent]);
        const cut = bytes.subarray(start % 3 === 0 ? start % bytes.length : 0, end % (bytes.length + 1));
        checkPaths(read(agent, cut), new TextDecoder().decode(bytes));
      }),
      runs(50, 400),
    );
  });

  it('say the same however the bytes arrive', () => {
    fc.assert(
      fc.property(agents, fc.integer({ min: 1, max: 5000 }), (agent, pieceBytes) => {
        const bytes = fixture(FILES[agent]);
        expect(read(agent, bytes, { pieceBytes })).toEqual(read(agent, bytes));
      }),
      runs(10, 60),
    );
  });

  it('give the same turns when reading goes on where it ended', () => {
    fc.assert(
      fc.property(fc.constantFrom<AgentName>('claude-code', 'codex', 'aider'), fc.nat(), (agent, at) => {
        const bytes = fixture(FILES[agent]);
        const first = read(agent, bytes.subarray(0, at % (bytes.length + 1)));
        const { resume } = first.end;
        const second = read(agent, bytes.subarray(resume.offset), { resume });
        const whole = read(agent, bytes);
        expect([...first.turns, ...second.turns]).toEqual(whole.turns);
        expect(second.end.open).toEqual(whole.end.open);
        expect(second.end.resume).toEqual(whole.end.resume);
      }),
      runs(40, 300),
    );
  });

  it.each(['claude-code', 'codex'] as const)('survive any value at any place of a record of %s', (agent) => {
    const lines = new TextDecoder().decode(fixture(FILES[agent])).split('\n');
    fc.assert(
      fc.property(fc.nat(), fc.nat(), value, (line, at, put) => {
        const index = line % lines.length;
        const text = lines[index] ?? '';
        if (!text.startsWith('{"')) return;
        const record: unknown = JSON.parse(text);
        const all = places(record);
        const changed = lines.with(index, JSON.stringify(replaced(record, all[at % all.length] ?? [], put)));
        checkPaths(read(agent, changed.join('\n')), changed.join('\n'));
      }),
      runs(60, 600),
    );
  });

  it('survive any value at any place of an export', () => {
    const document: unknown = JSON.parse(new TextDecoder().decode(fixture(FILES['copilot-chat'])));
    const all = places(document);
    fc.assert(
      fc.property(fc.nat(), value, (at, put) => {
        const changed = JSON.stringify(replaced(document, all[at % all.length] ?? [], put));
        checkPaths(read('copilot-chat', changed), changed);
      }),
      runs(50, 400),
    );
  });

  it('survive any bytes', () => {
    fc.assert(
      fc.property(agents, fc.uint8Array({ maxLength: 400 }), (agent, bytes) => {
        expect(read(agent, bytes).turns.length).toBeLessThan(400);
      }),
      runs(50, 400),
    );
  });

  it('have command lines of any shape, whose files stand in them and lie inside', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom(
        'cat',
        'cd',
        '-n',
        "'",
        '"',
        '<<EOF',
        '\n',
        '&&',
        '|',
        '>',
        '${',
        '../x.ts',
        'src/a.ts',
        '/work/app/b.md',
        '\\',
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (list) => {
        const command = list.join(' ');
        for (const path of namesOfCommand(command, APP).paths) expect(path).toSatisfy(isConfined);
      }),
      runs(200, 2_000),
    );
  });
});
