/**
 * The command line that an agent's settings hold for a hook. It decides how the product's own command line is called and
 * how an entry of ours is known again: by that line, since settings files refuse keys they do not know.
 */
import { phrase } from '../../text/phrase';
import { CONTROL, isWindowsPath, posixArgument } from '../mcpConfig/mcpClient';
import { HookError } from './hookEvent';
import { HOOK_AGENTS, HOOK_EVENTS, type HookAgent, type HookEventName } from './hookTarget';

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

/**
 * How hooks reach the product's command line. `file`: a script of this machine, absolute. `package`: the package
 * `context-budget` that the project or the machine has installed.
 */
export type HookProgram = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'package' };

/** Names that the script of a `file` program may have: `cli.js` of a build, or the launcher. */
const OWN_LINE = new RegExp(
  String.raw`(?:^|[\\/\s"'])(?:cli\.js|context-budget(?:\.cjs)?)["']?\s+hook\s+(${HOOK_EVENTS.join('|')})\s+--agent\s+(${HOOK_AGENTS.join('|')})\s*$`,
);

/** Runs the installed package only. No registry is asked, where a stranger could have taken the name. */
const PACKAGE_PROGRAM = 'npx --no --offline -- context-budget';

/**
 * A path as one argument. On Windows hooks run in cmd.exe, PowerShell or Git Bash: double quotes and slashes are what
 * all three read alike. Elsewhere in `sh`: single quotes take everything literally.
 */
function quotePath(path: string): string {
  if (CONTROL.test(path)) {
    throw new HookError('badPath', phrase('The path of the CLI has control characters, so hooks cannot call it.'));
  }
  if (!isWindowsPath(path)) return posixArgument(path);
  const unsafe = /["%$`]/.exec(path)?.[0];
  if (unsafe !== undefined) {
    throw new HookError(
      'badPath',
      phrase('The path of the CLI contains {0}, which Windows shells interpret. Install it elsewhere.', unsafe),
    );
  }
  return `"${path.replaceAll('\\', '/')}"`;
}

/**
 * The line that answers `event` for `agent`. Node is found by its name, on the agent's PATH: its own path changes with
 * every update. Throws `badPath` for a path that no shell takes safely.
 */
export function hookCommandLine(program: HookProgram, event: HookEventName, agent: HookAgent): string {
  const start = program.kind === 'package' ? PACKAGE_PROGRAM : `node ${quotePath(program.path)}`;
  return `${start} hook ${event} --agent ${agent}`;
}

/** Parses a hook line of ours, of any version and machine; undefined for other lines. */
export function parseOwnLine(line: unknown): { event: HookEventName; agent: HookAgent } | undefined {
  const match = typeof line === 'string' ? OWN_LINE.exec(line) : null;
  return match ? { event: match[1] as HookEventName, agent: match[2] ?? '' } : undefined;
}
