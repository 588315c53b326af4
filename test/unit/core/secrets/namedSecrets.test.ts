import { describe, expect, it } from 'vitest';
import { findNamedSecrets } from '../../../../src/core/secrets/namedSecrets';
import { FakeKeys } from '../../../fixtures/fakeSecrets';

const KEY = new FakeKeys(21).random(32);

/** Written forms of one value under a name, by who writes them. */
const FORMS: Readonly<Record<string, string>> = {
  'an environment file': `SECRET_KEY=${KEY}`,
  'a name with an environment behind it': `API_KEY_PROD="${KEY}"`,
  'a typed constant of TypeScript': `const apiKey: string = '${KEY}';`,
  'a typed constant of Rust': `pub const API_KEY: &'static str = "${KEY}";`,
  'a variable of PHP': `$apiKey = '${KEY}';`,
  'an index': `cfg['api_key'] = "${KEY}"`,
  'JSON in JSON': `{"body":"{\\"client_secret\\":\\"${KEY}\\"}"}`,
  'an element of XML': `<password>${KEY}</password>`,
  'a string of Android': `<string name="api_key">${KEY}</string>`,
  'a pair of Kubernetes': `- name: DB_PASSWORD\n  value: ${KEY}`,
  'an option of a command': `deploy --token ${KEY} --force`,
  'a parameter of a URL': `https://a.test/v1?access_token=${KEY}&page=2`,
  'a sentence': `The password is ${KEY}.`,
  SQL: `CREATE USER app IDENTIFIED BY '${KEY}';`,
  'a folded text of YAML': `settings:\n  key_passphrase: >-\n    ${KEY}\n  level: info`,
  'base64 of .npmrc': `//npm.internal/:_password=${KEY}`,
  'a column of CSV': `name,owner,api_token\nprod,ops,${KEY}\n`,
  'a table of Markdown': `| api key | \`${KEY}\` |`,
};

const HARMLESS: readonly string[] = [
  `nextPageToken=${KEY}`,
  `"csrf_token": "${KEY}"`,
  `password_hash = "${KEY}"`,
  `token_id: ${KEY}`,
  'secretKeyRef: my-app-secrets',
  'token: process.env.APIFY_API_KEY!',
  'const token = readToken(request)',
  'password: string;',
  'max_tokens=4096',
  'TokenBucket(capacity=60)',
  '`google_calendar_tokens`, `schema.ts:2581`',
  'lambda_token: OAuth2PasswordBearer',
  'check_env GITHUB_TOKEN || MISSING=1',
  'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"',
  `${'AB9c'.repeat(9)}PwD${'Qe5S'.repeat(9)}+${KEY}`,
];

function found(text: string): readonly string[] {
  return findNamedSecrets(text).map(({ start, end }) => text.slice(start, end));
}

describe('findNamedSecrets', () => {
  it.each(Object.keys(FORMS))('finds a value in %s', (form) => {
    expect(found(FORMS[form]!)).toEqual([KEY]);
  });

  it.each(HARMLESS)('leaves alone: %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('finds all values of a Secret of Kubernetes, whatever they are called', () => {
    const value = Buffer.from(new FakeKeys(4).random(18)).toString('base64');
    expect(found(`kind: Secret\ndata:\n  first: ${value}\n  second: "${value}"\n`)).toEqual([value, value]);
    expect(found(`kind: ConfigMap\ndata:\n  first: ${value}\n`)).toEqual([]);
  });

  it.each([
    'password ',
    'password: "',
    'secret\n  ',
    '- token: a ',
    'pass=',
    "key['",
    '\nkind: Secret\n a: ',
    'token,token\n',
    'a,password\n1,',
  ])('comes to an end with 1 MB of %j', (unit) => {
    expect(Array.isArray(findNamedSecrets(unit.repeat(Math.ceil(1_000_000 / unit.length))))).toBe(true);
  });
});
