/**
 * The usage report in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures.
 *   node test/ui/report/report.ui.mjs
 */
import { inspect, looksOf, runStage } from '../browserStage.mjs';
import { THEMES } from '../panel/serve.mjs';
import { CHECKS } from './checks.mjs';
import { STATES } from './snapshots.mjs';

/** An editor beside two others, one of two, a whole window. */
const WIDTHS = [320, 640, 1200];

const looks = looksOf({ states: STATES, kinds: THEMES, widths: WIDTHS, whole: ['normal'] }).map(
  ({ name, kind: theme, widths, moreWidths }) => {
    const look = { theme, state: STATES[name], picture: `report-${name}-${theme}`, widths, moreWidths };
    return [`${name}, ${theme}`, (page) => inspect(page, look)];
  },
);
await runStage('report', { kind: 'report', checks: CHECKS, looks: Object.fromEntries(looks) });
