/**
 * The worker's entry in Node, and the same services in this process for hosts whose workers do not start. The only
 * file of the worker that knows Node.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AssetSource } from '../core/ports/ports';
import type { Packing } from '../core/repomap/index/storedDefinitions';
import { StoredIndex } from '../core/repomap/index/storedIndex';
import type { SecretScanner } from '../core/secrets/secretScanner';
import { type HostToWorker, type MessagePipe, WORKER_ROLE, type WorkerToHost } from '../protocol/worker';
import { Engine } from './engine';
import { packedAssets } from './packedAssets';
import { TreeSitterParser } from './parser/fileParser';
import { serveWorker, type WorkerServices } from './runtime';
import { librarySecretScanner } from './secrets/librarySecretScanner';
import { createTokenizer } from './tokenizer';

/** Processor time of all threads: a worker cannot ask for its own. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Node's types have the namespace, not its values. */
const { Module } = (
  globalThis as unknown as { readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => WebAssembly.Module } }
).WebAssembly;

/**
 * Whether a module may be optimized later is settled when it is made, and only by a flag of the whole process: so the
 * flag is there for that one synchronous call, and whatever else the process compiles is as it was. Electron may have
 * frozen its flags, and setting one would then end the process: there modules are made as ever.
 */
function compileOnce(wasm: Uint8Array): WebAssembly.Module {
  if (process.versions.electron !== undefined) return new Module(wasm);
  setFlagsFromString('--liftoff-only');
  try {
    return new Module(wasm);
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

/** For parts of some 16 KiB: Brotli takes longer to unpack them. */
const PACKING: Packing = {
  pack: (bytes) => deflateRawSync(bytes, { level: 1 }),
  unpack: (bytes, size) => inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) }),
};

/**
 * Engine, parser and scanner in this process, over product files as they ship: correct, but long work blocks it. Callers
 * that make many of them may share the tokenizers; a test may bring a scanner of its own.
 */
export function createInProcess(
  productFiles: AssetSource,
  makeTokenizer = createTokenizer,
  secrets: SecretScanner = librarySecretScanner,
): WorkerServices {
  const assets = packedAssets(productFiles, brotliDecompressSync);
  const parser = new TreeSitterParser(assets, () => performance.now(), processorMs, compileOnce);
  return {
    engine: new Engine(assets, secrets, makeTokenizer, undefined, (index) => new StoredIndex(index, PACKING)),
    parser,
    secrets,
  };
}

function pipeOver(port: MessagePort): MessagePipe<WorkerToHost, HostToWorker> {
  return {
    post: (message, transfer = []) => port.postMessage(message, [...transfer]),
    onMessage: (listener) => port.on('message', listener),
  };
}

/**
 * True only in a worker that a host launched for us: this file may also be loaded inside another program's thread,
 * whose port is not ours to answer on.
 */
function isOurWorker(): boolean {
  return !isMainThread && (workerData as { role?: unknown } | null | undefined)?.role === WORKER_ROLE;
}

if (parentPort && isOurWorker()) {
  serveWorker({
    pipe: pipeOver(parentPort),
    createServices: createInProcess,
    yieldToMessages: () => nextTurn(),
  });
}
