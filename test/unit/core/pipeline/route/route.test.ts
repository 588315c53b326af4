import { describe, expect, it } from 'vitest';
import type { CollectedSection, SectionFailure } from '../../../../../src/core/model/section';
import { routeSection } from '../../../../../src/core/pipeline/route/route';
import { PROGRAM_IN_FOLDER, type ProcessOutcome } from '../../../../../src/core/ports/ports';
import { phrase } from '../../../../../src/core/text/phrase';
import { english } from '../../../../support/english';
import { section } from '../../../../support/sectionBuilder';

function route(text: string, over: Partial<CollectedSection> = {}) {
  return routeSection(section('ports', text, over));
}

function routeFailure(failure: SectionFailure) {
  return routeSection(section('ports', '', { body: { kind: 'failed', failure } }));
}

function outcome(over: Partial<ProcessOutcome>): SectionFailure {
  const base: ProcessOutcome = {
    kind: 'exited',
    exitCode: 7,
    signal: undefined,
    stdout: '',
    stderr: '',
    errorCode: undefined,
    durationMs: 12,
  };
  return { kind: 'command', outcome: { ...base, ...over }, timeoutMs: 5000 };
}

describe('routeSection', () => {
  it.each([
    ['plain', 'SUMMARY:OK:All 4 ports UP\n---\n80 up\n443 up\n'],
    ['CRLF', 'SUMMARY:OK:All 4 ports UP\r\n---\r\n80 up\r\n443 up\r\n'],
    ['byte order mark', '\ufeffSUMMARY:OK:All 4 ports UP\n---\n80 up\n443 up'],
    ['ANSI colours', '\u001b[32mSUMMARY:OK:\u001b[1mAll 4 ports UP\u001b[0m\n---\n\u001b[31m80 up\u001b[0m\n443 up'],
    ['lower-case status', 'SUMMARY:ok:All 4 ports UP\n---\n80 up\n443 up'],
    ['lower-case keyword', 'summary:ok:All 4 ports UP\n---\n80 up\n443 up'],
    ['spaces', '  SUMMARY : OK :  All 4 ports UP  \n --- \n80 up\n443 up\n\n'],
    ['missing ---', 'SUMMARY:OK:All 4 ports UP\n80 up\n443 up'],
    ['blank lines round ---', 'SUMMARY:OK:All 4 ports UP\n\n---\n\n80 up\n443 up'],
  ])('reads status, sentence and detail: %s', (_variant, text) => {
    const { problem, ...routed } = route(text);
    expect(routed.status).toBe('OK');
    expect(routed.content).toMatchObject({ kind: 'summary', sentence: 'All 4 ports UP', detail: '80 up\n443 up' });
    expect(problem).toBeUndefined();
  });

  it('keeps colons of the sentence', () => {
    expect(route('SUMMARY:WARN:disk: 91 % of /: clean up')).toMatchObject({
      status: 'WARN',
      content: { sentence: 'disk: 91 % of /: clean up', detail: '' },
    });
  });

  it('keeps what stands between the sentence and a later ---', () => {
    expect(route('SUMMARY:ALERT:down\nsince 12:00\n---\nlog').content).toMatchObject({
      detail: 'since 12:00\n---\nlog',
    });
  });

  it.each([
    ['SUMMARY:OK:', 'OK'],
    ['SUMMARY:OK', 'OK'],
    ['SUMMARY:OK:\n---\n## Port 80 is up\nmore', 'Port 80 is up'],
    ['SUMMARY:ALERT', 'ALERT'],
    // Its detail is shown, which says the same.
    ['SUMMARY:ALERT:  \n---\n## Port 80 is down\nmore', ''],
  ])('finds a sentence when it is empty and nothing else would be shown: %j', (text, sentence) => {
    expect(route(text).content).toMatchObject({ kind: 'summary', sentence });
  });

  it('takes a text without a SUMMARY line whole', () => {
    const { problem, ...routed } = route('\n\n# Notes\n\n- a  \n\n');
    expect(routed).toMatchObject({ status: 'OK', content: { kind: 'legacy', detail: '# Notes\n\n- a' } });
    expect(problem).toBeUndefined();
  });

  it('takes a text with an unknown status whole and reports it', () => {
    const { problem, ...routed } = route('SUMMARY:FINE:all good\nmore', { path: 'plugins/ports.sh' });
    expect(routed).toMatchObject({ status: 'OK', content: { kind: 'legacy', detail: 'SUMMARY:FINE:all good\nmore' } });
    expect(problem).toMatchObject({ kind: 'file', severity: 'warning', path: 'plugins/ports.sh', line: 1 });
    expect(problem?.message).toContain('"FINE"');
  });

  it('reports an unknown status of a command as a plug-in problem', () => {
    const source = { kind: 'command', argv: ['sh', 'x.sh'], timeoutMs: 5000 } as const;
    expect(route('SUMMARY:CRITICAL:x', { source }).problem?.kind).toBe('plugin');
  });

  it.each([
    'Summary: this file explains ports',
    'Summary: note: read this',
    'SUMMARY',
    'SUMMARYOK:x',
    'x SUMMARY:OK:y',
  ])('does not take prose for a status: %j', (text) => {
    const { problem, ...routed } = route(text);
    expect(routed.content.kind).toBe('legacy');
    expect(problem).toBeUndefined();
  });

  it.each([
    [
      { kind: 'timedOut', exitCode: 143 },
      'The command was stopped after 5,000 ms (exit code 143).',
      'stopped after 5 s',
    ],
    [{ kind: 'exited', exitCode: 7 }, 'The command failed (exit code 7).', 'exit code 7'],
    [
      { kind: 'exited', exitCode: undefined, signal: 'SIGSEGV' },
      'The command failed (signal SIGSEGV).',
      'signal SIGSEGV',
    ],
    [
      { kind: 'flooded', exitCode: undefined, signal: 'SIGKILL' },
      'The command was stopped because it printed too much (signal SIGKILL).',
      'too much output',
    ],
    [
      { kind: 'notStarted', exitCode: undefined, errorCode: 'ENOENT' },
      'The command could not be started (ENOENT).',
      'not started',
    ],
    [
      { kind: 'notStarted', exitCode: undefined, errorCode: PROGRAM_IN_FOLDER },
      'The program was not started: PATH finds it only inside this folder. Name it by its path, such as .venv/bin/pytest.',
      'program inside the folder',
    ],
    [{ kind: 'cancelled', exitCode: undefined }, 'The command was cancelled (no exit code).', 'cancelled'],
  ] as const)('turns a failed plug-in into an ALERT: %o', (over, sentence, reason) => {
    const routed = routeFailure(outcome(over));
    expect(english(routed)).toMatchObject({
      status: 'ALERT',
      content: { kind: 'failed', sentence, reason, detail: '' },
    });
  });

  it('gives the last lines of stderr, clean and bounded', () => {
    const stderr = `${Array.from({ length: 50 }, (_, at) => `\u001b[31mline ${at}\u001b[0m`).join('\r\n')}\r\n\r\n${'x'.repeat(5000)}\n`;
    const { content } = routeFailure(outcome({ stderr }));
    const detail = content.kind === 'failed' ? content.detail.split('\n') : [];
    expect(detail[0]).toBe('Last lines of its errors:');
    expect(detail.slice(1, 3)).toEqual(['line 31', 'line 32']);
    expect(detail).toHaveLength(21);
    expect(detail.at(-1)).toHaveLength(300);
  });

  it.each([
    [{ kind: 'missing', path: 'a.md' }, 'WARN', 'a.md does not exist.', 'file missing'],
    [
      { kind: 'tooLarge', path: 'a.md', sizeBytes: 52_428_800, limitBytes: 1_000_000 },
      'WARN',
      'a.md was not read: it has 52,428,800 bytes, the limit is 1,000,000.',
      'file too large',
    ],
    [
      { kind: 'noMatch', pattern: 'docs/*.md', isIgnored: true },
      'WARN',
      'Every file that matches docs/*.md is ignored by Git. Name the file itself, or track it.',
      'only ignored files',
    ],
    [
      { kind: 'noMatch', pattern: 'docs/*.md', isIgnored: false },
      'WARN',
      'No file matches docs/*.md.',
      'no file matches',
    ],
    [{ kind: 'binary', path: 'a.md' }, 'WARN', 'a.md was not read: it is not text.', 'not text'],
    [
      { kind: 'unreadable', path: 'a', message: phrase('it is a folder') },
      'ALERT',
      'a could not be read: it is a folder',
      'unreadable',
    ],
  ] as const)('says what is wrong with a file: %o', (failure, status, sentence, reason) => {
    expect(english(routeFailure(failure))).toMatchObject({ status, content: { kind: 'failed', sentence, reason } });
  });

  it.each([
    ['notTrusted', 'not trusted'],
    ['noProcesses', 'cannot run here'],
  ] as const)('raises no alarm for a command that was not to be run: %s', (kind, reason) => {
    expect(english(routeFailure({ kind }))).toMatchObject({ status: 'OK', content: { kind: 'notRun', reason } });
  });

  it('passes maps and pending sections on', () => {
    expect(route('', { body: { kind: 'repoMap' } }).content).toMatchObject({
      kind: 'repoMap',
      sentence: '',
      detail: '',
    });
    expect(route('', { body: { kind: 'pending' } }).content).toMatchObject({
      kind: 'pending',
      sentence: '',
      detail: '',
    });
  });
});
