/** Which files of a folder agents look for, by their paths alone, and which of many are read. */
import type { FilePattern, FileRule } from '../agents/agentRules';
import { AGENT_TABLE } from '../agents/agentTable';
import { ruleFolder } from '../agents/pickFiles';
import { makeProblem, type Problem } from '../model/problem';
import { fileRole } from '../pipeline/collect/fileRules';
import { formatCount } from '../text/numbers';
import { phrase } from '../text/phrase';
import { nameOf } from '../text/safePath';

const RULES = AGENT_TABLE.flatMap(({ rules }) => rules);
const PATTERNS: readonly FilePattern[] = [
  ...new Map(RULES.flatMap(({ patterns }) => patterns).map((pattern) => [JSON.stringify(pattern), pattern])).values(),
];
const LITERALS = PATTERNS.filter((pattern) => typeof pattern === 'string');
const NAMES = new Set(LITERALS.map(nameOf));
const FOLDERS = PATTERNS.filter((pattern) => typeof pattern !== 'string');

/** How these names end: nearly every file of a project fails here. */
const ENDINGS = [...new Set(LITERALS.map((path) => path.slice(-3)))];

/** Names of `chain` rules, and of all, as paths below a folder. */
const CHAIN_NAMES = literalsOf('chain');
const ROOT_NAMES = [...new Set([...CHAIN_NAMES, ...literalsOf(undefined)])];

function literalsOf(place: FileRule['place']): readonly string[] {
  const patterns = RULES.filter((rule) => rule.place === place).flatMap((rule) => rule.patterns);
  return [...new Set(patterns.filter((pattern) => typeof pattern === 'string'))];
}

/**
 * Whether any agent has a rule for a file of this path, somewhere in its tree. Cheap where it has not, since every path of
 * a folder is asked.
 */
export function isAgentPath(path: string): boolean {
  if (isRulePath(path)) return true;
  const isOf = (pattern: FilePattern): boolean => ruleFolder(path, pattern) !== undefined;
  return ENDINGS.some((ending) => path.endsWith(ending)) && NAMES.has(nameOf(path)) && LITERALS.some(isOf);
}

/** Whether any agent reads a file of this path because of the folder that it is in. */
function isRulePath(path: string): boolean {
  // Every folder of rules begins with a dot.
  if (!path.startsWith('.') && !path.includes('/.')) return false;
  return FOLDERS.some((pattern) => ruleFolder(path, pattern) !== undefined);
}

/** Whether a path, with a `/` before and behind it, is a folder of rules or lies in one. */
const isInRules = (path: string): boolean =>
  FOLDERS.some(({ folder, hasSuffix }) => path.includes(hasSuffix ? `/${folder}` : `/${folder}/`));

/** Whether a link to a folder is a folder of rules, lies in one, or has one below, as `.cursor` has `.cursor/rules`. */
function meetsRules(link: string): boolean {
  const parts = link.split('/');
  const tails = parts.map((_, at) => `${parts.slice(at).join('/')}/`);
  return isInRules(`/${link}/`) || FOLDERS.some(({ folder }) => tails.some((tail) => folder.startsWith(tail)));
}

/** Whether a path behind a link is a rule: of an agent, or one that stands in the payload where no agent reads it. */
const isLinkedRule = (path: string): boolean =>
  isRulePath(path) || (isInRules(`/${path}`) && fileRole(path)?.kind === 'instruction');

/** More rules behind links than this are taken for generated copies; far fewer are enough for a note that files are left out. */
const MAX_LINKED = 1000;

/**
 * Rules of agents that lie behind a link to a folder, as with a `.cursor/rules` that leads to `.ai/rules`, with the files
 * that they are. A link is followed once, from what was walked, and not where it leads around itself. Cost: the files
 * times the folders that they are in.
 */
export function linkedRules(
  files: readonly string[],
  folderLinks: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const links = new Map<string, string[]>();
  for (const [link, folder] of folderLinks) {
    if (folder === '' || link.startsWith(`${folder}/`) || !meetsRules(link)) continue;
    links.set(folder, [...(links.get(folder) ?? []), link]);
  }
  const found = new Map<string, string>();
  if (links.size === 0) return found;
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      for (const link of links.get(file.slice(0, end)) ?? []) {
        const path = link + file.slice(end);
        if (found.size < MAX_LINKED && isLinkedRule(path)) found.set(path, file);
      }
    }
  }
  return found;
}

/**
 * Files that agents look for by name in the folders of a chain, whether or not git ignores them: what a listing by git's
 * rules does not show, an agent reads all the same.
 */
export function namedPaths(chain: readonly string[]): readonly string[] {
  return chain.flatMap((folder) => (folder === '' ? ROOT_NAMES : CHAIN_NAMES.map((name) => `${folder}/${name}`)));
}

/** More instruction files than this are a collection of them. */
const MAX_FILES = 300;

/** The files nearest to the root, in order, by `groupOf` them first. `problems` says how many are left out. */
export function nearestFiles(
  paths: readonly string[],
  groupOf: (path: string) => number = () => 0,
): { readonly files: readonly string[]; readonly problems: readonly Problem[] } {
  const ranked = paths.map((path) => ({ path, group: groupOf(path), depth: path.split('/').length }));
  ranked.sort((a, b) => a.group - b.group || a.depth - b.depth || (a.path < b.path ? -1 : 1));
  const files = ranked.slice(0, MAX_FILES).map(({ path }) => path);
  const leftOut = paths.length - files.length;
  const words = phrase(
    '{0} instruction files found; {1} are read, {2} left out.',
    ...[paths.length, files.length, leftOut].map(formatCount),
  );
  return { files, problems: leftOut > 0 ? [makeProblem('file', 'warning', words)] : [] };
}

/** Whether an agent that works in the innermost folder of `chain` may look for this file. */
export function isOfChain(path: string, chain: readonly string[]): boolean {
  return PATTERNS.some((pattern) => {
    const folder = ruleFolder(path, pattern);
    return folder !== undefined && chain.includes(folder);
  });
}
