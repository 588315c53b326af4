/**
 * The shape of the table of agents: what each agent reads by itself, in which order, what hides what, which imports it
 * follows and where it cuts, and what can be set up for it. Data only; `agentTable.ts` has the rows, `coverAgents.ts` applies them.
 */

import { type GlobMeter, globMatcher } from '../files/glob';
import type { AgentId } from '../model/agent';
import { type Phrase, phrase } from '../text/phrase';
import { ellipsize } from '../text/sentence';
import { type Frontmatter, splitList } from './frontmatter';
import type { WordEnd } from './mentions';

/** What a file's frontmatter makes of it. */
interface Verdict {
  readonly fate: 'loaded' | 'onDemand' | 'never';
  readonly why: Phrase | undefined;
}

/** More or longer globs than these mean nothing a person wrote. */
export const MAX_GLOBS = 100;
const MAX_GLOB_CHARS = 300;

const ASKED: Verdict = { fate: 'onDemand', why: phrase('Only when the agent or the user asks for it') };

/**
 * Applies a condition to a file's frontmatter, for the file that is worked on.
 * @param activePath workspace-relative; without one only globs that match everything do
 */
export function judge(frontmatter: Frontmatter, condition: Condition, activePath: string | undefined): Verdict {
  const says = ({ key, value }: { readonly key: string; readonly value: string }): boolean =>
    frontmatter.get(key)?.includes(value) === true;
  if (condition.never && says(condition.never)) return { fate: 'never', why: undefined };
  if (condition.always && says(condition.always)) return { fate: 'loaded', why: undefined };
  if (condition.asked?.some(says)) return ASKED;
  const globs = (frontmatter.get(condition.globs) ?? []).flatMap(splitList).slice(0, MAX_GLOBS);
  if (condition.isOffWithoutAny && globs.length === 0 && frontmatter.has(condition.globs))
    return { fate: 'never', why: undefined };
  if (globs.length > 0) return judgeGlobs(globs, condition, activePath);
  if (condition.askedWithoutGlobs && says(condition.askedWithoutGlobs)) return ASKED;
  return condition.withoutGlobs === 'loaded' ? { fate: 'loaded', why: undefined } : ASKED;
}

function judgeGlobs(globs: readonly string[], condition: Condition, activePath: string | undefined): Verdict {
  if (globs.some((glob) => glob === '**' || glob === '**/*' || (glob === '*' && condition.isAtAnyDepth)))
    return { fate: 'loaded', why: undefined };
  const words = ellipsize(globs.join(', '), 80);
  if (activePath === undefined || !globs.some((glob) => ruleGlobMatcher(glob, condition)(activePath)))
    return { fate: 'onDemand', why: phrase('Only for files that match {0}', words) };
  return { fate: 'loaded', why: phrase('The open file matches {0}', words) };
}

/** Whether a pattern of a rule's frontmatter holds for a path, as agents read it. */
export function ruleGlobMatcher(
  glob: string,
  { isAtAnyDepth, ignoresCase }: Pick<Condition, 'isAtAnyDepth' | 'ignoresCase'>,
  meter?: GlobMeter,
): (path: string) => boolean {
  if (glob.length > MAX_GLOB_CHARS) return () => false;
  const bare = glob.replace(/^\.?\//, '');
  const isRooted = glob.startsWith('/') || !isAtAnyDepth;
  const pattern = isRooted || bare.startsWith('**/') ? bare : `**/${bare}`;
  // A folder's name stands for what is in it.
  return globMatcher(pattern.endsWith('/') ? `${pattern}**` : pattern, {
    ignoresCase: ignoresCase === true,
    ...(meter ? { meter } : {}),
  });
}

/** Folders from the root to the one that holds `path`, outermost first; the root is `''`. */
export function chainOf(path: string | undefined): readonly string[] {
  const names = path === undefined ? [] : path.split('/').slice(0, -1);
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))];
}

/** A file's path below the folder that a rule speaks of, or everything with these endings below a folder of rules. */
export type FilePattern =
  | string
  | {
      /** Such as `.cursor/rules`. */
      readonly folder: string;
      /** `''` for every file. */
      readonly endings: readonly string[];
      /** Endings of files that are no rules. */
      readonly exceptEndings?: readonly string[];
      /** Folders below `folder` whose files are something else. */
      readonly except?: readonly string[];
      /** Only what lies in `folder` itself. */
      readonly isFlat?: true;
      /** The name goes on after `folder`, as in `rules-code`; the `-` belongs to it. `file`: it is that of a file. */
      readonly hasSuffix?: 'folder' | 'file';
    };

/** When a file with frontmatter is loaded; keys are the frontmatter's. */
export interface Condition {
  /** Key of the globs; the file is loaded for files that match. */
  readonly globs: string;
  /** What a file without globs is. */
  readonly withoutGlobs: 'loaded' | 'onDemand';
  /** Loaded whatever the globs say. */
  readonly always?: { readonly key: string; readonly value: string };
  /** On demand whatever the globs say. */
  readonly asked?: readonly { readonly key: string; readonly value: string }[];
  /** On demand where it has no globs. */
  readonly askedWithoutGlobs?: { readonly key: string; readonly value: string };
  /** Not read at all. */
  readonly never?: { readonly key: string; readonly value: string };
  /** A list of no globs (`paths: []`) turns the file off. */
  readonly isOffWithoutAny?: true;
  /** Relative globs match at any depth. */
  readonly isAtAnyDepth?: true;
  readonly ignoresCase?: true;
}

/** A size limit of one file; of several units the first that is reached counts. */
export interface FileLimit {
  readonly bytes?: number;
  /** UTF-16 code units; how vendors count is not documented. */
  readonly characters?: number;
  readonly lines?: number;
  /** `cut`: the head is kept. `skip`: the file is not read at all. */
  readonly excess: 'cut' | 'skip';
  /** Frontmatter and HTML comments that are blocks of their own do not count. */
  readonly isWithoutComments?: true;
  readonly why: Phrase;
  /** The limit itself, or what happens beyond it, is not certain. */
  readonly isDoubtful?: true;
}

/** Files that an agent reads in the same way; rules are applied in their order. */
export interface FileRule {
  readonly patterns: readonly FilePattern[];
  /** In each folder from the root to the active file's, outermost first; at the root alone where it is absent. */
  readonly place?: 'chain';
  /**
   * `firstInFolder`: in each folder the files of the first pattern that has any. `nearest`: only those of the innermost
   * folder that has any. Absent: every pattern.
   */
  readonly pick?: 'firstInFolder' | 'nearest' | undefined;
  /** Files of other folders than those of the chain are read when the work goes there. */
  readonly isReadElsewhere?: true;
  /** Read when the agent is started in the file's folder or below, not when its work goes there. */
  readonly isReadAtStart?: true;
  /** Why files of other folders are not read by themselves, where it is not the work going there. */
  readonly elsewhere?: Phrase;
  /** Not read where one of these lies in the same folder, or in one of the chain above it. */
  readonly hiddenBy?: readonly FilePattern[];
  readonly condition?: Condition;
  /** Never by itself, for this reason. */
  readonly onDemand?: Phrase;
  readonly limit?: FileLimit;
  /** Said of a loaded file. */
  readonly why?: Phrase;
  readonly isDoubtful?: true;
}

/** How an agent follows `@path` in a file that it reads. */
export interface ImportRule {
  /** Hops from the file that is read by itself. */
  readonly depth: number;
  /** What an import may start with after `@`. */
  readonly start: RegExp;
  /** `paths`: only what looks like a file was meant as one. `all`: every such word is replaced when there is no file. */
  readonly missing: 'paths' | 'all';
  /** What is left off the end of a word where no file has its whole name. */
  readonly leavesOff: WordEnd;
  /** Imported files with this frontmatter key are for files that match its globs. */
  readonly condition?: Condition;
  /** Each file that is read by itself gets all its imports, also those that another had already. */
  readonly isPerFile?: true;
  /** Files whose imports are not followed. */
  readonly notIn?: readonly string[];
  /** What is not beside the importing file is looked for from the folder's root. */
  readonly isAlsoFromRoot?: true;
  /** Whether it follows them at all is not certain: nothing is said of what it does not get. */
  readonly isDoubtful?: true;
}

/** How a list of MCP servers is written; `setup/mcpConfig` has a writer for each. */
type McpForm = 'shell' | 'toml' | 'plain' | 'typed' | 'servers' | 'cline' | 'zed' | 'opencode';

/** One way to tell an agent of our MCP server. */
export interface McpPlace {
  /** A name that is a contract of the command line; the agent's id where it is absent. */
  readonly client?: string;
  /** Where the text belongs: a file, or `$` for a shell. */
  readonly place: string;
  readonly form: McpForm;
  /** One list for all folders, so that a server's name must tell its folder. */
  readonly isPerUser?: true;
}

/** What an agent's settings files and its hooks' answers look like; `setup/hooks` knows each. */
export type HookForm = 'claude-code' | 'codex' | 'gemini' | 'vscode';

/** The settings files that an agent's hooks are installed in. */
interface HookPlaces {
  /** A name that is a contract of the command line; the agent's id where it is absent. */
  readonly agent?: string;
  /** Ids of other agents that run these hooks. */
  readonly alsoOf?: readonly string[];
  /** Where people know these hooks by another name than the product's. */
  readonly name?: string;
  readonly form: HookForm;
  /** For one machine. Workspace-relative. */
  readonly local: string;
  /** For everybody who has the project. Workspace-relative; the same file where the agent reads one alone. */
  readonly shared: string;
}

/** Everything the product knows of one agent: what it reads, and what can be set up for it. */
export interface AgentRules {
  readonly agent: AgentId;
  readonly name: string;
  /** What the facts were read from, and when that was. */
  readonly asOf: string;
  /** Public documents or sources. */
  readonly sources: readonly string[];
  readonly rules: readonly FileRule[];
  /** Files that no other agent has people write: where one of them is, this agent is in use. */
  readonly own?: readonly FilePattern[];
  readonly imports?: ImportRule;
  /** A limit on all files of `chain` rules together, spent root first; blank files are not charged. */
  readonly chainLimit?: { readonly bytes: number; readonly why: Phrase };
  /** The program that is set up, where that has another name; names of products are not translated. */
  readonly product?: string;
  readonly mcp?: readonly McpPlace[];
  readonly hooks?: HookPlaces;
  /** Folders in which it looks for skills of the open form (agentskills.io). Workspace-relative. */
  readonly skills?: readonly string[];
  /** The reader of its transcripts, by the name in `core/transcripts`, and its name where it is another. */
  readonly transcripts?: { readonly reader: string; readonly name?: string };
  /** A text that was read already is not read again. */
  readonly dropsCopies?: true;
  /** Frontmatter of instruction files, and HTML comments that are blocks of their own, are taken out before they are read. */
  readonly dropsComments?: true;
}
