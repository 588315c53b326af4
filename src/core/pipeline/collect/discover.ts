/**
 * Discovery: which sections a folder has without any config, by the names of its files (DESIGN §3.1), and how the
 * config's sections and the built-ins join them. It decides ids, titles and default priorities; it reads nothing.
 */

import { agentsInUse, isForWholeFolder } from '../../agents/pickFiles';
import type { Config, ConfiguredSection } from '../../config/config';
import { globMatcher, MAX_GLOB_STEPS } from '../../files/glob';
import type { AgentId } from '../../model/agent';
import type { Problem } from '../../model/problem';
import { makeProblem } from '../../model/problem';
import {
  BUILTIN_IDS,
  type BuiltinId,
  type FileRole,
  PRIORITIES,
  type Priority,
  type SectionDefinition,
} from '../../model/section';
import { elementName, RESERVED_ELEMENTS } from '../../text/elements';
import { asGiven, phrase } from '../../text/phrase';
import { BUILTIN_SOURCES, type HostAbilities } from './builtins';
import { fileRole, isForeign, rolePriority } from './fileRules';
import { uniqueId } from './givenSections';

/** More context files than this in one folder is a collection of them, not a project's own. */
const MAX_DISCOVERED = 100;

/** More rules than this are a collection of them as well. */
const MAX_RULES = 200;

/** The section of all instruction files that have none of their own, and what it is called where the config has that id. */
const RULES_IDS = ['rules', 'instruction-files'];

/** Run logs grow without end; the newest few say how the work stands. */
const RUNS_KEEP_RECENT = 20;

const RUNS_PATTERN = 'runs/**/*.{json,jsonl}';
const DAILY_PATTERN = 'memory/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.{md,txt}';
const DAILY_NAME = /^memory\/\d{4}-\d{2}-\d{2}[^/]*$/;

/** What discovery may be told. */
interface DiscoverOptions {
  /** Files that are links, with their targets, as `walkFiles` gives them: a link to another found file is left out. */
  readonly links?: ReadonlyMap<string, string>;
  /** Agents in use, where the config names them; else those with files of their own. */
  readonly agents?: readonly AgentId[];
}

/** Definitions and what the user should know about them. */
interface DiscoverResult {
  /** In the order of priority, then id. */
  readonly definitions: readonly SectionDefinition[];
  readonly problems: readonly Problem[];
  /** Context files in folders of other people's code or of test inputs; not used, and no problem. */
  readonly leftOut: readonly string[];
  /** Agents in use. */
  readonly agents: readonly AgentId[];
}

interface Found {
  readonly path: string;
  readonly role: FileRole;
}

/** Finds the context files among `files` (all files of the folder, as `walkFiles` lists them). */
export function discoverSections(files: readonly string[], options: DiscoverOptions = {}): DiscoverResult {
  const all = files.flatMap((path): Found[] => {
    const role = fileRole(path);
    return role ? [{ path, role }] : [];
  });
  const leftOut = all.filter(({ path }) => isForeign(path)).map(({ path }) => path);
  const own = withoutDoubles(
    all.filter(({ path }) => !isForeign(path)),
    options.links,
  );
  const agents = options.agents?.length ? options.agents : ownAgents(own, files);
  const definitions = define(own, files, agents);
  const rules = definitions.flatMap(({ source }) => (source.kind === 'files' && source.paths) || []).length;
  return {
    definitions: definitions.slice(0, MAX_DISCOVERED).map(withFewerRules).sort(byPriorityThenId),
    problems: [
      ...(definitions.length > MAX_DISCOVERED ? [tooMany(definitions)] : []),
      ...(rules > MAX_RULES ? [tooManyRules(rules)] : []),
    ],
    leftOut,
    agents,
  };
}

function ownAgents(found: readonly Found[], files: readonly string[]): readonly AgentId[] {
  const all = new Set(files);
  return agentsInUse(
    found.map(({ path }) => path),
    (path) => all.has(path),
  );
}

/** Those nearest to the root. */
function withFewerRules(definition: SectionDefinition): SectionDefinition {
  const { source } = definition;
  if (source.kind !== 'files' || !source.paths) return definition;
  return { ...definition, source: { ...source, paths: source.paths.slice(0, MAX_RULES) } };
}

/**
 * Of a file and the links to it one stays, since one text in two sections would cost twice: the root's instruction file,
 * else the file itself.
 */
function withoutDoubles(found: readonly Found[], links: ReadonlyMap<string, string> | undefined): readonly Found[] {
  if (!links || links.size === 0) return found;
  const fileOf = ({ path }: Found): string => links.get(path) ?? path;
  const rankOf = ({ path, role }: Found): number => role.rootRank ?? (links.has(path) ? Number.MAX_VALUE : 1000);
  const best = new Map<string, Found>();
  for (const each of found) {
    const known = best.get(fileOf(each));
    if (!known || rankOf(each) < rankOf(known)) best.set(fileOf(each), each);
  }
  return found.filter((each) => best.get(fileOf(each)) === each);
}

/**
 * Instruction files that one of the agents reads whatever the work is about, and those that may be the root's, are
 * sections; all of them are rules too, of which `defaultPriorities.ts` takes out what stays a section.
 */
function define(found: readonly Found[], files: readonly string[], agents: readonly AgentId[]): SectionDefinition[] {
  const taken = new Set<string>([...BUILTIN_IDS, ...RESERVED_ELEMENTS, ...RULES_IDS]);
  const claim = (wishes: readonly string[], path: string): string => {
    const id = uniqueId(wishes, path, taken);
    taken.add(id);
    return id;
  };
  const rootPath = rootInstruction(found);
  const isSingle = ({ path, role }: Found): boolean => {
    if (role.kind === 'instruction') return role.rootRank !== undefined || isForWholeFolder(path, agents);
    return role.kind !== 'topic' || groupOf(path) === undefined;
  };
  const rules = found.filter(({ role }) => role.kind === 'instruction').sort(byImportance);
  const singles = found
    .filter(isSingle)
    .sort(byImportance)
    .map(({ path, role }) => {
      const wishes = [role.scope === '' ? role.idStem : `${role.idStem}-${role.scope}`, path];
      return fileDefinition(claim(wishes, path), path, path === rootPath ? 'P0' : rolePriority(role), role);
    });
  const groups = new Map(
    found.flatMap(({ path, role }) => {
      const group = role.kind === 'topic' ? groupOf(path) : undefined;
      return group ? [[group.pattern, group.id] as const] : [];
    }),
  );
  const topics = [...groups].map(([pattern, id]) => groupDefinition(claim([id], pattern), pattern, 'P4', undefined));
  const isRun = globMatcher(RUNS_PATTERN);
  const runs = files.some(isRun)
    ? [groupDefinition(claim(['runs'], RUNS_PATTERN), RUNS_PATTERN, 'P3', RUNS_KEEP_RECENT)]
    : [];
  // The root's only file is never a rule.
  const hasRules = rules.some(({ path }) => path !== rootPath);
  const folder = hasRules ? [rulesDefinition(rules.map(({ path }) => path))] : [];
  return [...folder, ...singles, ...runs, ...topics];
}

/** The workspace's root instruction file: the one agents read first and whole. */
function rootInstruction(found: readonly Found[]): string | undefined {
  const ranked = found.filter(({ role }) => role.rootRank !== undefined);
  return ranked.sort((a, b) => (a.role.rootRank ?? 0) - (b.role.rootRank ?? 0))[0]?.path;
}

/** Daily notes and each folder below `memory/` are one section; other topic files stand alone. */
function groupOf(path: string): { readonly pattern: string; readonly id: string } | undefined {
  if (DAILY_NAME.test(path)) return { pattern: DAILY_PATTERN, id: 'memory-daily' };
  const [, folder, ...rest] = path.split('/');
  // A folder whose name is a glob itself cannot be named by one.
  if (folder === undefined || rest.length === 0 || /[^\p{L}\p{N} ._-]/u.test(folder)) return undefined;
  return { pattern: `memory/${folder}/**/*.{md,txt}`, id: `memory-${folder}` };
}

function byImportance(a: Found, b: Found): number {
  const depth = (path: string) => path.split('/').length;
  return (
    PRIORITIES.indexOf(rolePriority(a.role)) - PRIORITIES.indexOf(rolePriority(b.role)) ||
    depth(a.role.scope) - depth(b.role.scope) ||
    depth(a.path) - depth(b.path) ||
    (a.path < b.path ? -1 : 1)
  );
}

/** The order of the payload (DESIGN §3.5). */
export function byPriorityThenId(a: SectionDefinition, b: SectionDefinition): number {
  return PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

const DISCOVERED = { onDemand: false, keywords: [], isDiscovered: true } as const;

function fileDefinition(id: string, path: string, priority: Priority, role: FileRole): SectionDefinition {
  return { id, title: path, priority, source: { kind: 'file', path }, keepRecent: undefined, ...DISCOVERED, role };
}

function rulesDefinition(paths: readonly string[]): SectionDefinition {
  const [id = ''] = RULES_IDS;
  const source = { kind: 'files', pattern: '', paths } as const;
  return { id, title: 'Instruction files', priority: 'P3', source, keepRecent: undefined, ...DISCOVERED };
}

function groupDefinition(
  id: string,
  pattern: string,
  priority: Priority,
  keepRecent: number | undefined,
): SectionDefinition {
  return { id, title: id, priority, source: { kind: 'files', pattern }, keepRecent, ...DISCOVERED };
}

function tooManyRules(count: number): Problem {
  const words = phrase('{0} instruction files found; the {1} nearest to the root are used.', count, MAX_RULES);
  return makeProblem('file', 'warning', words);
}

function tooMany(definitions: readonly SectionDefinition[]): Problem {
  const rest = definitions.slice(MAX_DISCOVERED).map((definition) => definition.title);
  const named = rest.slice(0, 5).join(', ');
  const leftOut = rest.length > 5 ? phrase('{0} and {1} more', named, rest.length - 5) : asGiven(named);
  const words = phrase(
    '{0} context files found; the {1} nearest to the root are used. Left out: {2}. Name those you need in .context-budget/config.json.',
    definitions.length,
    MAX_DISCOVERED,
    leftOut,
  );
  return makeProblem('file', 'warning', words);
}

/** What the host can do, and what the walk found out about links. */
interface ResolveOptions extends DiscoverOptions, HostAbilities {}

/**
 * All sections of a folder: the config's, what discovery finds beside them, and the built-ins. A section of the config
 * replaces discovered ones with the same id or the same file; a glob of it replaces discovered files it matches, and
 * discovered groups of which it matches any file. A built-in that the host cannot serve is left out silently, since
 * editor and CLI share one config. In the order of priority, then id.
 */
export function resolveSections(config: Config, files: readonly string[], options: ResolveOptions): DiscoverResult {
  const discovered = discoverSections(files, { ...options, agents: config.agents });
  const isServed = (builtin: BuiltinId): boolean => BUILTIN_SOURCES[builtin].isServed(options);
  const configured = config.sections
    .filter(({ source }) => source.kind !== 'builtin' || isServed(source.builtin))
    .map((section) => complete(section, discovered.definitions));
  const ids = new Set(config.sections.map(({ id }) => elementName(id)));
  const isNamed = namedBy(config.sections);
  const root = discovered.definitions.find(({ priority, role }) => priority === 'P0' && role?.rootRank !== undefined);
  const isCovered = coverage((path) => isNamed(path) || path === root?.title, isNamed, files);
  const others = discovered.definitions
    .map((definition) => withoutNamed(definition, config.sections, ids))
    .filter((definition) => !ids.has(definition.id) && !isCovered(definition));
  const defined = new Set(
    config.sections.map(({ source }) => (source.kind === 'builtin' ? source.builtin : undefined)),
  );
  const builtins = BUILTIN_IDS.filter((id) => isServed(id) && !defined.has(id) && !ids.has(id)).map(builtinDefinition);
  return { ...discovered, definitions: [...configured, ...others, ...builtins].sort(byPriorityThenId) };
}

function builtinDefinition(builtin: BuiltinId): SectionDefinition {
  const { priority } = BUILTIN_SOURCES[builtin];
  const source = { kind: 'builtin', builtin } as const;
  return { id: builtin, title: builtin, priority, source, keepRecent: undefined, ...DISCOVERED };
}

/** Fills in the priority that the config leaves out: that of the same file or group as discovered, else by source. */
function complete(section: ConfiguredSection, discovered: readonly SectionDefinition[]): SectionDefinition {
  const { priority, source } = section;
  const role = priority === undefined && source.kind === 'file' ? fileRole(source.path) : undefined;
  return {
    ...section,
    priority: priority ?? defaultPriority(section, discovered),
    isDiscovered: false,
    ...(role ? { role } : {}),
  };
}

function defaultPriority({ source }: ConfiguredSection, discovered: readonly SectionDefinition[]): Priority {
  switch (source.kind) {
    case 'builtin':
      return BUILTIN_SOURCES[source.builtin].priority;
    case 'command':
      return 'P2';
    case 'file': {
      const same = discovered.find((other) => other.source.kind === 'file' && other.source.path === source.path);
      const role = fileRole(source.path);
      return same?.priority ?? (role ? rolePriority(role) : 'P4');
    }
    case 'files':
      return source.pattern.startsWith('runs/') ? 'P3' : 'P4';
  }
}

/**
 * The rules without files that globs of the config match, under an id that the config does not use. Files that it names
 * one by one are taken out by `defaultPriorities.ts`, like all that are sections of their own.
 */
function withoutNamed(
  definition: SectionDefinition,
  sections: readonly ConfiguredSection[],
  ids: ReadonlySet<string>,
): SectionDefinition {
  const { source } = definition;
  if (source.kind !== 'files' || !source.paths) return definition;
  const id = RULES_IDS.find((each) => !ids.has(each)) ?? definition.id;
  const isNamed = namedBy(sections.filter((section) => section.source.kind === 'files'));
  return { ...definition, id, source: { ...source, paths: source.paths.filter((path) => !isNamed(path)) } };
}

/** Whether the config's own sections name a file. */
function namedBy(sections: readonly ConfiguredSection[]): (path: string) => boolean {
  const paths = new Set(sections.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : [])));
  const meter = { steps: 0 };
  const globs = new Set(sections.flatMap(({ source }) => (source.kind === 'files' ? [source.pattern] : [])));
  const matchers = [...globs].map((pattern) => globMatcher(pattern, { meter }));
  return (path) => paths.has(path) || matchers.some((matches) => meter.steps < MAX_GLOB_STEPS && matches(path));
}

/** Tells whether the config's own sections already show what a discovered one would. */
function coverage(
  isShown: (path: string) => boolean,
  isNamed: (path: string) => boolean,
  files: readonly string[],
): (definition: SectionDefinition) => boolean {
  return ({ source }) => {
    if (source.kind === 'file') return isNamed(source.path);
    if (source.kind !== 'files') return false;
    return source.paths ? source.paths.every(isShown) : files.filter(globMatcher(source.pattern)).some(isNamed);
  };
}
