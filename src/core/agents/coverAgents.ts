/**
 * What each agent makes of the folder's instruction and memory files, for the file that is worked on: applies the table
 * of rules (`agentTable.ts`) to the files that are there. It reads nothing, and decides nothing that the table does not
 * say. An agent counts as started in the folder and at work in the active file's folder.
 */
import { type Phrase, phrase } from '../text/phrase';
import { folderOf } from '../text/safePath';
import type { AgentCoverage, CoveredFile, FileFate, UnreadImport } from './agentCoverage';
import { type AgentFile, isSameText, isUnread } from './agentFile';
import type { AgentRules, FileRule, ImportRule } from './agentRules';
import { chainOf, judge } from './agentRules';
import { bytesWithoutComments, type Cut, cutAt, cutFile, mentionsOutsideComments } from './cutFile';
import type { Mention } from './mentions';
import { bareWord, importCandidates, looksLikeFile, resolveImport, spellings } from './mentions';
import { matchRule, type Picked, pickFiles, type RuleMatches } from './pickFiles';

/** An agent that misses more than this is not reading a path. */
const MAX_UNREAD = 100;

/** Undefined for a word that was never meant as a path, such as a person's name. */
function whyUnread(file: AgentFile, { target }: Mention, rule: ImportRule): UnreadImport['reason'] | undefined {
  if (rule.missing === 'paths' && !looksLikeFile(target)) return undefined;
  const isInside = spellings(target, rule.leavesOff).some((word) => resolveImport(file.path, word) !== undefined);
  return isInside ? 'missing' : 'outside';
}

/** What coverage is computed from. */
export interface CoverInput {
  /** Instruction and memory files and what they import, by path. */
  readonly files: ReadonlyMap<string, AgentFile>;
  /** The file that is worked on, workspace-relative; without one the chain is the root alone. */
  readonly activePath: string | undefined;
  /**
   * Folders that begin a Git repository; the root is `''`. Where that is not among them, the folder may lie in one or in
   * none. Absent: it begins one, and there are no others.
   */
  readonly repositories?: ReadonlySet<string>;
}

const ROOT_ALONE: ReadonlySet<string> = new Set(['']);

interface Fate {
  readonly fate: FileFate;
  readonly why: Phrase | undefined;
  readonly cut?: Cut | undefined;
  readonly isDoubtful?: boolean | undefined;
  /** Where it is not the cut that decides. */
  readonly bytesLost?: number;
  readonly isElsewhere?: true;
}

/** What files above leave of a limit on all files together. */
interface Room {
  readonly left: number;
  /** Whether they are read at all is not known: no repository is seen that holds them too. */
  readonly isDoubtful: boolean;
}

/** Coverage by one agent. Deterministic; linear in the files, and in the folders that have any. */
export function coverAgent(rules: AgentRules, input: CoverInput): AgentCoverage {
  const files = [...input.files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return new AgentWalk(rules, input, files).cover();
}

function whenStarted(folder: string): Phrase {
  return phrase('When it is started in {0} or below', folder);
}

/** The fate of a file that is not read here: `when` says when it is, and then its limits hold. */
function fateElsewhere(there: Fate, when: Phrase): Fate {
  if (there.fate === 'loaded') return { ...there, fate: 'onDemand', why: when, isElsewhere: true };
  return { ...there, why: there.why ? phrase('{0}; {1}', when, there.why) : when, isElsewhere: true };
}

/** What a rule's limit makes of a file; undefined when the file is within. */
function limitedFate({ limit, isDoubtful }: FileRule, file: AgentFile): Fate | undefined {
  const cut = limit && cutFile(file, limit);
  if (!limit || !cut) return undefined;
  const isUnsure = isDoubtful || limit.isDoubtful || (limit.isWithoutComments && cut.by === 'bytes');
  if (limit.excess === 'skip')
    return { fate: 'dropped', why: limit.why, isDoubtful: isUnsure, bytesLost: file.sizeBytes };
  return { fate: 'truncated', why: limit.why, cut, isDoubtful: isUnsure };
}

/** The fate of a file that is read on demand: the limit holds only then. */
function whenAsked(limited: Fate, asked: Phrase): Fate {
  return { ...limited, fate: 'onDemand', why: limited.why ? phrase('{0}; {1}', asked, limited.why) : asked };
}

/** One agent's way through the files. */
class AgentWalk {
  readonly #chain: readonly string[];
  readonly #repositories: ReadonlySet<string>;
  /** In reading order. */
  readonly #rows: CoveredFile[] = [];
  readonly #asked: CoveredFile[] = [];
  readonly #seen = new Set<string>();
  /** Of files that were imported once more. */
  readonly #repeats = new Map<string, number>();
  readonly #read: AgentFile[] = [];
  readonly #unread: UnreadImport[] = [];
  /** Files whose imports are not certain: what is read by itself comes first, for that is. */
  readonly #importers: AgentFile[] = [];

  constructor(
    private readonly rules: AgentRules,
    private readonly input: CoverInput,
    private readonly files: readonly AgentFile[],
  ) {
    this.#chain = chainOf(input.activePath);
    this.#repositories = input.repositories ?? ROOT_ALONE;
  }

  cover(): AgentCoverage {
    for (const rule of this.rules.rules) this.#apply(rule);
    for (const file of this.#importers) this.#follow(file);
    const { agent, name } = this.rules;
    const files = [...this.#rows, ...this.#asked].map((file) => {
      const repeats = this.#repeats.get(file.path);
      return repeats === undefined ? file : { ...file, times: repeats + 1 };
    });
    const here = files.filter(({ isElsewhere }) => !isElsewhere);
    const got = here.filter(({ fate }) => fate === 'loaded' || fate === 'truncated');
    return {
      agent,
      name,
      files,
      bytesLoaded: got.reduce((sum, { bytes, bytesLost, times = 1 }) => sum + times * (bytes - bytesLost), 0),
      bytesLost: here.reduce((sum, { fate, bytesLost }) => sum + (fate === 'onDemand' ? 0 : bytesLost), 0),
      ...(this.#unread.length > 0 ? { unreadImports: this.#unread } : {}),
    };
  }

  #apply(rule: FileRule): void {
    const matches = matchRule(rule, this.files);
    const hiders: RuleMatches = rule.hiddenBy ? matchRule({ ...rule, patterns: rule.hiddenBy }, this.files) : new Map();
    this.#take(rule, pickFiles(rule, matches, hiders, this.#chain), undefined);
    if (!rule.isReadElsewhere) return;
    for (const folder of [...matches.keys()].sort()) {
      if (rule.place === 'chain' ? this.#chain.includes(folder) : folder === '') continue;
      const why = rule.elsewhere ?? (rule.isReadAtStart ? whenStarted(folder) : phrase('Only for work in {0}', folder));
      // A rule for the root alone reads nothing here; what it would say of the others is the same.
      const there: FileRule = rule.place === 'chain' ? rule : { ...rule, place: 'chain', pick: undefined };
      this.#take(there, pickFiles(there, matches, hiders, chainOf(`${folder}/x`)), { folder, why });
    }
  }

  /** Adds rows for what was picked: all of it, or what lies in another folder than those of the chain. */
  #take(
    rule: FileRule,
    picked: readonly Picked[],
    elsewhere: { readonly folder: string; readonly why: Phrase } | undefined,
  ): void {
    const chainBytes = this.rules.chainLimit?.bytes ?? Number.POSITIVE_INFINITY;
    const worked = this.#repositoryOf(this.#chain.at(-1) ?? '');
    let left = chainBytes;
    let repository = '';
    for (const each of picked) {
      const { file, folder, hiddenBy } = each;
      const own = this.#repositoryOf(folder);
      // An agent that is started in a repository reads nothing above it.
      if (own !== repository) left = chainBytes;
      repository = own;
      const room = { left, isDoubtful: left < chainBytes && !this.#repositories.has(repository) };
      if (!hiddenBy && !file.isBlank) left = Math.max(0, left - file.sizeBytes);
      if (elsewhere && folder !== elsewhere.folder) continue;
      if (this.#seen.has(file.path)) {
        // Imported by another before it is read by itself.
        if (!elsewhere && !hiddenBy && this.#isRepeated(file)) this.#follow(file);
        continue;
      }
      const charged = this.#fateOf(rule, each, room);
      if (!charged) continue;
      const isAbove = !elsewhere && rule.isReadAtStart && own !== worked;
      const when = isAbove ? phrase('When it is started outside the repository {0}', worked) : elsewhere?.why;
      this.#add(file, when ? fateElsewhere(charged, when) : charged, undefined);
      if (when || (charged.fate !== 'loaded' && charged.fate !== 'truncated')) continue;
      if (this.rules.imports?.isDoubtful) this.#importers.push(file);
      else this.#follow(file);
    }
  }

  /** Undefined where the file's own frontmatter says that it is not for this agent. */
  #fateOf(rule: FileRule, { file, folder, hiddenBy }: Picked, room: Room): Fate | undefined {
    // What an unread file says of itself is not known.
    const isDoubtful = rule.isDoubtful || (rule.condition && isUnread(file));
    const verdict = rule.condition && judge(file.frontmatter, rule.condition, this.input.activePath);
    if (verdict?.fate === 'never') return undefined;
    if (hiddenBy) return this.#shadowed(file, hiddenBy, isDoubtful);
    const limited = limitedFate(rule, file);
    const asked = rule.onDemand ?? (verdict?.fate === 'onDemand' ? verdict.why : undefined);
    if (asked) return limited ? whenAsked(limited, asked) : { fate: 'onDemand', why: asked, isDoubtful };
    if (limited) return limited;
    if (file.isBlank) return { fate: 'loaded', why: phrase('Only blank space'), isDoubtful };
    const atStart = rule.isReadAtStart && folder !== '' ? whenStarted(folder) : undefined;
    return this.#charged(file, room) ?? { fate: 'loaded', why: verdict?.why ?? rule.why ?? atStart, isDoubtful };
  }

  /** The folder in which the repository of a folder begins; the root where none is known. */
  #repositoryOf(folder: string): string {
    for (let at = folder; at !== ''; at = folderOf(at)) if (this.#repositories.has(at)) return at;
    return '';
  }

  /** What a limit on all files together makes of one; undefined when it is within. */
  #charged(file: AgentFile, { left, isDoubtful }: Room): Fate | undefined {
    const { chainLimit } = this.rules;
    const { sizeBytes } = file;
    if (!chainLimit || sizeBytes <= left) return undefined;
    if (left === 0) return { fate: 'dropped', why: chainLimit.why, isDoubtful, bytesLost: sizeBytes };
    return { fate: 'truncated', why: chainLimit.why, isDoubtful, cut: cutAt(file, left, 'bytes') };
  }

  #shadowed(file: AgentFile, by: AgentFile, isDoubtful: boolean | undefined): Fate {
    if (isSameText(file, by))
      return {
        fate: 'shadowed',
        why: phrase('The same text is already read as {0}', by.path),
        isDoubtful,
        bytesLost: 0,
      };
    const why = phrase('{0} takes precedence', by.path);
    return { fate: 'shadowed', why, isDoubtful, bytesLost: file.sizeBytes };
  }

  #add(
    file: AgentFile,
    { fate, why, cut, isDoubtful, bytesLost, isElsewhere }: Fate,
    importedBy: string | undefined,
  ): void {
    if (this.rules.dropsCopies && fate === 'loaded') {
      const twin = file.isBlank ? undefined : this.#read.find((other) => isSameText(other, file));
      if (twin) {
        this.#add(file, this.#shadowed(file, twin, isDoubtful), importedBy);
        return;
      }
    }
    this.#seen.add(file.path);
    if (fate === 'loaded' || fate === 'truncated') this.#read.push(file);
    const isWhole = !cut && !isUnread(file) && (fate === 'loaded' || fate === 'onDemand');
    const bytes = isWhole && this.rules.dropsComments ? bytesWithoutComments(file) : file.sizeBytes;
    (fate === 'onDemand' ? this.#asked : this.#rows).push({
      path: file.path,
      fate,
      bytes,
      lines: file.lines,
      ...(isUnread(file) ? { isUnread: true } : {}),
      bytesLost: bytesLost ?? (cut ? bytes - cut.keptBytes : 0),
      cutLine: cut?.cutLine,
      importedBy,
      ...(isElsewhere ? { isElsewhere } : {}),
      why,
      isDoubtful: isDoubtful === true,
    });
  }

  /** Counts one more reading of a file where each file gets all its imports; false where it is not read again. */
  #isRepeated({ path }: AgentFile): boolean {
    const { imports } = this.rules;
    const row = this.#rows.find((each) => each.path === path);
    if (!imports?.isPerFile || row?.fate !== 'loaded') return false;
    this.#repeats.set(path, (this.#repeats.get(path) ?? 0) + 1);
    return true;
  }

  /** Follows the imports of a file that is read by itself, and theirs, depth first, to the rule's depth. */
  #follow(file: AgentFile, depth = 1, chain = new Set([file.path])): void {
    const { imports } = this.rules;
    if (!imports || imports.notIn?.includes(file.path)) return;
    for (const mention of this.rules.dropsComments ? mentionsOutsideComments(file) : file.mentions) {
      if (!imports.start.test(mention.target)) continue;
      const target = importCandidates(file.path, mention.target, imports.leavesOff, imports.isAlsoFromRoot)
        .map((path) => this.input.files.get(path))
        .find((found) => found !== undefined);
      if (target && depth <= imports.depth) {
        const isNew =
          this.#takeImport(target, imports, file.path) || (!chain.has(target.path) && this.#isRepeated(target));
        chain.add(target.path);
        if (isNew) this.#follow(target, depth + 1, chain);
        continue;
      }
      const reason = target ? 'tooDeep' : whyUnread(file, mention, imports);
      if (reason && !imports.isDoubtful && this.#unread.length < MAX_UNREAD)
        this.#unread.push({
          path: file.path,
          line: mention.line,
          target: bareWord(mention.target, imports.leavesOff),
          reason,
        });
    }
  }

  /** Adds an imported file; false when it was read already or is not read, so that it is not followed (which ends cycles). */
  #takeImport(file: AgentFile, imports: ImportRule, importedBy: string): boolean {
    if (this.#seen.has(file.path)) return false;
    const verdict = imports.condition && judge(file.frontmatter, imports.condition, this.input.activePath);
    const fate = verdict?.fate === 'onDemand' ? 'onDemand' : 'loaded';
    this.#add(file, { fate, why: verdict?.why, isDoubtful: imports.isDoubtful }, importedBy);
    return fate === 'loaded';
  }
}
