/**
 * `check` (DESIGN §5.6): whether a context keeps to its limits. Applies the rules to what was measured, gives findings
 * their levels, takes out those that comments silence, and says whether the check passes. Measures and reads nothing.
 */
import { silencedRules } from '../agents/stale/pathMentions';
import { CHECK_RULE_IDS } from '../config/checkRules';
import { isRecord, parseJson } from '../text/jsonRecord';
import type { CheckedSection, CheckFinding, CheckReport, CheckResult, Comparison, FindingLevel } from './finding';
import { type CheckInput, type Found, RULE_SOURCES } from './rules';

const LEVELS: readonly FindingLevel[] = ['error', 'warning', 'note'];

function milder(level: FindingLevel, atMost: FindingLevel = 'error'): FindingLevel {
  return LEVELS[Math.max(LEVELS.indexOf(level), LEVELS.indexOf(atMost))] ?? level;
}

/** What the rules find, at their levels; rules that are off find nothing. */
export function findingsOf(input: CheckInput): readonly CheckFinding[] {
  return CHECK_RULE_IDS.flatMap((rule) => {
    const level = input.config.check.rules[rule];
    if (level === 'off') return [];
    return RULE_SOURCES[rule](input).map(
      ({ atMost, ...rest }: Found): CheckFinding => ({ rule, level: milder(level, atMost), ...rest }),
    );
  });
}

/** 1-based line of the first line that is not frontmatter: where a finding about a whole file stands. */
function firstLine(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 1;
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  return end < 0 || end + 1 >= lines.length ? 1 : end + 2;
}

/** The line of an observation in its log, 1-based; undefined where it has none. */
function observationLine(lines: readonly string[], id: number): number | undefined {
  const at = lines.findIndex((line) => {
    const record = line.includes(String(id)) ? parseJson(line) : undefined;
    return isRecord(record) && record.id === id;
  });
  return at < 0 ? undefined : at + 1;
}

function lineOf({ line, observation }: CheckFinding, lines: readonly string[]): number | undefined {
  if (observation !== undefined) return observationLine(lines, observation);
  return line ?? firstLine(lines);
}

/** Findings with their lines, without those that a comment on the line, or on the one before, silences. */
export function suppress(
  findings: readonly CheckFinding[],
  textOf: (path: string) => string | undefined,
): { readonly findings: readonly CheckFinding[]; readonly suppressed: number } {
  const files = new Map<string, readonly string[]>();
  const linesOf = (path: string): readonly string[] => {
    const lines = files.get(path) ?? textOf(path)?.split(/\r\n?|\n/) ?? [];
    files.set(path, lines);
    return lines;
  };
  const kept = findings.flatMap((finding): CheckFinding[] => {
    const { path, rule } = finding;
    if (path === undefined) return [finding];
    const lines = linesOf(path);
    const line = lineOf(finding, lines);
    if (line === undefined) return [finding];
    const isSilenced = [line, line - 1].some((at) => silencedRules(lines[at - 1] ?? '').has(rule));
    return isSilenced ? [] : [{ ...finding, line }];
  });
  return { findings: kept, suppressed: findings.length - kept.length };
}

/** `unmeasured` is no error: it has a result of its own, whatever its level. */
function resultOf(findings: readonly CheckFinding[]): CheckResult {
  if (findings.some(({ rule, level }) => rule !== 'unmeasured' && level === 'error')) return 'fail';
  return findings.some(({ rule }) => rule === 'unmeasured') ? 'unmeasured' : 'pass';
}

function changeOf(comparison: Comparison | undefined, id: string): Pick<CheckedSection, 'change'> {
  const tokensIn = (side: 'before' | 'now') => comparison?.[side].sections.find((section) => section.id === id)?.tokens;
  const [before, now] = [tokensIn('before'), tokensIn('now')];
  return before === undefined && now === undefined ? {} : { change: { before: before ?? 0, now: now ?? 0 } };
}

/** Sections of the payload, then those that only the baseline had. */
function checkedSections({ report, config, comparison }: CheckInput): readonly CheckedSection[] {
  const { sections } = report.payloads.expanded;
  const { section: limits } = config.check.limits;
  const gone = (comparison?.before.sections ?? []).filter(({ id }) => !sections.some((section) => section.id === id));
  const all = [...sections, ...gone.map(({ id }) => ({ id, tokens: 0, tokensFull: 0 }))];
  return all.map(({ id, tokens, tokensFull }) => ({
    id,
    tokens,
    tokensFull,
    limit: Object.hasOwn(limits, id) ? limits[id] : undefined,
    ...changeOf(comparison, id),
  }));
}

/** The report of a check. `textOf` gives the text of each file that `findingsOf` names. */
export function checkContext(input: CheckInput, textOf: (path: string) => string | undefined): CheckReport {
  const { findings, suppressed } = suppress(findingsOf(input), textOf);
  const { budget, overheadTokens } = input.report.payloads.expanded;
  return {
    result: resultOf(findings),
    profile: input.report.profile,
    tokens: budget.tokens,
    chars: budget.chars,
    notesTokens: overheadTokens,
    totalLimit: input.config.check.limits.total,
    comparison: input.comparison,
    sections: checkedSections(input),
    findings,
    suppressed,
  };
}
