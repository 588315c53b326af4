// The installed VSIX in a real VS Code whose display language is Chinese: manifest, host, panel and report. A language
// pack cannot be downloaded here; one of our own, without translations of VS Code itself, switches the language for
// extensions just as a real one does. Prints `N passed, N failed` last.
//   node test/harness/languages.mjs
// env: SKIP_BUILD=1 packages dist as it is; KEEP=1 keeps the profile
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Workbench } from '../ui/extension/workbench.mjs';
import {
  copyWorkspace,
  ensureHost,
  installVsix,
  makeProfile,
  openBrowser,
  ROOT,
  removeProfile,
  runNode,
  startServer,
} from './host.mjs';

const SHOTS = path.join(ROOT, 'test/ui/shots');
const VSIX = path.join(ROOT, 'dist/context-budget-test.vsix');
const LANGUAGES = { 'zh-cn': '简体中文', 'zh-tw': '繁體中文' };

/** What VS Code writes when a language pack is installed: where its translations lie, here of nothing. */
function writeLanguagePacks(profile) {
  const packs = Object.entries(LANGUAGES).map(([language, label]) => {
    const file = path.join(profile, `data/${language}.json`);
    writeFileSync(file, JSON.stringify({ version: '1.0.0', contents: {} }));
    return [language, { hash: `test-${language}`, label, extensions: [], translations: { vscode: file } }];
  });
  writeFileSync(path.join(profile, 'data/languagepacks.json'), JSON.stringify(Object.fromEntries(packs)));
}

const texts = (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

/** What a person sees of one language. */
async function look(workbench, language) {
  const { page } = workbench;
  const manifest = texts(`package.nls.${language}.json`);
  const bundle = texts(`l10n/bundle.l10n.${language}.json`);
  await workbench.showPanel();
  assert.equal(await workbench.panel.locator('html').getAttribute('lang'), language, 'the language of the panel');
  const meter = workbench.panel.getByRole('meter', { name: bundle['Token budget'] });
  await meter.waitFor();
  await workbench.panel.getByRole('button', { name: bundle['Copy Payload'], exact: true }).waitFor();
  // The first section's row, when everything is counted.
  await workbench.panel.locator('[data-row] .disc').first().waitFor({ timeout: 30_000 });
  const reasons = await workbench.panel.locator('[data-row] .why').allTextContents();
  assert.ok(reasons.length > 0, 'rows with reasons');
  for (const reason of reasons) assert.match(reason, /\p{Script=Han}/u, `the reason “${reason}”`);
  await page.locator(`.pane-header[aria-label^="${manifest['view.repoMap.name']}"]`).waitFor();
  await page.locator(`.pane-header[aria-label^="${manifest['view.observations.name']}"]`).waitFor();
  const spoken = (await workbench.status.locator('a').first().getAttribute('aria-label')) ?? '';
  assert.match(spoken, /\p{Script=Han}/u, `the status bar item “${spoken}”`);
  await page.screenshot({ path: path.join(SHOTS, `${language}-workbench.png`) });
  // A command by its Chinese title, and the page it opens.
  await page.keyboard.press('F1');
  await page.keyboard.type(manifest['command.showReport.title']);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: manifest['command.showReport.title'] })
    .first()
    .click();
  await workbench.frameWith('h1', bundle['Usage report']);
  await page.screenshot({ path: path.join(SHOTS, `${language}-report.png`) });
}

ensureHost();
if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--production');
runNode(
  'node_modules/@vscode/vsce/vsce',
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--no-rewrite-relative-links',
  '--out',
  VSIX,
);
mkdirSync(SHOTS, { recursive: true });
const profile = makeProfile();
const folder = copyWorkspace(profile, 'editor/main', 'orders');
installVsix(profile, VSIX);
writeLanguagePacks(profile);
let passed = 0;
let failed = 0;
for (const language of Object.keys(LANGUAGES)) {
  const server = await startServer(profile);
  const browser = await openBrowser();
  try {
    await browser.context.addCookies([{ name: 'vscode.nls.locale', value: language, url: server.url }]);
    const page = await browser.context.newPage();
    page.setDefaultTimeout(20_000);
    const workbench = new Workbench(page, server.url);
    await workbench.open(folder);
    await look(workbench, language);
    passed++;
    console.log(`✔ ${LANGUAGES[language]} in the installed extension`);
  } catch (error) {
    failed++;
    console.log(`✖ ${LANGUAGES[language]} in the installed extension\n${error.stack}`);
    await browser.context
      .pages()
      .at(-1)
      ?.screenshot({ path: path.join(SHOTS, `failed-${language}.png`) });
  } finally {
    await browser.close();
    await server.stop();
  }
}
removeProfile(profile);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
