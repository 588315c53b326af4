import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { tempFolder } from './tempFolder';

/** By workspace, since both live as long as a test. */
const bundles = new Map<string, Promise<string>>();

async function bundle(): Promise<string> {
  const outfile = path.join(await tempFolder(), 'writer.cjs');
  await esbuild.build({
    entryPoints: ['test/unit/node/observationWriter.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    outfile,
    logLevel: 'silent',
  });
  return outfile;
}

/** What a writer said before it ended. */
export interface WriterResult {
  readonly ids: readonly number[];
  readonly repairs: readonly string[];
  readonly code: number | null;
  readonly err: string;
}

/** A process of `observationWriter.ts`, and its end. */
export interface Writer {
  readonly child: ChildProcess;
  readonly ended: Promise<WriterResult>;
  /** Resolves when it has been given its first id. */
  readonly started: Promise<void>;
}

export async function startWriter(root: string, file: string, name: string, count: number): Promise<Writer> {
  const bundled = bundles.get(root) ?? bundle();
  bundles.set(root, bundled);
  const child = spawn(process.execPath, [await bundled, root, file, name, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  let tellStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    tellStarted = resolve;
  });
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
    tellStarted();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const ended = new Promise<WriterResult>((resolve) => {
    child.on('close', (code) => {
      tellStarted();
      const lines = out.split('\n').filter((line) => line !== '');
      const repairs = lines.filter((line) => line.startsWith('repair '));
      const ids = lines.filter((line) => !line.startsWith('repair ')).flatMap((line) => line.split(' ').map(Number));
      resolve({ ids, repairs, code, err });
    });
  });
  return { child, ended, started };
}
