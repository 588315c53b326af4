/**
 * A check for code hosts: SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html) and GitHub's
 * workflow commands (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 */
import { CHECK_RULE_IDS, CHECK_RULES } from '../config/checkRules';
import { CONFIG_PATH } from '../config/config';
import { hashText } from '../text/hash';
import { inEnglish } from '../text/phrase';
import type { CheckFinding, CheckReport } from './finding';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** Each rule has a heading of its name there. */
const RULES_PAGE = 'https://github.com/context-budget/context-budget/blob/HEAD/docs/check.md';
/** The name of a fingerprint says how it is made, so that another way gets another name. */
const FINGERPRINT = 'contextBudgetFinding/v1';

/** A path as the path of a URI, relative to the folder. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A host shows no result without a place, so the config stands for what no file is to blame for. */
function placeOf({ path = CONFIG_PATH, line = 1 }: CheckFinding): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(path), uriBaseId: '%SRCROOT%' },
      region: { startLine: line },
    },
  };
}

/**
 * What stays when a line moves: the rule, the path and the section. Of several findings that agree in these, the later
 * ones are numbered in their order.
 */
function fingerprints(findings: readonly CheckFinding[]): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, path = '', section = '' }) => {
    const key = [rule, path, section].join('\n');
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return hashText(count === 1 ? key : `${key}\n${count}`);
  });
}

/** The check as a SARIF log. @param version of the product */
export function renderSarif({ findings }: CheckReport, version: string): string {
  const rules = CHECK_RULE_IDS.map((id) => ({
    id,
    shortDescription: { text: inEnglish(CHECK_RULES[id].words) },
    helpUri: `${RULES_PAGE}#${id}`,
    defaultConfiguration: { level: CHECK_RULES[id].level },
  }));
  const prints = fingerprints(findings);
  const results = findings.map((finding, at) => ({
    ruleId: finding.rule,
    ruleIndex: CHECK_RULE_IDS.indexOf(finding.rule),
    level: finding.level,
    message: { text: finding.message },
    locations: [placeOf(finding)],
    partialFingerprints: { [FINGERPRINT]: prints[at] },
  }));
  const informationUri = 'https://github.com/context-budget/context-budget';
  const driver = { name: 'Context Budget', version, informationUri, rules };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The message of a workflow command. */
function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property of a workflow command. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The findings as annotations, one line each; nothing without findings. */
export function renderGithub({ findings }: CheckReport): string {
  return findings
    .map(({ rule, level, message, path, line }) => {
      const properties = [
        ...(path === undefined ? [] : [['file', path]]),
        ...(path === undefined || line === undefined ? [] : [['line', String(line)]]),
        ['title', rule],
      ].map(([name, value = '']) => `${name}=${escapeProperty(value)}`);
      return `::${COMMANDS[level]} ${properties.join(',')}::${escapeMessage(message)}\n`;
    })
    .join('');
}
