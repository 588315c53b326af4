/**
 * The shape of the table of windows: what each agent puts before the first word besides the instruction files of the
 * folder. Data only; `agentWindows.ts` has the rows, `core/window/loaded` applies them. Paths that begin with `~/` are
 * below the home folder, the others below the workspace.
 */
import type { FileRule } from './agentRules';

/** A setting that turns something off, as the agent's documents have it. */
export interface SettingRule {
  /** Absent: the file that names the server, or the skill's own file. */
  readonly path?: string;
  /**
   * Down to the value. `{entry}` stands for the keys of the server's entry, `{root}` for the absolute path of the workspace,
   * `{name}` for the name of the server, tool or skill.
   */
  readonly keys: readonly string[];
  /** What is put there; absent where the name is added to a list. */
  readonly value?: string | boolean;
}

/**
 * A value in settings that turns off what it names. `names`: a list of names. `patterns`: a record of patterns, of which the
 * last that fits says `deny` or `false`. `permissions`: a list of permissions, such as `Agent(name)`. `entries`: a list of
 * records with `name` or `path` and `enabled: false`. `records`: a record of records with `disable: true`.
 */
export interface OffList {
  readonly path: string;
  readonly format?: 'toml';
  readonly keys: readonly string[];
  readonly form: 'names' | 'patterns' | 'permissions' | 'entries' | 'records';
}

/**
 * A value in settings that says which instruction files are read. `instead`: names in place of the agent's own. `fallback`:
 * names that count where the agent's own are not there. `more`: paths and patterns of further files. `excludes`: patterns of
 * absolute paths that are not read. Lists are given strongest first; all of `more` and `excludes` count, one of the others.
 */
export interface InstructionSetting {
  readonly path: string;
  readonly format?: 'toml' | 'yaml';
  readonly keys: readonly string[];
  readonly form: 'instead' | 'fallback' | 'more' | 'excludes';
}

/**
 * Instruction files on demand of which the agent lists a line. `{name}` (the head's, else the file's), `{path}` and
 * `{description}` are replaced.
 */
export interface DescribedRules {
  readonly line: string;
  /** Only those whose head says so. */
  readonly when?: { readonly key: string; readonly value: string };
  /** Those with this key are not listed: they wait for files that match it. */
  readonly unlessKey?: string;
  /** Also without a description. */
  readonly isListedByPath?: true;
}

/** A file with a list of MCP servers. Lists are given strongest first: of two servers of a name the first one counts. */
export interface ServerFile {
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** Keys down to the record of servers; `{root}` stands for the absolute path of the workspace. */
  readonly keys: readonly string[];
  /** How one server of it is turned off; absent where no setting is known. */
  readonly off?: SettingRule;
}

/** A list of names in a settings file that turns servers off, or lets no others through. */
export interface ServerSwitch {
  readonly path: string;
  readonly keys: readonly string[];
  readonly kind: 'disabled' | 'allowed';
  /** The switch is about the servers of this file alone. */
  readonly of?: string;
}

/** The form in which a tool of an MCP server reaches the model. */
export interface ToolForm {
  /** `{server}` and `{tool}` are replaced. */
  readonly name: string;
  /** Characters that a name may have; others become `_`. */
  readonly letters: RegExp;
  /** The longest name, in characters, where a longer one is cut, and what stands in the middle (`...`). */
  readonly longest?: { readonly characters: number; readonly cut: 'middle' | 'end'; readonly mark?: string };
  /** The key of the parameters' schema. */
  readonly schemaKey: string;
  /** Further keys of every tool, as they are sent. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /**
   * `unchanged`: as the server sends it. `withoutSchema`: less `$schema`. `reduced`: only `type`, `properties` (sorted),
   * `description`, `enum`, `anyOf`, `items`, `$ref`, `$defs`, `required`, `additionalProperties`, and always `properties`. `closed`: with
   * `properties` and `additionalProperties: false`.
   */
  readonly schema: 'unchanged' | 'withoutSchema' | 'reduced' | 'closed';
  /** Added to the properties of each tool. */
  readonly addedProperty?: readonly [name: string, schema: Readonly<Record<string, unknown>>];
  /** Longest description, in characters. */
  readonly descriptionCharacters?: number;
}

/** What stays in the window of a tool that loads on demand. */
interface Deferral {
  /** `always`, or only with models of this pattern. */
  readonly when: 'always' | RegExp;
  /** `name`: its name stays. `none`: nothing. A number: the name and this many characters of its description. */
  readonly stays: 'name' | 'none' | number;
  /** A key of the server's entry that keeps its tools from being deferred. */
  readonly unless?: string;
  /** A key of a tool's `_meta` that keeps the tool from being deferred. */
  readonly unlessMeta?: string;
  /** A setting that turns it off for all servers, strongest file first, and what it says then. */
  readonly setting?: { readonly paths: readonly string[]; readonly keys: readonly string[]; readonly off: string };
}

/** How MCP servers reach the model. */
interface McpRules {
  readonly files: readonly ServerFile[];
  readonly switches?: readonly ServerSwitch[];
  /** Keys of an entry with lists of tools: those sent alone, and those left out. */
  readonly onlyTools?: string;
  readonly exceptTools?: string;
  /** How one tool is turned off. */
  readonly toolOff?: SettingRule;
  /** Settings that turn tools off by the names that the model knows them by. */
  readonly offLists?: readonly OffList[];
  /** Instructions of a server of which no tool is left are not sent. */
  readonly needsTool?: true;
  readonly form: ToolForm;
  readonly deferral?: Deferral;
  /** How much of the server's instructions is sent, in characters; 0 for none. */
  readonly instructionCharacters: number;
  /** Characters of the instructions that are sent where the server's tools are deferred. */
  readonly instructionCharactersDeferred?: number;
  readonly isDoubtful?: true;
}

/** With it, a head that is no YAML keeps a file from being listed. */
interface YamlRule {
  /** Plain values that the agent quotes first; absent where it reads heads as they are. */
  readonly repairs?: RegExp;
  /** The last of several values of a key counts. */
  readonly allowsTwice?: true;
  readonly allowsTabs?: true;
}

/**
 * The list of skills, as the agent writes it. `{name}`, `{description}`, `{path}` (absolute), `{folder}` and `{scope}`
 * (`project` or `user`) are replaced.
 */
interface SkillRules {
  readonly folders: readonly string[];
  /** Skills lie at any depth below a folder. */
  readonly isDeep?: true;
  /** A skill whose head has no name is not listed. */
  readonly needsName?: true;
  /** A skill whose name is not its folder's is not listed. */
  readonly needsFolderName?: true;
  /** It is listed by the name of its folder, whatever its head says. */
  readonly isNamedByFolder?: true;
  /** What stands for a missing description: the first line behind the head, or all of it; without it the skill is not listed. */
  readonly fallback?: 'line' | 'text';
  readonly yaml?: YamlRule;
  /** Of skills of one name the first counts; or `all` are listed; or `any` of them, by chance. */
  readonly sameName?: 'all' | 'any';
  readonly line: string;
  /** What stays of a skill whose description does not fit; `none` where it is not listed at all. */
  readonly short: string | 'none';
  /** Longest description, in characters. */
  readonly descriptionCharacters?: number;
  /** `cut` at that length, or the skill is `dropped`. */
  readonly tooLong?: 'cut' | 'dropped';
  /** Room for all lines: characters, or a share of the window (times `charactersPerToken` of the model where absent). */
  readonly budget?:
    | { readonly characters: number }
    | { readonly share: number; readonly charactersPerToken?: number; readonly charactersUnknown: number };
  /**
   * In the order of names. `greedy`: a skill loses its text where that does not fit behind those before it; a shorter one
   * after it may still fit. `stop`: that one and all after it lose theirs, whose short forms take no room. `evenly`: all
   * descriptions are shortened alike.
   */
  readonly over?: 'greedy' | 'stop' | 'evenly';
  /** Keys of frontmatter with which a skill is not listed. */
  readonly hidden?: { readonly key: string; readonly value: string };
  /** A record in settings that says of a skill `off`, `user-invocable-only` or `name-only`, strongest file first. */
  readonly overrides?: { readonly paths: readonly string[]; readonly keys: readonly string[] };
  /** How one skill is turned off. */
  readonly off?: SettingRule;
  readonly offLists?: readonly OffList[];
  /** Characters of that room that the agent's own skills take, which keep their text. */
  readonly bundledCharacters?: number;
  /** A key whose text follows the description. */
  readonly whenToUse?: string;
  readonly isDoubtful?: true;
}

/** A list with one line a file, of which the body is read on demand. */
interface ListedFiles {
  readonly folders: readonly string[];
  readonly line: string;
  /** Only what lies in a folder itself. */
  readonly isFlat?: true;
  readonly needsName?: true;
  readonly fallback?: 'line' | 'text';
  readonly yaml?: YamlRule;
  readonly offLists?: readonly OffList[];
  readonly isDoubtful?: true;
}

/** Sizes of the agent's own text, measured with a bare start in an empty folder. o200k tokens. */
interface OwnSize {
  /** Models for which it holds; the first row that matches counts, the first of all without a model. */
  readonly models: RegExp;
  readonly prompt: number;
  readonly tools: number;
  readonly other: number;
}

/** What one agent loads before the first word. */
export interface WindowRules {
  /** When the facts were gathered, such as `2026-11`. */
  readonly asOf: string;
  /** What they were read from: documents, or a recording of a version. */
  readonly source: string;
  /** Tokens of the default model's window; null where it is not public. */
  readonly windowTokens: number | null;
  /** What it loads besides, and nothing here reads. */
  readonly notRead?: readonly string[];
  /** Instruction files of the home folder. */
  readonly user?: readonly FileRule[];
  readonly instructionSettings?: readonly InstructionSetting[];
  readonly describedRules?: DescribedRules;
  readonly own?: { readonly version: string; readonly sizes: readonly OwnSize[] };
  readonly mcp?: McpRules;
  readonly skills?: SkillRules;
  readonly subagents?: ListedFiles;
  readonly commands?: ListedFiles;
}
