// Packages the extension, installs the VSIX into a real VS Code and drives it by Playwright. Screenshots go to
// test/ui/shots: of steps that fail, and of all with one of SHOTS, CONTEXT_BUDGET_GREP and CONTEXT_BUDGET_LONG=1, which also
// has more steps, and fails when a command of the manifest or an action of the panel was not done. Prints `N passed, N failed` last.
//   node test/harness/ui.mjs [--host oldest]
// env: VSIX=FILE installs that package; SKIP_BUILD=1 packages dist as it is; KEEP=1 keeps the profile
//   SHOTS=DIR puts the screenshots there; CONTEXT_BUDGET_GREP=WORDS runs the steps whose titles match, after the first ones, which trust the folder
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { IS_LONG } from '../support/extent.mjs';
import { until } from '../support/until.mjs';
import { steps } from '../ui/extension/steps.mjs';
import { allThereIs, doneIn } from '../ui/extension/walked.mjs';
import { copyWorkspace, installVsix, LEAN_SETTINGS, makeProfile, ROOT, removeProfile } from './host.mjs';
import { installedCli, openWorkbench, packExtension } from './installed.mjs';
import { tellResults, timed } from './results.mjs';

const SHOTS = path.resolve(ROOT, process.env.SHOTS ?? 'test/ui/shots');
/** Wide enough for a wide side bar and an editor; more would be drawn for nothing. */
const SIZE = { width: 1024, height: 800 };
/** The package's size budget (DESIGN §10). */
const MAX_VSIX_BYTES = 8 * 1024 * 1024;

const vsix = packExtension('context-budget-test.vsix');
mkdirSync(SHOTS, { recursive: true });
// Only its own pictures go: a folder that somebody names may hold more, and those of pages are in one beneath.
if (!process.env.SHOTS)
  for (const name of readdirSync(SHOTS)) if (name.endsWith('.png')) rmSync(path.join(SHOTS, name));

const GREP = process.env.CONTEXT_BUDGET_GREP;
/** Of those that passed: each is drawn by the processor, and somebody looks at them where they are asked for. */
const TAKES_PICTURES = IS_LONG || Boolean(GREP || process.env.SHOTS);
/** The first steps open and trust the folder, which all others need. */
const FIRST_STEPS = 3;

/** All steps, in the long run with what was done in them at the end; a part of them cannot have done everything. */
function wantedSteps(all) {
  if (GREP) {
    const wanted = all.filter(([title], at) => at < FIRST_STEPS || new RegExp(GREP).test(title));
    if (wanted.length <= FIRST_STEPS) throw new Error(`no step matches ${GREP}; some need CONTEXT_BUDGET_LONG=1`);
    return wanted;
  }
  if (!IS_LONG) return all;
  const everything = 'every command of the manifest and every action of the panel was done';
  return [
    ...all,
    [
      everything,
      async () => {
        const all = await allThereIs(ROOT);
        const missing = () => {
          const done = doneIn(profile);
          return all.filter((name) => !done.has(name));
        };
        // What was done last may not be in the log yet.
        await until(
          'all was done',
          () => missing().length === 0,
          () => `not done: ${missing().join(', ')}`,
        );
        console.log(`  ${all.length} done`);
      },
    ],
  ];
}

const profile = makeProfile(LEAN_SETTINGS);
const folder = copyWorkspace(profile, 'editor/main', 'orders');
installVsix(profile, vsix);
// Trust is left on: the first step sees Restricted Mode.
const { workbench, page, close } = await openWorkbench(profile, { isTrusted: false, size: SIZE });
const results = [];
try {
  const external = [];
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    // Webview resources carry a name of VS Code's; its service worker answers them.
    const isLocal = hostname === '127.0.0.1' || hostname.endsWith('.vscode-resource.vscode-cdn.net');
    if (/^(http|ws)s?:$/.test(protocol) && !isLocal) external.push(request.url());
  });
  const shotPath = (name) => path.join(SHOTS, `${name}.png`);
  /** A picture of the whole page, with the pointer where it is. */
  const shootAsItIs = async (name) => {
    if (TAKES_PICTURES) await page.screenshot({ path: shotPath(name) });
  };
  const shoot = async (name) => {
    await workbench.parkPointer();
    await shootAsItIs(name);
  };
  const shootPanel = async (name) => {
    await workbench.parkPointer();
    if (TAKES_PICTURES) await page.locator('iframe.webview.ready').screenshot({ path: shotPath(name) });
  };
  const all = [
    [
      `the package is at most ${MAX_VSIX_BYTES / 1024 / 1024} MB`,
      async () => {
        const { size } = statSync(vsix);
        console.log(`  VSIX: ${(size / 1024 / 1024).toFixed(2)} MB`);
        if (size > MAX_VSIX_BYTES) throw new Error(`${size} bytes`);
      },
    ],
    ...wantedSteps(
      steps({ workbench, folder, cliFile: installedCli(profile), shoot, shootPanel, shootAsItIs, external }),
    ),
  ];
  for (const [title, run] of all) {
    const result = await timed(title, run);
    const isPassed = result.state === 'passed';
    console.log(`${isPassed ? '✔' : '✖'} ${title} (${Math.round(result.ms)} ms)`);
    if (isPassed) results.push(result);
    else {
      const picture = shotPath(`failed-${results.length + 1}`);
      // As it is: to move the pointer first may fail for the same reason.
      const isTaken = await page.screenshot({ path: picture }).then(
        () => true,
        () => false,
      );
      results.push(isTaken ? { ...result, picture } : result);
      // The next step starts without an open list or dialog.
      await page.keyboard.press('Escape');
    }
  }
} finally {
  await close();
  removeProfile(profile);
}
tellResults(results);
process.exit();
