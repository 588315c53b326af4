import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../../src/core/secrets/maskSecrets';
import { LibrarySecretScanner } from '../../../../src/worker/secrets/librarySecretScanner';
import { FakeKeys, HARMLESS, labelledSecrets } from '../../../fixtures/fakeSecrets';

const scanner = new LibrarySecretScanner();

async function masked(text: string): Promise<string> {
  const [matches = []] = await scanner.scan([text]);
  return maskSecrets([{ text, matches }])[0]!.text;
}

/** Characters of `secret` that still stand in `text` in one run. */
function longestRest(text: string, secret: string): number {
  for (let length = secret.length; length > 0; length--) {
    for (let at = 0; at + length <= secret.length; at++) {
      if (text.includes(secret.slice(at, at + length))) return length;
    }
  }
  return 0;
}

describe('LibrarySecretScanner', () => {
  it.each(labelledSecrets(1).map(({ kind }) => kind))('finds all of every %s', async (kind) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { text, secret } = labelledSecrets(seed).find((each) => each.kind === kind)!;
      const [line = ''] = (secret.includes('KEY-----') ? secret.split(/\n\+?|\\n/).slice(1) : [secret]) as string[];
      const rest = longestRest(await masked(text), line);
      expect({ seed, isLeaking: rest > Math.min(6, line.length / 2) }).toEqual({ seed, isLeaking: false });
    }
  });

  it.each(HARMLESS)('leaves alone: %s', async (text) => {
    expect(await scanner.scan([text])).toEqual([[]]);
  });

  it('says what it found where, in order and without overlaps', async () => {
    const keys = new FakeKeys(7);
    const [token, key] = [`ghp_${keys.random(36)}`, `AKIA${keys.random(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`];
    const text = `one ${token} two\nAWS_ACCESS_KEY_ID=${key}`;
    expect(await scanner.scan([text, 'nothing here at all'])).toEqual([
      [
        { start: 4, end: 4 + token.length, label: 'GitHub token' },
        { start: text.indexOf(key), end: text.length, label: 'AWS access key' },
      ],
      [],
    ]);
  });

  it('keeps host and user of a URL, which say which database it is', async () => {
    const password = new FakeKeys(3).random(20);
    const text = `postgres://app:${password}@db.corp.io:5432/app?sslmode=require`;
    expect(await masked(text)).toBe('postgres://app:[masked]@db.corp.io:5432/app?sslmode=require');
  });

  it('takes an account number of AWS for what it is: public', async () => {
    expect(await scanner.scan(['aws_account_id = 1234-5678-9013'])).toEqual([[]]);
  });

  it.each([
    ['one letter', 'a'],
    ['markers', '-----BEGIN PRIVATE KEY-----'],
    ['half URLs', 'https://a:'],
    ['half keys', 'sk-'],
    ['half web tokens', 'eyJaaaaaaaaaaa.eyJ'],
    ['names', 'password: '],
    ['webhooks', 'xoxb-1-a-'],
    ['SendGrid', `SG.${'a'.repeat(128)}.${'b'.repeat(400)} `],
  ])('comes to an end with 300 kB of %s', async (_, unit) => {
    const [matches] = await scanner.scan([unit.repeat(Math.ceil(300_000 / unit.length))]);
    expect(Array.isArray(matches)).toBe(true);
  });
});
