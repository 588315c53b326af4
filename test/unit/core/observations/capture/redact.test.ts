import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactSecrets } from '../../../../../src/core/observations/capture/redact';

// Made up, but of the right looks; put together here so that no scanner takes them for real ones.
const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const SLACK = `xoxb-${'1234567890-'.repeat(2)}abc`;
const AWS = `AKIA${'ABCD1234'.repeat(2)}`;
const JWT = `eyJ${'hbGciOi'.repeat(2)}.${'eyJzdWIi'.repeat(2)}.sig`;

describe('secrets', () => {
  it('that two rules find are replaced once, and the words behind them stay', () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    expect(redactSecrets(`export GH_TOKEN=${token} && npm test -- --run src/a.test.ts && git push`)).toBe(
      `export GH_TOKEN=${REDACTED} && npm test -- --run src/a.test.ts && git push`,
    );
  });

  it.each([
    ['a flag', 'deploy --token hunter2 --force', 'hunter2'],
    ['a flag with =', 'deploy --api-key=hunter2', 'hunter2'],
    ['an environment variable', 'DB_PASSWORD=hunter2 npm test', 'hunter2'],
    ['a quoted one', 'MY_SECRET="two words" npm test', 'two words'],
    ['JSON', '{"password": "hunter2"}', 'hunter2'],
    ['a header', 'curl -H "Authorization: Bearer abc.def-123"', 'abc.def-123'],
    ['a URL', 'git clone https://me:hunter2@example.com/x.git', 'hunter2'],
    ['curl -u', 'curl -u me:hunter2 https://example.com', 'hunter2'],
    ['a GitHub token', `echo ${GITHUB}`, GITHUB],
    ['a Slack token', `echo ${SLACK}`, SLACK],
    ['an AWS key', `aws ${AWS}`, AWS],
    ['a JWT', `echo ${JWT}`, JWT],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----`, 'abc'],
    ['a long random string', `echo ${'a1b2C3d4'.repeat(6)}`, 'a1b2C3d4'],
  ])('are taken out of %s', (_what, text, secret) => {
    const safe = redactSecrets(text);
    expect(safe).not.toContain(secret);
    expect(safe).toContain(REDACTED);
  });

  it.each([
    'npm test -- --run src/core/tokens.test.ts',
    'error TS2304: Cannot find name "tokenizer".',
    'cargo test --package context-budget-tokenizer --lib',
    'src/core/observations/observationSearchIndexBuilderTest.ts:12:3',
    'make -j4 && ./run --user me',
  ])('are not seen in %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('are found wherever they stand', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(redactSecrets(`${before} ${GITHUB} ${after}`)).not.toContain(GITHUB);
      }),
    );
  });
});
