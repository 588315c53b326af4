/**
 * Which rules of Secretlint are used, and what its findings are called here. A rule is one npm package with its patterns
 * and allow-lists; its runner is not used, since it keeps a profile of every run for as long as the process lives.
 */
import { creator as onePassword } from '@secretlint/secretlint-rule-1password';
import { creator as anthropic } from '@secretlint/secretlint-rule-anthropic';
import { creator as aws } from '@secretlint/secretlint-rule-aws';
import { creator as basicAuth } from '@secretlint/secretlint-rule-basicauth';
import { creator as database } from '@secretlint/secretlint-rule-database-connection-string';
import { creator as docker } from '@secretlint/secretlint-rule-docker';
import { creator as figma } from '@secretlint/secretlint-rule-figma';
import { creator as github } from '@secretlint/secretlint-rule-github';
import { creator as gitlab } from '@secretlint/secretlint-rule-gitlab';
import { creator as grafana } from '@secretlint/secretlint-rule-grafana';
import { creator as linear } from '@secretlint/secretlint-rule-linear';
import { creator as npm } from '@secretlint/secretlint-rule-npm';
import { creator as openai } from '@secretlint/secretlint-rule-openai';
import { creator as privateKey } from '@secretlint/secretlint-rule-privatekey';
import { creator as sendgrid } from '@secretlint/secretlint-rule-sendgrid';
import { creator as slack } from '@secretlint/secretlint-rule-slack';
import { unescapedTexts } from '../../core/secrets/escapedText';
import { findNamedSecrets } from '../../core/secrets/namedSecrets';
import { findPrivateKeys } from '../../core/secrets/privateKeys';
import { findSecretLooks, isPlaceholder, isRealPassword } from '../../core/secrets/secretLooks';
import type { SecretMatch, SecretScanner } from '../../core/secrets/secretScanner';

/** Any rule of Secretlint: all are made and run alike, whatever their options are called. */
type RuleCreator = typeof anthropic;

/** One rule. */
interface SecretRule {
  readonly creator: RuleCreator;
  readonly options?: Readonly<Record<string, boolean>>;
  /** What a finding is called here. */
  readonly label: string;
  /** Other names by the rule's message; `null` for what is no secret. */
  readonly labels?: Readonly<Record<string, string | null>>;
  /** The secret in what the rule reports, where that is more: its group `secret`. */
  readonly part?: RegExp;
  /** Tells secrets from what only stands for one; by default from placeholders. */
  readonly isReal?: (secret: string) => boolean;
}

/** The password of a URL: host and user say which database it is, and stay. */
const URL_PASSWORD = /:\/\/[^\s:/@]*:(?<secret>[^\s/@]+)@/;

const SECRET_RULES: readonly SecretRule[] = [
  {
    creator: aws,
    options: { enableIDScanRule: true },
    label: 'AWS access key',
    // An account's number is public.
    labels: { AWSSecretAccessKey: 'AWS secret key', AWSAccountID: null },
  },
  { creator: github, label: 'GitHub token' },
  { creator: gitlab, label: 'GitLab token' },
  { creator: slack, label: 'Slack token', labels: { IncomingWebhook: 'Slack webhook' } },
  { creator: openai, label: 'OpenAI key' },
  { creator: anthropic, label: 'Anthropic key' },
  { creator: npm, label: 'npm token', part: /^["']?(?<secret>[^\s"',;]{8,400})/ },
  { creator: privateKey, label: 'private key', isReal: () => true },
  { creator: basicAuth, label: 'password in a URL', part: URL_PASSWORD, isReal: isRealPassword },
  { creator: database, label: 'database password', part: URL_PASSWORD, isReal: isRealPassword },
  { creator: sendgrid, label: 'SendGrid key' },
  { creator: onePassword, label: '1Password token' },
  { creator: docker, label: 'Docker token' },
  { creator: figma, label: 'Figma token' },
  { creator: grafana, label: 'Grafana token' },
  { creator: linear, label: 'Linear key' },
];

type RuleContext = Parameters<SecretRule['creator']['create']>[0];
type RuleReport = Parameters<RuleContext['report']>[0];
type RuleSource = Parameters<NonNullable<ReturnType<SecretRule['creator']['create']>['file']>>[0];

/** A source that is no file: rules that look at names of files take it for any. */
function sourceOf(content: string): RuleSource {
  const unknownPlace = (): never => {
    throw new Error('A text that is scanned has no places.');
  };
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: unknownPlace,
    rangeToLocation: unknownPlace,
    positionToIndex: unknownPlace,
    indexToPosition: unknownPlace,
  };
}

/** What a rule says that it found: its message's only value. Its range may be off by what stands before the value. */
function reported({ message, range }: RuleReport, content: string): { readonly value: string; readonly start: number } {
  const data: unknown = message.data;
  const [value] = typeof data === 'object' && data !== null ? Object.values(data) : [];
  const start = typeof value === 'string' && value !== '' ? content.indexOf(value, range[0]) : -1;
  return start < 0 || typeof value !== 'string'
    ? { value: content.slice(range[0], range[1]), start: range[0] }
    : { value, start };
}

function toMatch(rule: SecretRule, report: RuleReport, content: string): SecretMatch | undefined {
  const label = rule.labels?.[report.message.messageId] ?? rule.label;
  if (rule.labels?.[report.message.messageId] === null) return undefined;
  const { value, start } = reported(report, content);
  const secret = rule.part ? rule.part.exec(value)?.groups?.secret : value;
  const isReal = rule.isReal ?? ((text: string) => !isPlaceholder(text));
  if (secret === undefined || !isReal(secret)) return undefined;
  const at = start + value.lastIndexOf(secret);
  return { start: at, end: at + secret.length, label };
}

async function runRule(rule: SecretRule, source: RuleSource): Promise<readonly SecretMatch[]> {
  const found: SecretMatch[] = [];
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId, props) => ({ message: '', messageId: String(messageId), data: props }),
    report: (report) => {
      const match = toMatch(rule, report, source.content);
      if (match) found.push(match);
    },
    ignore: () => undefined,
  };
  await rule.creator.create(context, rule.options ?? {}).file?.(source);
  return found;
}

/** In order, without overlaps: of what overlaps the first wins, then the longest, and takes in what reaches further. */
function inOrder(matches: readonly SecretMatch[]): readonly SecretMatch[] {
  const result: SecretMatch[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (!last || match.start >= last.end) result.push(match);
    else if (match.end > last.end) result[result.length - 1] = { ...last, end: match.end };
  }
  return result;
}

/** The build writes the hash in its place: there is no `process` in a browser. */
declare const process: { readonly env: { readonly SECRET_RULES?: string } };

/** No rule finds anything in less. */
const SHORTEST_SECRET = 8;

async function findSecrets(text: string): Promise<readonly SecretMatch[]> {
  const source = sourceOf(text);
  const byRules = await Promise.all(SECRET_RULES.map((rule) => runRule(rule, source)));
  return [...byRules.flat(), ...findSecretLooks(text), ...findNamedSecrets(text)];
}

async function scanText(text: string): Promise<readonly SecretMatch[]> {
  if (text.length < SHORTEST_SECRET) return [];
  const found = [await findSecrets(text), findPrivateKeys(text)];
  for (const { text: plain, toSource } of unescapedTexts(text))
    found.push((await findSecrets(plain)).flatMap((match) => toSource(match) ?? []));
  // The library's names are the better ones: sorting keeps their order where two begin together.
  return inOrder(found.flat());
}

/**
 * Secretlint's rules, with the looks of the core that they lack. No single text may hang it: every rule and look bounds
 * its repetitions, so all are linear. 1 MB of text made for one rule takes 0.3 s, at most 0.6 s (measured over 37 such
 * texts), but 3.4 s of starts of 1Password tokens, each of which is read on for 1,280 characters. Lines with escapes are
 * scanned again without them, at most three times for each kind of escape. Time for many texts is limited by `Masking`.
 */
export const librarySecretScanner: SecretScanner = {
  // Set by the build: a hash of this file with all that it imports.
  ...(process.env.SECRET_RULES ? { rules: process.env.SECRET_RULES } : {}),
  async scan(texts) {
    const results: (readonly SecretMatch[])[] = [];
    for (const text of texts) results.push(await scanText(text));
    return results;
  },
};
