import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../../src/core/secrets/maskSecrets';

const at = (text: string, secret: string, label = 'GitHub token') => {
  const start = text.indexOf(secret);
  return { start, end: start + secret.length, label };
};

describe('maskSecrets', () => {
  it('says what was there, on which line, and leaves the rest', () => {
    const secret = 'x1'.repeat(20);
    const text = `first\nuse ${secret}, please\n`;
    expect(maskSecrets([{ text, matches: [at(text, secret)] }])).toEqual([
      {
        text: 'first\nuse [masked: GitHub token], please\n',
        secrets: [{ label: 'GitHub token', line: 2, value: secret }],
      },
    ]);
  });

  it.each([
    ['x1'.repeat(20), '[masked: GitHub token]'],
    ['x1x2x3x4x5', '[masked]'],
    ['x1x2x', '***'],
    ['ab', '**'],
  ])('never takes more characters than the secret: %s', (secret, mask) => {
    expect(maskSecrets([{ text: secret, matches: [at(secret, secret)] }])[0]?.text).toBe(mask);
  });

  it('keeps the lines of a private key, of either kind', () => {
    const secret = `-----BEGIN${'\r\nAAAA'.repeat(10)}\r\nEND`;
    const text = `a\r\n${secret}\r\nb\r\n`;
    const [masked] = maskSecrets([{ text, matches: [at(text, secret, 'private key')] }]);
    expect(masked?.text).toBe(`a\r\n[masked: private key]${'\r\n'.repeat(11)}\r\nb\r\n`);
    expect(masked?.text.split('\n').length).toBe(text.split('\n').length);
  });

  it('masks a secret wherever it stands again, each counted, also where a sentence was cut within it', () => {
    const secret = 'aB3dE5gH7jK9mN1pQ3sT5vX7z';
    const first = `key=${secret}`;
    const masked = maskSecrets([
      { text: first, matches: [at(first, secret, 'key')] },
      { text: `again ${secret} and ${secret}\n${secret.slice(0, 15)}…`, matches: [] },
    ]);
    expect(masked.map(({ text }) => text)).toEqual([
      'key=[masked: key]',
      'again [masked: key] and [masked: key]\n[masked: key]…',
    ]);
    expect(masked[1]?.secrets.map(({ line }) => line)).toEqual([1, 1, 2]);
  });

  it('masks the longer of two secrets that begin alike as one, whichever was found first', () => {
    const short = 'aB3dE5gH7jK9mN1p';
    const long = `${short}Q3sT5vX7z`;
    const texts = [short, long].map((secret) => ({ text: secret, matches: [at(secret, secret, 'key')] }));
    for (const found of [texts, [...texts].reverse()]) {
      const masked = maskSecrets([...found, { text: `again ${long}, ${short}.`, matches: [] }]);
      expect(masked[2]?.text).toBe('again [masked: key], [masked: key].');
      expect(masked[2]?.secrets).toHaveLength(2);
    }
  });

  it('does not look for short secrets elsewhere: as words they are common', () => {
    const text = 'password: open1sesame';
    const masked = maskSecrets([
      { text, matches: [at(text, 'open1sesame', 'password')] },
      { text: 'open1sesame!', matches: [] },
    ]);
    expect(masked[1]?.text).toBe('open1sesame!');
  });

  it('makes one of what overlaps, and takes no mask for a secret', () => {
    const text = `0123456789abcdefghijklmnopqrst [masked] ***`;
    const matches = [
      { start: 10, end: 30, label: 'b' },
      { start: 0, end: 20, label: 'a' },
      at(text, '[masked]'),
      at(text, '***'),
    ];
    expect(maskSecrets([{ text, matches }])[0]).toMatchObject({
      text: '[masked: a] [masked] ***',
      secrets: [{ label: 'a' }],
    });
  });
});
