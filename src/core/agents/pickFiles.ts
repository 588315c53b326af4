import type { AgentId } from '../model/agent';
import { folderOf } from '../text/safePath';
import type { AgentFile } from './agentFile';
import { type FilePattern, type FileRule, judge } from './agentRules';
import { AGENT_TABLE } from './agentTable';
import { readFrontmatter, splitList } from './frontmatter';

/** The folder that a file speaks for by a pattern: `''` for the root; undefined when the pattern is not its. */
export function ruleFolder(path: string, pattern: FilePattern): string | undefined {
  if (typeof pattern === 'string') {
    if (path === pattern) return '';
    return path.endsWith(`/${pattern}`) ? path.slice(0, -pattern.length - 1) : undefined;
  }
  const hasEnding = (ending: string): boolean => path.endsWith(ending);
  if (!pattern.endings.some(hasEnding) || pattern.exceptEndings?.some(hasEnding)) return undefined;
  const marker = pattern.hasSuffix ? `/${pattern.folder}` : `/${pattern.folder}/`;
  const at = `/${path}`.indexOf(marker);
  if (at < 0) return undefined;
  const start = at + marker.length - 1;
  const slash = path.indexOf('/', start);
  if (pattern.hasSuffix && slash < 0 !== (pattern.hasSuffix === 'file')) return undefined;
  const rest = path.slice(pattern.hasSuffix === 'folder' ? slash + 1 : start);
  if (pattern.isFlat && rest.includes('/')) return undefined;
  const first = rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : undefined;
  if (first !== undefined && pattern.except?.includes(first)) return undefined;
  return path.slice(0, Math.max(at - 1, 0));
}

/** One file of a rule. */
export interface Picked {
  readonly file: AgentFile;
  /** The folder it speaks for; the root is `''`. */
  readonly folder: string;
  /** What is read in its place; undefined when it is read itself. */
  readonly hiddenBy: AgentFile | undefined;
}

interface Match {
  readonly file: AgentFile;
  readonly folder: string;
  /** Place of its pattern in the rule. */
  readonly rank: number;
}

/** Matches of one rule, by folder; inside a folder by pattern, then by path. */
export type RuleMatches = ReadonlyMap<string, readonly Match[]>;

/** Finds a rule's files among `files`, which are in the order of their paths. */
export function matchRule(rule: FileRule, files: readonly AgentFile[]): RuleMatches {
  const matches = new Map<string, Match[]>();
  for (const [rank, pattern] of rule.patterns.entries()) {
    for (const file of files) {
      const folder = ruleFolder(file.path, pattern);
      if (folder === undefined) continue;
      const others = matches.get(folder) ?? [];
      others.push({ file, folder, rank });
      matches.set(folder, others);
    }
  }
  return matches;
}

function pick(rule: FileRule, groups: readonly (readonly Match[])[]): readonly Picked[] {
  const all = groups.flat();
  const split = (among: readonly Match[], isChosen: (match: Match) => boolean): readonly Picked[] => {
    const chosen = among.filter(isChosen);
    const picked = (matches: readonly Match[], hiddenBy: AgentFile | undefined) =>
      matches.map(({ file, folder }) => ({ file, folder, hiddenBy }));
    return [
      ...picked(chosen, undefined),
      ...picked(
        among.filter((match) => !isChosen(match)),
        chosen[0]?.file,
      ),
    ];
  };
  const best = (among: readonly Match[]): number => Math.min(...among.map(({ rank }) => rank));
  switch (rule.pick) {
    case undefined:
      return split(all, () => true);
    case 'firstInFolder':
      return groups.flatMap((group) => split(group, ({ rank }) => rank === best(group)));
    case 'nearest':
      return split(all, ({ folder }) => folder === all.at(-1)?.folder);
  }
}

/** The nearest file at or above `folder` that keeps a rule's file from being read. */
function hider(hiders: RuleMatches, folder: string): AgentFile | undefined {
  if (hiders.size === 0) return undefined;
  for (let at = folder; ; at = folderOf(at)) {
    const [first] = hiders.get(at) ?? [];
    if (first || at === '') return first?.file;
  }
}

/** What the rule reads for work in the innermost folder of `chain`, in reading order; what is hidden follows its hider. */
export function pickFiles(
  rule: FileRule,
  matches: RuleMatches,
  hiders: RuleMatches,
  chain: readonly string[],
): readonly Picked[] {
  const folders = rule.place === 'chain' ? chain : [''];
  const groups = folders.map((folder) => matches.get(folder) ?? []).filter((group) => group.length > 0);
  return pick(rule, groups).map((each) => {
    // Of what hides another file and is hidden itself, nothing is read in its place.
    const by = hider(hiders, each.folder) ?? each.hiddenBy;
    return by === undefined ? each : { ...each, hiddenBy: by };
  });
}

/** Whether one of the agents reads a file of this path for work anywhere in the folder; its text may still narrow that. */
export function isForWholeFolder(path: string, agents: readonly AgentId[]): boolean {
  return rulesFor(path, agents).length > 0;
}

/** True where an agent loads this file for the whole folder: frontmatter may keep it for some files or for later. */
export function holdsForWholeFolder(path: string, text: string, agents: readonly AgentId[]): boolean {
  const { values } = readFrontmatter(text);
  return rulesFor(path, agents).some(
    ({ condition }) => !condition || judge(values, condition, undefined).fate === 'loaded',
  );
}

/** Conditions of frontmatter that any agent knows. */
const CONDITIONS = AGENT_TABLE.flatMap(({ rules }) => rules.flatMap(({ condition }) => condition ?? []));

const EVERYTHING: ReadonlySet<string> = new Set(['**', '**/*', '**/**', '*', '/**', '/**/*']);

/**
 * The file patterns that narrow an instruction file of `folder`, as the agents that know its path read its frontmatter:
 * none for `AGENTS.md` and its like, which hold for their folder whatever their frontmatter says, nor for a rule that is
 * always applied. A rule of the root keeps its patterns even then: they say which files it is about. A file that no agent
 * knows is read as any of them would.
 */
export function scopePatterns(path: string, folder: string, text: string): readonly string[] {
  const readers = AGENT_TABLE.flatMap(({ rules }) => rules).filter(({ patterns }) =>
    patterns.some((pattern) => ruleFolder(path, pattern) !== undefined),
  );
  const conditions = readers.length === 0 ? CONDITIONS : readers.flatMap(({ condition }) => condition ?? []);
  const { values } = readFrontmatter(text);
  const keys = new Set(conditions.map(({ globs }) => globs));
  const globs = [...keys].flatMap((key) => values.get(key) ?? []).flatMap(splitList);
  const isAlways = conditions.some(({ always }) => always && values.get(always.key)?.includes(always.value));
  const isWide = isAlways || globs.some((glob) => EVERYTHING.has(glob));
  return isWide && folder !== '' ? [] : globs.filter((glob) => !EVERYTHING.has(glob));
}

function rulesFor(path: string, agents: readonly AgentId[]): readonly FileRule[] {
  return AGENT_TABLE.filter(({ agent }) => agents.includes(agent)).flatMap(({ rules }) =>
    rules.filter(({ patterns, onDemand }) => !onDemand && patterns.some((pattern) => ruleFolder(path, pattern) === '')),
  );
}
