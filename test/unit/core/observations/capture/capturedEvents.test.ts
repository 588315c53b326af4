import { describe, expect, it } from 'vitest';
import {
  CaptureGate,
  ErrorWatch,
  failedCommandEvent,
  failedTaskEvent,
  keyLines,
  newErrorsEvent,
} from '../../../../../src/core/observations/capture/capturedEvents';
import { makeDraft, outcomeOf } from '../../../../../src/core/observations/observation';

const MINUTE = 60_000;

describe('key lines', () => {
  it('are the lines that say why, and the last ones, once each, without colours', () => {
    const noise = Array.from({ length: 200 }, (_, at) => `compiling module ${at}`);
    const output = [...noise, '\u001b[31mError: no such table: users\u001b[0m', ...noise, 'npm ERR! code 1', 'bye'];
    expect(keyLines(output.join('\r\n'))).toEqual([
      'Error: no such table: users',
      'compiling module 199',
      'npm ERR! code 1',
      'bye',
    ]);
  });

  it('stay few and short, whatever is printed', () => {
    const lines = keyLines(
      `${'error '.repeat(1000)}\n`.repeat(1) + Array.from({ length: 500 }, (_, i) => `error ${i}`).join('\n'),
    );
    expect(lines.length).toBeLessThanOrEqual(12);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(300);
    expect(keyLines('👍'.repeat(151))).toEqual([`${'👍'.repeat(149)}…`]);
    expect(keyLines('')).toEqual([]);
  });
});

describe('a captured event', () => {
  it('of a command has exit code, reason and key lines, and no secret', () => {
    const { input, key } = failedCommandEvent({
      command: 'deploy --token hunter2',
      exitCode: 3,
      output: 'connecting\nerror: denied for password=hunter2\n',
    });
    const draft = makeDraft({ ts: '2026-02-03 21:23:34', ...input });
    expect(draft.summary).toBe(
      'deploy --token [redacted] failed with exit code 3: error: denied for password=[redacted]',
    );
    expect(draft.detail).toContain('connecting');
    expect(JSON.stringify(draft) + key).not.toContain('hunter2');
    expect(draft).toMatchObject({ actor: 'editor', phase: 'run', type: 'command' });
    expect(outcomeOf(draft)).toBe('failed');
  });

  it.each([
    ['the last line where none says error', 'starting\nall of it is gone\n', ': all of it is gone'],
    ['no reason where nothing was printed', '', ''],
  ])('of a command gives %s', (_, output, reason) => {
    const { input } = failedCommandEvent({ command: 'deploy', exitCode: 3, output });
    expect(input.summary).toBe(`deploy failed with exit code 3${reason}`);
  });

  it('of a long command cuts it at 60 characters', () => {
    const summaryOf = (command: string) => failedCommandEvent({ command, exitCode: 1, output: '' }).input.summary;
    expect(summaryOf('x'.repeat(60))).toBe(`${'x'.repeat(60)} failed with exit code 1`);
    expect(summaryOf('x'.repeat(61))).toBe(`${'x'.repeat(59)}… failed with exit code 1`);
    expect(summaryOf('👍'.repeat(31))).toBe(`${'👍'.repeat(29)}… failed with exit code 1`);
  });

  it('of a task without a command has none', () => {
    const task = { name: 'build', command: '', exitCode: 2, isTest: false };
    expect(failedTaskEvent(task).input).toMatchObject({
      summary: 'Task build failed with exit code 2',
      commands: [],
    });
  });

  it('of one error says so in the singular, without a source that is unknown', () => {
    const errors = [{ line: 7, message: 'bad', source: undefined }];
    expect(newErrorsEvent({ path: 'src/a.ts', errors }).input).toMatchObject({
      summary: '1 new error in src/a.ts: bad',
      detail: 'src/a.ts:7: bad',
      files: ['src/a.ts#L7'],
    });
  });

  it('of ten errors lists all of them', () => {
    const errors = Array.from({ length: 10 }, (_, at) => ({ line: at + 1, message: `bad ${at}`, source: 'ts' }));
    const rows = newErrorsEvent({ path: 'a.ts', errors }).input.detail?.split('\n');
    expect(rows).toHaveLength(10);
    expect(rows?.at(-1)).toBe('a.ts:10: bad 9 (ts)');
  });

  it('of a task says whether it was a test run', () => {
    const task = { name: 'unit', command: 'npm test', exitCode: 1 };
    expect(failedTaskEvent({ ...task, isTest: true }).input).toMatchObject({
      summary: 'Test task unit failed with exit code 1',
      phase: 'test',
      commands: ['npm test'],
    });
    expect(failedTaskEvent({ ...task, isTest: false }).input.phase).toBe('run');
  });

  it('of errors names file, lines and what there is more', () => {
    const errors = Array.from({ length: 14 }, (_, at) => ({ line: at + 1, message: `bad ${at}`, source: 'ts' }));
    const { input } = newErrorsEvent({ path: 'src/a.ts', errors });
    expect(input.summary).toBe('14 new errors in src/a.ts: bad 0');
    expect(input.detail?.split('\n')).toHaveLength(11);
    expect(input.detail).toMatch(/^src\/a\.ts:1: bad 0 \(ts\)\n[\s\S]*… 4 more$/);
    expect(input.files).toEqual(['src/a.ts#L1']);
  });
});

describe('the gate', () => {
  it('admits the same failure once in a quarter of an hour', () => {
    const gate = new CaptureGate();
    expect([0, 1, 14 * MINUTE].map((at) => gate.admit('a', at))).toEqual([true, false, false]);
    expect(gate.admit('a', 15 * MINUTE)).toBe(true);
  });

  it('admits at most 20 in ten minutes and counts the others', () => {
    const gate = new CaptureGate();
    const admitted = Array.from({ length: 100 }, (_, at) => gate.admit(`key ${at}`, at)).filter(Boolean);
    expect(admitted).toHaveLength(20);
    expect(gate.dropped).toBe(80);
    expect(gate.admit('later', 11 * MINUTE)).toBe(true);
  });
});

describe('errors of a file', () => {
  const error = (message: string, line = 1) => ({ message, line, source: 'ts' });

  it('are new once, also when they move, and again after they were gone', () => {
    const watch = new ErrorWatch();
    watch.learn('a', [error('old')]);
    expect(watch.look('a', [error('old', 5), error('new')])).toEqual([error('new')]);
    expect(watch.look('a', [error('new', 9)])).toEqual([]);
    expect(watch.look('a', [])).toEqual([]);
    expect(watch.look('a', [error('new')])).toEqual([error('new')]);
  });
});
