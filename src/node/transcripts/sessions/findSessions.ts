/** Where agents keep the logs of sessions. Whether a log is of the workspace, its records say. */

import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { SessionAgent } from '../../../core/transcripts/sessions/sessionLog';
import { HOST } from '../../platform';

/** A file that may be a session's log. */
export interface FoundLog {
  readonly agent: SessionAgent;
  /** Absolute. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Another one when the log, or what it is read with, is another. */
  readonly stamp: string;
  /** A JSON document beside it that says more of it. Absolute. */
  readonly beside?: string | undefined;
  /** Its messages, each in a file of its own, in their order. Absolute. */
  readonly messages?: readonly string[] | undefined;
  /** It holds many sessions. */
  readonly isDatabase?: boolean;
  /** The folder of the session, where another file than the log says it. */
  readonly cwd?: string | undefined;
}

/** Below one folder, files whose path from there matches. */
interface Place {
  readonly agent: SessionAgent;
  readonly folder: string;
  readonly files: RegExp;
  /** Folders below it that are looked at, one in the other; {@link MAX_DEPTH} unless given. */
  readonly depth?: number;
}

const MAX_DEPTH = 4;

/** Cline keeps in one file what it sends, and the provider's figures in another. */
const TASK_FILE = 'api_conversation_history.json';
/** Where editors keep what extensions store, below the home folder, on each system. */
const EDITOR_DATA = [
  '.config/Code',
  '.config/Code - Insiders',
  '.config/VSCodium',
  'Library/Application Support/Code',
  'Library/Application Support/Code - Insiders',
  'Library/Application Support/VSCodium',
  'AppData/Roaming/Code',
  'AppData/Roaming/Code - Insiders',
  'AppData/Roaming/VSCodium',
  '.vscode-server/data',
];

/**
 * The agents' own rules: their variables, else the home folder. With `from`, the folders below it and no variables.
 * Relative variables are ignored: they would point into the workspace.
 */
function placesOf(env: NodeJS.ProcessEnv, home: string, from: string | undefined): readonly Place[] {
  const base = from ?? home;
  const named = (name: string): string | undefined => (from === undefined ? HOST.fullPath(env[name]) : undefined);
  const below = (variable: string, ...parts: readonly string[]): string => named(variable) ?? path.join(base, ...parts);
  const claude = named('CLAUDE_CONFIG_DIR');
  const xdg = named('XDG_CONFIG_HOME') ?? path.join(base, '.config');
  const claudes = claude === undefined ? [path.join(base, '.claude'), path.join(xdg, 'claude')] : [claude];
  const codex = below('CODEX_HOME', '.codex');
  const gemini = path.join(named('GEMINI_CLI_HOME') ?? base, '.gemini', 'tmp');
  const cline = path.join(below('CLINE_DIR', '.cline'), 'data');
  const clineSessions = named('CLINE_SESSION_DATA_DIR') ?? path.join(named('CLINE_DATA_DIR') ?? cline, 'sessions');
  const opencode = path.join(named('XDG_DATA_HOME') ?? path.join(base, '.local', 'share'), 'opencode');
  const storages = EDITOR_DATA.map((data) => path.join(base, data, 'User/globalStorage/saoudrizwan.claude-dev'));
  const pi = below('PI_CODING_AGENT_DIR', '.pi', 'agent');
  const rollouts = /(?:^|\/)rollout-[^/]+\.jsonl$/;
  return [
    ...claudes.map(
      (folder): Place => ({
        agent: 'claude-code',
        folder: path.join(folder, 'projects'),
        files: /^[^/]+\/(?:[^/]+\.jsonl|[^/]+\/subagents\/agent-[^/]+\.jsonl)$/,
      }),
    ),
    { agent: 'codex', folder: path.join(codex, 'sessions'), files: rollouts },
    { agent: 'codex', folder: path.join(codex, 'archived_sessions'), files: rollouts },
    { agent: 'gemini-cli', folder: gemini, files: /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl$/ },
    {
      agent: 'qwen-code',
      folder: path.join(below('QWEN_DATA_DIR', '.qwen'), 'projects'),
      files: /^[^/]+\/chats\/[^/]+\.jsonl$/,
    },
    {
      agent: 'copilot-cli',
      folder: path.join(base, '.copilot', 'session-state'),
      files: /^[^/]+\/events\.jsonl$/,
    },
    { agent: 'cline', folder: clineSessions, files: /^[^/]+\/[^/]+\.messages\.json$/ },
    ...[cline, ...storages].map(
      (folder): Place => ({
        agent: 'cline',
        folder: path.join(folder, 'tasks'),
        files: /^[^/]+\/api_conversation_history\.json$/,
      }),
    ),
    { agent: 'pi', folder: path.join(pi, 'sessions'), files: /^[^/]+\/[^/]+\.jsonl$/ },
    { agent: 'opencode', folder: opencode, files: /^opencode[^/]*\.db$/, depth: 0 },
    { agent: 'opencode', folder: path.join(opencode, 'storage', 'session'), files: /^[^/]+\/[^/]+\.json$/ },
  ];
}

/** All logs of these agents, by path. Folders that are not there are as good as empty. */
export async function findLogs(
  agents: readonly SessionAgent[],
  env: NodeJS.ProcessEnv,
  home: string,
  from: string | undefined,
): Promise<readonly FoundLog[]> {
  const places = placesOf(env, home, from).filter(({ agent }) => agents.includes(agent));
  const found = await Promise.all(places.map(logsOf));
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function logsOf({ agent, folder, files, depth = MAX_DEPTH }: Place): Promise<readonly FoundLog[]> {
  const paths = (await filesBelow(folder, '', depth)).filter((each) => files.test(each));
  const found = await Promise.all(
    paths.map(async (each) => {
      const file = path.join(folder, each);
      // Gone since it was listed.
      const status = await stat(file).catch(() => undefined);
      if (!status) return undefined;
      const log = { agent, path: file, sizeBytes: status.size, mtimeMs: status.mtimeMs, stamp: stampOf(status) };
      if (agent === 'cline') {
        const beside = file.replace(/\.messages\.json$/, '.json').replace(TASK_FILE, 'ui_messages.json');
        const other = await stat(beside).catch(() => undefined);
        const mtimeMs = Math.max(log.mtimeMs, other?.mtimeMs ?? 0);
        return { ...log, mtimeMs, stamp: `${log.stamp} ${other && stampOf(other)}`, beside };
      }
      if (agent === 'opencode') return file.endsWith('.db') ? databaseLog(log) : storedLog(log);
      if (agent !== 'gemini-cli') return log;
      const cwd = await geminiFolder(folder, each);
      return { ...log, stamp: `${log.stamp} ${cwd}`, cwd };
    }),
  );
  return found.filter((log) => log !== undefined);
}

/** A database is as new as what its agent has not copied into it yet. */
async function databaseLog(log: FoundLog): Promise<FoundLog> {
  const writeAhead = await stat(`${log.path}-wal`).catch(() => undefined);
  const mtimeMs = Math.max(log.mtimeMs, writeAhead?.mtimeMs ?? 0);
  const sizeBytes = log.sizeBytes + (writeAhead?.size ?? 0);
  const stamp = writeAhead ? `${log.stamp} ${stampOf(writeAhead)}` : log.stamp;
  return { ...log, sizeBytes, mtimeMs, stamp, isDatabase: true };
}

/** A session of older versions of OpenCode: its messages' files are named after ids that grow. */
async function storedLog(log: FoundLog): Promise<FoundLog> {
  const name = path.basename(log.path, '.json');
  const folder = path.resolve(log.path, '..', '..', '..', 'message', name);
  const names = (await filesBelow(folder, '', 0)).filter((each) => each.endsWith('.json')).sort();
  const messages = names.map((each) => path.join(folder, each));
  const statuses = await Promise.all(messages.map((file) => stat(file).catch(() => undefined)));
  const mtimeMs = statuses.reduce((newest, status) => Math.max(newest, status?.mtimeMs ?? 0), log.mtimeMs);
  const stamp = [log.stamp, ...statuses.map((status) => status && stampOf(status))].join('\n');
  return { ...log, mtimeMs, stamp, messages };
}

/** The time of the last change of any kind cannot be set back as that of writing can. */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

/** The folder that Gemini CLI's logs belong to: a file beside them says it. */
async function geminiFolder(folder: string, log: string): Promise<string | undefined> {
  const said = path.join(folder, log.split('/')[0] ?? '', '.project_root');
  // Older versions name the folder after a hash that cannot be read back.
  return (await readFile(said, 'utf8').catch(() => undefined))?.trim();
}

/** Paths of files from `folder` on, with `/`. Links are not followed. */
async function filesBelow(folder: string, prefix: string, depth: number): Promise<readonly string[]> {
  // The agent is not installed, or has no sessions.
  const entries = await readdir(path.join(folder, prefix), { withFileTypes: true }).catch(() => []);
  const lists = entries.map(async (entry) => {
    const name = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isFile()) return [name];
    return entry.isDirectory() && depth > 0 ? filesBelow(folder, name, depth - 1) : [];
  });
  return (await Promise.all(lists)).flat();
}
