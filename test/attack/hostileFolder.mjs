// A hostile folder, made anew in a temporary place, beside what it must never reach: files outside of it, a home folder, a
// program that leaves a trace, a port that counts who calls. Nothing beyond that place is touched.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A word that is in no text by chance, and that looks like no key: nothing masks it. */
function secretWord() {
  return `zq${Array.from({ length: 14 }, () => 'bcdfghjkmnprstvwx'[randomInt(17)]).join('')}`;
}

/** Counts connections on a port of the loopback; hangs up at once, so that nobody waits for an answer. */
function openListener() {
  return new Promise((resolve, reject) => {
    const listener = { port: 0, connections: 0, close: () => server.close() };
    const server = createServer((socket) => {
      listener.connections++;
      socket.on('error', () => socket.destroy());
      socket.destroy();
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      listener.port = server.address().port;
      server.unref();
      resolve(listener);
    });
  });
}

/** The one source file of every repository. */
export const SOURCE = 'export function priceOf(item: string): number {\n  return item.length;\n}\n';

/** Folders that are there now: they go with this process, however it ends. */
const laid = new Set();
process.on('exit', () => {
  for (const folder of laid) folder.remove();
});

export class HostileFolder {
  /** Everything of the case lies below; absolute and real. */
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'context-budget-attack-')));
  root = path.join(this.base, 'folder');
  outside = path.join(this.base, 'outside');
  home = path.join(this.base, 'home');
  /** Programs that were run leave a file here. */
  ran = path.join(this.base, 'ran');
  /** Ours: it may change. */
  cache = path.join(this.base, 'cache');
  listener;
  /** Words that no output may have. */
  secrets = new Set();
  #program = path.join(this.base, 'hit.sh');

  static async make() {
    const folder = new HostileFolder();
    laid.add(folder);
    for (const each of [folder.root, folder.outside, folder.ran]) mkdirSync(each);
    mkdirSync(path.join(folder.home, '.cache'), { recursive: true });
    writeFileSync(folder.#program, `#!/bin/sh\necho "$0 $*" >> '${folder.ran}'/"\${1:-unnamed}"\nexit 0\n`, {
      mode: 0o755,
    });
    folder.listener = await openListener();
    return folder;
  }

  get port() {
    return this.listener.port;
  }

  /** A command line that leaves a trace. @param {string} what a file name */
  payload(what) {
    // In full: what is tried includes folders with a `sh` of their own.
    return `/bin/sh ${this.#program} ${what}`;
  }

  /** A word that the user keeps outside of what the product may show. */
  secret() {
    const word = secretWord();
    this.secrets.add(word);
    return word;
  }

  /** Absolute. */
  at(relative) {
    return path.join(this.root, relative);
  }

  write(relative, text, mode = 0o644) {
    const file = this.at(relative);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return this;
  }

  folder(relative) {
    mkdirSync(this.at(relative), { recursive: true });
    return this;
  }

  /** A symbolic link; `target` as it is written into it. */
  link(relative, target) {
    mkdirSync(path.dirname(this.at(relative)), { recursive: true });
    symlinkSync(target, this.at(relative));
    return this;
  }

  /** A link beside the folder, of the user's own making. */
  linkBeside(name, target) {
    symlinkSync(target, path.join(this.base, name));
    return this;
  }

  hardLink(relative, existing) {
    mkdirSync(path.dirname(this.at(relative)), { recursive: true });
    linkSync(this.at(existing), this.at(relative));
    return this;
  }

  fifo(relative) {
    mkdirSync(path.dirname(this.at(relative)), { recursive: true });
    execFileSync('mkfifo', [this.at(relative)]);
    return this;
  }

  /** A file of that size without content on disk. */
  sparse(relative, bytes, start = '') {
    this.write(relative, start);
    truncateSync(this.at(relative), bytes);
    return this;
  }

  config(value) {
    return this.write('.context-budget/config.json', `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Git, as somebody who makes a repository runs it: with no config but its own. */
  git(...args) {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd, ...args) {
    return execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** What every case begins with: a repository of one commit, a source file, instructions, and an ignored file. */
  repository() {
    this.write('AGENTS.md', '# Rules\n\nPrices are integers in cents.\n');
    this.write('MEMORY.md', '# Memory\n\nThe cart was moved to src.\n');
    this.write('src/app.ts', SOURCE);
    this.write('open.txt', 'Opened by whoever looks at the folder.\n');
    this.write('.gitignore', '.env\nignored/\n');
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'First');
    this.write('.env', `NOTE the word is ${this.secret()}\n`);
    this.write('ignored/notes.md', `# Notes\n\nThe word is ${this.secret()}.\n`);
    return this;
  }

  /** The ignored file stays ignored by its own folder, where a case spoils the ignore file above. */
  ignoredFromWithin() {
    return this.write('ignored/.gitignore', '*\n');
  }

  /** A file beside the folder, with a secret in it. @returns its absolute path */
  outsideFile(name, text = (word) => `# Diary\n\nThe word is ${word}.\n`) {
    const file = path.join(this.outside, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text(this.secret()));
    return file;
  }

  /** Another repository beside the folder, whose commits, branch and file names are secrets. @returns its absolute path */
  outsideRepository(name = 'other') {
    const other = path.join(this.outside, name);
    mkdirSync(other, { recursive: true });
    const branch = this.secret();
    const file = this.secret();
    writeFileSync(path.join(other, `${file}.txt`), 'Theirs\n');
    this.gitIn(other, 'init', '-q', '-b', branch);
    this.gitIn(other, 'add', '-A');
    this.gitIn(other, 'commit', '-q', '-m', `Merge ${this.secret()}`);
    writeFileSync(path.join(other, `${this.secret()}.txt`), 'Untracked\n');
    return other;
  }

  /** What a person's shell has, and nothing of this machine's user. */
  environment(extra = {}) {
    const environment = {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      HOME: this.home,
      GIT_CONFIG_NOSYSTEM: '1',
      CONTEXT_BUDGET_CACHE_DIR: this.cache,
      CONTEXT_BUDGET_CONFIG_DIR: path.join(this.home, 'config'),
      ATTACK_MARK: this.base,
      ...extra,
    };
    return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  }

  remove() {
    laid.delete(this);
    this.listener?.close();
    rmSync(this.base, { recursive: true, force: true, maxRetries: 3 });
  }
}
