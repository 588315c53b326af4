/**
 * The page of a session in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures.
 *   node test/ui/session/session.ui.mjs
 */
import { inspect, looksOf, runStage } from '../browserStage.mjs';
import { THEMES } from '../panel/serve.mjs';
import { CHECKS } from './checks.mjs';
import { STATES } from './snapshots.mjs';

/** An editor beside two others, one of two at 200% zoom, one that has the key beside the chart, a whole window. */
const WIDTHS = [320, 600, 760, 1200];

const looks = looksOf({ states: STATES, kinds: THEMES, widths: WIDTHS, whole: ['normal'] }).map(
  ({ name, kind: theme, widths, moreWidths }) => {
    const look = { theme, state: STATES[name], picture: `session-${name}-${theme}`, widths, moreWidths };
    return [`${name}, ${theme}`, (page) => inspect(page, look)];
  },
);
await runStage('session', { kind: 'session', checks: CHECKS, looks: Object.fromEntries(looks) });
