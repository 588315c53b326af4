import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { tempFolder } from '../../../support/tempFolder';
import { wholeLines } from '../../../support/wholeLines.mjs';

/** The code of each script, and by workspace and script the file that has it, which lives as long as a test. */
const codes = new Map<string, Promise<string>>();
const bundles = new Map<string, Promise<string>>();

async function build(script: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [`test/unit/node/records/${script}.ts`],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

async function bundle(script: string): Promise<string> {
  const code = codes.get(script) ?? build(script);
  codes.set(script, code);
  return path.join(await tempFolder({ 'writer.cjs': await code }), 'writer.cjs');
}

/** What a writer said before it ended. */
export interface WriterResult {
  readonly ids: readonly number[];
  readonly repairs: readonly string[];
  readonly code: number | null;
  readonly err: string;
}

/** A process that writes records, and its end. */
export interface Writer {
  readonly child: ChildProcess;
  readonly ended: Promise<WriterResult>;
  /** Resolves when it has been given its first id. */
  readonly started: Promise<void>;
}

/** A process of `observationWriter.ts`. */
export function startWriter(root: string, file: string, name: string, count: number): Promise<Writer> {
  return startScript('observationWriter', root, [file, name, String(count)]);
}

/** A process of one of the scripts beside this file; its first argument is `root`. */
export async function startScript(script: string, root: string, args: readonly string[]): Promise<Writer> {
  const key = `${root}:${script}`;
  const bundled = bundles.get(key) ?? bundle(script);
  bundles.set(key, bundled);
  const child = spawn(process.execPath, [await bundled, root, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
      const lines = wholeLines(out);
      const repairs = lines.filter((line) => line.startsWith('repair '));
      const ids = lines.filter((line) => !line.startsWith('repair ')).flatMap((line) => line.split(' ').map(Number));
      resolve({ ids, repairs, code, err });
    });
  });
  return { child, ended, started };
}
