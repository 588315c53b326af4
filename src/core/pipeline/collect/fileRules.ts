import { scopePatterns } from '../../agents/pickFiles';
import type { FileRole, FolderFile, Priority, SectionSource } from '../../model/section';

/** Agent instruction files that may lie in any folder, in the order in which the first at the root is `P0`. */
const INSTRUCTION_NAMES: readonly (readonly [name: string, idStem: string])[] = [
  ['AGENTS.md', 'agents-md'],
  ['CLAUDE.md', 'claude-md'],
  ['GEMINI.md', 'gemini-md'],
];

/** Copilot's instruction file inside a tool's folder; it ranks after the three names above. */
const COPILOT_PATH = '.github/copilot-instructions.md';
const COPILOT_RANK = INSTRUCTION_NAMES.length;

/** Old single-file rules of editors; never `P0`. */
const RULE_NAMES: readonly string[] = ['.cursorrules', '.windsurfrules', '.clinerules'];

/**
 * Folders of rules: everything below with one of the extensions is one section a file. `except` names what the agent
 * does not read as a rule (`agentTableEditors.ts` has the source).
 */
const RULE_FOLDERS: readonly {
  readonly folder: string;
  readonly idStem: string;
  readonly extension: RegExp;
  readonly except?: RegExp;
}[] = [
  { folder: '.github/instructions', idStem: 'instructions', extension: /(?:\.instructions)?\.md$/ },
  { folder: '.cursor/rules', idStem: 'cursor-rules', extension: /\.(?:mdc|md)$/ },
  {
    folder: '.clinerules',
    idStem: 'clinerules',
    extension: /\.(?:md|txt)$/,
    // Workflows run when they are asked for, hooks are programs with their notes, skills are loaded on demand.
    except: /^(?:workflows|hooks|skills)\//,
  },
  { folder: '.windsurf/rules', idStem: 'windsurf-rules', extension: /\.md$/ },
];

/** Memory files with a meaning of their own, at the root or in `memory/`. */
const MEMORY_NAMES: ReadonlyMap<string, string> = new Map([
  ['MEMORY.md', 'memory'],
  ['SOUL.md', 'soul'],
  ['HEARTBEAT.md', 'heartbeat'],
  ['NEXT.md', 'next'],
]);

/** Run logs at the root. Deeper ones are something else: every mdBook has a `src/SUMMARY.md`. */
const RUN_LOG_NAMES: ReadonlyMap<string, string> = new Map([
  ['PROGRESS.md', 'progress'],
  ['SUMMARY.md', 'summary'],
]);

/** Ids of sections that are one file with a fixed name each, and of the folder section of rules. */
export const FIXED_IDS: readonly string[] = [
  ...INSTRUCTION_NAMES.map(([, id]) => id),
  'copilot-instructions',
  'rules',
  ...MEMORY_NAMES.values(),
  ...RUN_LOG_NAMES.values(),
];

/** Extensions of memory files: notes, not the databases and pictures that also collect there. */
const MEMORY_EXTENSION = /\.(?:md|txt)$/;

/**
 * Folders whose instruction files are not for this workspace's agent: other people's code, and inputs of tests. Files
 * there are left out of discovery; the config can still name them.
 */
const FOREIGN_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'third-party',
  'site-packages',
  'fixtures',
  '__fixtures__',
  'testdata',
  'test-data',
  'test_data',
  '__snapshots__',
]);

/** True when a folder on the way to `path` holds other people's code or inputs of tests. */
export function isForeign(path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((segment) => FOREIGN_FOLDERS.has(segment));
}

/**
 * How every context file's name ends; nearly all files of a project fail here, which keeps discovery cheap (an
 * expression that ends with `$` would look at every character of every path).
 */
const CONTEXT_ENDINGS = ['.md', '.mdc', '.txt', 'rules'] as const;

/** The role of a file, or `undefined` when discovery has nothing to say about it. Case counts, as it does for agents. */
export function fileRole(path: string): FileRole | undefined {
  if (!CONTEXT_ENDINGS.some((ending) => path.endsWith(ending))) return undefined;
  return instructionRole(path) ?? memoryRole(path) ?? runLogRole(path);
}

function split(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

function instruction(idStem: string, scope: string, rank?: number): FileRole {
  return { kind: 'instruction', idStem, scope, rootRank: scope === '' ? rank : undefined };
}

function instructionRole(path: string): FileRole | undefined {
  const { folder, name } = split(path);
  const inFolder = ruleFolderRole(path);
  if (inFolder) return inFolder;
  const rank = INSTRUCTION_NAMES.findIndex(([known]) => known === name);
  const known = INSTRUCTION_NAMES[rank];
  if (known) return instruction(known[1], folder, rank);
  if (path === COPILOT_PATH || path.endsWith(`/${COPILOT_PATH}`))
    return instruction('copilot-instructions', path.slice(0, -COPILOT_PATH.length - 1), COPILOT_RANK);
  return RULE_NAMES.includes(name) ? instruction(name.slice(1), folder) : undefined;
}

function ruleFolderRole(path: string): FileRole | undefined {
  for (const { folder, idStem, extension, except } of RULE_FOLDERS) {
    const at = `/${path}`.indexOf(`/${folder}/`);
    if (at < 0 || !extension.test(path)) continue;
    const below = path.slice(at + folder.length + 1);
    if (except?.test(below)) continue;
    return instruction(`${idStem}-${below.replace(extension, '')}`, path.slice(0, Math.max(at - 1, 0)));
  }
  return undefined;
}

function memoryRole(path: string): FileRole | undefined {
  const { folder, name } = split(path);
  const known = MEMORY_NAMES.get(name);
  if (known !== undefined && (folder === '' || folder === 'memory')) {
    return { kind: 'memory', idStem: known, scope: '', rootRank: undefined };
  }
  if (!path.startsWith('memory/') || !MEMORY_EXTENSION.test(name)) return undefined;
  const idStem = path.replace(MEMORY_EXTENSION, '');
  return { kind: 'topic', idStem, scope: '', rootRank: undefined };
}

/** True for memory files by their names: they are the agent's own, wherever git's ignore rules leave them (DESIGN §3.1). */
export function isWellKnownMemory(path: string): boolean {
  return memoryRole(path) !== undefined;
}

function runLogRole(path: string): FileRole | undefined {
  const idStem = RUN_LOG_NAMES.get(path);
  return idStem === undefined ? undefined : { kind: 'runLog', idStem, scope: '', rootRank: undefined };
}

/** True for a section of run logs, found or configured. */
export function isRunLog(source: SectionSource): boolean {
  if (source.kind === 'file') return source.path.startsWith('runs/') || fileRole(source.path)?.kind === 'runLog';
  return source.kind === 'files' && source.pattern.startsWith('runs/');
}

/** What a role is until it is known what its file costs; `defaultPriorities.ts` decides (DESIGN §3.1). */
export function rolePriority({ kind, idStem, scope }: FileRole): Priority {
  if (kind === 'instruction') return scope === '' ? 'P1' : 'P3';
  if (kind === 'memory') return idStem === 'heartbeat' ? 'P0' : 'P1';
  return kind === 'runLog' ? 'P3' : 'P4';
}

/** Where an instruction file holds: its folder, and the file patterns of its frontmatter. */
export function ruleScope(path: string, text: string): NonNullable<FolderFile['scope']> {
  const folder = fileRole(path)?.scope ?? '';
  return { folder, globs: scopePatterns(path, folder, text) };
}
