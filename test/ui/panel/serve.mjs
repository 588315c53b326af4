/** Bundles the panel and the pages of the editor area as the product's build does and serves them with the product's own HTML and CSP. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chineseTexts } from '../../../esbuild.chinese.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const NONCE = 'bm9uY2UtZm9yLXRlc3Rz';

const BODY_CLASSES = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast-light vscode-high-contrast',
};
export const THEMES = Object.keys(BODY_CLASSES);

const THEME_KINDS = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'hc-dark': 'vscode-high-contrast',
  'hc-light': 'vscode-high-contrast-light',
};

// What VS Code itself puts under every webview; the panel must undo the body's padding.
const VSCODE_DEFAULTS = `html { background: var(--vscode-sideBar-background, var(--vscode-editor-background)); }
@layer vscode-default { body { margin: 0; padding: 0 20px; color: var(--vscode-foreground); font-size: 13px; } }`;

const PAGES = {
  main: { scriptUri: '/main.js', styleUri: '/main.css' },
  report: { scriptUri: '/report.js', styleUri: '/report.css', title: 'Usage Report' },
  session: { scriptUri: '/session.js', styleUri: '/session.css', title: 'Session: fix login test' },
};

async function bundle() {
  const files = new Map();
  const common = { bundle: true, write: false, outdir: 'out', format: 'iife', target: 'chrome134', logLevel: 'error' };
  const result = await build({
    ...common,
    entryPoints: {
      main: `${ROOT}/webview/main.tsx`,
      report: `${ROOT}/webview/report/main.tsx`,
      session: `${ROOT}/webview/session/main.tsx`,
    },
    inject: [`${HERE}/renderCounter.mjs`],
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    minify: true,
  });
  for (const file of result.outputFiles) files.set(`/${file.path.split('/').at(-1)}`, file.contents);
  const html = await build({
    ...common,
    format: 'esm',
    entryPoints: { html: `${ROOT}/src/protocol/panelHtml.ts` },
  });
  const { panelHtml } = await import(`data:text/javascript,${encodeURIComponent(html.outputFiles[0].text)}`);
  return { files, panelHtml };
}

function themeCss(theme) {
  const { $comment: _, ...properties } = JSON.parse(readFileSync(`${HERE}/themes/${theme}.json`, 'utf8'));
  const lines = Object.entries(properties).map(([name, value]) => `${name}: ${value};`);
  return `:root {${lines.join('\n')}}`;
}

/** What the host tells the page; English without a bundle. */
function languageOf(name) {
  const english = () => JSON.parse(readFileSync(`${ROOT}/package.nls.json`, 'utf8'));
  const words = Object.entries(name === null ? english() : chineseTexts('package.nls', name));
  const titles = Object.fromEntries(
    words.flatMap(([key, title]) => {
      const [, action] = /^command\.section\.(\w+)\.title$/.exec(key) ?? [];
      return action === undefined ? [] : [[action, title]];
    }),
  );
  if (name === null) return { locale: 'en', bundle: {}, titles };
  return { locale: name, bundle: chineseTexts('l10n/bundle.l10n', name), titles };
}

const TYPES = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf', html: 'text/html' };

/** Starts the server; `url(theme)` is the panel in one theme, `url(theme, 'report')` the usage report, `'session'` the page of a session, `url(theme, page, 'zh-cn')` in Chinese. */
export async function servePanel() {
  const { files, panelHtml } = await bundle();
  for (const theme of THEMES) files.set(`/${theme}.css`, themeCss(theme));
  files.set('/defaults.css', VSCODE_DEFAULTS);
  files.set('/favicon.ico', '');
  files.set('/axe.js', readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js')));
  files.set('/empty.html', '<!doctype html><title>empty</title>');
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const theme = url.searchParams.get('theme');
    const origin = `http://${request.headers.host}`;
    const page =
      url.pathname === '/' && theme !== null && theme in BODY_CLASSES
        ? panelHtml({
            cspSource: origin,
            nonce: NONCE,
            ...PAGES[url.searchParams.get('page') ?? 'main'],
            language: languageOf(url.searchParams.get('language')),
          })
            .replace(
              '<link',
              `<link rel="stylesheet" href="/${theme}.css"><link rel="stylesheet" href="/defaults.css"><link`,
            )
            .replace('<body>', `<body class="${BODY_CLASSES[theme]}" data-vscode-theme-kind="${THEME_KINDS[theme]}">`)
        : files.get(url.pathname);
    const extension = url.pathname === '/' ? 'html' : url.pathname.split('.').at(-1);
    // What is the same in each test is kept by the browser, compiled.
    const cacheControl = extension === 'html' ? 'no-store' : 'max-age=3600';
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': TYPES[extension] ?? 'text/plain',
      'cache-control': cacheControl,
    });
    response.end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    url: (theme, page = 'main', language = undefined) =>
      `http://127.0.0.1:${port}/?theme=${theme}&page=${page}${language ? `&language=${language}` : ''}`,
    /** A page without anything, of the same origin. */
    emptyUrl: `http://127.0.0.1:${port}/empty.html`,
    sizes: Object.fromEntries([...files].map(([name, content]) => [name, content.length])),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
