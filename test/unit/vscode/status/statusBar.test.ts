import { describe, expect, it, vi } from 'vitest';
import { StatusBar } from '../../../../src/vscode/status/statusBar';

const [USER, WORKSPACE] = [1, 2];

const world = vi.hoisted(() => ({ isTrusted: true, known: {}, written: [] as unknown[] }));

vi.mock('vscode', async () => {
  const fake = await import('../../../support/fakeVscode');
  return {
    ...fake,
    ConfigurationTarget: { Global: 1, Workspace: 2, WorkspaceFolder: 3 },
    StatusBarAlignment: { Right: 2 },
    MarkdownString: class {
      constructor(readonly value: string) {}
    },
    window: { createStatusBarItem: () => ({ show: () => undefined }) },
    workspace: {
      get isTrusted() {
        return world.isTrusted;
      },
      onDidChangeConfiguration: new fake.EventEmitter<void>().event,
      getConfiguration: () => ({
        get: (_name: string, fallback: unknown) => fallback,
        inspect: () => world.known,
        update: async (...all: unknown[]) => void world.written.push(all),
      }),
    },
  };
});

function hide(known: object, isTrusted = true): Promise<void> {
  Object.assign(world, { known, isTrusted, written: [] });
  const of = { onDidChange: () => ({}) } as unknown;
  const bar = new StatusBar(...([of, of] as ConstructorParameters<typeof StatusBar>));
  return bar.commands['contextBudget.hideStatusBar']();
}

it('shows an estimate rounded as the panel does', () => {
  const budget = { tokens: 176, budgetTokens: 7500, chars: 700, hardCapChars: 30_000, isExact: false };
  const payload = { budget, sections: [], leftOut: { sections: 0, tokens: 0 } };
  const snapshot = { profile: 'default', report: { payloads: { expanded: payload } } };
  const registry = { onDidChange: () => ({}), want: () => undefined, active: { workspace: { snapshot } } } as unknown;
  const preferences = { onDidChange: () => ({}), mode: 'expanded' } as unknown;
  const bar = new StatusBar(...([registry, preferences] as ConstructorParameters<typeof StatusBar>));
  bar.start();
  expect(bar.state.text).toBe('$(dashboard) ≈180 / 7.5k');
  expect(bar.state.tooltip).toContain('≈180 of 7,500 tokens');
});

describe('Hide Status Bar Item', () => {
  it.each([
    ['nowhere', {}, USER],
    ['for the user', { globalValue: true }, USER],
    ['in the workspace', { workspaceValue: true }, WORKSPACE],
    ['in both', { globalValue: true, workspaceValue: true }, WORKSPACE],
  ])('writes the value that comes into force where the setting is set %s', async (_where, known, target) => {
    await hide(known);
    expect(world.written).toEqual([['statusBar.visible', false, target]]);
  });

  it('says so where a folder that is not trusted shows the item', async () => {
    await expect(hide({ workspaceValue: true }, false)).rejects.toMatchObject({ reason: 'untrusted' });
    expect(world.written).toEqual([]);
    await hide({}, false);
    expect(world.written).toEqual([['statusBar.visible', false, USER]]);
  });
});
