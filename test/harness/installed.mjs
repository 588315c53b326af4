// The packaged extension in a real VS Code: what every run of it begins with.
import path from 'node:path';
import { longestMs } from '../support/until.mjs';
import { Workbench } from '../ui/extension/workbench.mjs';
import { ensureHost, openBrowser, ROOT, readManifest, runNode, startServer } from './host.mjs';

/**
 * Installs the host where it is missing, builds the extension as it is published and packages it.
 * env: VSIX=FILE is taken as it is; SKIP_BUILD=1 packages dist as it is
 * @param {string} name the file's name in dist
 * @returns {string} the package
 * @throws Error when something of it fails
 */
export function packExtension(name) {
  ensureHost();
  if (process.env.VSIX) return path.resolve(ROOT, process.env.VSIX);
  const vsix = path.join(ROOT, 'dist', name);
  if (!process.env.SKIP_BUILD) runNode('esbuild.mjs', '--production');
  runNode('test/tools/vsix.mjs', vsix);
  return vsix;
}

/** The command line that the extension, once installed, has with it. */
export function installedCli(profile) {
  const { publisher, name, version } = readManifest();
  return path.join(profile, 'extensions', `${publisher}.${name}-${version}`, 'dist/cli.js');
}

/**
 * Starts VS Code on a profile and opens a page for it; no folder is open yet.
 * @param {string} profile of `makeProfile`
 * @param {{ isTrusted?: boolean, size?: { width: number, height: number } }} [options] `isTrusted` as in `startServer`
 */
export async function openWorkbench(profile, { isTrusted = true, size = undefined } = {}) {
  const server = await startServer(profile, { isTrusted });
  let browser;
  const close = async () => {
    await browser?.close();
    await server.stop();
  };
  try {
    browser = await openBrowser(size);
    const page = await browser.context.newPage();
    // Tells what hangs, not what is slow.
    page.setDefaultTimeout(longestMs());
    return { workbench: new Workbench(page, server.url), page, context: browser.context, log: server.log, close };
  } catch (error) {
    await close();
    throw error;
  }
}
