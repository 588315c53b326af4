/**
 * Names that say that their value is secret: with a word for one, as `db_password`, or a key's owner, as `mistralKey`, and
 * none of the words for what is no secret, as `token_count`.
 */

/** Words that name a secret; the last ones only as words of their own. */
export const WORD =
  /密[码碼钥鑰]|口令|令牌|秘钥|パスワード|(?:API|アクセス|シークレット)キー|비밀번호|пароль|contraseña|mot de passe|(?<![a-z])senha(?![a-z])|pass(?:word|wd|wort|phrase)|(?:store|key|bind|root|sudo)pass|(?:bind|root)pw|requirepass|masterauth|pwd|authtok|securestring|secret[_. -]key|secret|token|credential|identified by|(?:api|access|private|auth|encryption|signing|license|account|admin|master|server|client|app|application|shared|service|deploy|webhook|hmac|storage|blob|session|customer|unseal|recovery|global|origin[_. -]?ca|service[_. -]?role|aes[_. -]?(?:128|192|256)|integration|routing|function|subscription|rest|root)[_. -]?key|\bkey\b(?= is )|key|webhook|bearer|auth|pass|psk|pw|sas/gi;
const OWN_WORD = /^(?:auth|pass|psk|pw|sas)$/i;

/** What a key is for, where its name says it: services that give keys, frameworks and ciphers. Other keys are no secrets. */
const KEY_OWNERS = new Set(
  `abuseipdb aes ai airtable algolia alchemy amplitude anthropic asana assemblyai auth0 aws azure binance bitbucket censys
  cipher circleci clerk cloudflare cohere coinbase contentful crypto datadog deepgram deepseek digitalocean discord django
  docker elevenlabs etherscan fastly fernet figma firebase flask gemini giphy github gitlab google grafana groq heroku
  hetzner hmac honeycomb huggingface infura intercom ipinfo jira jwt langchain langsmith laravel launchdarkly linear linode
  mailchimp mailgun maps mapbox mistral mixpanel moralis netlify newrelic newsapi notion okta openai opsgenie openrouter
  pagerduty paypal perplexity pinecone plaid postmark qdrant rails replicate resend s3 segment sendgrid sentry shodan
  shopify sparkpost square stripe supabase telegram tmdb together twilio vercel virustotal voyage vultr weather weaviate
  xai`.split(/\s+/),
);
const KEY_OWNER = /([A-Z]?[a-z\d]+|[A-Z\d]+)[_. -]?$/;

/** Characters of a name around its word. */
const NAME_UNIT = /[\w.$-]/;
const MAX_NAME = 64;

/** Names of what is no secret, or only says where, which or how long one is. */
const OTHER_NAME =
  /page(?!r|_?access)|next[_-]?token|cursor|continu|csrf|xsrf|public|(?:sync|resume)[_-]?token|tokeni[sz]|tokens?_?(?:type|count|limit|budget|len|usage)|max_?tokens|(?:prompt|completion|input|output|design|special|stop|eos|bos|pad|unk|mask|sep|cls|num|total)_?-?tokens?|hash|digest|checksum|integrity|sha\d|fingerprint/i;
const OTHER_ENDS =
  'id|ids|name|names|ref|path|file|dir|url|uri|endpoint|type|types|kind|count|limit|length|len|size|field|label|placeholder|hint|index|prefix|suffix|pattern|regex|version|arn|class|provider|expir\\w*|ttl|algorithm|alg|scope|scopes|status|policy|length|error|address|addr|mint|symbol|contract|message|title|description|manager|store|source|format|header|env|var|mode|enabled|required|rotation|age|at|on|by|count|prompt|input';
/** As a part of its own, in any case, or with a capital behind a small letter; the commonest also without one. */
const OTHER_END = new RegExp(`[_.-](?:${OTHER_ENDS})$`, 'i');
const OTHER_CAMEL_END = new RegExp(`(?<=[a-z])(?=[A-Z])(?:${OTHER_ENDS})$`, 'i');
const OTHER_PLAIN_END = /(?:token|secret|password|key)(?:ids?|names?|types?|urls?|path|file|length)$/;

/** A stretch of base64, in which such a word stands by chance. */
const DATA = /^(?=.*\d)[A-Za-z\d]{30,}$/;

/** A name that ends at `end` of its text. */
interface Name {
  readonly text: string;
  readonly end: number;
}

/** The whole name around a word. */
export function nameAt(text: string, start: number, wordEnd: number): Name {
  let from = start;
  while (from > 0 && start - from < MAX_NAME && NAME_UNIT.test(text.charAt(from - 1))) from--;
  let end = wordEnd;
  while (end < text.length && end - wordEnd < MAX_NAME && NAME_UNIT.test(text.charAt(end))) end++;
  return { text: text.slice(from, end), end };
}

/** The secret of a role of Vault is called its id. */
const ROLE_SECRET = /(?:role|vault)_?-?secret_?-?id$/i;

/** Whether a capital begins the ending: the pattern's flag lets it match anywhere else. */
function isCamelEnd(name: string): boolean {
  const at = name.search(OTHER_CAMEL_END);
  return at > 0 && /^[a-z][A-Z]/.test(name.slice(at - 1));
}

/** Whether no part of a name says that it is none of a secret. */
export function isSecretName(name: string): boolean {
  if (ROLE_SECRET.test(name)) return true;
  return (
    !DATA.test(name) &&
    !OTHER_NAME.test(name) &&
    !OTHER_END.test(name) &&
    !OTHER_PLAIN_END.test(name) &&
    !isCamelEnd(name)
  );
}

/** Whether a short word stands alone: `auth`, `dockerAuth`, `DOCKER_AUTH`, not `oauth`, `author`. */
function isOwnWord(text: string, index: number, word: string): boolean {
  const [before, after] = [text.charAt(index - 1), text.charAt(index + word.length)];
  const isCapital = /^[A-Z]/.test(word);
  const begins = !/[A-Za-z]/.test(before) || (isCapital && /[a-z]/.test(before));
  return (
    begins &&
    !(/^(?:pw|sas)$/i.test(word) ? /[A-Za-z]/ : /[a-z]/).test(after) &&
    !(/[A-Z]$/.test(word) && /[A-Z]/.test(after))
  );
}

/** Whether a word at `index` names a secret: a short one stands alone, a key has an owner. */
export function isSecretWord(text: string, index: number, word: string): boolean {
  if (/^key$/i.test(word) && !/^ is /.test(text.slice(index + 3, index + 7))) {
    const owner = KEY_OWNER.exec(text.slice(Math.max(0, index - 24), index))?.[1];
    return owner !== undefined && KEY_OWNERS.has(owner.toLowerCase()) && !/[a-z]/.test(text.charAt(index + 3));
  }
  return !OWN_WORD.test(word) || isOwnWord(text, index, word);
}

/** Whether a name as a whole is that of a secret. */
export function namesSecret(name: string): boolean {
  return isSecretName(name) && [...name.matchAll(WORD)].some(({ 0: word, index }) => isSecretWord(name, index, word));
}
