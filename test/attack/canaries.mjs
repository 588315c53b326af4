// The canaries of a hostile folder: what must never happen, whoever looks at it. Each tells what it saw.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';

/** What each canary sings of. */
export const CANARIES = {
  executed: 'a program of the folder was run',
  written: 'something outside of .context-budget, in .git or a tracked file was changed',
  read: 'an output has what lies outside, in .git or in an ignored file',
  connected: 'somebody was called',
  hung: 'no end within the deadline, or memory without end, or a process that was left behind',
};

/** Files larger than this are told apart by size and time alone. */
const HASHED_BYTES = 1 << 20;

/** What records may change, where `.context-budget` is a folder and no link. */
const RECORDS = /^(?:(?:usage|observations)[^/]*|\.gitignore)$/;

/** Folders in which something comes and goes by right. */
const OURS = new Set(['folder', 'home', 'home/.cache']);

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
}

/** One entry as a text that changes when the entry does. */
function stateOf(file, relative) {
  const stat = lstatSync(file);
  const mode = (stat.mode & 0o7777).toString(8);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  if (stat.isFile()) {
    return `file ${mode} ${stat.size} ${stat.mtimeMs} ${stat.size > HASHED_BYTES ? '' : hashOf(file)}`;
  }
  if (!stat.isDirectory()) return `other ${mode} ${stat.mtimeMs}`;
  return OURS.has(relative) || relative.endsWith('/.context-budget') ? 'folder' : `folder ${mode} ${stat.mtimeMs}`;
}

/** Path below `base` → state; what is ours or our own trace is left out. */
function snapshotOf(base, found = new Map(), relative = '') {
  for (const name of readdirSync(path.join(base, relative))) {
    const at = relative === '' ? name : `${relative}/${name}`;
    if (['cache', 'ran', 'home/.cache/context-budget', 'home/config'].includes(at)) continue;
    const state = stateOf(path.join(base, at), at);
    found.set(at, state);
    if (state.startsWith('folder')) snapshotOf(base, found, at);
  }
  return found;
}

/** Reads what was written, to look for secrets in it; odd files have no text. */
function textOf(file) {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= HASHED_BYTES ? readFileSync(file, 'utf8') : '';
}

export class Canaries {
  #folder;
  #before;
  #outputs = [];
  #hung = [];
  #moving;
  /** Where records belong. */
  #own;

  /**
   * Arms them: from here on every change counts.
   * @param {import('./hostileFolder.mjs').HostileFolder} folder
   * @param {{ moving?: string, cwd?: string }} attack `moving`: what the attacker itself changes meanwhile; `cwd`: where
   * the host is; both below the folder
   */
  constructor(folder, { moving, cwd } = {}) {
    this.#folder = folder;
    this.#own = `folder/${cwd === undefined ? '' : `${cwd}/`}.context-budget`;
    this.#moving = moving === undefined ? undefined : `folder/${moving}`;
    // What ran while the folder was laid is no news.
    for (const name of readdirSync(folder.ran)) rmSync(path.join(folder.ran, name));
    this.#before = snapshotOf(folder.base);
  }

  /** Traces of programs so far. */
  ran() {
    return readdirSync(this.#folder.ran);
  }

  /** Whatever somebody can read of a host. @param {string} where said when it has a secret */
  saw(where, text) {
    this.#outputs.push({ where, text });
  }

  hung(what) {
    this.#hung.push(what);
  }

  /** What fired so far: `{ canary, what }` each. */
  fired() {
    const { listener } = this.#folder;
    const calls = listener.connections > 0 ? [`${listener.connections} connections`] : [];
    const changes = this.#changes();
    const found = {
      executed: this.ran(),
      written: changes.filter((change) => !this.#mayChange(change)),
      read: this.#leaks(changes),
      connected: calls,
      hung: this.#hung,
    };
    return Object.entries(found).flatMap(([canary, whats]) => whats.map((what) => ({ canary, what })));
  }

  /** What changed among the records of the folder, which some hosts must leave alone as well. */
  recorded() {
    return this.#changes().filter((change) => this.#isRecord(change));
  }

  #changes() {
    const after = snapshotOf(this.#folder.base);
    const paths = new Set([...this.#before.keys(), ...after.keys()]);
    const isChanged = (at) => this.#before.get(at) !== after.get(at);
    const isMoved = (at) => this.#moving !== undefined && at.startsWith(this.#moving);
    return [...paths].filter((at) => isChanged(at) && !isMoved(at)).sort();
  }

  #isRecord(at) {
    return at.startsWith(`${this.#own}/`) && RECORDS.test(at.slice(this.#own.length + 1));
  }

  #mayChange(at) {
    if (at === this.#own) return this.#before.get(at) === undefined;
    if (at === path.posix.dirname(this.#own)) return true;
    return this.#isRecord(at) && (this.#before.get(this.#own) ?? 'folder').startsWith('folder');
  }

  #leaks(changes) {
    // What is kept as a record is shown later.
    const written = changes
      .filter((at) => this.#isRecord(at))
      .map((at) => ({ where: at, text: textOf(path.join(this.#folder.base, at)) }));
    const all = [...this.#outputs, ...written];
    return [...this.#folder.secrets].flatMap((word) => {
      const found = all.find(({ text }) => text.toLowerCase().includes(word));
      return found ? [found.where] : [];
    });
  }
}
