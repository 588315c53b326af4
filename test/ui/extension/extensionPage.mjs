// The extension's page in VS Code, as the Extensions view opens it: its pictures and links.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
/** The repository's own address, as vsce writes it before links and pictures of the package. */
const REPOSITORY = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).repository.url.replace(
  /\.git$/,
  '',
);
const IN_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:blob|raw)/HEAD/([^#]+)(?:#(.*))?$`);

/** Tabs of the page with a text that stands in each. */
const TABS = [
  ['Details', 'strong', 'Know exactly what your coding agent reads'],
  ['Changelog', 'p', 'All notable changes'],
];

/** Headings of a Markdown text as GitHub makes anchors of them. */
export function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The file of the repository that an address names, with its anchor; undefined for other sites. */
function fileAt(address) {
  const [, name, anchor] = IN_REPOSITORY.exec(address) ?? [];
  if (name === undefined) return undefined;
  const file = path.join(ROOT, decodeURIComponent(name));
  return { isThere: file.startsWith(ROOT + path.sep) && existsSync(file), file, anchor };
}

/** Whether an address is a picture of the extension's page, which the editor may draw again at any time. */
export function isOfExtensionPage(address) {
  return fileAt(address)?.isThere === true;
}

/** What is wrong with a link of a page that has the ids `ids`; undefined where it leads somewhere. */
function deadLink(href, ids) {
  if (href.startsWith('#')) return ids.includes(href.slice(1)) ? undefined : `${href}: no such heading`;
  const target = fileAt(href);
  if (!target)
    return href.startsWith('https://') && !href.startsWith(REPOSITORY) ? undefined : `${href}: leads nowhere`;
  if (!target.isThere) return `${href}: no such file`;
  if (target.anchor === undefined || anchorsOf(readFileSync(target.file, 'utf8')).includes(target.anchor))
    return undefined;
  return `${href}: no such heading`;
}

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, shoot: (name: string) => Promise<void> }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function extensionPageSteps({ workbench, shoot }) {
  const { page } = workbench;
  return [
    [
      'the extension’s page shows every picture, and every link leads somewhere',
      async () => {
        // There is no network: the repository's files stand in for its site.
        const answer = (route) => {
          const target = fileAt(route.request().url());
          return target?.isThere ? route.fulfill({ path: target.file }) : route.fulfill({ status: 404 });
        };
        await page.context().route(`${REPOSITORY}/**`, answer);
        try {
          await workbench.run('Extensions: Show Installed Extensions');
          await page.locator('.extensions-list .monaco-list-row').filter({ hasText: 'Context Budget' }).click();
          const editor = page.locator('.extension-editor');
          for (const [tab, selector, text] of TABS) {
            await editor.locator('.navbar').getByText(tab, { exact: true }).click();
            const frame = await workbench.frameWith(selector, text);
            const pictures = () =>
              frame.$$eval('img', (all) =>
                all.map(({ src, complete, naturalWidth }) => ({ src, complete, naturalWidth })),
              );
            await until('every picture has come or failed', async () =>
              (await pictures()).every((each) => each.complete),
            );
            const shown = await pictures();
            assert.deepEqual(
              shown.filter(({ naturalWidth }) => naturalWidth === 0),
              [],
            );
            assert.equal(shown.length > 0, tab === 'Details', `${shown.length} pictures in ${tab}`);
            const ids = await frame.$$eval('[id]', (all) => all.map(({ id }) => id));
            // The editor adds a link to the top of the page.
            const links = await frame.$$eval('a[href]:not(#scroll-to-top)', (all) =>
              all.map((link) => link.getAttribute('href')),
            );
            assert.ok(links.length > 0, `${tab} has links`);
            assert.deepEqual(
              links.flatMap((href) => deadLink(href, ids) ?? []),
              [],
            );
            console.log(`  ${tab}: ${shown.length} pictures, ${links.length} links`);
            await shoot(`extension-${tab.toLowerCase()}`);
          }
        } finally {
          await workbench.run('View: Close All Editors');
          await page.locator('.extension-editor').waitFor({ state: 'hidden' });
        }
        await workbench.showViews();
      },
    ],
  ];
}
