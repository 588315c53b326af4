import { describe, expect, it } from 'vitest';
import { asHostMessage, asPanelMessage, type PanelToHost } from '../../../src/protocol/panel';

const MESSAGES: readonly PanelToHost[] = [
  { type: 'ready' },
  { type: 'setMode', mode: 'index' },
  { type: 'setProfile', profile: 'planner' },
  { type: 'command', command: 'sortSections' },
  { type: 'section', action: 'copy', sectionId: 'git' },
  { type: 'openFile', path: 'docs/AGENTS.md', line: 200 },
  { type: 'setTask', task: '' },
  { type: 'section', action: 'alwaysShow', sectionId: 'git' },
  { type: 'setScoringMode', mode: 'dynamic' },
  { type: 'setThreshold', threshold: 0.35 },
  { type: 'applyFinding', key: 'save' },
  { type: 'undo' },
];

describe('messages of the panel', () => {
  it('pass with what they need, and lose what they bring along', () => {
    for (const message of MESSAGES) expect(asPanelMessage({ ...message, extra: 1 })).toEqual(message);
  });

  it('are refused when anything is missing or of another kind', () => {
    for (const message of MESSAGES) {
      for (const key of Object.keys(message)) {
        for (const value of [undefined, null, {}, [], 'x'.repeat(3), Number.NaN, -1, 2]) {
          const broken = { ...message, [key]: value };
          if (asPanelMessage(broken) === undefined) continue;
          // Names and ids may be any text: the host looks them up.
          expect(['profile', 'sectionId', 'path', 'task', 'line', 'key']).toContain(key);
          if (key === 'line') expect(value).toBe(2);
          else expect(typeof value).toBe('string');
        }
      }
    }
    for (const value of [null, undefined, 7, 'ready', [], { type: 'togglePin' }, { type: 'command', command: 'quit' }])
      expect(asPanelMessage(value)).toBeUndefined();
  });
});

describe('messages of the host', () => {
  it('pass only when whole', () => {
    expect(asHostMessage({ type: 'announce', text: 'a' })).toEqual({ type: 'announce', text: 'a' });
    expect(asHostMessage({ type: 'snapshot', revision: 1, snapshot: {} })).toMatchObject({ revision: 1 });
    for (const value of [null, { type: 'announce' }, { type: 'snapshot', revision: '1', snapshot: {} }, { type: 'x' }])
      expect(asHostMessage(value)).toBeUndefined();
  });
});
