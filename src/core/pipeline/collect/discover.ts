/**
 * Discovery: which sections a folder has without any config, by the names of its files (DESIGN §3.1). It decides ids,
 * titles and default priorities; it reads nothing. `resolveSections.ts` joins them with the config's.
 */

import { type AgentEvidence, agentsInUse, agentsWithFiles } from '../../agents/agentsInUse';
import { isForWholeFolder } from '../../agents/pickFiles';
import { globMatcher } from '../../files/glob';
import type { AgentId } from '../../model/agent';
import type { Problem } from '../../model/problem';
import { makeProblem } from '../../model/problem';
import { BUILTIN_IDS, type FileRole, PRIORITIES, type Priority, type SectionDefinition } from '../../model/section';
import { RESERVED_ELEMENTS } from '../../text/elements';
import { asGiven, phrase } from '../../text/phrase';
import { fileRole, isForeign, rolePriority } from './fileRules';
import { uniqueId } from './givenSections';

/** More context files than this in one folder is a collection of them, not a project's own. */
const MAX_DISCOVERED = 100;

/** More rules than this are a collection of them as well. */
const MAX_RULES = 200;

/** The section of all instruction files that have none of their own, and what it is called where the config has that id. */
export const RULES_IDS = ['rules', 'instruction-files'];

/** Run logs grow without end; the newest few say how the work stands. */
const RUNS_KEEP_RECENT = 20;

const RUNS_PATTERN = 'runs/**/*.{json,jsonl}';

/** Memory files that lie in no folder of `memory/`, and their section; those with well-known names are no files of it. */
export const LOOSE = { pattern: 'memory/*.{md,txt}', id: 'memory-files' };

/** What discovery may be told. */
export interface DiscoverOptions {
  /** Files that are links, with their targets, as `walkFiles` gives them: a link to another found file is left out. */
  readonly links?: ReadonlyMap<string, string>;
  /** What tells which agents are in use, besides their own files. */
  readonly agents?: Omit<AgentEvidence, 'withFiles'>;
}

/** Definitions and what the user should know about them. */
export interface DiscoverResult {
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
  const agents = agentsInUse({ ...options.agents, withFiles: ownAgents(own, files) });
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
  return agentsWithFiles(
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

/** Memory files with a meaning of their own; where there is no section of one, it is a link to another. */
export function isWellKnown(path: string): boolean {
  return fileRole(path)?.kind === 'memory';
}

/** The files of `memory/` itself are one section, and so is each folder below; a folder that no glob can name has none. */
function groupOf(path: string): { readonly pattern: string; readonly id: string } | undefined {
  const [, folder = '', ...rest] = path.split('/');
  if (rest.length === 0) return LOOSE;
  if (/[^\p{L}\p{N} ._-]/u.test(folder)) return undefined;
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

export const DISCOVERED = { onDemand: false, keywords: [], isDiscovered: true } as const;

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
