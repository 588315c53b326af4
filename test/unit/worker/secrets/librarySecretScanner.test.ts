import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../../../src/core/secrets/maskSecrets';
import { toSentence } from '../../../../src/core/text/sentence';
import { librarySecretScanner as scanner } from '../../../../src/worker/secrets/librarySecretScanner';
import { FakeKeys, HARMLESS, labelledSecrets } from '../../../fixtures/fakeSecrets';

async function masked(text: string): Promise<string> {
  const [matches = []] = await scanner.scan([text]);
  return maskSecrets([{ text, matches }])[0]!.text;
}

/** Whether more than `most` characters of `secret` still stand in `text` in one run. */
function hasMore(text: string, secret: string, most: number): boolean {
  const length = Math.floor(most) + 1;
  for (let at = 0; at + length <= secret.length; at++) if (text.includes(secret.slice(at, at + length))) return true;
  return false;
}

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);
const LABELLED = SEEDS.map(labelledSecrets);

describe('librarySecretScanner', () => {
  it.each(LABELLED[0]!.map(({ kind }) => kind))('finds all of every %s', async (kind) => {
    for (const [at, seed] of SEEDS.entries()) {
      const { text, secret } = LABELLED[at]!.find((each) => each.kind === kind)!;
      const [line = ''] = (secret.includes('KEY-----') ? secret.split(/\n\+?|\\n/).slice(1) : [secret]) as string[];
      const isLeaking = hasMore(await masked(text), line, Math.min(6, line.length / 2));
      expect({ seed, isLeaking }).toEqual({ seed, isLeaking: false });
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

  /** How a key is cut or dressed before it is handed out: by a range of lines, a sentence, a cap, an escape, a listing. */
  const CUT: Readonly<Record<string, (lines: readonly string[]) => string>> = {
    'lines from its middle': (lines) => lines.slice(3, 8).join('\n'),
    'one line from its middle': (lines) => lines.slice(4, 5).join('\n'),
    'its last lines': (lines) => `${lines.slice(6).join('\n')}\nafter`,
    'its last lines in a diff': (lines) => lines.slice(6).join('\n-'),
    'a sentence with its beginning': (lines) => toSentence(`the key ${lines.join('\n')}`),
    'the beginning of a line of JSON': (lines) => JSON.stringify({ key: lines.join('\n') }).slice(0, 300),
    'the end of a line of JSON': (lines) => JSON.stringify({ key: lines.join('\n') }).slice(150),
    'a comment that was cut': (lines) =>
      lines
        .slice(0, 7)
        .map((line) => `# ${line}`)
        .join('\n'),
    'a numbered listing that was cut': (lines) =>
      lines
        .slice(0, 7)
        .map((line, at) => `${at + 10}: ${line}`)
        .join('\n'),
    'strings of code that were cut': (lines) =>
      lines
        .slice(0, 7)
        .map((line) => `  "${line}\\n" +`)
        .join('\n'),
    'an encrypted key that was cut': ([first, ...lines]) =>
      [first, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,ABCD', '', ...lines.slice(0, 7)].join('\n'),
    'a key of PuTTY': (lines) => `Private-Lines: 6\n${lines.slice(1, 7).join('\n')}\nPrivate-MAC: 12`,
  };

  it.each(Object.keys(CUT))('masks what is left of a private key: %s', async (name) => {
    for (const seed of SEEDS) {
      const lines = new FakeKeys(seed).pem('RSA PRIVATE KEY').split('\n');
      const text = CUT[name]!(lines);
      const out = await masked(text);
      const leaks = lines.slice(1, -1).filter((line) => hasMore(out, line, 6) && hasMore(text, line, 6));
      expect({ seed, leaks: leaks.length }).toEqual({ seed, leaks: 0 });
      expect(out.split('\n').length).toBe(text.split('\n').length);
    }
  });

  it('leaves the words after a key that was cut alone', async () => {
    const lines = new FakeKeys(5).pem('RSA PRIVATE KEY').split('\n').slice(0, 5);
    expect(await masked([...lines, 'Text', 'more'].join('\n'))).toMatch(/^\[masked: private key\]\n+Text\nmore$/);
  });

  it.each([
    ['behind an escape of JSON', (key: string) => `{"out":"\\n${key}\\t"}`],
    ['behind an escape of a URL', (key: string) => `?q=%3D${key}`],
    ['between underscores of Markdown', (key: string) => `_${key}_`],
    ['on a removed line', (key: string) => `@@ -1 +1 @@\n-${key}\n+x\n`],
    ['on a line that both sides of a merge removed', (key: string) => `--${key}\n`],
    ['on a removed line in JSON', (key: string) => `{"patch":"@@ -1 +0,0 @@\\n-${key}"}`],
    ['behind a code of JSON', (key: string) => `{\\u0022k\\u0022:\\u0022${key}\\u0022}`],
    ['behind a code of a string', (key: string) => `\\x22${key}\\x22`],
  ])('finds a key %s', async (_, around) => {
    const keys = new FakeKeys(11);
    const aws = `AKIA${keys.random(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
    for (const key of [`ghp_${keys.random(36)}`, aws, `AIza${keys.random(35)}`, `sk_live_${keys.random(24)}`]) {
      expect(await masked(around(key))).not.toContain(key);
    }
  });

  const VALUE = new FakeKeys(23).random(24);
  it.each([
    `{\\u0022ApiKey\\u0022:\\u0022${VALUE}\\u0022}`,
    `{"log":"{\\\\u0022ApiKey\\\\u0022:\\\\u0022${VALUE}\\\\u0022}"}`,
    `\\x22password\\x22: \\x22${VALUE}\\x22`,
    `{\\"value\\":\\"${VALUE}\\",\\"name\\":\\"API_KEY\\"}`,
    `"\\u5bc6\\u7801\\uff1a${VALUE}"`,
    `&#34;password&#34;:&#34;${VALUE}&#34;`,
    `&#x22;api_key&#x22;:&#x22;${VALUE}&#x22;`,
    `&amp;quot;api_key&amp;quot;:&amp;quot;${VALUE}&amp;quot;`,
    `{"dsn":"postgres:\\/\\/app:${VALUE}@db:5432\\/x"}`,
    `"https:\\u002f\\u002fapp:${VALUE}@db.corp.io\\u002fx"`,
    `?u=postgres%3A%2F%2Fapp%3A${VALUE}%40db`,
    `?u=postgres%253A%252F%252Fapp%253A${VALUE}%2540db`,
    `API_KEY%3D${VALUE}`,
    `a 100% safe\n?q=api_key%3D${VALUE}%26page%3D2\nb%20c`,
  ])('finds exactly the secret in escaped text: %s', async (text) => {
    expect((await scanner.scan([text]))[0]!.map(({ start, end }) => text.slice(start, end))).toEqual([VALUE]);
  });

  it('masks the escapes in a secret with it', async () => {
    const [first, last] = [VALUE, new FakeKeys(24).random(8)];
    expect(await masked(`"ClientSecret": "${first}\\u002B${last}\\u003D"`)).toBe('"ClientSecret": "[masked: key]"');
    expect(await masked(`mysql:\\/\\/app:${first}%40${last}@db\\/x`)).toMatch(
      /^mysql:\\\/\\\/app:\[masked[^\]]*\]@db\\\/x$/,
    );
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
    ['lines of base64', `${new FakeKeys(2).random(64)}\n`],
    ['closing markers', `${new FakeKeys(3).random(64)}\n-----END PRIVATE KEY-----\n`],
    ['escapes of JSON', '\\\\u0022token\\u0022'],
    ['escapes of HTML', '&amp;amp;amp;'],
    ['escapes of a URL', '%252525'],
    ['lines with escapes', '%3A\n'],
    ['backslashes', '\\'],
    ['dashes before keys', '--sk-'],
    ['SendGrid', `SG.${'a'.repeat(128)}.${'b'.repeat(400)} `],
  ])('comes to an end with 300 kB of %s', async (_, unit) => {
    const [matches] = await scanner.scan([unit.repeat(Math.ceil(300_000 / unit.length))]);
    expect(Array.isArray(matches)).toBe(true);
  });
});
