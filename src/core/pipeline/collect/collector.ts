/**
 * Collect, the only stage that touches the world (DESIGN §3.1): reads what the definitions name, through ports, and
 * remembers it, so that only what changed is read again. It decides limits and what a source's text is made of; it
 * does not judge texts (attention routing) and does not cut them (the fit).
 */

import type { Config } from '../../config/config';
import { FileGroups } from '../../files/fileGroups';
import { FileReader, sectionLimit } from '../../files/fileReader';
import { GlobIndex, globMatcher } from '../../files/glob';
import { isSkippedName } from '../../files/ignoreRules';
import type { BuiltinId, CollectedSection, SectionDefinition, SectionSource } from '../../model/section';
import { NEVER_ABORTED } from '../../ports/ports';
import { filesOf } from '../../text/counts';
import {
  BUILTIN_SOURCES,
  type BuiltinRead,
  type CollectorChange,
  type CollectorPorts,
  failed,
  type Read,
} from './builtins';
import { CommandRunner } from './commandRunner';
import { ruleFiles } from './fileRules';

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
  /** Characters that one file or group may have. */
  readonly maxChars: number;
  readonly groups: FileGroups;
}

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
    const texts = definitions.filter(({ source }) => source.kind === 'file' || source.kind === 'files').length;
    const maxChars = sectionLimit(texts);
    const shared: Shared = { ...context, maxChars, groups: this.groupsOf(context.files, maxChars) };
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
    for (const [id, { paths }] of this.known) if (isStale(id, paths, change)) this.known.delete(id);
  }

  /** `undefined` when the section does not exist here. */
  private async read(
    { source, keepRecent }: SectionDefinition,
    context: Shared,
    signal: AbortSignal,
  ): Promise<Read | undefined> {
    if (signal.aborted) return unread(source);
    switch (source.kind) {
      case 'file':
        return this.readFile(source.path, context.maxChars);
      case 'files':
        return source.paths
          ? this.readRules(source.paths, context.maxChars)
          : this.readGroup(source.pattern, keepRecent, context);
      case 'command':
        return this.runCommand(source, context, signal);
      case 'builtin':
        return this.readBuiltin(source.builtin, context.isTrusted, signal);
    }
  }

  /** Files without text have nothing to say as rules. */
  private async readRules(paths: readonly string[], maxChars: number): Promise<Read> {
    const bodies = await Promise.all(paths.map((path) => this.reader.read(path, maxChars)));
    const files = paths.flatMap((path, at) => {
      const body = bodies[at];
      return body?.kind === 'text' ? [{ path, text: body.text }] : [];
    });
    return {
      body: { kind: 'folder', files: ruleFiles(files), leftOut: 0 },
      path: undefined,
      note: filesOf(files.length),
    };
  }

  private async readGroup(pattern: string, keepRecent: number | undefined, { groups }: Shared): Promise<Read> {
    const read = await groups.read(pattern, keepRecent);
    if (read.body.kind !== 'failed' || read.body.failure.kind !== 'missing') return read;
    return failed({ kind: 'noMatch', pattern, isIgnored: await hasFiles(this.ports.files, pattern) });
  }

  private groupsOf(files: readonly string[], maxChars: number): FileGroups {
    if (this.globs?.files !== files) this.globs = { files, index: new GlobIndex(files, this.ports.clock) };
    return new FileGroups(this.globs.index, this.reader, maxChars);
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

/** Entries that are looked at for files that a glob matches although they are ignored. */
const MAX_PROBED = 5000;

/** Whether the disk has files that match, whatever the ignore rules say of them. */
async function hasFiles(files: CollectorPorts['files'], pattern: string): Promise<boolean> {
  const matches = globMatcher(pattern);
  const segments = pattern.split('/');
  const fixed = segments.slice(0, -1).findIndex((segment) => /[*?[\]{}()!+@|]/.test(segment));
  const level = [segments.slice(0, fixed < 0 ? -1 : fixed).join('/')];
  for (let looked = 0; level.length > 0 && looked < MAX_PROBED; ) {
    const folder = level.shift() ?? '';
    const read = await files.list(folder);
    const entries = read.kind === 'ok' ? read.entries.filter(({ name }) => !isSkippedName(name)) : [];
    looked += entries.length + 1;
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file' && matches(path)) return true;
      if (kind === 'folder') level.push(path);
    }
  }
  return false;
}
