// What was really done in the installed extension, against all that there is to do: the manifest's commands, and what
// the panel can ask for. The extension's own log is the witness, so that a step cannot claim what it did not reach.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const LOG_NAME = 'Context Budget.log';
/** `problems.ts` writes such a line after each thing that somebody asked for and that did not fail. */
const DONE = /\[info\] done: (.+)$/gm;

/** Offered only while an index is made, which a small folder's is too soon; `test/integration/large.test.ts` runs both. */
const TOO_SHORT = ['contextBudget.stopIndexing', 'contextBudget.resumeIndexing'];

/** Names of everything that was done in the windows of a profile. */
export function doneIn(profile) {
  const done = new Set();
  for (const entry of readdirSync(path.join(profile, 'data/logs'), { recursive: true, withFileTypes: true })) {
    if (entry.name !== LOG_NAME) continue;
    const log = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
    for (const [, name] of log.matchAll(DONE)) done.add(name);
  }
  return done;
}

/** Names of all that can be done, from the manifest and from the panel's protocol. */
export async function allThereIs(root) {
  const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const entryPoints = [path.join(root, 'src/protocol/panel.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  const { PANEL_ACTIONS } = await import(`data:text/javascript;base64,${source}`);
  const commands = contributes.commands.map(({ command }) => command).filter((name) => !TOO_SHORT.includes(name));
  return [...commands, ...PANEL_ACTIONS.map((action) => `panel ${action}`)];
}
