/**
 * Reads the sessions of agents' folders below the given ones, whatever folder each session is of, and prints as JSON how
 * far parts and figures agree. Conservation: parts add up to the provider's figure, for each request. Growth: how much
 * more of a session's last window no text explains than of its first, of the last window; before anything left the window
 * and in all. Logs that begin in the middle of a session have no first window.
 */
import path from 'node:path';
import { NEVER_ABORTED } from '../../src/core/ports/ports';
import { SESSION_AGENTS } from '../../src/core/transcripts/sessions/sessionLog';
import { windowOf } from '../../src/core/window/sessions/parts';
import { type AgentSession, sumOf } from '../../src/core/window/sessions/sessions';
import { createWorkerEngines } from '../../src/node/engines';
import { readSessions } from '../../src/node/transcripts/sessions/readSessions';

const [, , root = '.', ...folders] = process.argv;
const logger = { error: console.error, warn: console.error, info: () => {}, debug: () => {} };
const engines = createWorkerEngines({ productRoot: path.resolve(root), logger });

function growthOf({ requests, isCut }: AgentSession, isWhole: boolean): number | undefined {
  const main = requests.filter(
    ({ subagent, usage, cuts }) => subagent === undefined && usage && windowOf(usage) > 0 && (isWhole || cuts === 0),
  );
  const [first, last] = [main[0], main.at(-1)];
  if (isCut || !first || !last?.usage || main.length < 2) return undefined;
  return Math.max(0, last.parts.residual - first.parts.residual) / windowOf(last.usage);
}

function at(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

async function main(): Promise<void> {
  const sessions: AgentSession[] = [];
  const problems: unknown[] = [];
  for (const folder of folders) {
    const read = await readSessions({
      agents: SESSION_AGENTS,
      place: { roots: ['/'] },
      env: {},
      home: path.resolve(folder),
      signal: NEVER_ABORTED,
      databases: path.resolve(root, 'dist/databases.js'),
      countTokens: (texts) => engines.engine.countTokens({ texts, tokenizer: 'o200k_base' }),
    });
    sessions.push(...read.sessions);
    problems.push(...read.problems);
  }
  engines.dispose();

  const rows = SESSION_AGENTS.map((agent) => {
    const own = sessions.filter((session) => session.agent === agent);
    const requests = own.flatMap((session) => session.requests).filter(({ usage }) => usage);
    const wrong = requests.filter(({ usage, parts }) => usage && sumOf(parts) !== windowOf(usage));
    const growth = (isWhole: boolean): readonly number[] =>
      own.flatMap((session) => growthOf(session, isWhole) ?? []).sort((a, b) => a - b);
    const [before, whole] = [growth(false), growth(true)];
    const scaled = requests.filter(({ usage, parts }) => usage && windowOf(usage) > 0 && parts.residual === 0);
    return {
      agent,
      sessions: own.length,
      requests: requests.length,
      wrong: wrong.length,
      scaled: scaled.length,
      measured: whole.length,
      beforeCut: [at(before, 0.5), at(before, 0.9)],
      whole: [at(whole, 0.5), at(whole, 0.9)],
    };
  });
  const findings: Record<string, number> = {};
  for (const { rule } of sessions.flatMap((session) => session.findings)) findings[rule] = (findings[rule] ?? 0) + 1;
  process.stdout.write(JSON.stringify({ rows, problems, findings }));
}

void main();
