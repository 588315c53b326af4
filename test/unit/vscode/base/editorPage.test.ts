import { expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { EditorPage } from '../../../../src/vscode/base/editorPage';
import { RecordingLogger } from '../../../support/recordingLogger';

/** The editor's tab: how its page answers, and what it was told. */
const tab = vi.hoisted(() => ({
  panel: { title: '', webview: { html: '' } },
  say: (_message: unknown): void => undefined,
  told: [] as unknown[],
  opened: 0,
}));

vi.mock('vscode', async () => {
  const fake = await import('../../../support/fakeVscode');
  return {
    ...fake,
    ViewColumn: { Active: -1 },
    window: {
      createWebviewPanel: (_type: string, title: string) => {
        const received = new fake.EventEmitter<unknown>();
        const panel = {
          title,
          visible: true,
          onDidChangeViewState: new fake.EventEmitter<void>().event,
          onDidDispose: new fake.EventEmitter<void>().event,
          reveal: () => undefined,
          webview: {
            html: '',
            cspSource: 'x',
            asWebviewUri: () => 'uri',
            onDidReceiveMessage: received.event,
            postMessage: async (message: unknown) => void tab.told.push(message),
          },
        };
        Object.assign(tab, { panel, say: (message: unknown) => received.fire(message), opened: tab.opened + 1 });
        return panel;
      },
    },
  };
});

it('names the page by its newest title, and tells it again once it is loaded', () => {
  const kind = {
    viewType: 'contextBudget.session',
    name: 'session',
    read: (value: unknown) => value as { readonly type: string },
    onMessage: () => undefined,
    onVisibility: () => undefined,
    onClosed: () => undefined,
  } as const;
  const page = new EditorPage<{ readonly name: string }, { readonly type: string }>(
    kind,
    { path: '/extension' } as Uri,
    new RecordingLogger(),
  );
  const names = () => [
    tab.panel.title,
    ...(tab.panel.webview.html.match(/<title>.*<\/title>|aria-label="[^"]*"/g) ?? []),
  ];
  page.open('Session: one');
  expect(names()).toEqual(['Session: one', '<title>Session: one</title>', 'aria-label="Session: one"']);
  tab.say({ type: 'ready' });
  page.tell({ name: 'one' });
  const { html } = tab.panel.webview;
  page.open('Session: one');
  expect(tab.panel.webview.html, 'a page that keeps its title is not loaded again').toBe(html);
  page.open('Session: two');
  expect(names()).toEqual(['Session: two', '<title>Session: two</title>', 'aria-label="Session: two"']);
  page.tell({ name: 'two' });
  expect(tab.told, 'a page that is being loaded hears nothing').toHaveLength(1);
  tab.say({ type: 'ready' });
  expect(tab.told.at(-1)).toMatchObject({ type: 'snapshot', snapshot: { name: 'two' } });
  expect(tab.opened).toBe(1);
});
