import { describe, expect, it } from 'vitest';
import { findNamedSecrets } from '../../../../src/core/secrets/namedSecrets';
import { namesSecret } from '../../../../src/core/secrets/secretNames';
import { FakeKeys } from '../../../fixtures/fakeSecrets';
import { IS_LONG } from '../../../support/extent.mjs';

const KEY = new FakeKeys(21).random(32);
/** Of a hostile text. */
const CHARS = IS_LONG ? 1_000_000 : 300_000;

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
  'a column of CSV with lines of Windows': `api_token,owner\r\n${KEY},ops\r\n`,
  'a table of Markdown that ends with the text': `| name | token |\n|---|---|\n| prod | ${KEY} |`,
  'a table of Markdown with text below it': `| name | token |\n|---|---|\n| prod | ${KEY} |\nThat is all.\n`,
  'a Secret of Kubernetes without a sign at its end': `kind: Secret\ndata:\n  first: ${KEY}\n`,
  'a table of Markdown': `| api key | \`${KEY}\` |`,
  'a key that is named by its service': `mistral_key = "${KEY}"`,
  'a key of a service in words': `**Mailgun key:** ${KEY}`,
  'a generic type of TypeScript': `const vercelToken: Readonly<string> = '${KEY}';`,
  'a secure string of PowerShell': `ConvertTo-SecureString '${KEY}' -AsPlainText`,
  'a national string of SQL': `CREATE LOGIN app WITH PASSWORD = N'${KEY}';`,
  'a row that SQL inserts': `INSERT INTO apps (id, name, db_password) VALUES (3, 'it''s (one)', '${KEY}');`,
  'a table with semicolons': `name;owner;Db pass\nprod;ops;${KEY}\n`,
  'a quoted field beside a comma': `name,owner,api_token\n"prod, eu",ops,"${KEY}"\n`,
  'a concatenation': `const sessionSecret = "" +\n  "${KEY}";`,
  'the line below an assignment': `var elasticPassword =\n    "${KEY}";`,
  'what a shell prints': `$ echo $DB_PASSWORD\n${KEY}\n`,
  'a sentence with a place': `the encryption key for staging is ${KEY}`,
  'a setting of a server': `requirepass ${KEY}`,
  'a property of XML': `<name>app.auth.token</name>\n    <value>${KEY}</value>`,
  'a row that SQL sets': `INSERT INTO config SET\n  \`key\` = 'signing_key',\n  \`value\` = '${KEY}';`,
  'a variable of PL/SQL': `v_session_secret_key VARCHAR2(400) := '${KEY}';`,
  'bold text': `The current database password is **${KEY}** (rotated).`,
  'a field of a data class': `origin_ca_key: str = field(default="${KEY}")`,
  'what a prompt with a place prints': `root@gateway:/app# echo $COOKIE_SECRET\n${KEY}\n`,
  'a name with an environment at its end': `const appKeyProduction = process.env.APP_KEY || '${KEY}';`,
  'a lazy static of Rust': `static HMAC_SECRET: Lazy<String> = Lazy::new(|| String::from("${KEY}"));`,
  'a default of Rust': `std::env::var("AES_256_KEY").unwrap_or_else(|_| "${KEY}".to_owned())`,
  'a resource that names its secret': `  secret_name = "TUNNEL_TOKEN"\n  plaintext_value = "${KEY}"`,
  'a pair of CSV': `name,value\nvault_unseal_key,${KEY},ops`,
  'a message with a line of its own': `here is the access token:\n\n${KEY}\n\nplease keep it`,
  'an option behind others': `gh secret set API_SECRET --repo a/b --body ${KEY}`,
  'an id that is a secret': `config.vault_secret_id = '${KEY}'`,
  'a table of columns of Markdown': `| Service | API key |\n| --- | --- |\n| mail | ${KEY} |\n`,
  'a pair with the value first': `- value: "${KEY}"\n  name: STORAGE_ACCESS_KEY`,
  'a raw string of Rust': `static API_KEY: &'static str = r"${KEY}";`,
  'a string of Objective-C': `[client setSigningSecret:@"${KEY}"];`,
  'a string of Perl': `passphrase => q{${KEY}}`,
  CDATA: `<AesKey><![CDATA[${KEY}]]></AesKey>`,
  'a default of a schema': `MISTRAL_API_KEY: z.string().default('${KEY}'),`,
  'a sentence in Chinese': `接口 token 是 ${KEY}，请勿外传`,
  'an assignment that Chinese text follows': `API_KEY=${KEY}。`,
  'a wide colon': `API_KEY：${KEY}`,
  'a wide sign of equality': `api_key＝${KEY}`,
  'an arrow': `token → \`${KEY}\``,
  'wide quotation marks': `“app_secret”：“${KEY}”`,
  'a name in Chinese': `- 数据库密码：${KEY}；`,
  'a name in traditional Chinese': `資料庫密碼為「${KEY}」`,
  'a name with a place in brackets': `访问密钥（生产）：${KEY}`,
  'a name with a place in brackets of ASCII': `Password (prod): ${KEY}`,
  'a block below a name in Chinese': `令牌：\n\n\`\`\`\n${KEY}\n\`\`\`\n`,
  'a column in Chinese': `| 服务 | 密码 |\n|---|---|\n| redis | ${KEY} |\n`,
  'a column of CSV in Chinese': `服务,口令\nredis,${KEY}\n`,
  'a name in Japanese': `DBのパスワードは ${KEY} です。`,
  'a name in Korean': `비밀번호: ${KEY}`,
  'a name in Russian': `Пароль: ${KEY}`,
  'a name in Spanish': `contraseña: ${KEY}`,
  'a name in Portuguese': `senha=${KEY}`,
  'a name in French': `mot de passe : ${KEY}`,
  'a pair with the value first on one line': `{"value":"${KEY}","name":"API_KEY"}`,
  'a pair of value and key': `{ 'value': '${KEY}', 'key': 'client_secret' }`,
  'an attribute that HTML escapes': `&quot;api_key&quot;:&quot;${KEY}&quot;`,
  'a secret that a command gets': `> doppler secrets get WEBHOOK_SECRET --plain\n${KEY}\n`,
};

/** Passwords with signs that end a value elsewhere, as they are written. */
const PASSWORDS: Readonly<Record<string, readonly [string, string]>> = {
  'a string with angle brackets': ['password = "C+oFLP2G_^>@ohp<rI"', 'C+oFLP2G_^>@ohp<rI'],
  'a string with escapes': ['{"smtp_password": "DMU[-4bz\\"T\\\\o%wz"}', 'DMU[-4bz\\"T\\\\o%wz'],
  'JSON in JSON with escapes': ['"{\\"user_password\\": \\"59eWV\\\\\\"vnI1M\\"}"', '59eWV\\\\\\"vnI1M'],
  'a line with commas': ['DB_PASSWORD=v2QW,j85iT+aO3Np,QSf\nDEBUG=1', 'v2QW,j85iT+aO3Np,QSf'],
  'a dot between letters': ['"RedisPass": "sbVDxY9gv.GLrD9"', 'sbVDxY9gv.GLrD9'],
  'letters and digits alone': ['ingest.postgres.password: uyGeIi22tpLSDy', 'uyGeIi22tpLSDy'],
  'an element of XML with a semicolon': ['<password>zCfz6hWwHa#q;7I8NoiF</password>', 'zCfz6hWwHa#q;7I8NoiF'],
  'a line with brackets': ['wpa_passphrase=vhpzZ499]1YxdUf', 'vhpzZ499]1YxdUf'],
  'a field of CSV with a bracket': ['host,bind_password\n1,QwTkByp!e7d$xUr[DwZh\n', 'QwTkByp!e7d$xUr[DwZh'],
  'parts on two lines': ['token = "rjdJr6I0NP" \\\n  "c4b0iPQlbay="', 'rjdJr6I0NP" \\\n  "c4b0iPQlbay='],
  'words without a number': ['borg_passphrase: "jigsaw-canyon-umbra-gravel"', 'jigsaw-canyon-umbra-gravel'],
  'a connection string': ['"Host=db;Username=app;Password=04]1^mqigHB3"', '04]1^mqigHB3'],
  'a flag': ['mongodump -u admin --password gIMLtjyGHR9bNL --out /b', 'gIMLtjyGHR9bNL'],
  'letters of a mail account': [
    "EMAIL_HOST_PASSWORD = os.environ.get('EMAIL_HOST_PASSWORD', 'wqkdcjvzlfqdhpeg')",
    'wqkdcjvzlfqdhpeg',
  ],
  'what begins like a version': ["password: '24.12.1987Anna'", '24.12.1987Anna'],
  'what looks like a host': ['password: "Winter@10.20.30.40"', 'Winter@10.20.30.40'],
  'a sign and letters as in HTML': ['"Server=h;User=u;Password=Xk9#mQv2&7pL2;Encrypt=true"', 'Xk9#mQv2&7pL2'],
  'letters in fours': ["smtp_pass: 'wqkd cjvz lfqd hpeg'", 'wqkd cjvz lfqd hpeg'],
  'a line that Chinese text follows': ['- password: xK9#mQ2$vL7w，请勿外传。', 'xK9#mQ2$vL7w'],
  'an assignment with commas that Chinese text follows': ['DB_PASSWORD=v2QW,j85iT+aO3Np（测试）', 'v2QW,j85iT+aO3Np'],
  'a string that Chinese text ends': ['password: "xK9#mQ2$vL7w，仅内网"', 'xK9#mQ2$vL7w'],
  'words with dashes, and numbers between them': [
    "SECRET = 'harbor-secret-key-32-bytes-comet'",
    'harbor-secret-key-32-bytes-comet',
  ],
  'words between signs': ['password: Harbor-Lake7/Comet', 'Harbor-Lake7/Comet'],
  'a beginning like an argument': ["admin-password: 'r7=jPq**d35revie4Z'", 'r7=jPq**d35revie4Z'],
};

const HARMLESS: readonly string[] = [
  "password: 'mysecretpassword'",
  'password=confirmpasswords',
  'the password is this that with from',
  `nextPageToken=${KEY}`,
  `"csrf_token": "${KEY}"`,
  `password_hash = "${KEY}"`,
  `token_id: ${KEY}`,
  'secretKeyRef: my-app-secrets',
  `INSERT INTO files (name, etag) VALUES ('prod', '${KEY}');`,
  'kind: Secret\ndata:\n  first: configuration\n',
  'token: process.env.APIFY_API_KEY!',
  'const token = readToken(request)',
  'password: string;',
  'max_tokens=4096',
  'TokenBucket(capacity=60)',
  '`google_calendar_tokens`, `schema.ts:2581`',
  'lambda_token: OAuth2PasswordBearer',
  'check_env GITHUB_TOKEN || MISSING=1',
  'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"',
  'primary_key: AbCdEf123456GhIjKl789012mnOpQr34',
  `object_key = "${KEY}"`,
  'POST /auth HTTP/1.1',
  'workerToken = d1.JoinTokens(c).Worker',
  'const {secretKey:a2fESmtR,token:b}=c',
  `curl "https://a.test/v1?next_token=${KEY}"`,
  'SERVER_AUTH = []byte("1.3.6.1.5.5.7.3.1\\x00")',
  'tokenTTLHeader = "X-Aws-Ec2-Metadata-Token-Ttl-Seconds"',
  'var authMechanisms []*s2av2pb.AuthenticationMechanism',
  'author = "AbCdEf123456GhIjKl789012"',
  'h1:4EBh2KAYBwaONj6b2Ye1GiHfwjqyROoF4RwYO+vPwFk= \ngithub.com/spf13/pflag',
  'js-tokens: "npm:^4.0.0-beta12"',
  'addr[i] = l.token[i+1+dash]',
  'ErrorToken []byte `sshtype:"64"`',
  'oauth2/password, oauth2/application',
  'it is okay to pass IPv4-mapped6',
  'the flags to pass to secp256k1_context_create, if any',
  'h1:jifS7W9vbg+pw63bT+GI53otluMQL3CeemuyCHKwVx0=',
  'libcst/_parser/token.py,sha256=Sk-MU-_KyGgztvV20ofmE9UGq9dbUDkbEGT-QDVM05w,2212',
  'LoadED25519SignerVerifier(priv ed25519.PrivateKey) (*ED25519SignerVerifier',
  'PASSWORD_REQUIRED_V2 = "FlowSignUpPasswordRequiredResultV2"',
  '"next-auth": "^5.0.0-beta.25",',
  '"firebase-auth": "23.1.0-rc1"',
  'implementation "androidx.credentials:credentials:1.5.0-alpha05"',
  'github.com/gorilla/auth v0.0.0-20190308221718-c2843e01d9a2',
  'NEO4J_AUTH: neo4j/sentinel-dev',
  'Token: 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  "const AUTH_STORAGE_KEY = 'app:auth-v2.State1';",
  'encryption_key: AES-256-GCM/HKDF-SHA512',
  'token: JWT-RS256/2048bit',
  '"js-tokens": ["js-tokens@4.0.0"',
  '| token | `bg-gray-800/50` |',
  '密码：至少8位，必须包含Abc123!这类字符',
  '密码长度：MinLength-8/MaxLength-64',
  '输入服务器的 SSH 密码（root@192.168.1.200 的密码）',
  '分组密码（DES&#x2F;3DES&#x2F;AES）',
  `{"value":"${KEY}","name":"etag"}`,
  `desenha: ${KEY}`,
  `${'AB9c'.repeat(9)}PwD${'Qe5S'.repeat(9)}+${KEY}`,
];

function found(text: string): readonly string[] {
  return findNamedSecrets(text).map(({ start, end }) => text.slice(start, end));
}

describe('findNamedSecrets', () => {
  it.each(Object.keys(FORMS))('finds a value in %s', (form) => {
    expect(found(FORMS[form]!)).toEqual([KEY]);
  });

  it.each(Object.keys(PASSWORDS))('finds a password in %s', (form) => {
    const [text, password] = PASSWORDS[form]!;
    expect(found(text)).toEqual([password]);
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
    'insert into a(pw)values(',
    'password = "\\',
    'echo $password\n',
    '| token |\n|---|\n| a |\n',
    'token="a"\n',
    'value: "a1b2c3d4"\n name: ',
    '密码：',
    'token（',
    'password: "a1b2c3d4中',
    `"token": "${'AAAAA1.'.repeat(50)}!"`,
    'auth: 1.1.1-',
    'auth&quot;a1&',
  ])('comes to an end with a long text of %j', (unit) => {
    expect(Array.isArray(findNamedSecrets(unit.repeat(Math.ceil(CHARS / unit.length))))).toBe(true);
  });
});

describe('namesSecret', () => {
  it.each(['auth', 'x_auth', 'api_key', 'api key'])('%s is the name of a secret', (name) => {
    expect(namesSecret(name)).toBe(true);
  });

  it.each(['key', 'primary_key', 'sortKey', 'author', 'oauth', 'passport', 'keyboard', 'pinned'])(
    '%s is none',
    (name) => {
      expect(namesSecret(name)).toBe(false);
    },
  );
});
