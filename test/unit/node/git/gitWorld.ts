/** Repositories made by git itself, and how the product reads them in a folder that is not trusted. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GitRead, readCommitDates, readGit } from '../../../../src/core/pipeline/collect/gitSource';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { OwnGitDirectory } from '../../../../src/node/git/gitDirectory';
import { NodeProcessRunner } from '../../../../src/node/process/processRunner';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';

/** Who commits, whatever the machine's own config says. */
const ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@example.invalid',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@example.invalid',
  GIT_ALLOW_PROTOCOL: 'file',
  GIT_TERMINAL_PROMPT: '0',
};

export function git(cwd: string, ...args: readonly string[]): string {
  const options = ['-c', 'init.defaultBranch=main', '-c', 'commit.gpgSign=false', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...options, ...args], { cwd, encoding: 'utf8', stdio: 'pipe', env: ENV });
}

/** A repository with the files `a.ts` and `src/b.ts` and one commit, without the hooks that git would bring. */
export async function repository(...initOptions: readonly string[]): Promise<string> {
  const at = await tempFolder({ 'a.ts': '1\n', 'src/b.ts': '1\n' });
  git(at, 'init', '-q', '--template=', ...initOptions);
  for (const name of ['hooks', 'info']) mkdirSync(path.join(at, '.git', name));
  commit(at, 'first commit');
  return at;
}

/** @param time of the commit; the author's is another */
export function commit(at: string, message: string, time?: string): void {
  git(at, 'add', '-A');
  const dates = time === undefined ? {} : { GIT_COMMITTER_DATE: time, GIT_AUTHOR_DATE: '2001-01-01T00:00:00Z' };
  const env = { ...ENV, ...dates };
  execFileSync('git', ['-c', 'commit.gpgSign=false', 'commit', '-q', '--allow-empty', '-m', message], {
    ...{ cwd: at, stdio: 'pipe', env },
  });
}

/** As a host reads the folder without trust. */
export async function readUntrusted(at: string, env: NodeJS.ProcessEnv = process.env): Promise<GitRead> {
  const options = { realRoot: at, cacheFolder: path.join(await tempFolder(), 'cache'), logger: new RecordingLogger() };
  return readGit(new NodeProcessRunner(at, env), new OwnGitDirectory(options), false, NEVER_ABORTED);
}

export function readTrusted(at: string, env: NodeJS.ProcessEnv = process.env): Promise<GitRead> {
  return readGit(new NodeProcessRunner(at, env), undefined, true, NEVER_ABORTED);
}

/** Days of the last commits below `folders`, as a host reads them with trust and without. */
export async function readDates(
  at: string,
  folders: readonly string[],
): Promise<Record<'trusted' | 'untrusted', unknown>> {
  const options = { realRoot: at, cacheFolder: path.join(await tempFolder(), 'cache'), logger: new RecordingLogger() };
  const runner = new NodeProcessRunner(at, process.env);
  const ask = async (isTrusted: boolean) =>
    Object.fromEntries(
      (await readCommitDates(runner, new OwnGitDirectory(options), isTrusted, folders, NEVER_ABORTED)) ?? [],
    );
  return { trusted: await ask(true), untrusted: await ask(false) };
}

export function appendBytes(file: string, ...parts: readonly (string | Buffer)[]): void {
  const old = existsSync(file) ? [readFileSync(file)] : [];
  writeFileSync(file, Buffer.concat([...old, ...parts.map((part) => Buffer.from(part as string))]));
}

/** Of the same size, so that git has to compare contents. */
export function changeFile(at: string): void {
  writeFileSync(path.join(at, 'a.ts'), '2\n');
}

export function appendConfig(at: string, ...lines: readonly (string | Buffer)[]): void {
  appendBytes(path.join(at, '.git/config'), ...lines);
}

/** A program that leaves a trace, outside of the folder that is read. */
export interface Canary {
  readonly script: string;
  readonly hasRun: () => boolean;
  readonly reset: () => void;
}

export async function canary(): Promise<Canary> {
  const folder = await tempFolder();
  const proof = path.join(folder, 'ran');
  const script = path.join(folder, 'run.sh');
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${proof}'\ncat\n`);
  chmodSync(script, 0o755);
  return { script, hasRun: () => existsSync(proof), reset: () => rmSync(proof, { force: true }) };
}
