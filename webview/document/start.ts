/** What the entries of pages in the editor area share: they wire the host's messages, the state and the view. */
import { render, type VNode } from 'preact';
import { rememberFocus } from '../focus';

interface VsCodeApi<Message> {
  postMessage(message: Message | { readonly type: 'ready' }): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi<Message>(): VsCodeApi<Message>;

/** What a page draws with. */
export interface PageProps<State, Action, Message> {
  readonly state: State;
  readonly dispatch: (action: Action) => void;
  readonly post: (message: Message) => void;
}

/** A page as pure functions. */
interface DocumentPage<State, Action, Message> {
  /** `kept` is what an earlier page left, malformed or not. */
  readonly initialState: (kept: unknown) => State;
  /** The next state; the same object where nothing changes. */
  readonly reduce: (state: State, action: Action) => State;
  readonly view: (props: PageProps<State, Action, Message>) => VNode;
  /** What the host says; undefined for what is malformed. */
  readonly read: (
    value: unknown,
  ) => (Action & object) | { readonly type: 'announce'; readonly text: string } | undefined;
  /** A sentence for screen readers; undefined for nothing. */
  readonly spoken: (before: State, after: State, action: Action) => string | undefined;
  /** What outlives the page, if it is another one. */
  readonly kept?: (state: State) => unknown;
}

/** Draws a page into `#root`; its view has an element `#live` for what is spoken. */
export function startPage<State, Action extends { readonly type: string }, Message>(
  page: DocumentPage<State, Action, Message>,
): void {
  const root = document.getElementById('root');
  if (!root) return;
  const host = acquireVsCodeApi<Message>();
  let state = page.initialState(host.getState());

  const say = (sentence: string): void => {
    const live = document.getElementById('live');
    if (live) live.textContent = sentence;
  };

  const draw = (): void => {
    const restoreFocus = rememberFocus(root);
    render(page.view({ state, dispatch, post: (message) => host.postMessage(message) }), root);
    restoreFocus?.();
  };

  const dispatch = (action: Action): void => {
    const before = state;
    state = page.reduce(state, action);
    if (state === before) return;
    if (page.kept && page.kept(state) !== page.kept(before)) host.setState(page.kept(state));
    draw();
    const sentence = page.spoken(before, state, action);
    if (sentence !== undefined) say(sentence);
  };

  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = page.read(event.data);
    if (message?.type === 'announce') say((message as { readonly text: string }).text);
    else if (message) dispatch(message as Action);
  });

  draw();
  host.postMessage({ type: 'ready' });
}
