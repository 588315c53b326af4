/** Name of the launcher's file; `hookCommandLine.ts` knows it again. */
export const LAUNCHER_NAME = 'context-budget.cjs';

/**
 * A script that runs the command line of the installed extension, wherever its last update has put it: VS Code names an
 * extension's folder by its version, so that a path into it would be stale after the next. `cliPath` is absolute. Where
 * nothing is found it says so on stderr and ends well, since a hook must not hold its agent up.
 */
export function launcherText(cliPath: string): string {
  return `// Written by Context Budget for coding agents (hooks, MCP): runs the extension's command line, also after an update.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const known = ${JSON.stringify(cliPath)};

/** The newest installed version beside the one that wrote this file. */
function newest() {
  const extension = path.dirname(path.dirname(known));
  const [, name] = /^(.+)-\\d+\\.\\d+\\.\\d+/.exec(path.basename(extension)) ?? [];
  if (name === undefined) return undefined;
  const folder = path.dirname(extension);
  return fs
    .readdirSync(folder)
    .filter((entry) => entry.startsWith(name + '-') && /^\\d/.test(entry.slice(name.length + 1)))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((entry) => path.join(folder, entry, 'dist', 'cli.js'))
    .find((file) => fs.existsSync(file));
}

let cli;
try {
  cli = fs.existsSync(known) ? known : newest();
} catch (error) {
  process.stderr.write('context-budget: ' + error.message + '\\n');
}
if (cli === undefined) {
  process.stderr.write('context-budget: the extension is not installed any more; remove it from the settings.\\n');
} else {
  require(cli);
}
`;
}
