import { describe, expect, it } from 'vitest';
import { maskTexts, maskValue } from '../../../../src/core/tools/maskValue';
import { maskWord } from '../../../support/toolWorld';

describe('maskValue', () => {
  it('masks each text of plain data and leaves its shape, also where JSON would hide a secret behind an escape', async () => {
    const value = { a: ['x', { b: 'say "SECRET-one"\n' }], n: 1, none: null, 'SECRET-key': 'SECRET-two' };
    expect(await maskValue(value, { maskText: maskWord })).toEqual({
      a: ['x', { b: 'say "[masked]"\n' }],
      n: 1,
      none: null,
      'SECRET-key': '[masked]',
    });
  });
});

describe('maskTexts', () => {
  const secret = 'hunter2hunter2hunter2';
  const scanner = {
    scan: async (texts: readonly string[]) =>
      texts.map((text) => {
        const start = text.indexOf(`key ${secret}`);
        return start < 0 ? [] : [{ start: start + 4, end: start + 4 + secret.length, label: 'key' }];
      }),
  };

  it('masks what was found, in the other texts as well, and never makes a text longer', async () => {
    const given = [`key ${secret}`, `again: ${secret}`, 'nothing'];
    const masked = await maskTexts(scanner)(given);
    expect(masked.join('\n')).not.toContain(secret);
    expect(masked[2]).toBe('nothing');
    masked.forEach((text, at) => {
      expect(text.length).toBeLessThanOrEqual(given[at]!.length);
    });
  });

  it('gives nothing when it cannot look', async () => {
    await expect(maskTexts({ scan: () => Promise.reject(new Error('no')) })(['a'])).rejects.toThrow('no');
  });
});
