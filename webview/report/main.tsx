/** Entry of the usage report: wires the host's messages, the state and the views. All decisions are in pure modules. */
import '../pageLanguage';
import { render } from 'preact';
import { asReportHostMessage, type ReportToHost } from '../../src/protocol/reportPanel';
import { rememberFocus } from '../focus';
import '../styles/common.css';
import '../styles/icons.css';
import './report.css';
import { initialState, type ReportAction, reduce } from './state';
import { ReportPage } from './views/reportPage';
import { WORDS } from './words';

interface VsCodeApi {
  postMessage(message: ReportToHost): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

function start(root: HTMLElement, host: VsCodeApi): void {
  let state = initialState(host.getState());

  const say = (sentence: string): void => {
    const live = document.getElementById('live');
    if (live) live.textContent = sentence;
  };

  const draw = (): void => {
    const restoreFocus = rememberFocus(root);
    render(<ReportPage state={state} dispatch={dispatch} post={(message) => host.postMessage(message)} />, root);
    restoreFocus?.();
  };

  const dispatch = (action: ReportAction): void => {
    const before = state;
    state = reduce(state, action);
    if (state === before) return;
    if (state.sort !== before.sort) host.setState(state.sort);
    draw();
    if (action.type === 'sort') say(WORDS.sorted(state.sort));
    else if (before.snapshot?.state === 'ready' && state.snapshot?.state === 'ready') say(WORDS.updated);
  };

  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = asReportHostMessage(event.data);
    if (message?.type === 'snapshot') dispatch(message);
    else if (message?.type === 'announce') say(message.text);
  });

  draw();
  host.postMessage({ type: 'ready' });
}

const root = document.getElementById('root');
if (root) start(root, acquireVsCodeApi());
