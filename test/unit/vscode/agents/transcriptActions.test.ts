import { expect, it, vi } from 'vitest';
import { TranscriptActions } from '../../../../src/vscode/agents/transcriptActions';
import { isNothingThere } from '../../../../src/vscode/base/editorError';
import type { EditorServices } from '../../../../src/vscode/copy/editorServices';

const world = vi.hoisted(() => ({ allowed: [] as readonly string[] }));

vi.mock('vscode', async () => {
  const { editor } = await import('../../../support/fakeEditor');
  const never = new editor.EventEmitter().event;
  return {
    ...editor,
    workspace: {
      isTrusted: true,
      onDidChangeConfiguration: never,
      getConfiguration: () => ({ get: () => world.allowed }),
    },
    window: {
      state: { focused: false },
      onDidChangeWindowState: never,
      withProgress: (_options: object, run: () => Promise<unknown>) => run(),
    },
  };
});

/** Runs *Read Agent Transcripts…* where these agents are allowed; what was looked for, and what was said. */
async function read(allowed: readonly string[]) {
  world.allowed = allowed;
  const [looked, said] = [[] as (readonly string[])[], [] as string[]];
  const active = {
    folder: { name: 'app', uri: { scheme: 'file' } },
    workspace: {},
    whenReady: async () => ({ report: {} }),
  };
  const editor = { registry: { require: async () => active }, statusBar: { done: (text: string) => said.push(text) } };
  const source = {
    look: async (_folder: unknown, agents: readonly string[]) => {
      looked.push(agents);
      return { turns: 0, drafts: [], commit: async () => undefined };
    },
    open: () => Promise.reject(new Error('no file was chosen')),
  };
  const actions = new TranscriptActions(editor as unknown as EditorServices, source);
  const failure = await actions.commands['contextBudget.readTranscripts']().catch((error: unknown) => error);
  return { looked, said, failure };
}

it.each([[['codex']], [['opencode', 'codex']]])('looks for turns of those of %j that have some', async (allowed) => {
  expect(await read(allowed)).toEqual({
    looked: [['codex']],
    said: ['No new turns in transcripts'],
    failure: undefined,
  });
});

it('says whose turns can be read where only sessions of the chosen agents can be', async () => {
  const { looked, said, failure } = await read(['opencode', 'pi']);
  expect([looked, said, isNothingThere(failure)]).toEqual([[], [], true]);
  expect(String(failure)).toMatch(/Add one of these: Claude Code, Codex, Copilot Chat, Aider\.$/);
});
