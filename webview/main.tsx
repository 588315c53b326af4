/** Entry of the Budget panel: wires the host's messages, the state and the views. All decisions are in pure modules. */
import './pageLanguage';
import { render } from 'preact';
import { asHostMessage, type PanelToHost } from '../src/protocol/panel';
import type { PanelCommand } from '../src/protocol/panelAction';
import { createAnnouncer, sentenceFor } from './announce';
import { rememberFocus } from './focus';
import { filterName } from './model';
import { newestPerFrame } from './newestPerFrame';
import type { PanelActions } from './panelActions';
import { initialState, type PanelAction, reduce, restoreUi, taskToApply } from './state';
import './styles/icons.css';
import './styles/panel.css';
import { findTyped, nextRow, TypeAhead } from './keyboard';
import { registerToolkit } from './ui/button';
import { FILTER_FIELD_ID, FILTER_TOOL_ID } from './views/filterBar';
import { Panel } from './views/panel';
import { partButtonId } from './views/part';

const MOVES: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End'];

function rowsIn(root: HTMLElement): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-row]')];
}

function focusOn(element: HTMLElement | null | undefined): void {
  element?.focus();
  element?.scrollIntoView({ block: 'nearest' });
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? '') !== '';
}

/** A letter or digit without a modifier that makes it a command. */
function isTyped(event: KeyboardEvent): boolean {
  return event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/**
 * The keys of the row list: arrows, Home and End move, → and ← open and close, Ctrl+C copies the section, Ctrl+Z takes the
 * last change back while that is offered, letters find the next row by name. Enter and Space are the button's own. From a
 * folder's file ← leads to the folder, and there is no section to open or copy.
 */
function createRowKeys(
  root: HTMLElement,
  actions: Pick<PanelActions, 'dispatch' | 'post'>,
  canUndo: () => boolean,
  now: () => number,
): PanelActions['onRowKey'] {
  const typeAhead = new TypeAhead();

  const moveTo = (rowId: string | undefined): void => {
    focusOn(rowsIn(root).find((element) => element.dataset.row === rowId));
  };

  return (sectionId, event, folderId) => {
    const { key } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    if (MOVES.includes(key)) {
      const ids = rowsIn(root).map((row) => row.dataset.row ?? '');
      moveTo(nextRow(ids, sectionId, key));
    } else if (folderId !== undefined && key === 'ArrowLeft') {
      moveTo(folderId);
    } else if (folderId !== undefined && (key === 'ArrowRight' || (isCommand && key.toLowerCase() === 'c'))) {
      return;
    } else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      actions.dispatch({ type: 'setOpen', sectionId, isOpen: key === 'ArrowRight' });
    } else if (key.toLowerCase() === 'c' && isCommand && !hasSelectedText()) {
      actions.post({ type: 'section', action: 'copy', sectionId });
    } else if (key.toLowerCase() === 'z' && isCommand && !event.shiftKey && canUndo()) {
      actions.post({ type: 'undo' });
    } else if (isTyped(event)) {
      const rows = rowsIn(root).map((row) => ({
        id: row.dataset.row ?? '',
        name: row.querySelector('.base')?.textContent ?? '',
      }));
      moveTo(findTyped(rows, sectionId, typeAhead.add(key, now())));
    } else {
      return;
    }
    event.preventDefault();
  };
}

type SnapshotAction = Extract<PanelAction, { readonly type: 'snapshot' }>;

interface VsCodeApi {
  postMessage(message: PanelToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

function start(root: HTMLElement, host: VsCodeApi): void {
  let state = initialState(restoreUi(host.getState()));
  let isScrollRestored = false;

  const announce = createAnnouncer(
    (sentence) => {
      const live = document.getElementById('live');
      if (live) live.textContent = sentence;
    },
    { now: () => performance.now(), schedule: (callback, delayMs) => setTimeout(callback, delayMs) },
  );

  const draw = (): void => {
    const restoreFocus = rememberFocus(root);
    render(<Panel state={state} actions={actions} />, root);
    restoreFocus?.();
    if (!isScrollRestored && state.snapshot?.payload) {
      isScrollRestored = true;
      window.scrollTo({ top: state.ui.scrollTop });
    }
  };

  const dispatch = (action: PanelAction): void => {
    const before = state;
    state = reduce(state, action);
    if (state === before) return;
    if (state.ui !== before.ui) host.setState(state.ui);
    if (action.type !== 'scroll') draw();
    const sentence = sentenceFor(before, state);
    if (sentence !== undefined) announce(sentence);
  };

  const post = (message: PanelToHost): void => host.postMessage(message);
  const run = (command: PanelCommand): void => post({ type: 'command', command });
  const onRowKey = createRowKeys(
    root,
    { dispatch, post },
    () => state.snapshot?.undo !== undefined,
    () => performance.now(),
  );
  const actions: PanelActions = {
    dispatch,
    post,
    run,
    onRowKey,
    copyPayload: () => {
      const { snapshot, ui } = state;
      const draft = snapshot && taskToApply(snapshot.task, ui.taskDraft);
      dispatch({ type: 'copy' });
      // What stands in the field is what the user expects the payload to be for.
      if (draft === undefined) run('copyPayload');
      else post({ type: 'copyFor', task: draft });
    },
    review: (review, findingKey) => {
      if ('sectionIds' in review) {
        const [first, ...others] = review.sectionIds;
        if (first === undefined) return;
        const sections = state.snapshot?.payload?.sections ?? [];
        dispatch({ type: 'showSections', names: review.sectionIds.map((id) => filterName(id, sections)), findingKey });
        if (others.length === 0) dispatch({ type: 'setOpen', sectionId: first, isOpen: true });
        actions.goToRow(first);
      } else if ('part' in review) {
        dispatch({ type: 'openPart', part: review.part });
        focusOn(document.getElementById(partButtonId(review.part)));
      } else {
        dispatch({ type: 'showOnly', kind: review.show, findingKey });
        focusOn(rowsIn(root).at(0));
      }
    },
    focusTask: () => focusOn(document.getElementById('task')),
    openFilter: () => {
      dispatch({ type: 'openFilter' });
      document.getElementById(FILTER_FIELD_ID)?.focus();
    },
    goToRow: (sectionId) => {
      dispatch({ type: 'goToRow', sectionId });
      focusOn(rowsIn(root).find((element) => element.dataset.row === sectionId));
    },
    closeFilter: () => {
      dispatch({ type: 'closeFilter' });
      document.getElementById(FILTER_TOOL_ID)?.focus();
    },
  };

  const takeSnapshot = newestPerFrame<SnapshotAction>((callback) => requestAnimationFrame(callback), dispatch);
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = asHostMessage(event.data);
    if (message?.type === 'snapshot') takeSnapshot(message);
    else if (message?.type === 'announce') announce(message.text);
  });
  window.addEventListener('keydown', (event) => {
    const isFind =
      event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!isFind || !state.snapshot?.payload) return;
    event.preventDefault();
    actions.openFilter();
  });
  window.addEventListener('scroll', () => dispatch({ type: 'scroll', top: Math.round(window.scrollY) }), {
    passive: true,
  });

  registerToolkit();
  draw();
  post({ type: 'ready' });
}

const root = document.getElementById('root');
if (root) start(root, acquireVsCodeApi());
