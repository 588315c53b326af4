import { parentPort, workerData } from 'node:worker_threads';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { AGENT_WINDOWS } from '../../core/agents/agentWindows';
import type { WindowRules } from '../../core/agents/windowRules';
import { NEVER_ABORTED } from '../../core/ports/ports';
import { messageOf, phrase } from '../../core/text/phrase';
import { SESSION_AGENTS } from '../../core/transcripts/sessions/sessionLog';
import { buildWindow, type CountTexts, type ServerState } from '../../core/window/loaded/buildWindow';
import { WindowFiles } from '../../core/window/loaded/homeFiles';
import { type ConfiguredServer, configuredServers } from '../../core/window/loaded/mcpServers';
import type { ReadWindow, ShownStart } from '../../core/window/loaded/measuring';
import { openFileSource } from '../fileSource';
import { measuredState, ServerMeasurements } from '../serverMeasurements';
import { readSessions } from '../transcripts/sessions/readSessions';
import { workspacePlace } from '../transcripts/workspaceTranscripts';
import { measuredBy, shownStart, startOf } from './serverStart';
import type {
  FromWindowThread,
  MeasureEnd,
  MeasureJob,
  ThreadJob,
  ToWindowThread,
  UnusedJob,
  WindowJob,
  WindowPlaces,
} from './threadedWindow';

// The entry of the thread that reads what an agent loads, and of the one that starts a server to ask for its tools.

/** @throws Error when the folder cannot be opened; a home folder that cannot is left out */
async function openPlaces({ root, home, withHome }: WindowPlaces, rules: WindowRules) {
  const { files: workspace, realRoot } = await openFileSource(root);
  const homeFiles = withHome ? await openFileSource(home).catch(() => undefined) : undefined;
  const files = new WindowFiles(workspace, homeFiles?.files);
  return { files, root: realRoot, servers: await configuredServers(rules, realRoot, files) };
}

async function readWindow(job: WindowJob, count: CountTexts): Promise<ReadWindow | undefined> {
  const { home, caches, agent: id, model, coverage, failed } = job;
  const [agent, rules] = [AGENT_TABLE.find((row) => row.agent === id), AGENT_WINDOWS[id]];
  if (!agent || !rules) return undefined;
  const { files, root, servers } = await openPlaces(job, rules);
  const store = new ServerMeasurements(caches);
  const states = new Map<ConfiguredServer, ServerState>();
  for (const server of servers) {
    const { source, name, commandHash } = server;
    // What was tried last counts.
    const failure = failed.find((each) => {
      return each.source === source && each.name === name && each.commandHash === commandHash;
    });
    states.set(
      server,
      failure
        ? { kind: 'unmeasured', reason: failure.reason }
        : measuredState(await store.read({ root, source, name }), server),
    );
  }
  const stateOf = (server: ConfiguredServer): ServerState => states.get(server) ?? measuredState(undefined, server);
  const request = { agent, rules, files, root, home, servers, model, coverage, stateOf, count };
  const { window } = await buildWindow({ ...request, withDuplicates: false });
  return { window, servers: servers.filter(({ off }) => !off).map((server) => shownOf(server, root)) };
}

function shownOf(server: ConfiguredServer, root: string): ShownStart {
  return shownStart(server, startOf(server, root, process.env));
}

async function measure(job: MeasureJob, signal: AbortSignal): Promise<MeasureEnd> {
  const rules = AGENT_WINDOWS[job.agent];
  if (!rules) return phrase('its configuration has changed since');
  const { root, servers } = await openPlaces(job, rules);
  const { name, source } = job.shown;
  const server = servers.find((each) => each.name === name && each.source === source && !each.off);
  if (!server || JSON.stringify(shownOf(server, root)) !== JSON.stringify(job.shown))
    return phrase('its configuration has changed since');
  const state = await measuredBy(job.productRoot, server, startOf(server, root, process.env), signal);
  if (state.kind === 'unmeasured') return state.reason;
  try {
    await new ServerMeasurements(job.caches).save({ root, source, name }, state.measurement);
  } catch (error) {
    return phrase('its figures could not be saved: {0}', messageOf(error));
  }
  return undefined;
}

/** By the names that stand in logs. Nothing is counted, and nothing of the logs is kept. */
async function unusedServers({ root, home, agent }: UnusedJob): Promise<readonly string[]> {
  const agents = SESSION_AGENTS.filter((each) => each === agent);
  const { realRoot } = await openFileSource(root);
  const { sessions } = await readSessions({
    agents,
    place: await workspacePlace(realRoot, root, home),
    env: process.env,
    home,
    signal: NEVER_ABORTED,
    countTokens: async (texts) => texts.map(() => 0),
  });
  const found = sessions.flatMap(({ findings }) =>
    findings.flatMap(({ rule, about }) => (rule === 'unused-server' && about?.server ? [about.server] : [])),
  );
  return [...new Set(found)];
}

/** Counts by the host, one question after the other. */
function askedCounts(port: NonNullable<typeof parentPort>): CountTexts {
  const waiting = new Map<number, (answer: ToWindowThread) => void>();
  port.on('message', (answer: ToWindowThread) => answer.type !== 'cancel' && waiting.get(answer.id)?.(answer));
  return async (texts) => {
    if (texts.length === 0) return [];
    const id = waiting.size;
    const answer = await new Promise<ToWindowThread>((resolve) => {
      waiting.set(id, resolve);
      port.postMessage({ type: 'count', id, texts } satisfies FromWindowThread);
    });
    if (answer.type !== 'counts') throw new Error(answer.type === 'failed' ? answer.message : answer.type);
    return answer.counts;
  };
}

/** Fires when the host takes a measurement back. */
function cancelled(port: NonNullable<typeof parentPort>): AbortSignal {
  const ending = new AbortController();
  port.on('message', ({ type }: ToWindowThread) => type === 'cancel' && ending.abort());
  return ending.signal;
}

const port = parentPort;
if (port) {
  const post = (message: FromWindowThread): void => port.postMessage(message);
  const job = workerData as ThreadJob;
  const run = (): Promise<unknown> => {
    if (job.type === 'read') return readWindow(job, askedCounts(port));
    return job.type === 'measure' ? measure(job, cancelled(port)) : unusedServers(job);
  };
  run().then(
    (result) => post({ type: 'done', result }),
    (error: unknown) => post({ type: 'failed', message: String(error) }),
  );
}
