import { describe, expect, it } from 'vitest';
import { ConfigEditError, editConfig } from '../../../../src/core/config/configEdit';
import { errorClass, errorWords, inEnglish, wordedErrorClass } from '../../../../src/core/text/phrase';
import { TranscriptError } from '../../../../src/node/transcripts/transcriptJob';
import { WorkerError, type WorkerErrorReason } from '../../../../src/protocol/worker';
import { CHINESE, englishIn, inChinese } from '../../../support/chinese';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const CHANGE = { kind: 'list', list: 'pinned', sectionId: 'a', isListed: true } as const;

describe('words of an error', () => {
  it('are its own, of which its message is the English', () => {
    const broken = thrownBy(() => editConfig('{ "version": 2 }', CHANGE));
    expect(ConfigEditError.is(broken, 'broken')).toBe(true);
    const lost = new TranscriptError('threadLost', { message: 'gone: {0}', args: ['why'] });
    for (const error of [broken, lost])
      expect(inEnglish(errorWords(error))).toBe(error instanceof Error ? error.message : '');
    for (const language of CHINESE) expect(englishIn(inChinese(errorWords(broken), language))).toEqual([]);
  });

  it('of a call to a worker say nothing of the call, which is in the message for the log', () => {
    const reasons: readonly WorkerErrorReason[] = [
      'stopped',
      'crashed',
      'deadline',
      'failed',
      'cancelled',
      'unavailable',
    ];
    for (const reason of reasons) {
      const error = new WorkerError(reason, 'buildReport: TypeError in /home/somebody');
      expect(inEnglish(errorWords(error))).toMatch(/^[a-z][a-z ;]+[a-z]$/);
      for (const language of CHINESE) expect(englishIn(inChinese(errorWords(error), language))).toEqual([]);
    }
  });

  it('are the message of any other, and the text of what is no error', () => {
    expect(inEnglish(errorWords(new Error('disk {0}')))).toBe('disk {0}');
    expect(inEnglish(errorWords(Object.assign(new Error('a'), { words: 'b' })))).toBe('a');
    expect(inEnglish(errorWords('plain'))).toBe('plain');
  });
});

describe('an error class', () => {
  class Plain extends errorClass<'one' | 'two'>('Plain') {}
  class Worded extends wordedErrorClass<'one' | 'two'>('Worded') {}

  it('has a name, a reason, a message and a cause', () => {
    const cause = new Error('below');
    const plain = new Plain('one', 'it broke', { cause });
    expect(plain).toBeInstanceOf(Plain);
    expect(plain).toMatchObject({ name: 'Plain', reason: 'one', message: 'it broke', cause });
    const words = { message: 'gone: {0}', args: ['why'] };
    expect(new Worded('two', words, { cause })).toMatchObject({ name: 'Worded', message: 'gone: why', words, cause });
  });

  it('knows its errors by name and reason, those of the same class in another bundle too', () => {
    const plain = new Plain('one', 'it broke');
    expect([Plain.is(plain), Plain.is(plain, 'one'), Plain.is(plain, 'two')]).toEqual([true, true, false]);
    expect(Worded.is(plain)).toBe(false);
    expect(Plain.is({ name: 'Plain', reason: 'one' })).toBe(false);
    class Bundled extends errorClass<'one'>('Plain') {}
    expect(Plain.is(new Bundled('one', 'there'), 'one')).toBe(true);
  });
});
