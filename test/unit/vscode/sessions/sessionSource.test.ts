import { beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { SessionReader } from '../../../../src/vscode/sessions/sessionSource';

const editor = vi.hoisted(() => ({ isTrusted: true, transcripts: [] as unknown }));

vi.mock('vscode', async () => ({
  ...(await import('../../../support/fakeVscode')),
  workspace: {
    get isTrusted() {
      return editor.isTrusted;
    },
    getConfiguration: () => ({ get: () => editor.transcripts }),
  },
}));

const folder = (scheme = 'file') => ({ name: 'app', uri: { scheme } }) as vscode.WorkspaceFolder;

const source = { read: vi.fn(async () => ({ sessions: [], page: undefined, problems: [] })) };

beforeEach(() => {
  Object.assign(editor, { isTrusted: true, transcripts: ['codex', 'aider', 'nobody'] });
  source.read.mockClear();
});

it('reads sessions of the last 30 days of the agents that were chosen and have a reader', async () => {
  await new SessionReader(source).read(folder(), NEVER_ABORTED, 'codex:a');
  const [[, wanted]] = source.read.mock.calls as unknown as [[unknown, { since: number }]];
  expect(wanted).toMatchObject({ agents: ['codex'], id: 'codex:a' });
  expect((Date.now() - wanted.since) / 86_400_000).toBeCloseTo(30, 2);
});

it.each([
  ['before agents are chosen', 'off', () => Object.assign(editor, { transcripts: [] })],
  ['where only turns can be read', 'off', () => Object.assign(editor, { transcripts: ['aider'] })],
  ['where the setting is broken', 'off', () => Object.assign(editor, { transcripts: 'codex' })],
  ['in Restricted Mode', 'restricted', () => Object.assign(editor, { isTrusted: false })],
])('looks at nothing %s', async (_, state, change) => {
  change();
  const reader = new SessionReader(source);
  expect(reader.accessTo(folder()).state).toBe(state);
  await expect(reader.read(folder(), NEVER_ABORTED)).rejects.toThrow();
  expect(source.read).not.toHaveBeenCalled();
});

it('looks at nothing in a virtual folder, without a folder and on no machine', async () => {
  expect(new SessionReader(source).accessTo(folder('vscode-vfs')).state).toBe('elsewhere');
  expect(new SessionReader(source).accessTo(undefined).state).toBe('noFolder');
  expect(new SessionReader(undefined).accessTo(folder()).state).toBe('elsewhere');
  await expect(new SessionReader(undefined).read(folder(), NEVER_ABORTED)).rejects.toThrow('where the agent runs');
});
