import * as vscode from 'vscode';
import type { Blocking, TestHost } from '../host';
import { uriOf } from '../support';

const files = vscode.workspace.fs;

async function exists(relative: string): Promise<boolean> {
  try {
    await files.stat(uriOf(relative));
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}

async function readText(relative: string): Promise<string> {
  return new TextDecoder().decode(await files.readFile(uriOf(relative)));
}

async function write(relative: string, text: string): Promise<void> {
  await files.writeFile(uriOf(relative), new TextEncoder().encode(text));
}

/** The thread is held from the end of one message to the start of the next; this tells the longest and the sum. */
async function measureBlocking(work: () => Promise<void>): Promise<Blocking> {
  const { port1, port2 } = new MessageChannel();
  let isOn = true;
  let last = performance.now();
  let longestMs = 0;
  let totalMs = 0;
  port1.addEventListener('message', () => {
    const now = performance.now();
    const ms = now - last;
    longestMs = Math.max(longestMs, ms);
    if (ms > 1) totalMs += ms;
    last = now;
    if (isOn) port2.postMessage(undefined);
  });
  port1.start();
  port2.postMessage(undefined);
  await work();
  isOn = false;
  port1.close();
  return { longestMs, longestSpawnMs: 0, totalMs, longestIn: ['the whole host'] };
}

/** The extension host of a browser: a worker whose only files are those of `vscode.workspace.fs`. */
export const WEB_HOST: TestHost = {
  has: new Set(),
  write,
  append: async (relative, text) => write(relative, (await readText(relative)) + text),
  readText,
  exists,
  remove: async (relative) => {
    if (await exists(relative)) await files.delete(uriOf(relative));
  },
  measureBlocking,
};
