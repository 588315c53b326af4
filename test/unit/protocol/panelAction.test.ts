import { describe, expect, test } from 'vitest';
import { asPanelMessage, PANEL_COMMANDS } from '../../../src/protocol/panel';
import { PANEL_ACTIONS, panelActionOf } from '../../../src/protocol/panelAction';

/** One message of each kind and variant, as the page posts it. */
const MESSAGES: readonly unknown[] = [
  { type: 'setMode', mode: 'index' },
  { type: 'setProfile', profile: 'tight' },
  ...PANEL_COMMANDS.map((command) => ({ type: 'command', command })),
  { type: 'section', action: 'open', sectionId: 'git' },
  { type: 'section', action: 'copy', sectionId: 'git' },
  { type: 'openFile', path: 'AGENTS.md', line: 1 },
  { type: 'setTask', task: 'totals' },
  ...['pinned', 'excluded', 'on_demand'].flatMap((list) => [
    { type: 'setListed', list, sectionId: 'git', isListed: true },
    { type: 'setListed', list, sectionId: 'git', isListed: false },
  ]),
  { type: 'setScoringMode', mode: 'static' },
  { type: 'setThreshold', threshold: 0.3 },
  { type: 'dismissOffer', mode: 'static' },
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
