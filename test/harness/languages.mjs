// The VSIX in a real VS Code whose display language is Chinese: manifest, host, panel and report. The language packs are
// made here and translate nothing of VS Code itself: they only bring the language. Screenshots go to test/ui/shots.
// Prints `N passed, N failed` last.
//   node test/harness/languages.mjs
// env: VSIX=FILE installs that package; SKIP_BUILD=1 packages dist as it is; KEEP=1 keeps the profile
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tryMs, until } from '../support/until.mjs';
import { copyWorkspace, installVsix, makeProfile, ROOT, removeProfile } from './host.mjs';
import { openWorkbench, packExtension } from './installed.mjs';
import { tellResults, timed } from './results.mjs';

const SHOTS = path.join(ROOT, 'test/ui/shots');
/** A key that the config does not have. */
const UNKNOWN_KEY = 'repo_map.grammars';
const CONFIG = `{
  "scoring": {},
  "repo_map": { "grammars": ["tools/toml.json"] }
}
`;
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
  await workbench.panel.getByRole('meter', { name: bundle.Payload, exact: true }).waitFor();
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

/** Hover and completion in the config, whose JSON Schema VS Code's own JSON extension reads in the display language. */
async function lookAtConfig(workbench, language) {
  const { page } = workbench;
  const { properties } = texts(`media/config.schema.${language}.json`);
  await workbench.openFile('config.json');
  const key = page.locator('.view-line').getByText('"scoring"', { exact: true });
  const told = page.locator('.monaco-hover').getByText(properties.scoring.description);
  // A hover that is asked for before the JSON extension is there stays empty.
  await until('the hover has the description', async () => {
    await workbench.parkPointer();
    await key.hover();
    return told.waitFor({ timeout: tryMs() }).then(
      () => true,
      () => false,
    );
  });
  await page.screenshot({ path: path.join(SHOTS, `${language}-config-hover.png`) });
  await page.locator('.view-line').filter({ hasText: '"scoring"' }).click();
  await page.keyboard.press('End');
  // Between the braces.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('"thres');
  const row = page.locator('.suggest-widget .monaco-list-row[aria-label^="threshold"]');
  await row.waitFor();
  const details = page.locator('.suggest-details').getByText(properties.scoring.properties.threshold.description);
  // The details are folded at first.
  if ((await details.count()) === 0) await page.keyboard.press('Control+Space');
  await details.waitFor();
  await page.screenshot({ path: path.join(SHOTS, `${language}-config-completion.png`) });
}

/** What went wrong: an unknown key of the config in the panel, and a command that cannot be done, by its Chinese title. */
async function lookAtProblems(workbench, language) {
  const { page } = workbench;
  const manifest = texts(`package.nls.${language}.json`);
  const bundle = texts(`l10n/bundle.l10n.${language}.json`);
  await workbench.frameWith('.cb-msg', bundle['{0} is not a known key and is ignored'].replace('{0}', UNKNOWN_KEY));
  // There is no run log in this folder.
  const title = manifest['command.ingestRunLogs.title'];
  await workbench.run(`Context Budget: ${title}`);
  const notice = page
    .locator('.notification-toast')
    .filter({ hasText: Object.entries(bundle).find(([english]) => english.startsWith('No run log was found.'))[1] });
  await notice.waitFor();
  assert.match(
    await notice.innerText(),
    new RegExp(`^${title.replace('…', '')}：`, 'm'),
    'the title of the command that had nothing to do',
  );
  await page.screenshot({ path: path.join(SHOTS, `${language}-problems.png`) });
}

async function check(profile, folder, language) {
  // Anew for each language: a browser saves by itself what is typed.
  writeFileSync(path.join(folder, '.context-budget/config.json'), CONFIG);
  // Where "Configure Display Language" keeps the choice.
  writeFileSync(path.join(profile, 'data/User/argv.json'), JSON.stringify({ locale: language }));
  const { workbench, page, log, close } = await openWorkbench(profile);
  try {
    await workbench.open(folder);
    await look(workbench, language);
    await lookAtProblems(workbench, language);
    await lookAtConfig(workbench, language);
  } catch (error) {
    console.log(log());
    await page.screenshot({ path: path.join(SHOTS, `failed-${language}.png`) });
    throw error;
  } finally {
    await close();
  }
}

const vsix = packExtension('context-budget-test.vsix');
mkdirSync(SHOTS, { recursive: true });
const profile = makeProfile();
const results = [];
try {
  const folder = copyWorkspace(profile, 'editor/main', 'orders');
  installVsix(profile, vsix);
  installLanguages(profile);
  for (const language of Object.keys(LANGUAGES)) {
    const title = `${LANGUAGES[language]} in the installed extension`;
    results.push(await timed(title, () => check(profile, folder, language)));
  }
} finally {
  removeProfile(profile);
}
tellResults(results);
process.exit();
