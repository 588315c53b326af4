// Texts that stand for tasks: what a repository's own history says was done, else what its own files talk about.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { filesBelow, isSource } from './support.mjs';

/** Shorter messages ("fix typo") name no task. */
const LONG_CHARS = 120;
const MAX_CHARS = 2000;
const MESSAGES = 500;
const WORDS = 40;

function longMessages(repository) {
  const args = ['-C', repository, 'log', '-n', String(MESSAGES), '--no-merges', '--format=%B%x00'];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) return [];
  const messages = stdout.split('\0').map((message) => message.trim().slice(0, MAX_CHARS));
  return [...new Set(messages)].filter((message) => message.length >= LONG_CHARS);
}

/** The words in the middle of a file, as somebody would paste them. */
function excerpt(file) {
  const words = readFileSync(file, 'utf8').match(/[A-Za-z_]{3,40}/g) ?? [];
  const from = Math.max(0, Math.floor((words.length - WORDS) / 2));
  return words.slice(from, from + WORDS).join(' ');
}

/** `amount` different texts, the newest long commit messages first; fewer where the repository holds no more. */
export function tasksOf(repository, amount) {
  const tasks = new Set(longMessages(repository).slice(0, amount));
  const files = filesBelow(repository).filter(isSource);
  const step = Math.max(1, Math.floor(files.length / (amount * 2)));
  for (let at = 0; at < files.length && tasks.size < amount; at += step) {
    const text = excerpt(files[at]);
    if (text.length >= LONG_CHARS) tasks.add(text);
  }
  return [...tasks];
}
