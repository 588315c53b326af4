/**
 * The folder's config: reads `.context-budget/config.json` into a typed, fully defaulted `Config`, or says what is
 * wrong with it, by key and line. `pipeline/collect/givenSections.ts` merges its sections with those that are found.
 */

import type { AgentId } from '../model/agent';
import type { Problem } from '../model/problem';
import { makeProblem } from '../model/problem';
import type { Profile } from '../model/profile';
import type { ScoringConfig } from '../model/relevance';
import type { Priority, SectionDefinition, SectionSource } from '../model/section';
import { phrase } from '../text/phrase';
import { normalizePath } from '../text/safePath';
import { lineAt } from '../text/sentence';
import { type CheckConfig, DEFAULT_CHECK } from './checkRules';
import { findKeyProblems, parseConfigTree, type TreeFinding } from './configTree';
import { BUILTIN_PROFILES, DEFAULT_PROFILE, DEFAULTS, RELAY_DEFAULTS } from './profile';
import { readRight } from './readRight';
import { type ConfigFile, configSchema } from './schema';

/** Where the config lies in the workspace folder. */
export const CONFIG_PATH = '.context-budget/config.json';

/** A section as the config names it; the priority may be left to what the section is. */
export interface ConfiguredSection extends Omit<SectionDefinition, 'priority' | 'isDiscovered'> {
  readonly priority: Priority | undefined;
}

/** The whole config with every default filled in. Plain data. */
export interface Config {
  /** Always the name of one of `profiles`. */
  readonly defaultProfile: string;
  /** The built-in ones, each as the file has it if it names it, then the file's others in its order. */
  readonly profiles: readonly Profile[];
  readonly sections: readonly ConfiguredSection[];
  /** Ids of sections, found or configured, that are pinned, excluded or on demand. */
  readonly pinned: readonly string[];
  readonly excluded: readonly string[];
  readonly onDemand: readonly string[];
  /** Agents that the folder's people use; empty: those with files of their own in the folder. */
  readonly agents: readonly AgentId[];
  readonly scoring: ScoringConfig;
  /** `sources` are globs. */
  readonly observations: { readonly path: string; readonly sources: readonly string[] };
  /** Paths of the relay log and the ledger; a log of more tokens is due for compaction. */
  readonly relay: { readonly path: string; readonly ledger: string; readonly maxTokens: number };
  readonly usageLog: string;
  /** Globs; `include` empty means every file. */
  readonly repoMap: {
    readonly include: readonly string[];
    readonly exclude: readonly string[];
    readonly maxFileBytes: number;
  };
  readonly check: CheckConfig;
  /** What hooks tell an agent when its session starts. */
  readonly sessionStart: {
    readonly changes: boolean;
    /** 0 for none. */
    readonly orientationTokens: number;
    readonly alarms: boolean;
    readonly instructions: boolean;
    /** The whole index payload besides. */
    readonly index: boolean;
  };
}

/** What is in force without a config file. */
export const DEFAULT_CONFIG: Config = {
  defaultProfile: DEFAULT_PROFILE.name,
  profiles: BUILTIN_PROFILES,
  sections: [],
  pinned: [],
  excluded: [],
  onDemand: [],
  agents: [],
  scoring: DEFAULTS.scoring,
  observations: DEFAULTS.observations,
  relay: RELAY_DEFAULTS,
  usageLog: DEFAULTS.usageLog,
  repoMap: { include: [], exclude: [], maxFileBytes: DEFAULTS.maxFileBytes },
  check: DEFAULT_CHECK,
  sessionStart: { changes: true, orientationTokens: 300, alarms: true, instructions: true, index: false },
};

/** What `parseConfig` found. `config` is undefined where nothing of the file can be used. */
interface ConfigOutcome {
  readonly config: Config | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Reads the text of a config file: JSON with comments and trailing commas. Unknown keys warn; what else is wrong is an
 * error that names line, key, expectation and value, and costs itself alone: one item of a list, else the value, which
 * falls back to its default; of a section's id or source the whole section. Only bad JSON and another version leave
 * nothing to use. An empty file is the default config. Never throws.
 */
export function parseConfig(text: string): ConfigOutcome {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { root, findings: syntax } = parseConfigTree(source);
  if (syntax.length > 0) return { config: undefined, problems: toProblems(source, syntax) };
  if (!root) return { config: DEFAULT_CONFIG, problems: [] };
  const warnings = findKeyProblems(root, configSchema());
  const { file, errors } = readRight(root);
  return { config: file && toConfig(file), problems: toProblems(source, [...warnings, ...errors]) };
}

/** The config's profile of that name; its default profile when there is none. */
export function profileOf(config: Config, name: string | undefined): Profile {
  const named = config.profiles.find((profile) => profile.name === name);
  return named ?? config.profiles.find((profile) => profile.name === config.defaultProfile) ?? DEFAULT_PROFILE;
}

/** Sections that the config wants on demand: by its list, or by their own rule. */
export function onDemandIds({ onDemand, sections }: Config): readonly string[] {
  const own = sections.filter((section) => section.onDemand).map(({ id }) => id);
  return [...new Set([...onDemand, ...own])];
}

/** Findings in the text of the config file, without its byte order mark, in their order there. */
export function toProblems(text: string, findings: readonly TreeFinding[]): Problem[] {
  return [...findings]
    .sort((a, b) => a.offset - b.offset)
    .map(({ severity, words, offset }) => {
      const line = lineAt(text, offset);
      const placed = phrase('{0}, line {1}: {2}', CONFIG_PATH, String(line), words);
      return makeProblem('config', severity, placed, { path: CONFIG_PATH, line });
    });
}

function toConfig(file: ConfigFile): Config {
  const own = Object.entries(file.profiles).map(([name, profile]) => toProfile(name, profile));
  const builtins = BUILTIN_PROFILES.map((builtin) => own.find(({ name }) => name === builtin.name) ?? builtin);
  return {
    defaultProfile: file.default_profile,
    profiles: [...builtins, ...own.filter(({ name }) => !builtins.some((builtin) => builtin.name === name))],
    sections: file.sections.flatMap(toSection),
    pinned: file.pinned,
    excluded: file.excluded,
    onDemand: file.on_demand,
    agents: [...new Set(file.agents)],
    scoring: toScoring(file.scoring),
    observations: {
      path: normalizePath(file.observations.path),
      sources: file.observations.sources.map(normalizePath),
    },
    relay: {
      path: normalizePath(file.relay.path),
      ledger: normalizePath(file.relay.ledger),
      maxTokens: file.relay.max_tokens,
    },
    usageLog: normalizePath(file.usage_log),
    repoMap: {
      include: file.repo_map.include.map(normalizePath),
      exclude: file.repo_map.exclude.map(normalizePath),
      maxFileBytes: file.repo_map.max_file_bytes,
    },
    check: toCheck(file.check),
    sessionStart: {
      changes: file.session_start.changes,
      orientationTokens: file.session_start.orientation_tokens,
      alarms: file.session_start.alarms,
      instructions: file.session_start.instructions,
      index: file.session_start.index,
    },
  };
}

function toCheck({ rules, limits: { total, section, agent } }: ConfigFile['check']): CheckConfig {
  const given = Object.entries(agent).filter(([, limit]) => limit !== undefined);
  return { rules, limits: { total, section, agent: Object.fromEntries(given) } };
}

function toScoring(scoring: ConfigFile['scoring']): ScoringConfig {
  const { mode, threshold, weights, window, roi_thresholds: roiThresholds, static_rules: rules } = scoring;
  const { on_demand: onDemand, keep_recent: keepRecent, conversations } = rules;
  const staticRules = { onDemand, keepRecent, conversations };
  return { mode, threshold, weights, window, roiThresholds, staticRules };
}

function toProfile(name: string, profile: ConfigFile['profiles'][string]): Profile {
  // Its caps start from the default's: what a role's own are for does not hold for them.
  const description = name === DEFAULT_PROFILE.name ? DEFAULT_PROFILE.description : undefined;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(profile.agent === undefined ? {} : { agent: profile.agent }),
    budgetTokens: profile.budget_tokens,
    hardCapChars: profile.hard_cap_chars,
    indexTokens: profile.index_tokens,
    timelineTokens: profile.timeline_tokens,
    detailTokens: profile.detail_tokens,
    mapTokens: profile.map_tokens,
    maxPerSourceTokens: profile.max_per_source_tokens,
    topK: profile.top_k,
    downgradeOrder: profile.downgrade_order,
  };
}

type SectionEntry = ConfigFile['sections'][number];

/** None for an entry without a source, which `checkRules` refuses. */
function toSection(entry: SectionEntry): ConfiguredSection[] {
  const source = toSource(entry);
  if (!source) return [];
  const { id, priority, keep_recent: keepRecent, on_demand: onDemand, keywords } = entry;
  const title = source.kind === 'file' ? source.path : id;
  return [{ id, title, priority, source, keepRecent, onDemand, keywords }];
}

function toSource(entry: SectionEntry): SectionSource | undefined {
  if (entry.file !== undefined) return { kind: 'file', path: normalizePath(entry.file) };
  if (entry.files !== undefined) return { kind: 'files', pattern: normalizePath(entry.files) };
  const [program, ...args] = entry.command ?? [];
  if (program !== undefined) return { kind: 'command', argv: [program, ...args], timeoutMs: entry.timeout_ms };
  return entry.builtin === undefined ? undefined : { kind: 'builtin', builtin: entry.builtin };
}
