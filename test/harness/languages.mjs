// The VSIX in a real VS Code whose display language is Chinese: manifest, host, panel and report. The language packs are
// made here and translate nothing of VS Code itself: they only bring the language. Screenshots go to test/ui/shots.
// Prints `N passed, N failed` last.
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

/**
 * An installed language pack: its folder, and what VS Code writes about it. A pack without an extension makes the
 * server find no extension at all.
 */
function installLanguages(profile) {
  const packs = Object.entries(LANGUAGES).map(([language, label]) => {
    const folder = path.join(profile, `extensions/test.language-pack-${language}-1.0.0`);
    mkdirSync(folder);
    const translations = [{ id: 'vscode', path: './main.i18n.json' }];
    const localizations = [
      { languageId: language, languageName: language, localizedLanguageName: label, translations },
    ];
    const identity = { name: `language-pack-${language}`, publisher: 'test', version: '1.0.0' };
    const manifest = { ...identity, engines: { vscode: '^1.101.0' }, contributes: { localizations } };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    const file = path.join(folder, 'main.i18n.json');
    writeFileSync(file, JSON.stringify({ version: '1.0.0', contents: {} }));
    const extensions = [{ extensionIdentifier: { id: `test.${identity.name}` }, version: identity.version }];
    return [language, { hash: `test-${language}`, label, extensions, translations: { vscode: file } }];
  });
  writeFileSync(path.join(profile, 'data/languagepacks.json'), JSON.stringify(Object.fromEntries(packs)));
}

const texts = (file) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

function assertChinese(what, words) {
  assert.match(words, /\p{Script=Han}/u, `${what} “${words}”`);
}

/** What a person sees of one language. */
async function look(workbench, language) {
  const { page } = workbench;
  const manifest = texts(`package.nls.${language}.json`);
  const bundle = texts(`l10n/bundle.l10n.${language}.json`);
  await workbench.showPanel();
  assert.equal(await workbench.panel.locator('html').getAttribute('lang'), language, 'the language of the panel');
  await workbench.panel.getByRole('meter', { name: bundle['Token budget'] }).waitFor();
  await workbench.panel.getByRole('button', { name: bundle['Copy Payload'], exact: true }).waitFor();
  for (const view of ['view.repoMap.name', 'view.observations.name'])
    await page.locator(`.pane-header[aria-label^="${manifest[view]}"]`).waitFor();
  await workbench.status.waitFor();
  assertChinese('the status bar item', (await workbench.status.locator('a').first().getAttribute('aria-label')) ?? '');
  await page.screenshot({ path: path.join(SHOTS, `${language}-workbench.png`) });
  // A command by its Chinese title, and the page it opens.
  await workbench.run(`Context Budget: ${manifest['command.showReport.title']}`);
  await workbench.frameWith('h1', bundle['Usage report']);
  await page.screenshot({ path: path.join(SHOTS, `${language}-report.png`) });
}

async function check(profile, folder, language) {
  // Where "Configure Display Language" keeps the choice.
  writeFileSync(path.join(profile, 'data/User/argv.json'), JSON.stringify({ locale: language }));
  const server = await startServer(profile);
  const browser = await openBrowser();
  const page = await browser.context.newPage();
  page.setDefaultTimeout(25_000);
  try {
    const workbench = new Workbench(page, server.url);
    await workbench.open(folder);
    await look(workbench, language);
    console.log(`✔ ${LANGUAGES[language]} in the installed extension`);
    return true;
  } catch (error) {
    console.log(`✖ ${LANGUAGES[language]} in the installed extension\n${error.stack}\n${server.log()}`);
    await page.screenshot({ path: path.join(SHOTS, `failed-${language}.png`) });
    return false;
  } finally {
    await browser.close();
    await server.stop();
  }
}

ensureHost();
if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--production');
const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
runNode('node_modules/@vscode/vsce/vsce', 'package', ...flags, '--out', VSIX);
mkdirSync(SHOTS, { recursive: true });
const profile = makeProfile();
const counts = { passed: 0, failed: 0 };
try {
  const folder = copyWorkspace(profile, 'editor/main', 'orders');
  installVsix(profile, VSIX);
  installLanguages(profile);
  for (const language of Object.keys(LANGUAGES))
    counts[(await check(profile, folder, language)) ? 'passed' : 'failed']++;
} finally {
  removeProfile(profile);
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
