// Cases through the extension in Restricted Mode, in a real VS Code: one start for all of them, and another one only when a
// folder has held up the extension host. `test/integration/attack.test.ts` is what walks through the folders there.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { copyWorkspace, ensureHost, makeProfile, removeProfile } from '../harness/host.mjs';
import { runSuites } from '../harness/runSuites.mjs';
import { startRace } from './attackOnce.mjs';
import { Canaries } from './canaries.mjs';
import { HostileFolder } from './hostileFolder.mjs';
import { attackMcp } from './mcpHost.mjs';
import { endLeftovers } from './processes.mjs';

const LOOK_MS = 100;
/** A start of VS Code and what it does before the first folder, on a busy machine. */
const START_MS = 120_000;
/** Steps in one folder that may each take their time without that anything is said. */
const PATIENCE = 3;

const SETTINGS = {
  // Nothing of the folder makes this so: the user wants the server, in folders that are not trusted too.
  'contextBudget.mcp.enabled': true,
};

async function lay(attack) {
  const folder = await HostileFolder.make();
  await attack.make(folder);
  return { attack, folder, canaries: new Canaries(folder, attack), servers: [], state: 'waits' };
}

/** Lines that the editor has left so far. */
function linesOf(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  // The last one may be half written.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** Follows what the editor leaves: starts and ends races, and sees when nothing comes any more. */
function follow(outcome, laid, deadlineMs, give) {
  let seen = 0;
  let heard = Date.now() + START_MS - deadlineMs * PATIENCE;
  let stopRace = async () => undefined;
  const take = async ({ name, kind, step, output, servers }) => {
    if (process.env.ATTACK_VERBOSE) console.log(name, kind, step ?? '', output ?? '');
    const one = laid.find(({ attack }) => attack.name === name);
    if (kind === 'begins') stopRace = startRace(one.attack, one.folder);
    if (kind === 'step') one.canaries.saw(`what ${step} gave`, output);
    if (kind === 'servers') one.servers = servers;
    if (kind === 'hung') one.canaries.hung(step);
    one.state = { begins: 'begun', hung: 'done', ends: 'done' }[kind] ?? one.state;
    if (one.state === 'done') await stopRace();
  };
  const look = async () => {
    const fresh = linesOf(outcome).slice(seen);
    seen += fresh.length;
    if (fresh.length > 0) heard = Date.now();
    for (const line of fresh) await take(line);
    if (Date.now() - heard > deadlineMs * PATIENCE) give('nothing is heard any more');
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return async () => {
    clearInterval(timer);
    await look();
    await stopRace();
  };
}

/** One start of VS Code over what is left. */
async function walk(laid, deadlineMs) {
  const profile = makeProfile(SETTINGS);
  const outcome = path.join(profile, 'outcome.jsonl');
  const order = path.join(profile, 'order.json');
  const folders = laid.map(({ attack: { name, handles = [] }, folder: { root } }) => ({ name, root, handles }));
  writeFileSync(order, JSON.stringify({ folders, deadlineMs, outcome }));
  let give;
  const stop = new Promise((resolve) => {
    give = resolve;
  });
  const unfollow = follow(outcome, laid, deadlineMs, give);
  try {
    const limitMs = START_MS + laid.length * deadlineMs;
    const env = { CONTEXT_BUDGET_ATTACK: order };
    return await runSuites('attack', { profile, query: harmlessQuery(profile), isTrusted: false, limitMs, env, stop });
  } finally {
    await unfollow();
    removeProfile(profile);
  }
}

/** A workspace of two folders in which nothing is wrong: further ones can be opened beside them without a new start. */
function harmlessQuery(profile) {
  const folders = ['main', 'second'].map((name) => ({ path: copyWorkspace(profile, `editor/${name}`, name) }));
  const file = path.join(profile, 'workspaces/attacked.code-workspace');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folders }));
  return `workspace=${encodeURIComponent(file)}`;
}

/** What fired in the editor; there nothing may be recorded in the folder either. */
async function judge({ folder, canaries }) {
  const left = await endLeftovers(folder.base);
  if (left > 0) canaries.hung(`${left} processes left behind`);
  const recorded = canaries.recorded().map((what) => ({ canary: 'written', what: `${what}, in Restricted Mode` }));
  return [...canaries.fired(), ...recorded];
}

/** The server that the editor would start for a folder, attacked on its own. It may not record anything either. */
async function attackServer({ attack, folder, servers: [server] }, deadlineMs) {
  const canaries = new Canaries(folder);
  await attackMcp({ ...attack, server }, folder, canaries, { deadlineMs });
  return judge({ folder, canaries });
}

/** @returns results as `run.mjs` keeps them; those of the servers that the editor starts are of the host `server` */
export async function attackEditor(attacks, deadlineMs, keep) {
  ensureHost();
  const laid = [];
  try {
    for (const attack of attacks) laid.push(await lay(attack));
    const waiting = () => laid.filter(({ state }) => state !== 'done');
    while (waiting().length > 0) {
      const before = waiting();
      const results = await walk(before, deadlineMs);
      const begun = before.find(({ state }) => state === 'begun');
      begun?.canaries.hung('the extension host');
      if (begun) begun.state = 'done';
      if (waiting().length === before.length)
        throw new Error(`the editor walked through nothing\n${JSON.stringify(results)}`);
    }
    for (const one of laid) {
      const { name, finding } = one.attack;
      keep({ host: 'editor', name, finding, fired: await judge(one) });
      if (one.servers.length > 0 && one.attack.finding === 'C1')
        keep({ host: 'server', name, finding, fired: await attackServer(one, deadlineMs) });
    }
  } finally {
    for (const { folder } of laid) folder.remove();
  }
}
