import path from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ProcessRequest } from '../../../../src/core/ports/ports';
import { ThreadProcessRunner } from '../../../../src/node/process/threadProcessRunner';
import { pidIn, whenGone } from '../../../support/processes';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';

let code: string;

beforeAll(async () => {
  const result = await esbuild.build({
    entryPoints: ['src/node/process/threadProcessRunner.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  });
  code = result.outputFiles[0]!.text;
});

function node(script: string, limits: Partial<ProcessRequest> = {}): ProcessRequest {
  return { argv: [process.execPath, '-e', script], timeoutMs: 20_000, maxOutputBytes: 100_000, ...limits };
}

async function make(script = code) {
  const folder = await tempFolder({ 'processes.js': script });
  const logger = new RecordingLogger();
  return {
    folder,
    logger,
    runner: new ThreadProcessRunner(path.join(folder, 'processes.js'), folder, process.env, logger),
  };
}

describe('ThreadProcessRunner', () => {
  it('runs several processes at once, each with its own outcome', async () => {
    const { folder, runner } = await make();
    const outcomes = await Promise.all([
      runner.run(node('process.stdout.write(process.cwd())')),
      runner.run(node('process.stderr.write("bad"); process.exitCode = 7')),
      runner.run(node('setInterval(() => {}, 1000)', { timeoutMs: 100 })),
      runner.run({ ...node(''), argv: ['no-such-program'] }),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['exited', 'exited', 'timedOut', 'notStarted']);
    expect(outcomes[0]?.stdout).toBe(folder);
    expect(outcomes[1]).toMatchObject({ exitCode: 7, stderr: 'bad' });
    runner.dispose();
  });

  it('passes a cancellation on', async () => {
    const { runner } = await make();
    const caller = new AbortController();
    const running = runner.run(node('setInterval(() => {}, 1000)'), caller.signal);
    caller.abort();
    expect((await running).kind).toBe('cancelled');
    runner.dispose();
  });

  it('ends what runs when it is disposed', async () => {
    const { folder, runner } = await make();
    const running = runner.run(
      node('require("fs").writeFileSync("pid", process.pid + "\\n"); setInterval(() => {}, 1000)'),
    );
    const pid = await pidIn(path.join(folder, 'pid'));
    runner.dispose();
    expect((await running).kind).toBe('cancelled');
    await whenGone(pid);
    expect((await runner.run(node(''))).kind).toBe('cancelled');
  });

  it('runs processes itself when the thread dies', async () => {
    const { logger, runner } = await make('throw new Error("broken bundle")');
    expect((await runner.run(node('console.log("here")'))).stdout).toBe('here\n');
    expect(logger.lines.join('\n')).toContain('broken bundle');
    runner.dispose();
  });
});
