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
import { asGiven, type Phrase, phrase } from '../../text/phrase';
import { fileRole, isForeign, rolePriority } from './fileRules';
import { uniqueId } from './givenSections';

/** More instruction files than this in one folder are a collection of them, not a project's own. */
const MAX_RULES = 200;

/** More memories and run logs than this are a collection of them as well. */
const MAX_MEMORIES = 100;

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
  /** Whether the config names a file or a section's id: then it is not left out, however many there are. */
  readonly isNamed?: (title: string) => boolean;
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
  const { rules, instructions, memories } = define(own, files, agents);
  const definitions = [
    ...(rules.length > 0 ? [rulesDefinition(rules.slice(0, MAX_RULES))] : []),
    ...instructions.slice(0, MAX_RULES),
    ...memories.slice(0, MAX_MEMORIES),
  ];
  const titles = memories.map(({ title }) => title);
  return {
    definitions: definitions.sort(byPriorityThenId),
    problems: [
      ...tooMany(phrase('memory files, folders and logs'), titles, MAX_MEMORIES, options),
      ...tooMany(phrase('instruction files'), rules, MAX_RULES, options),
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

/** What there is, in each list what is nearest to the root first. */
interface Defined {
  /** Paths of all instruction files; none where the root's is the only one, which is never a rule. */
  readonly rules: readonly string[];
  /** Those that may be sections of their own: they are the first of the rules. */
  readonly instructions: readonly SectionDefinition[];
  /** Memories and run logs: those with well-known names, then folders, then the rest. */
  readonly memories: readonly SectionDefinition[];
}

/**
 * Instruction files that one of the agents reads whatever the work is about, and those that may be the root's, are
 * sections; all of them are rules too, of which `defaultPriorities.ts` takes out what stays a section.
 */
function define(found: readonly Found[], files: readonly string[], agents: readonly AgentId[]): Defined {
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
  const ofKind = (...kinds: readonly FileRole['kind'][]) =>
    singles.filter(({ role }) => role && kinds.includes(role.kind));
  const hasRules = rules.some(({ path }) => path !== rootPath);
  return {
    rules: hasRules ? rules.map(({ path }) => path) : [],
    instructions: ofKind('instruction'),
    memories: [...ofKind('memory', 'runLog'), ...runs, ...topics, ...ofKind('topic')],
  };
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

/** Names what a limit leaves out of `titles` and the config does not name; nothing where nothing is. */
function tooMany(
  what: Phrase,
  titles: readonly string[],
  limit: number,
  { isNamed = () => false }: DiscoverOptions,
): readonly Problem[] {
  const rest = titles.slice(limit).filter((title) => !isNamed(title));
  if (rest.length === 0) return [];
  const named = rest.slice(0, 5).join(', ');
  const words = phrase(
    '{0} {1} found; {2} are used. Left out: {3}. Name those you need in .context-budget/config.json.',
    titles.length,
    what,
    limit,
    rest.length > 5 ? phrase('{0} and {1} more', named, rest.length - 5) : asGiven(named),
  );
  return [makeProblem('file', 'warning', words)];
}
