/** Entry of the usage report. All decisions are in pure modules. */
import '../pageLanguage';
import { asReportHostMessage, type ReportToHost } from '../../src/protocol/reportPanel';
import { startPage } from '../document/start';
import '../styles/common.css';
import '../styles/icons.css';
import '../document/document.css';
import './report.css';
import { initialState, type ReportAction, type ReportState, reduce } from './state';
import { ReportPage } from './views/reportPage';
import { WORDS } from './words';

startPage<ReportState, ReportAction, ReportToHost>({
  initialState,
  reduce,
  view: (props) => <ReportPage {...props} />,
  read: asReportHostMessage,
  spoken: (before, after, action) => {
    if (action.type === 'sort') return WORDS.sorted(after.sort);
    return before.snapshot?.state === 'ready' && after.snapshot?.state === 'ready' ? WORDS.updated : undefined;
  },
  kept: ({ sort }) => sort,
});
