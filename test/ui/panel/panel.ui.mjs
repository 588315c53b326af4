/**
 * The Budget panel in a real browser, with the product's HTML and CSP and the colours of four real themes: behaviour,
 * accessibility, widths, pictures.
 *   node test/ui/panel/panel.ui.mjs
 */
import { inspect, runStage } from '../browserStage.mjs';
import { AGENT_CHECKS } from './agentChecks.mjs';
import { CHECKS } from './checks.mjs';
import { THEMES } from './serve.mjs';
import { STATES } from './snapshots.mjs';
import { STEADY_CHECKS } from './steadyChecks.mjs';

const WIDTHS = [248, 340, 560];
/** Only the layout is checked at these: narrower and wider than the pictures. */
const MORE_WIDTHS = [170, 200, 300, 480, 900];

const looks = THEMES.flatMap((theme) =>
  Object.entries(STATES).map(([name, state]) => {
    const look = { theme, state, picture: `panel-${name}-${theme}`, widths: WIDTHS, moreWidths: MORE_WIDTHS };
    return [`${name}, ${theme}`, (page) => inspect(page, look)];
  }),
);
const checks = { ...CHECKS, ...AGENT_CHECKS, ...STEADY_CHECKS };
await runStage('panel', { checks, looks: Object.fromEntries(looks) });
