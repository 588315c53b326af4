import { parentPort, workerData } from 'node:worker_threads';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { WINDOW_TABLE } from '../../core/agents/windowTable';
import { buildWindow, type CountTexts, type ServerState } from '../../core/window/loaded/buildWindow';
import { WindowFiles } from '../../core/window/loaded/homeFiles';
import { type ConfiguredServer, configuredServers } from '../../core/window/loaded/mcpServers';
import type { AgentWindow } from '../../core/window/loaded/windowReport';
import { openFileSource } from '../fileSource';
import { measuredState, ServerMeasurements } from '../serverMeasurements';
import type { FromWindowThread, ToWindowThread, WindowJob } from './threadedWindow';

// The entry of the thread that reads what an agent loads. It starts no server and writes nothing.

const HOW_TO_MEASURE = 'Measure starts it';

/** @throws Error when the folder cannot be opened; a home folder that cannot is left out */
export async function readWindow(job: WindowJob, count: CountTexts): Promise<AgentWindow | undefined> {
  const { home, withHome, caches, agent: id, model, coverage } = job;
  const [agent, rules] = [AGENT_TABLE.find((row) => row.agent === id), WINDOW_TABLE[id]];
  if (!agent || !rules) return undefined;
  const { files: workspace, realRoot: root } = await openFileSource(job.root);
  const homeFiles = withHome ? await openFileSource(home).catch(() => undefined) : undefined;
  const files = new WindowFiles(workspace, homeFiles?.files);
  const servers = await configuredServers(rules, root, files);
  const store = new ServerMeasurements(caches);
  const states = new Map<ConfiguredServer, ServerState>();
  for (const server of servers) {
    const measurement = await store.read({ root, source: server.source, name: server.name });
    states.set(server, measuredState(measurement, server, HOW_TO_MEASURE));
  }
  const stateOf = (server: ConfiguredServer): ServerState =>
    states.get(server) ?? { kind: 'unmeasured', reason: 'not measured' };
  const request = { agent, rules, files, root, home, servers, model, coverage, stateOf, count };
  return (await buildWindow({ ...request, withDuplicates: false })).window;
}

/** Counts by the host, one question after the other. */
function askedCounts(port: NonNullable<typeof parentPort>): CountTexts {
  const waiting = new Map<number, (answer: ToWindowThread) => void>();
  port.on('message', (answer: ToWindowThread) => waiting.get(answer.id)?.(answer));
  return async (texts) => {
    if (texts.length === 0) return [];
    const id = waiting.size;
    const answer = await new Promise<ToWindowThread>((resolve) => {
      waiting.set(id, resolve);
      port.postMessage({ type: 'count', id, texts } satisfies FromWindowThread);
    });
    if ('message' in answer) throw new Error(answer.message);
    return answer.counts;
  };
}

const port = parentPort;
if (port) {
  const post = (message: FromWindowThread): void => port.postMessage(message);
  readWindow(workerData as WindowJob, askedCounts(port)).then(
    (window) => post({ type: 'done', window }),
    (error: unknown) => post({ type: 'failed', message: String(error) }),
  );
}
