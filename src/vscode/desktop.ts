/**
 * The composition root for hosts that run Node: the desktop and remote extension hosts. The only file of this folder
 * that knows files, processes and worker threads of the machine.
 */

import os from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { homePlaces } from '../core/agents/agentWindows';
import type { Logger } from '../core/ports/ports';
import { FileCacheStore } from '../node/cacheStore';
import { createWorkerEngines } from '../node/engines';
import { openFileSource } from '../node/fileSource';
import { createNodeWorkspace } from '../node/nodeWorkspace';
import { HOST } from '../node/platform';
import { ThreadProcessRunner } from '../node/process/threadProcessRunner';
import { WorkspaceFile } from '../node/records/workspaceFile';
import { ingestTranscripts } from '../node/transcripts/ingestTranscripts';
import { readSessionsInThread } from '../node/transcripts/sessions/threadedSessions';
import { threadedJobs } from '../node/transcripts/threadedTurns';
import { WorkspaceTranscripts } from '../node/transcripts/workspaceTranscripts';
import { cacheName, userFolders } from '../node/userFolders';
import { measureInThread, readWindowInThread, unusedInThread } from '../node/window/threadedWindow';
import { SYSTEM_CLOCK } from '../protocol/clock';
import type { AgentHost } from './agents/connectionCheck';
import type { McpRuntime } from './agents/mcpServers';
import type { TranscriptSource } from './agents/transcriptActions';
import { mayWrite } from './base/editorError';
import { cliFile } from './base/launcherFile';
import { activateExtension, type ExtensionApi } from './extension';
import type { WindowSource } from './panel/panelWindow';
import type { SendMetrics } from './report/metricSchedule';
import type { SessionSource } from './sessions/sessionSource';
import { openVirtualFolder } from './workspace/workspaceLogs';
import type { WorkspaceFactory } from './workspace/workspaceRegistry';

/** One processor stays free for the editor: on two of them, two parsing threads held the extension host up. */
const PARSER_WORKERS = Math.max(1, Math.min(2, os.availableParallelism() - 1));

/** Called by VS Code. Registers and returns; nothing is read, parsed or started here. */
export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const productRoot = context.extensionUri.fsPath;
  return activateExtension(context, (log) => ({
    workspaces: desktopWorkspaces(productRoot, log),
    transcripts: desktopTranscripts(productRoot, log),
    sessions: desktopSessions(productRoot, log),
    mcpRuntime: mcpRuntime(context),
    agents: agentHost(productRoot, log),
    openFile: async (folder, file) => new WorkspaceFile((await openFileSource(folder)).realRoot, file),
    windows: desktopWindows(productRoot),
    sendMetrics: metricSender(context, log),
  }));
}

/** The editor's own Node runs the server; on the desktop that is Electron. */
function mcpRuntime(context: vscode.ExtensionContext): McpRuntime {
  const { version } = context.extension.packageJSON as { readonly version: string };
  return { nodePath: process.execPath, version };
}

function processesIn(productRoot: string, root: string, env: NodeJS.ProcessEnv, logger: Logger): ThreadProcessRunner {
  return new ThreadProcessRunner(path.join(productRoot, 'dist', 'processes.js'), root, env, logger);
}

function agentHost(productRoot: string, logger: Logger): AgentHost {
  return {
    home: os.homedir(),
    shellCall: HOST.shellCall,
    openProcesses: (root) => processesIn(productRoot, root, childEnvironment(), logger),
  };
}

/** Folders on disk get everything; folders of other file systems are read through VS Code and have no processes. */
function desktopWorkspaces(productRoot: string, logger: Logger): WorkspaceFactory {
  // Its engine and parser are never asked, and so never start: folders have their own.
  const shared = createWorkerEngines({ productRoot, logger });
  return {
    secrets: { scan: (texts) => shared.secrets.scan(texts), dispose: () => shared.dispose() },
    open: async (folder, editor, preferences) => {
      if (folder.uri.scheme !== 'file') {
        const engines = createWorkerEngines({ productRoot, logger, parserWorkers: PARSER_WORKERS });
        const own = path.join(userFolders(process.env).caches, cacheName(folder.uri.toString()));
        const cache = new FileCacheStore(own, logger);
        return openVirtualFolder(folder, engines, { clock: SYSTEM_CLOCK, logger, editor, cache }, preferences);
      }
      const { files, realRoot } = await openFileSource(folder.uri.fsPath);
      return createNodeWorkspace({
        realRoot,
        files,
        productRoot,
        preferences,
        logger,
        env: childEnvironment(),
        parserWorkers: PARSER_WORKERS,
        createProcesses: (root, env) => processesIn(productRoot, root, env, logger),
        editor,
        mayWrite,
      });
    },
  };
}

/** The agents' own places on this machine, for folders on its disks. */
function desktopTranscripts(productRoot: string, logger: Logger): TranscriptSource {
  const openJob = threadedJobs(path.join(productRoot, 'dist', 'transcripts.js'));
  const open = async (folder: vscode.WorkspaceFolder): Promise<WorkspaceTranscripts> => {
    const opened = folder.uri.fsPath;
    const { realRoot } = await openFileSource(opened);
    return new WorkspaceTranscripts({ realRoot, opened, env: process.env, logger }, openJob);
  };
  return {
    look: async (folder, agents, { report, workspace, signal, maxBytes }) => {
      const transcripts = await open(folder);
      const scan = await transcripts.scan({ agents, nowMs: Date.now(), signal, maxBytes });
      return { ...(await ingestTranscripts(scan, report, workspace)), commit: () => scan.commit() };
    },
    open: async (folder, file, { report, workspace }) => {
      const source = await (await open(folder)).named(file.fsPath);
      return { ...(await ingestTranscripts(source, report, workspace)), commit: () => Promise.resolve() };
    },
  };
}

/** Makes the source of agents' sessions on this machine. */
function desktopSessions(productRoot: string, logger: Logger): SessionSource {
  const script = path.join(productRoot, 'dist', 'sessions.js');
  return {
    read: (folder, wanted, signal) => {
      const job = { productRoot, opened: folder.uri.fsPath, env: { ...process.env }, ...wanted };
      return readSessionsInThread(script, job, logger, signal);
    },
  };
}

/** What agents load, from the folder and where the user allowed it from the home folder of this machine. */
function desktopWindows(productRoot: string): WindowSource {
  const script = path.join(productRoot, 'dist', 'window.js');
  const places = () => ({ home: os.homedir(), caches: userFolders(process.env).caches });
  return {
    home: os.homedir(),
    homePlaces,
    read: (root, { agent, model, withHome, coverage, failed, count }) =>
      readWindowInThread(
        script,
        { root, ...places(), withHome, agent, model, coverage, failed },
        childEnvironment(),
        count,
      ),
    measure: (root, { agent, withHome, shown }, signal) =>
      measureInThread(script, { root, ...places(), withHome, agent, shown, productRoot }, childEnvironment(), signal),
    unused: (root, agent) => unusedInThread(script, { root, home: os.homedir(), agent }, childEnvironment()),
  };
}

/** An index from nothing of the largest folders, and the receiver's own time. */
const EXPORT_TIMEOUT_MS = 10 * 60_000;
const EXPORT_OUTPUT_BYTES = 64 * 1024;

/**
 * Runs the command of this installation, so that the numbers are those of `export --otlp`, in a process of its own, so
 * that the editor waits for nothing. It runs no command sections, as the command does without trust.
 */
function metricSender(context: vscode.ExtensionContext, logger: Logger): SendMetrics {
  const limits = { timeoutMs: EXPORT_TIMEOUT_MS, maxOutputBytes: EXPORT_OUTPUT_BYTES };
  return async (root, { endpoint, withNames }, signal) => {
    // What the user set wins over both variables.
    const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: undefined };
    const env = { ...childEnvironment(), ELECTRON_RUN_AS_NODE: '1', ...(endpoint === '' ? {} : receiver) };
    const processes = processesIn(context.extensionUri.fsPath, root, env, logger);
    const names = withNames ? ['--with-names'] : [];
    try {
      const argv = [process.execPath, cliFile(context).fsPath, 'export', '--otlp', '--root', root, ...names] as const;
      return await processes.run({ argv, ...limits }, signal);
    } finally {
      processes.dispose();
    }
  };
}

/** What child processes inherit: the user's environment without what VS Code added for its own processes. */
function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name)));
}
