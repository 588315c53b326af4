import type { FilePattern } from './agentRules';
import { AGENT_TABLE } from './agentTable';
import { folderOf } from './matchPattern';

const RULES = AGENT_TABLE.flatMap(({ rules }) => rules);
const PATTERNS: readonly FilePattern[] = [
  ...new Map(RULES.flatMap(({ patterns }) => patterns).map((pattern) => [JSON.stringify(pattern), pattern])).values(),
];
const LITERALS = PATTERNS.filter((pattern) => typeof pattern === 'string');
const NAMES = new Set(LITERALS.map((path) => path.slice(path.lastIndexOf('/') + 1)));
const FOLDERS = PATTERNS.filter((pattern) => typeof pattern !== 'string');

/** How all of these paths end: nearly every file of a project fails here. */
const ENDINGS = [...new Set([...LITERALS.map((path) => path.slice(-3)), ...FOLDERS.flatMap(({ endings }) => endings)])];

/** Names of `chain` rules, and of all, as paths below a folder. */
const CHAIN_NAMES = literalsOf('chain');
const ROOT_NAMES = [...new Set([...CHAIN_NAMES, ...literalsOf('root')])];

function literalsOf(place: 'root' | 'chain'): readonly string[] {
  const patterns = RULES.filter((rule) => rule.place === place).flatMap((rule) => rule.patterns);
  return [...new Set(patterns.filter((pattern) => typeof pattern === 'string'))];
}

/**
 * Whether any agent has a rule for a file of this path, somewhere in its tree. Cheap where it has not, since every path of
 * a folder is asked.
 */
export function isAgentPath(path: string): boolean {
  if (!ENDINGS.some((ending) => path.endsWith(ending))) return false;
  if (NAMES.has(path.slice(path.lastIndexOf('/') + 1)))
    return LITERALS.some((pattern) => folderOf(path, pattern) !== undefined) || isInRuleFolder(path);
  return isInRuleFolder(path);
}

function isInRuleFolder(path: string): boolean {
  // Every folder of rules begins with a dot.
  if (!path.startsWith('.') && !path.includes('/.')) return false;
  return FOLDERS.some((pattern) => folderOf(path, pattern) !== undefined);
}

/**
 * Files that agents look for by name in the folders of a chain, whether or not git ignores them: what a listing by git's
 * rules does not show, an agent reads all the same.
 */
export function namedPaths(chain: readonly string[]): readonly string[] {
  return chain.flatMap((folder) => (folder === '' ? ROOT_NAMES : CHAIN_NAMES.map((name) => `${folder}/${name}`)));
}
