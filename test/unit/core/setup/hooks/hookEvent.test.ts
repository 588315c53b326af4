import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HookError, parseHookEvent } from '../../../../../src/core/setup/hooks/hookEvent';

const fixtures = path.resolve(import.meta.dirname, '../../../../fixtures/hooks');
const recorded = (name: string): string => readFileSync(path.join(fixtures, name), 'utf8');

const reasonOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (HookError.is(error)) return `${error.reason}: ${error.message}`;
  }
  return 'nothing thrown';
};

describe('parseHookEvent', () => {
  it('reads the same fields from both spellings', () => {
    const snake = parseHookEvent(recorded('vscode-source-sessionStart.json'), 'SessionStart');
    const camel = parseHookEvent(recorded('vscode-docs-sessionStart.json'), 'SessionStart');
    expect(snake.sessionId).toBe('9b1f6d0e-52d4-4d1c-8d0a-2f3b7f6c9e11');
    expect(camel).toEqual({ ...snake, cwd: '/home/ana/shop' });
    expect(snake).toMatchObject({ source: 'new', cwd: undefined });
  });

  it.each(readdirSync(fixtures).filter((name) => name.endsWith('.json')))('reads the recorded %s', (name) => {
    const event = name.includes('reCompact') ? 'PreCompact' : 'SessionStart';
    const { sessionId, transcriptPath, source } = parseHookEvent(recorded(name), event);
    expect(sessionId).toMatch(/^[\da-f-]{36}$/);
    // Copilot CLI tells none.
    if (!name.startsWith('copilot-cli')) expect(transcriptPath).toMatch(/\.jsonl$/);
    if (event === 'SessionStart') expect(source).toMatch(/^[a-z]+$/);
  });

  it('takes nothing on stdin for an event without fields, and ignores fields of other types', () => {
    const empty = parseHookEvent(' \n', 'PreCompact');
    expect(Object.values(empty).filter((value) => value !== undefined)).toEqual([]);
    expect(parseHookEvent('\uFEFF{"session_id": 7, "cwd": null, "source": ""}', 'PreCompact')).toEqual(empty);
  });

  it('does not look into the prototype', () => {
    expect(parseHookEvent('{"__proto__": {"cwd": "/evil"}}', 'PreCompact').cwd).toBeUndefined();
  });

  it('takes the event in the camel case of Copilot CLI, and refuses another one', () => {
    expect(parseHookEvent('{"hookEventName": "preCompact", "cwd": "/shop"}', 'PreCompact').cwd).toBe('/shop');
    expect(reasonOf(() => parseHookEvent('{"hook_event_name": "Stop"}', 'PreCompact'))).toBe(
      'badEvent: This hook answers PreCompact, but the event is Stop.',
    );
  });

  it.each(['{', 'hello', '[]', '"x"', 'null', '3'])('refuses %s', (text) => {
    expect(reasonOf(() => parseHookEvent(text, 'SessionStart'))).toMatch(/^badEvent: stdin is not/);
  });
});
