/**
 * Collect, the only stage that touches the world (DESIGN §3.1): reads what the definitions name, through ports, and
 * remembers it, so that only what changed is read again. It decides limits and what a source's text is made of; it
 * does not judge texts (attention routing) and does not cut them (the fit).
 */

import type { Config } from '../../config/config';
import { globRoot, hasFiles, readGroup } from '../../files/fileGroups';
import { FileReader, sectionLimit } from '../../files/fileReader';
import { GlobIndex } from '../../files/glob';
import type { BuiltinId, CollectedSection, SectionDefinition, SectionSource } from '../../model/section';
import { NEVER_ABORTED } from '../../ports/ports';
import { filesOf } from '../../text/counts';
import { phrase } from '../../text/phrase';
import {
  BUILTIN_SOURCES,
  type BuiltinRead,
  type CollectorChange,
  type CollectorPorts,
  failed,
  type Read,
} from './builtins';
import { CommandRunner } from './commandRunner';
import { ruleScope } from './fileRules';
import { folderFiles } from './folderFiles';
import type { CommitDates } from './gitOutput';
import { readCommitDates } from './gitSource';

/** Ids of sections that are pinned, excluded or on demand, as the config lists them. */
type SectionChoices = Pick<Config, 'pinned' | 'excluded' | 'onDemand'>;

/** What holds for one collection. */
export interface CollectContext {
  /** Command sections run only then. */
  readonly isTrusted: boolean;
  /** What the config's lists say. */
  readonly choices: SectionChoices;
  /** All files of the folder, as `walkFiles` lists them; globs of `files` sections match these. */
  readonly files: readonly string[];
}

/** One section was read. */
interface CollectProgress {
  readonly done: number;
  readonly total: number;
  /** Id of the section's definition. */
  readonly id: string;
  /** `undefined` when the section turned out not to exist here (`git` without a repository). */
  readonly section: CollectedSection | undefined;
}

/** What the sections of one collection share. */
interface Shared extends CollectContext {
  /** Characters that one file may have. */
  readonly maxChars: number;
  /** Sections that are folders. */
  readonly folderCount: number;
  readonly globs: GlobIndex;
  /** Folders by their globs and exceptions: sections that ask for the same files share them. */
  readonly folders: Map<string, Promise<Read>>;
  /** What the folders' globs begin with. */
  readonly roots: readonly string[];
}

type FolderSource = Extract<SectionSource, { readonly kind: 'files' }>;

/** A built-in source as it was read, or is being read. */
interface Known {
  readonly read: Promise<BuiltinRead>;
  readonly isTrusted: boolean;
  /** The files that it was made of; undefined where that is no matter of some files. */
  readonly paths: readonly string[] | undefined;
}

const PENDING: Read = { body: { kind: 'pending' }, path: undefined, note: undefined };

/** Sections before anything was read: the shape of the report while it is being counted. */
export function pendingSections(
  definitions: readonly SectionDefinition[],
  choices: SectionChoices = { pinned: [], excluded: [], onDemand: [] },
): readonly CollectedSection[] {
  return definitions.map((definition) => {
    const { source } = definition;
    const path = source.kind === 'file' ? source.path : undefined;
    return withChoices(definition, { ...unread(source), ...(path === undefined ? {} : { path }) }, choices);
  });
}

/** What a section is before it was read. */
function unread(source: SectionSource): Read {
  return (source.kind === 'builtin' && BUILTIN_SOURCES[source.builtin].unread) || PENDING;
}

/** A section as defined and read, with what the config's lists say of it. */
export function withChoices(
  definition: SectionDefinition,
  read: Read,
  { pinned, excluded, onDemand }: SectionChoices,
): CollectedSection {
  const { id } = definition;
  return {
    ...definition,
    ...read,
    onDemand: definition.onDemand || onDemand.includes(id),
    isPinned: pinned.includes(id),
    isExcluded: excluded.includes(id),
  };
}

/** Reads sections and remembers them. One for each workspace folder. */
export class SectionCollector {
  private readonly reader: FileReader;
  private readonly commands: CommandRunner | undefined;
  private readonly known = new Map<BuiltinId, Known>();
  private changed: readonly string[] = [];
  /** Asked once for all folders; forgotten when git says something new. */
  private dates: { readonly key: string; readonly read: Promise<CommitDates | undefined> } | undefined;
  private globs: { readonly files: readonly string[]; readonly index: GlobIndex } | undefined;

  /** `onCommands` is told when the first of several commands starts and when the last one has ended. */
  constructor(
    private readonly ports: CollectorPorts,
    onCommands?: (isRunning: boolean) => void,
  ) {
    this.reader = new FileReader(ports.files);
    this.commands = ports.processes && new CommandRunner(ports.processes, onCommands);
  }

  /**
   * Reads all sections at once; none waits for another. The result has the definitions' order and leaves out sections
   * that do not exist here. When cancelled, what was not read is pending. Never rejects for what a source does.
   */
  async collect(
    definitions: readonly SectionDefinition[],
    context: CollectContext,
    onProgress?: (progress: CollectProgress) => void,
    signal: AbortSignal = NEVER_ABORTED,
  ): Promise<readonly CollectedSection[]> {
    let done = 0;
    const texts = definitions.filter(({ source }) => source.kind === 'file').length;
    const patterns = definitions.flatMap(({ source }) =>
      source.kind === 'files' && !source.paths ? [source.pattern] : [],
    );
    const shared: Shared = {
      ...context,
      maxChars: sectionLimit(texts, patterns.length),
      folderCount: patterns.length,
      globs: this.globsOf(context.files),
      folders: new Map(),
      roots: [...new Set(patterns.map(globRoot))],
    };
    const collected = await Promise.all(
      definitions.map(async (definition) => {
        const read = await this.read(definition, shared, signal);
        const section = read && withChoices(definition, read, context.choices);
        onProgress?.({ done: ++done, total: definitions.length, id: definition.id, section });
        return section;
      }),
    );
    return collected.filter((section) => section !== undefined);
  }

  /** Files that git saw as changed when it was last read; none without a repository. */
  get changedPaths(): readonly string[] {
    return this.changed;
  }

  /** Forgets what `change` may have made wrong. Commands: see {@link CommandRunner}. */
  invalidate(change: CollectorChange): void {
    if (change.kind === 'files') {
      for (const path of change.paths) this.reader.forget(path);
      this.commands?.expireNaming(new Set(change.paths));
    }
    if (change.kind === 'all') this.reader.forgetAll();
    if (change.kind === 'all' || change.kind === 'commands') this.commands?.expireAll();
    if (change.kind === 'all' || change.kind === 'git') this.dates = undefined;
    for (const [id, { paths }] of this.known) if (isStale(id, paths, change)) this.known.delete(id);
  }

  /** `undefined` when the section does not exist here. */
  private async read({ source }: SectionDefinition, context: Shared, signal: AbortSignal): Promise<Read | undefined> {
    if (signal.aborted) return unread(source);
    switch (source.kind) {
      case 'file':
        return this.readFile(source.path, context.maxChars);
      case 'files':
        return source.paths ? this.readRules(source.paths, context.maxChars) : this.readFolder(source, context, signal);
      case 'command':
        return this.runCommand(source, context, signal);
      case 'builtin':
        return this.readBuiltin(source.builtin, context.isTrusted, signal);
    }
  }

  /** Files without text have nothing to say as rules. */
  private async readRules(paths: readonly string[], maxChars: number): Promise<Read> {
    const bodies = await Promise.all(
      paths.map(async (path) => ({ path, body: await this.reader.read(path, maxChars) })),
    );
    const texts = bodies.filter(({ body }) => body.kind === 'text');
    const files = folderFiles(texts, '')
      .filter(({ text }) => text.trim() !== '')
      .map((file) => ({ ...file, scope: ruleScope(file.path, file.text) }));
    return { body: { kind: 'folder', files, leftOut: 0 }, path: undefined, note: filesOf(files.length) };
  }

  private globsOf(files: readonly string[]): GlobIndex {
    if (this.globs?.files !== files) this.globs = { files, index: new GlobIndex(files, this.ports.clock) };
    return this.globs.index;
  }

  /** The same object whenever the same is asked for in one collection: a worker then gets its texts once. */
  private readFolder(source: FolderSource, context: Shared, signal: AbortSignal): Promise<Read> {
    const key = [source.pattern, ...(source.except ?? [])].join('\n');
    const known = context.folders.get(key);
    if (known) return known;
    const reading = this.readFolderNow(source, context, signal);
    context.folders.set(key, reading);
    return reading;
  }

  private async readFolderNow(source: FolderSource, context: Shared, signal: AbortSignal): Promise<Read> {
    const { pattern } = source;
    const { globs, maxChars, folderCount: folders } = context;
    const read = await readGroup(source, globs, this.reader, { maxChars, folders });
    if (read.kind === 'failed' && read.failure.kind !== 'missing') return failed(read.failure);
    if (read.kind === 'failed')
      return failed({ kind: 'noMatch', pattern, isIgnored: await hasFiles(this.ports.files, pattern) });
    const { leftOut } = read;
    const files = folderFiles(read.files, globRoot(pattern));
    const total = files.length + leftOut;
    const dates = files.every(({ date }) => date !== undefined) ? undefined : await this.datesOf(context, signal);
    return {
      body: {
        kind: 'folder',
        files: dates ? files.map((file) => ({ ...file, date: file.date ?? dates.get(file.path) })) : files,
        leftOut,
      },
      path: total === 1 ? files[0]?.path : undefined,
      note: leftOut > 0 ? phrase('{0} of {1}', files.length, filesOf(total)) : filesOf(total),
    };
  }

  /** Days of the last commits, for files that name none. */
  private datesOf({ isTrusted, roots }: Shared, signal: AbortSignal): Promise<CommitDates | undefined> {
    const { processes, gitDirectories } = this.ports;
    if (!processes) return Promise.resolve(undefined);
    const key = [isTrusted, ...roots].join('\n');
    if (this.dates?.key !== key) {
      const asked = { key, read: readCommitDates(processes, gitDirectories, isTrusted, roots, signal) };
      this.dates = asked;
      // What was called off is asked again.
      const forget = (): void => {
        if (this.dates === asked) this.dates = undefined;
      };
      void asked.read.then((dates) => dates ?? forget(), forget);
    }
    return this.dates.read;
  }

  private async readFile(path: string, maxChars: number): Promise<Read> {
    const body = await this.reader.read(path, maxChars);
    return { body: body.kind === 'text' ? body : { kind: 'failed', failure: body }, path, note: undefined };
  }

  private async runCommand(
    source: Extract<SectionSource, { readonly kind: 'command' }>,
    { isTrusted }: CollectContext,
    signal: AbortSignal,
  ): Promise<Read> {
    if (!this.commands) return failed({ kind: 'noProcesses' });
    if (!isTrusted) return failed({ kind: 'notTrusted' });
    const outcome = await this.commands.run(source, signal);
    if (!outcome) return PENDING;
    if (outcome.kind !== 'exited' || outcome.exitCode !== 0) {
      return failed({ kind: 'command', outcome, timeoutMs: source.timeoutMs });
    }
    return { body: { kind: 'text', text: outcome.stdout }, path: undefined, note: undefined };
  }

  private async readBuiltin(id: BuiltinId, isTrusted: boolean, signal: AbortSignal): Promise<Read | undefined> {
    const source = BUILTIN_SOURCES[id];
    const paths = source.paths?.(this.ports);
    const known = this.known.get(id);
    const isSame =
      known?.paths?.join('\n') === paths?.join('\n') && (known?.isTrusted === isTrusted || !source.dependsOnTrust);
    // In a promise from the start: a source that throws at once is one that rejects.
    const start = async (): Promise<BuiltinRead> => source.read(this.ports, isTrusted, signal);
    const own = known && isSame && source.staleOn !== 'always' ? undefined : { read: start(), isTrusted, paths };
    const current = own ?? (known as Known);
    this.known.set(id, current);
    const isCurrent = (): boolean => this.known.get(id) === current;
    try {
      const { section, isCancelled, isForgotten, changedPaths } = await current.read;
      if (changedPaths && isCurrent()) this.changed = changedPaths;
      if ((isCancelled || isForgotten) && isCurrent()) this.known.delete(id);
      if (!isCancelled) return section;
      // Another caller's cancellation is not ours.
      return !own && !signal.aborted ? this.readBuiltin(id, isTrusted, signal) : PENDING;
    } catch (error) {
      if (isCurrent()) this.known.delete(id);
      throw error;
    }
  }
}

function isStale(id: BuiltinId, paths: readonly string[] | undefined, change: CollectorChange): boolean {
  if (change.kind === 'all') return true;
  const { staleOn } = BUILTIN_SOURCES[id];
  if (staleOn === 'always' || !staleOn.includes(change.kind)) return false;
  if (change.kind !== 'files') return true;
  return change.paths.some(
    (path) => paths === undefined || paths.some((own) => own === path || own.startsWith(`${path}/`)),
  );
}
