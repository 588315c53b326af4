/** Agents' logs that nobody should write: every reader goes on, names no place outside, and counts with numbers. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { renderSession, renderSessions } from '../../../src/core/print/sessionTable';
import { isRecord, parseJson } from '../../../src/core/text/jsonRecord';
import { relayFacts } from '../../../src/core/transcripts/relayFacts';
import { SESSION_FORMATS } from '../../../src/core/transcripts/sessions/formats';
import type { SessionAgent, SessionHead } from '../../../src/core/transcripts/sessions/sessionLog';
import { AGENT_NAMES, type AgentName } from '../../../src/core/transcripts/transcriptAdapter';
import { sessionJson, sessionsJson } from '../../../src/core/window/sessions/sessionJson';
import { assembleSessions, type SessionFile } from '../../../src/core/window/sessions/sessions';
import { TimelineBuilder } from '../../../src/core/window/sessions/timeline';
import { opencodeMessages, opencodeRows } from '../../support/opencode';
import { fixture, read } from '../../support/transcripts';
import { limitMs } from '../../support/until.mjs';
import { countInput, damagedText, damagedValue, FUZZ_LIMIT, fuzzing, tellInputs, within } from './fuzz';

const TURNS: Readonly<Record<AgentName, string>> = {
  'claude-code': 'claude-code/session.jsonl',
  codex: 'codex/rollout-2026-08-10T13-02-01-0198-codex.jsonl',
  'copilot-chat': 'copilot-chat/chat.json',
  aider: 'aider/.aider.chat.history.md',
};
const SESSIONS: Readonly<Record<SessionAgent, readonly string[]>> = {
  'claude-code': ['big-output', 'error-400', 'image', 'parent-of-subagent', 'slow-stream-interleaved', 'subagent'].map(
    (name) => `claude-code/${name}.jsonl`,
  ),
  codex: ['codex/rollout-resume.jsonl'],
  'gemini-cli': ['gemini/session-compress.jsonl'],
  'qwen-code': ['qwen/chat-continue.jsonl'],
  'copilot-cli': ['copilot-cli/events-resume.jsonl'],
  cline: ['cline-cli/messages.json', 'cline-task/api_conversation_history.json'],
  pi: ['pi/session.jsonl'],
  opencode: ['opencode/continue.json'],
};

/** Lines of a log: some with values put at places of theirs, some damaged, doubled, in another order, or of another log. */
function damagedLines(all: readonly string[]): fc.Arbitrary<string> {
  const lines = all.filter((line) => line !== '');
  const one = fc.constantFrom(...lines);
  const changed = fc.oneof(
    { weight: 5, arbitrary: one.chain((line) => changedLine(line)) },
    { weight: 1, arbitrary: damagedText(one) },
    { weight: 1, arbitrary: one },
    fc.constantFrom(
      '',
      'null',
      '[]',
      '{}',
      '"',
      `${'['.repeat(20_000)}`,
      `{"type":"user","message":${'{"a":'.repeat(5000)}`,
    ),
  );
  return fc
    .tuple(
      fc.array(fc.tuple(fc.nat(lines.length), changed, fc.boolean()), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([changes, end]) =>
      changes
        .reduce((now, [at, line, isAdded]) => now.toSpliced(at % (now.length + 1), isAdded ? 0 : 1, line), lines)
        .join(end),
    );
}

function changedLine(line: string): fc.Arbitrary<string> {
  const value = parseJson(line);
  return value === undefined ? damagedText(fc.constant(line)) : damagedValue(value).map((put) => JSON.stringify(put));
}

const turnLogs = fc.constantFrom(...AGENT_NAMES).chain((agent) => {
  const text = new TextDecoder().decode(fixture(TURNS[agent]));
  const content =
    agent === 'copilot-chat'
      ? fc.oneof(changedLine(text), damagedText(fc.constant(text)))
      : damagedLines(text.split('\n'));
  return content.map((given) => ({ agent, given }));
});

/** The sample as its reader gets it: a record a line. */
function logText(agent: SessionAgent, file: string): string {
  if (agent !== 'opencode') {
    const text = readFileSync(`test/fixtures/sessions/${file}`, 'utf8');
    return text.startsWith('[') ? `{"items":${text}}` : text;
  }
  return opencodeMessages(opencodeRows('/work/app'))
    .map((message) => JSON.stringify(message))
    .join('\n');
}

interface SessionLog {
  readonly agent: SessionAgent;
  readonly name: string;
  readonly text: string;
}

const sessionLog: fc.Arbitrary<SessionLog> = fc
  .constantFrom(...(Object.keys(SESSIONS) as SessionAgent[]))
  .chain((agent) => fc.tuple(fc.constant(agent), fc.constantFrom(...SESSIONS[agent])))
  .chain(([agent, file]) => {
    const text = logText(agent, file);
    const content = SESSION_FORMATS[agent].form === 'document' ? changedLine(text) : damagedLines(text.split('\n'));
    return content.map((given) => ({ agent, name: file, text: given }));
  });

/** As the reader of files does it, without files. */
function sessionOf({ agent, name, text }: SessionLog): SessionFile {
  const head: SessionHead = { cwd: '/work/app' };
  const builder = new TimelineBuilder();
  const format = SESSION_FORMATS[agent];
  const reader = format.open(
    { head, emit: (event) => builder.add(event, event.kind === 'block' ? Math.ceil(event.text.length / 4) : 0) },
    { name },
  );
  for (const line of format.form === 'document' ? [text] : text.split('\n')) {
    const value = parseJson(line);
    if (isRecord(value)) reader.record(value);
  }
  reader.end?.();
  return { agent, name, head, timeline: builder.finish() };
}

function isConfined(path: string): boolean {
  return (
    path !== '' && !/^(?:\/|[a-z]:|~)/i.test(path) && !path.split('/').some((part) => ['', '.', '..'].includes(part))
  );
}

describe("an agent's log of any content", () => {
  afterAll(() => tellInputs('transcripts'));

  it('gives turns whose paths lie inside', FUZZ_LIMIT, () => {
    fc.assert(
      fc.property(turnLogs, ({ agent, given }) => {
        countInput();
        const { turns, end } = within(limitMs(), () => read(agent, given));
        const all = end.open ? [...turns, end.open] : turns;
        for (const { toolCalls } of all)
          for (const call of toolCalls) expect(call.paths.filter((each) => !isConfined(each))).toEqual([]);
        relayFacts(all);
      }),
      fuzzing(60, 1500),
    );
  });

  it('counts no figure that is no number of tokens, and shows no time that is none', () => {
    const text = readFileSync(`test/fixtures/sessions/${SESSIONS.cline[0]}`, 'utf8');
    const odd = text
      .replace(/"ts": ?\d+/g, '"ts":1e300')
      .replace(/"(input|cacheRead|cacheWrite|output)Tokens": ?\d+/g, '"$1Tokens":1e300');
    expect(odd).toContain('1e300');
    const [session] = assembleSessions([sessionOf({ agent: 'cline', name: 'odd', text: odd })]);
    expect(session).toMatchObject({ started: undefined, peakTokens: 0 });
    expect(renderSession(session!, 'text')).not.toContain('NaN');
  });

  it('gives sessions that can be counted, sorted and shown', FUZZ_LIMIT, () => {
    fc.assert(
      fc.property(fc.array(sessionLog, { minLength: 1, maxLength: 3 }), (logs) => {
        countInput();
        // A name or a model may be called so.
        const isNamedSo = logs.some(({ text }) => /NaN|Infinity|undefined/.test(text));
        const noNumber = isNamedSo ? /^$/ : /NaN|Infinity|undefined/;
        const sessions = within(limitMs(), () => assembleSessions(logs.map(sessionOf)));
        for (const session of sessions) {
          expect(Number.isFinite(session.peakTokens) && session.peakTokens >= 0).toBe(true);
          for (const { parts } of session.requests) {
            const { mcp, ...rest } = parts;
            for (const tokens of [...Object.values(mcp), ...Object.values(rest)])
              expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
          }
          expect(JSON.parse(JSON.stringify(sessionJson(session, [])))).toBeTypeOf('object');
          for (const form of ['text', 'markdown'] as const) expect(renderSession(session, form)).not.toMatch(noNumber);
        }
        expect(JSON.parse(JSON.stringify(sessionsJson(sessions, [])))).toBeTypeOf('object');
        for (const form of ['text', 'markdown'] as const) expect(renderSessions(sessions, form)).not.toMatch(noNumber);
      }),
      fuzzing(60, 1500),
    );
  });
});
