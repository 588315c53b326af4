/**
 * The Budget panel in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures.
 *   node test/ui/panel/panel.ui.mjs
 */
import { IS_LONG } from '../../support/extent.mjs';
import { inspect, looksOf, runStage } from '../browserStage.mjs';
import { AGENT_CHECKS } from './agentChecks.mjs';
import { PANEL_CHECKS } from './panelChecks.mjs';
import { RELAY_CHECKS } from './relayChecks.mjs';
import { ROW_CHECKS } from './rowChecks.mjs';
import { THEMES } from './serve.mjs';
import { STATES } from './states.mjs';
import { STEADY_CHECKS } from './steadyChecks.mjs';
import { TASK_CHECKS } from './taskChecks.mjs';
import { USAGE_CHECKS } from './usageChecks.mjs';
import { WINDOW_CHECKS } from './windowChecks.mjs';

const WIDTHS = [248, 340, 560];
/** Only the edges are checked at these: narrower and wider than the pictures. */
const MORE_WIDTHS = [170, 200, 300, 480, 900];

/** Opened rows, their details and the files of a folder besides all parts at once. */
const WHOLE = ['whole', 'open', 'folder'];

/** What these show, others show with more beside it: the sample leaves axe out, which takes twice as long as the rest of a look. */
const SHOWN_ELSEWHERE = new Set('task finding undo advice relayCalm agents agentsCalm window'.split(' '));

const looks = looksOf({ states: STATES, kinds: THEMES, widths: WIDTHS, moreWidths: MORE_WIDTHS, whole: WHOLE }).map(
  ({ name, kind: theme, ...widths }) => {
    const withAxe = IS_LONG || !SHOWN_ELSEWHERE.has(name);
    const look = { theme, state: STATES[name], picture: `panel-${name}-${theme}`, withAxe, ...widths };
    return [`${name}, ${theme}`, (page) => inspect(page, look)];
  },
);
const checks = {
  ...PANEL_CHECKS,
  ...TASK_CHECKS,
  ...ROW_CHECKS,
  ...USAGE_CHECKS,
  ...AGENT_CHECKS,
  ...WINDOW_CHECKS,
  ...RELAY_CHECKS,
  ...STEADY_CHECKS,
};
await runStage('panel', { checks, looks: Object.fromEntries(looks) });
