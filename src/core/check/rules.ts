/**
 * The rules of `check`: what each one finds in a measured context. Levels, suppression and the exit code are decided in
 * `check.ts`; the table of rules with their defaults is `config/checkRules.ts`.
 */
import type { AgentCoverage } from '../agents/agentCoverage';
import { cutNotices } from '../agents/cutNotices';
import type { FileNotice } from '../agents/stale/stalePaths';
import type { CheckRule } from '../config/checkRules';
import { CONFIG_PATH, type Config } from '../config/config';
import { type KeyPath, lineOfValue } from '../config/configTree';
import type { AgentId } from '../model/agent';
import type { Problem } from '../model/problem';
import type { ContextReport, PayloadReport, ReportSection, SecretFinding } from '../model/report';
import type { RelayStatus } from '../relay/relayWatch';
import { formatCount, plural } from '../text/numbers';
import { inEnglish } from '../text/phrase';
import type { ListedRow } from '../window/loaded/listedFiles';
import { type AgentLoad, kindsOf } from './agentLoad';
import type { CheckFinding, Comparison, FindingLevel, MaxIncrease } from './finding';

/** What one agent lists of the folder's skills, subagents and commands. */
export interface AgentList {
  readonly agent: AgentId;
  readonly name: string;
  readonly rows: readonly ListedRow[];
}

/** Everything that rules look at. Plain data. */
export interface CheckInput {
  readonly config: Config;
  /** Text of the config file; undefined without one. */
  readonly configText: string | undefined;
  readonly report: ContextReport;
  readonly problems: readonly Problem[];
  /** Agents whose cuts are findings. */
  readonly agents: readonly AgentCoverage[];
  /** Of the same agents. */
  readonly lists: readonly AgentList[];
  /** What agents with a limit load. */
  readonly loads: readonly AgentLoad[];
  readonly notices: readonly FileNotice[];
  readonly relay: RelayStatus | undefined;
  readonly comparison: Comparison | undefined;
  readonly maxIncrease: MaxIncrease | undefined;
}

/** A finding before its level: `atMost` caps the level of its rule. */
export interface Found extends Omit<CheckFinding, 'rule' | 'level'> {
  readonly atMost?: FindingLevel;
}

type Place = Pick<Found, 'path' | 'line'>;

/** The line of the config that a finding comes from. */
function inConfig({ configText }: CheckInput, keys: KeyPath): Place {
  const line = configText === undefined ? undefined : lineOfValue(configText, keys);
  return line === undefined ? {} : { path: CONFIG_PATH, line };
}

/** The section's file; none where the section is made of several, or of none. */
function placeOf({ path, source }: ReportSection): Place {
  if (source.kind === 'file') return { path: source.path };
  return path === undefined ? {} : { path };
}

/** Where the config defines a section; its file where that was found. */
function definitionOf(input: CheckInput, section: ReportSection): Place {
  const at = input.config.sections.findIndex(({ id }) => id === section.id);
  return at < 0 ? placeOf(section) : inConfig(input, ['sections', at]);
}

/**
 * What a limit is compared with: the section as the payload shows it. A file that the budget cuts counts whole, so that
 * no file meets its limit by growing until it is cut.
 */
export function limitedTokens({ source, isCut, isLeftOut, tokens, tokensFull }: ReportSection): number {
  const isCutFile = source.kind === 'file' && (isCut === true || isLeftOut);
  return isCutFile ? Math.max(tokens, tokensFull) : tokens;
}

/** `1,810 of 1,500 tokens`. */
function ofLimit(tokens: number, limit: number): string {
  return `${formatCount(tokens)} of ${formatCount(limit)} tokens`;
}

function overCap(input: CheckInput): readonly Found[] {
  const { budget, sections } = input.report.payloads.expanded;
  const { tokens, budgetTokens, chars, hardCapChars } = budget;
  if (budget.status !== 'ALERT') return [];
  const kept = sections.filter(({ priority }) => priority === 'P0' || priority === 'P1');
  const largest = [...kept].sort((a, b) => b.tokens - a.tokens)[0];
  const over =
    tokens > budgetTokens
      ? ofLimit(tokens, budgetTokens)
      : `${formatCount(chars)} of ${formatCount(hardCapChars)} characters`;
  const hint = largest ? `; the largest section is ${largest.id} (${plural(largest.tokens, 'token')})` : '';
  return [
    {
      message: `the payload of profile ${input.report.profile} has ${over}${hint}`,
      ...(largest ? { section: largest.id, ...placeOf(largest) } : {}),
      ...(tokens > budgetTokens ? { tokens, limit: budgetTokens } : {}),
    },
  ];
}

function totalLimit(input: CheckInput): readonly Found[] {
  const { tokens } = input.report.payloads.expanded.budget;
  const { total: limit } = input.config.check.limits;
  if (limit === undefined || tokens <= limit) return [];
  const place = inConfig(input, ['check', 'limits', 'total']);
  return [{ message: `the payload has ${ofLimit(tokens, limit)}`, ...place, tokens, limit }];
}

function sectionLimits(input: CheckInput): readonly Found[] {
  const { section: limits } = input.config.check.limits;
  return input.report.payloads.expanded.sections.flatMap((section): Found[] => {
    const { id } = section;
    const limit = Object.hasOwn(limits, id) ? limits[id] : undefined;
    const tokens = limitedTokens(section);
    if (limit === undefined || tokens <= limit) return [];
    const place = section.path === undefined ? inConfig(input, ['check', 'limits', 'section', id]) : placeOf(section);
    return [
      {
        message: `${id} has ${ofLimit(tokens, limit)}`,
        ...place,
        section: id,
        tokens,
        limit,
      },
    ];
  });
}

function agentLimits({ loads, config }: CheckInput): readonly Found[] {
  return loads.flatMap((load): Found[] => {
    const { agent, name, tokens, largestPath } = load;
    const limit = config.check.limits.agent[agent];
    if (limit === undefined || tokens <= limit) return [];
    const path = largestPath === undefined ? {} : { path: largestPath };
    const message = `${name} loads ${ofLimit(tokens, limit)} before the first word: ${kindsOf(load)}`;
    return [{ message, ...path, agent, tokens, limit }];
  });
}

/** What agents do not say of a skill, or of a command that stands in the same list. */
function skillCuts({ lists }: CheckInput): readonly Found[] {
  return lists.flatMap(({ agent, name, rows }) =>
    rows
      .filter(({ kind, fate }) => kind !== 'subagents' && (fate === 'cut' || fate === 'dropped'))
      .map(
        ({ id, source: path, line, fate, reason, certain }): Found => ({
          message: `${name} ${fate === 'cut' ? 'cuts the description of' : 'does not list'} ${id}: ${reason}`,
          ...{ path, agent, ...(line === null ? {} : { line }), ...(certain ? {} : { atMost: 'note' }) },
        }),
      ),
  );
}

/** Tokens that the total may grow by. */
function allowedIncrease({ amount, unit }: MaxIncrease, before: number): number {
  return unit === 'tokens' ? amount : (before * amount) / 100;
}

function increase({ comparison, maxIncrease, report }: CheckInput): readonly Found[] {
  if (!comparison || !maxIncrease) return [];
  const { before, now, ref } = comparison;
  const grown = now.tokens - before.tokens;
  if (grown <= allowedIncrease(maxIncrease, before.tokens)) return [];
  const had = new Map(before.sections.map(({ id, tokens }) => [id, tokens]));
  const growth = now.sections.map(({ id, tokens }) => ({ id, by: tokens - (had.get(id) ?? 0) }));
  const [most] = growth.sort((a, b) => b.by - a.by);
  const allowed = maxIncrease.unit === 'percent' ? `${maxIncrease.amount}%` : formatCount(maxIncrease.amount);
  const path = report.payloads.expanded.sections.find(({ id }) => id === most?.id)?.path;
  return [
    {
      message:
        `the payload grew by ${plural(grown, 'token')} since ${ref}, ${allowed} allowed` +
        (most ? `; ${most.id} grew most (+${formatCount(most.by)})` : ''),
      ...(most ? { section: most.id } : {}),
      ...(path === undefined ? {} : { path }),
      tokens: now.tokens,
      limit: Math.floor(before.tokens + allowedIncrease(maxIncrease, before.tokens)),
    },
  ];
}

function ofNotice({ path, line, message, isMinor }: FileNotice): Found {
  return { message: inEnglish(message).replace(/\.$/, ''), path, line, ...(isMinor ? { atMost: 'note' } : {}) };
}

/** Paths that instruction files name and a commit deleted or renamed: the editor's own notices. */
function stalePaths({ notices }: CheckInput): readonly Found[] {
  return notices.filter(({ kind }) => kind === 'stalePath').map(ofNotice);
}

/** Where a secret stands: in a file, in the log of an observation, else in a section alone. */
function placeOfSecret(
  { sectionId: section, path, line, label }: SecretFinding,
  { sections, observations = [] }: PayloadReport,
  log: string,
): Found {
  if (path !== undefined) return { message: `${label} in ${path}`, path, line, section };
  const source = sections.find(({ id }) => id === section)?.source;
  const isRow = source?.kind === 'builtin' && source.builtin === 'observations';
  const row = isRow ? observations[line - 1] : undefined;
  if (!row) return { message: `${label} in ${section}`, section };
  return { message: `${label} in observation ${row.id}`, path: log, section, observation: row.id };
}

function secrets({ report, config }: CheckInput): readonly Found[] {
  const places = [report.payloads.expanded, report.payloads.index].flatMap((payload) =>
    payload.secrets.map((each) => placeOfSecret(each, payload, config.observations.path)),
  );
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function configProblems(input: CheckInput): readonly Found[] {
  return input.problems
    .filter(({ kind }) => kind === 'config')
    .map(({ message, severity, path, line }): Found => {
      const place = path === undefined ? {} : { path, ...(line === undefined ? {} : { line }) };
      // The place is said beside the message.
      const words = message.replace(`${path}, line ${line}: `, '');
      return { message: words, ...place, ...(severity === 'error' ? {} : { atMost: 'warning' }) };
    });
}

function relayEssentials({ relay, config }: CheckInput): readonly Found[] {
  if (!relay || relay.path !== config.relay.path) return [];
  const { path } = relay;
  if (relay.kind === 'failed')
    return [{ message: `the relay log could not be read: ${inEnglish(relay.message)}`, path }];
  return relay.view.essentials
    .filter(({ source }) => source === 'missing')
    .map(({ key }) => ({ message: `the relay log and the ledger lack ${key}`, path }));
}

function unmeasured(input: CheckInput): readonly Found[] {
  const { sections } = input.report.payloads.expanded;
  const unread = sections.filter(
    ({ isExcluded, isUnread, isNotScanned, isPending }) => !isExcluded && (isUnread || isNotScanned || isPending),
  );
  return [
    ...unread.map((section): Found => {
      const { id, reason, isPending } = section;
      const why = isPending ? 'it is still being counted' : reason;
      return { message: `${id} was not measured: ${why}`, ...definitionOf(input, section), section: id };
    }),
    ...input.problems
      .filter(({ kind, severity }) => kind === 'index' && severity === 'error')
      .map(({ message, path }): Found => ({ message, ...(path === undefined ? {} : { path }) })),
    ...input.loads.flatMap(({ agent, unmeasured: lacks }) =>
      lacks.map(({ message, path, line }): Found => ({ message, path, ...(line === null ? {} : { line }), agent })),
    ),
  ];
}

/** Where each rule's findings come from. */
export const RULE_SOURCES: Readonly<Record<CheckRule, (input: CheckInput) => readonly Found[]>> = {
  config: configProblems,
  unmeasured,
  'over-cap': overCap,
  'total-limit': totalLimit,
  'section-limit': sectionLimits,
  'agent-limit': agentLimits,
  increase,
  'agent-cut': ({ agents }) => cutNotices(agents).map(ofNotice),
  'skill-cut': skillCuts,
  'stale-path': stalePaths,
  secret: secrets,
  'relay-essential': relayEssentials,
};
