import { describe, expect, test } from 'vitest';
import type { Priority } from '../../../src/core/model/section';
import { asPanelMessage, PANEL_ACTIONS, panelActionOf } from '../../../src/protocol/panel';
import { PANEL_COMMANDS, ROW_ACTION_NAMES, ROW_ACTIONS, WINDOW_ACTIONS } from '../../../src/protocol/panelAction';

/** One message of each kind and variant, as the page posts it. */
const MESSAGES: readonly unknown[] = [
  { type: 'setMode', mode: 'index' },
  { type: 'setProfile', profile: 'tight' },
  ...PANEL_COMMANDS.map((command) => ({ type: 'command', command })),
  ...ROW_ACTION_NAMES.map((action) => ({ type: 'section', action, sectionId: 'git' })),
  ...WINDOW_ACTIONS.map((action) => ({ type: 'window', action, key: 'server .mcp.json git' })),
  { type: 'openFile', path: 'AGENTS.md', line: 1 },
  { type: 'setTask', task: 'totals' },
  { type: 'copyFor', task: 'totals' },
  { type: 'setScoringMode', mode: 'static' },
  { type: 'setThreshold', threshold: 0.3 },
  { type: 'applyFinding', key: 'save' },
  { type: 'undo' },
];

const named = MESSAGES.map((value) => {
  const message = asPanelMessage(value);
  if (!message || message.type === 'ready') throw new Error(`refused: ${JSON.stringify(value)}`);
  return panelActionOf(message);
});

describe('what the panel can ask for', () => {
  test('each message has a name of its own, and the list has them all', () => {
    expect(new Set(named).size).toBe(named.length);
    expect([...named].sort()).toEqual([...PANEL_ACTIONS].sort());
  });

  test('a name says nothing of what the message is about', () => {
    expect(named.join()).not.toMatch(/totals|tight|AGENTS|git|0\.3/);
  });
});

describe('buttons of a row', () => {
  const offered = (flag: boolean, path: string | undefined, priority: Priority = 'P1'): string[] =>
    ROW_ACTION_NAMES.filter((action) =>
      ROW_ACTIONS[action].isOffered({ isPinned: flag, isExcluded: flag, isOnDemand: flag, path, priority }),
    );

  test('turn into what undoes them, and open a file where there is one', () => {
    const pairs = [
      ['pin', 'unpin'],
      ['exclude', 'include'],
      ['onDemand', 'alwaysShow'],
    ] as const;
    for (const [on, off] of pairs) {
      expect(offered(false, undefined)).toContain(on);
      expect(offered(false, undefined)).not.toContain(off);
      expect(offered(true, undefined)).toContain(off);
      expect(offered(true, undefined)).not.toContain(on);
    }
    expect(offered(false, 'MEMORY.md')).toContain('open');
    expect(offered(false, undefined)).not.toContain('open');
  });

  test('make no row one line that is always shown in full; what the config says can be taken back', () => {
    expect(offered(false, 'AGENTS.md', 'P0')).not.toContain('onDemand');
    expect(offered(true, 'AGENTS.md', 'P0')).toContain('alwaysShow');
  });

  test('one at a time stands at each place', () => {
    for (const flag of [false, true]) {
      const places = ROW_ACTION_NAMES.filter((name) => offered(flag, 'a.md').includes(name)).map(
        (name) => ROW_ACTIONS[name].place,
      );
      expect(new Set(places).size).toBe(places.length);
    }
  });
});
