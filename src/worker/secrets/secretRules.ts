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
import { isRealPassword } from '../../core/secrets/secretLooks';

/** Any rule of Secretlint: all are made and run alike, whatever their options are called. */
export type RuleCreator = typeof anthropic;

/** One rule. */
export interface SecretRule {
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

export const SECRET_RULES: readonly SecretRule[] = [
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
