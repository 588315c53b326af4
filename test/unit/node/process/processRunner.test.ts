import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM_IN_FOLDER, type ProcessRequest } from '../../../../src/core/ports/ports';
import { NodeProcessRunner } from '../../../../src/node/process/processRunner';
import { pidIn, whenGone } from '../../../support/processes';
import { tempFolder } from '../../../support/tempFolder';
import { limitMs, until } from '../../../support/until.mjs';

const TIMINGS = { killGraceMs: 150, pipeGraceMs: 100 };

function node(script: string, limits: Partial<ProcessRequest> = {}): ProcessRequest {
  return { argv: [process.execPath, '-e', script], timeoutMs: 20_000, maxOutputBytes: 100_000, ...limits };
}

/**
 * A child that starts a grandchild which ignores SIGTERM and never ends, writes the grandchild's id to `pid`, and then
 * goes on as `after` says. The grandchild is what a shell plug-in leaves behind when only the shell is killed.
 */
function withGrandchild(after: string, stdio: 'inherit' | 'ignore', detached = false): string {
  const grandchild = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); require("fs").writeFileSync("pid", process.pid + "\\n");`;
  return `
    const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}],
      { stdio: ['ignore', '${stdio}', '${stdio}'], detached: ${detached} });
    const wait = setInterval(() => { if (require('fs').existsSync('pid') && require('fs').readFileSync('pid', 'utf8').endsWith('\\n')) { clearInterval(wait); ${after} } }, 5);
  `;
}

function grandchildPid(folder: string): Promise<number> {
  return pidIn(path.join(folder, 'pid'));
}

/** Runs a script until it, or what it started, has written an id to `pid`. */
async function started(script: string) {
  const folder = await tempFolder();
  const caller = new AbortController();
  const running = new NodeProcessRunner(folder, process.env, TIMINGS).run(node(script), caller.signal);
  return { caller, running, pid: await grandchildPid(folder) };
}

/** Tries again with twice the time: a slow machine may not even start a process before a short time is up. */
function untilInTime<T>(what: string, run: (timeoutMs: number) => Promise<T | undefined | false>) {
  let timeoutMs = 750;
  return until(what, () => {
    timeoutMs *= 2;
    return run(timeoutMs);
  });
}

describe('NodeProcessRunner', () => {
  it('runs in its folder, gives both outputs and the exit code', async () => {
    const folder = await tempFolder();
    const outcome = await new NodeProcessRunner(folder).run(
      node('process.stdout.write(process.cwd()); process.stderr.write("warned"); process.exitCode = 7;'),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 7, signal: undefined, stdout: folder, stderr: 'warned' });
    expect(outcome.durationMs).toBeGreaterThan(0);
  });

  it('gives a child no stdin to wait on', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run(
      node('process.stdin.on("data", () => {}).on("end", () => console.log("no input"))'),
    );
    expect(outcome.stdout).toBe('no input\n');
  });

  it('gives a child its input, and then the end of it', async () => {
    const input = `${'ä'.repeat(200_000)}\n`;
    const echo =
      "process.stdin.on('data', (chunk) => process.stdout.write(chunk)).on('end', () => console.error('end'))";
    const runner = new NodeProcessRunner(await tempFolder());
    const outcome = await runner.run(node(echo, { input, maxOutputBytes: 1_000_000 }));
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, stdout: input, stderr: 'end\n' });
    // Input that nobody reads is no failure.
    expect(await runner.run(node('', { input }))).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('passes arguments as they are, without a shell', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run({
      ...node(''),
      argv: [process.execPath, '-e', 'console.log(process.argv[1])', '$(id); echo *'],
    });
    expect(outcome.stdout).toBe('$(id); echo *\n');
  });

  it('decodes a character that arrives in two pieces', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run(
      node(
        'process.stdout.write(Buffer.from([0xe4, 0xb8]), () => setTimeout(() => process.stdout.write(Buffer.from([0xad])), 50))',
      ),
    );
    expect(outcome.stdout).toBe('中');
  });

  it('names the signal that ended a child', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run(node('process.kill(process.pid, "SIGSEGV")'));
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: undefined, signal: 'SIGSEGV' });
  });

  it('looks programs up outside of the folder alone, also where an entry of PATH is in it, or leads into it', async () => {
    const program = '#!/bin/sh\necho from the folder\n';
    const folder = await tempFolder({ '.venv/bin/node': program, '.venv/bin/own-tool': program });
    for (const name of ['node', 'own-tool']) chmodSync(path.join(folder, '.venv/bin', name), 0o755);
    const link = path.join(await tempFolder(), 'bin');
    symlinkSync(path.join(folder, '.venv/bin'), link);
    const PATH = [path.join(folder, '.venv/bin'), link, path.dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    const runner = new NodeProcessRunner(folder, { PATH });
    const limits = { timeoutMs: 10_000, maxOutputBytes: 1000 };
    expect(await runner.run({ argv: ['node', '-p', '6 * 7'], ...limits })).toMatchObject({ stdout: '42\n' });
    expect(await runner.run({ argv: ['own-tool'], ...limits })).toMatchObject({
      kind: 'notStarted',
      errorCode: PROGRAM_IN_FOLDER,
    });
    expect(await runner.run({ argv: ['.venv/bin/own-tool'], ...limits })).toMatchObject({
      stdout: 'from the folder\n',
    });
  });

  it('tells the reason when a program does not exist or may not be run', async () => {
    const folder = await tempFolder({ 'plain.txt': 'no program' });
    const runner = new NodeProcessRunner(folder);
    const limits = { timeoutMs: 1000, maxOutputBytes: 1000 };
    expect(await runner.run({ argv: ['no-such-program-here'], ...limits })).toMatchObject({
      kind: 'notStarted',
      errorCode: 'ENOENT',
    });
    expect(await runner.run({ argv: ['./plain.txt'], ...limits })).toMatchObject({
      kind: 'notStarted',
      errorCode: 'EACCES',
    });
    expect(await runner.run({ argv: ['a\0b'], ...limits })).toMatchObject({ kind: 'notStarted' });
  });

  it('ends a child that hangs and keeps what it said until then', async () => {
    const runner = new NodeProcessRunner(await tempFolder(), process.env, TIMINGS);
    const script = 'console.log("started"); console.error("waiting"); setInterval(() => {}, 1000)';
    const { value: outcome } = await untilInTime('it has spoken', async (timeoutMs) => {
      const ended = await runner.run(node(script, { timeoutMs }));
      expect(ended.durationMs).toBeLessThan(timeoutMs + limitMs() / 4);
      return ended.kind === 'timedOut' && ended.stderr === '' ? undefined : ended;
    });
    expect(outcome).toMatchObject({ kind: 'timedOut', stdout: 'started\n', stderr: 'waiting\n' });
  });

  it('ends a grandchild that ignores SIGTERM and has no pipe of ours, when time is up', async () => {
    const { value: folder } = await untilInTime('the grandchild is there', async (timeoutMs) => {
      const own = await tempFolder();
      const runner = new NodeProcessRunner(own, process.env, TIMINGS);
      const outcome = await runner.run(node(withGrandchild('', 'ignore'), { timeoutMs }));
      expect(outcome.kind).toBe('timedOut');
      return existsSync(path.join(own, 'pid')) && own;
    });
    await whenGone(await grandchildPid(folder));
  });

  it('ends a grandchild that left the process group', async () => {
    const { caller, running, pid } = await started(withGrandchild('', 'inherit', true));
    caller.abort();
    expect((await running).kind).toBe('cancelled');
    await whenGone(pid);
  });

  // Elsewhere no process tells the environment of another.
  it.runIf(process.platform === 'linux')('ends a process that detached twice, whose parent is gone', async () => {
    const last = 'setInterval(() => {}, 1000); require("fs").writeFileSync("pid", process.pid + "\\n");';
    const detach = (script: string) =>
      `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: "ignore", detached: true }).unref();`;
    const { caller, running, pid } = await started(`${detach(detach(last))} setInterval(() => {}, 1000)`);
    await until('its parent is gone', () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[3] === '1');
    caller.abort();
    expect((await running).kind).toBe('cancelled');
    await whenGone(pid);
  });

  it('does not wait for a grandchild that keeps stdout open after the child has exited', async () => {
    const folder = await tempFolder();
    const outcome = await new NodeProcessRunner(folder, process.env, TIMINGS).run(
      node(withGrandchild('console.log("done"); process.exit(0)', 'inherit')),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'done\n' });
    const pid = await grandchildPid(folder);
    await whenGone(pid);
  });

  it('ends a child that floods its output, at exactly the cap', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder(), process.env, TIMINGS).run(
      node(
        'const line = "x".repeat(4096); (function pour() { while (process.stdout.write(line)); process.stdout.once("drain", pour); })()',
        {
          maxOutputBytes: 10_000,
        },
      ),
    );
    expect(outcome.kind).toBe('flooded');
    expect(outcome.stdout).toBe('x'.repeat(10_000));
  });

  it('does not call output of exactly the cap a flood', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run(
      node('process.stdout.write("x".repeat(10000))', { maxOutputBytes: 10_000 }),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(outcome.stdout).toHaveLength(10_000);
  });

  it('keeps the last 16 KiB of stderr', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder()).run(
      node('process.stderr.write("a".repeat(50000) + "the reason")'),
    );
    expect(outcome.stderr).toHaveLength(16 * 1024);
    expect(outcome.stderr.endsWith('the reason')).toBe(true);
  });

  it('ends a child when the caller loses interest', async () => {
    const { caller, running, pid } = await started(
      'require("fs").writeFileSync("pid", process.pid + "\\n"); setInterval(() => {}, 1000)',
    );
    caller.abort();
    expect((await running).kind).toBe('cancelled');
    await whenGone(pid);
  });

  it('ends every tree on dispose and starts none afterwards', async () => {
    const folder = await tempFolder();
    const runner = new NodeProcessRunner(folder, process.env, TIMINGS);
    const running = runner.run(node(withGrandchild('', 'inherit')));
    const pid = await grandchildPid(folder);
    runner.dispose();
    expect((await running).kind).toBe('cancelled');
    await whenGone(pid);
    expect((await runner.run(node('console.log(1)'))).kind).toBe('cancelled');
  });

  it('keeps git from taking locks and from asking questions', async () => {
    const outcome = await new NodeProcessRunner(await tempFolder(), { PATH: process.env.PATH }).run(
      node('console.log(process.env.GIT_OPTIONAL_LOCKS, process.env.GIT_TERMINAL_PROMPT)'),
    );
    expect(outcome.stdout).toBe('0 0\n');
  });
});
