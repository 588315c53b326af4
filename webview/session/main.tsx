/** Entry of the page of a session. All decisions are in pure modules. */
import '../pageLanguage';
import { asSessionHostMessage, type SessionToHost } from '../../src/protocol/sessionPanel';
import { startPage } from '../document/start';
import '../styles/common.css';
import '../styles/icons.css';
import '../document/document.css';
import './session.css';
import { FIRST_STATE, reduce, type SessionAction, type SessionState } from './state';
import { SessionPageView } from './views/sessionPageView';
import { WORDS } from './words';

startPage<SessionState, SessionAction, SessionToHost>({
  initialState: () => FIRST_STATE,
  reduce,
  view: (props) => <SessionPageView {...props} />,
  read: asSessionHostMessage,
  spoken: (before, after, action) => {
    if (action.type !== 'snapshot') return undefined;
    const isRead = before.snapshot?.page !== undefined && after.snapshot?.state === 'ready';
    const isOther = JSON.stringify(before.snapshot?.page) !== JSON.stringify(after.snapshot?.page);
    return isRead && isOther ? WORDS.updated : undefined;
  },
});
