/**
 * Collect, the only stage that touches the world (DESIGN §3.1): reads what the definitions name, through ports, and
 * remembers it, so that only what changed is read again. It decides limits and what a source's text is made of; it
 * does not judge texts (attention routing) and does not cut them (the ladder).
 */

import type { Config } from '../../config/config';
import { FileGroups } from '../../files/fileGroups';
import { FileReader, sectionLimit } from '../../files/fileReader';
import { GlobIndex } from '../../files/glob';
import type {
  BuiltinId,
  CollectedSection,
  ObservationSection,
  SectionDefinition,
  SectionSource,
} from '../../model/section';
import {
  type Clock,
  type EditorState,
  type FileSource,
  type GitDirectorySource,
  NEVER_ABORTED,
  type ProcessRunner,
} from '../../ports/ports';
import { phrase } from '../../text/phrase';
import { CommandRunner } from './commandRunner';
import { describeDiagnostics, describeOpenEditors, type SourceText } from './editorSources';
import { GIT_TIMEOUT_MS } from './gitQuestions';
import { type GitRead, readGit } from './gitSource';
import type { RelayRead, RelaySource } from './relaySource';

/** The ports that collecting needs. */
export interface CollectorPorts {
  readonly files: FileSource;
  readonly processes: ProcessRunner | undefined;
  /** Git is not run in an untrusted folder without it. */
  readonly gitDirectories?: GitDirectorySource | undefined;
  readonly editor: EditorState | undefined;
  /** Lets long work pause. */
  readonly clock?: Clock;
  /** The index of observations; absent where there are none. */
  readonly readObservations?: (() => Promise<ObservationSection | undefined>) | undefined;
  /** The relay context; absent where there is none. */
  readonly relay?: RelaySource | undefined;
}

/** Ids of sections that somebody pinned, excluded or wants on demand, as the config lists them. */
export type SectionChoices = Pick<Config, 'pinned' | 'excluded' | 'onDemand'>;

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
export interface CollectProgress {
  readonly done: number;
  readonly total: number;
  /** Id of the section's definition. */
  readonly id: string;
  /** `undefined` when the section turned out not to exist here (`git` without a repository). */
  readonly section: CollectedSection | undefined;
}

/** What changed in the world since the last collection. */
export type CollectorChange =
  /** Files or whole folders, changed, added or removed. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'editors' }
  | { readonly kind: 'diagnostics' }
  | { readonly kind: 'git' }
  | { readonly kind: 'observations' }
  | { readonly kind: 'commands' }
  | { readonly kind: 'all' };

/** What the sections of one collection share. */
interface Shared extends CollectContext {
  /** Characters that one file or group may have. */
  readonly maxChars: number;
  readonly groups: FileGroups;
}

type Read = Pick<CollectedSection, 'body' | 'path' | 'note'>;

const PENDING: Read = { body: { kind: 'pending' }, path: undefined, note: undefined };

/** Sections before anything was read: the shape of the report while it is being counted. */
export function pendingSections(
  definitions: readonly SectionDefinition[],
  choices: SectionChoices = { pinned: [], excluded: [], onDemand: [] },
): readonly CollectedSection[] {
  return definitions.map((definition) => {
    const { source } = definition;
    const path = source.kind === 'file' ? source.path : undefined;
    return withChoices(definition, isRepoMap(source) ? REPO_MAP : { ...PENDING, path }, choices);
  });
}

const REPO_MAP: Read = { body: { kind: 'repoMap' }, path: undefined, note: undefined };

function isRepoMap(source: SectionSource): boolean {
  return source.kind === 'builtin' && source.builtin === 'repo-map';
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
  private git: { readonly isTrusted: boolean; readonly read: Promise<GitRead> } | undefined;
  private relay: { readonly paths: readonly string[]; readonly read: Promise<RelayRead> } | undefined;
  private diagnostics: { readonly source: SourceText | undefined } | undefined;
  private openEditors: { readonly source: SourceText | undefined } | undefined;
  private gitPaths: readonly string[] = [];
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
    return this.gitPaths;
  }

  /** Forgets what `change` may have made wrong. Commands: see {@link CommandRunner}. */
  invalidate(change: CollectorChange): void {
    switch (change.kind) {
      case 'files':
        for (const path of change.paths) this.reader.forget(path);
        this.commands?.expireNaming(new Set(change.paths));
        // A saved file changes what git says about the working tree.
        if (change.paths.length > 0) this.git = undefined;
        if (change.paths.some((path) => this.isOfRelay(path))) this.relay = undefined;
        break;
      case 'editors':
        this.openEditors = undefined;
        break;
      case 'diagnostics':
        this.diagnostics = undefined;
        break;
      case 'git':
        this.git = undefined;
        break;
      case 'commands':
        this.commands?.expireAll();
        break;
      case 'observations':
        // Asked for with every collection: only what was appended is read.
        break;
      case 'all':
        this.reader.forgetAll();
        this.commands?.expireAll();
        this.git = this.relay = this.diagnostics = this.openEditors = undefined;
        break;
    }
  }

  /** `undefined` when the section does not exist here. */
  private async read(
    { source, keepRecent }: SectionDefinition,
    context: Shared,
    signal: AbortSignal,
  ): Promise<Read | undefined> {
    if (isRepoMap(source)) return REPO_MAP;
    if (signal.aborted) return PENDING;
    switch (source.kind) {
      case 'file':
        return this.readFile(source.path, context.maxChars);
      case 'files':
        return context.groups.read(source.pattern, keepRecent);
      case 'command':
        return this.runCommand(source, context, signal);
      case 'builtin':
        if (source.builtin === 'observations') return this.readObservations();
        if (source.builtin === 'relay') return this.readRelay();
        return source.builtin === 'git' ? this.readGit(context, signal) : this.readEditor(source.builtin);
    }
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

  private async readGit(context: CollectContext, signal: AbortSignal): Promise<Read | undefined> {
    const { isTrusted } = context;
    const { processes, gitDirectories } = this.ports;
    if (!processes) return undefined;
    const known = this.git?.isTrusted === isTrusted ? this.git : undefined;
    const current = known ?? { isTrusted, read: readGit(processes, gitDirectories, isTrusted, signal) };
    this.git = current;
    const read = await current.read;
    if (this.git === current) this.gitPaths = read.kind === 'text' ? read.changedPaths : [];
    switch (read.kind) {
      case 'absent':
        return undefined;
      case 'refused':
        return failed({ kind: 'gitNotTrusted' });
      case 'text':
        return { body: { kind: 'text', text: read.text }, path: undefined, note: read.note };
      case 'failed':
        return failed({ kind: 'command', outcome: read.outcome, timeoutMs: GIT_TIMEOUT_MS });
      case 'cancelled':
        if (this.git === current) this.git = undefined;
        // Somebody else's cancellation is not ours.
        return known && !signal.aborted ? this.readGit(context, signal) : PENDING;
    }
  }

  private async readObservations(): Promise<Read | undefined> {
    const read = await this.ports.readObservations?.();
    if (!read) return undefined;
    if (read.kind === 'failed') return failed({ kind: 'unreadable', path: read.path, message: read.message });
    return { body: { kind: 'observations', ...read.rows }, path: undefined, note: read.note };
  }

  private isOfRelay(path: string): boolean {
    return this.relay?.paths.some((known) => known === path || known.startsWith(`${path}/`)) === true;
  }

  private async readRelay(): Promise<Read | undefined> {
    const { relay } = this.ports;
    if (!relay) return undefined;
    const paths = relay.paths();
    // The config may name other files since.
    if (this.relay?.paths.join('\n') !== paths.join('\n')) this.relay = { paths, read: relay.read() };
    const current = this.relay;
    try {
      const read = await current?.read;
      if (!read?.section) return undefined;
      const { section, path } = read;
      if (section.kind === 'failed')
        return failed({ kind: 'unreadable', path: section.path, message: section.message });
      return { body: { kind: 'text', text: section.text }, path, note: section.note };
    } catch {
      // An engine that failed says why elsewhere; its words could hold an absolute path.
      if (this.relay === current) this.relay = undefined;
      return failed({
        kind: 'unreadable',
        path: paths[0] ?? '',
        message: phrase('it could not be compacted; try Refresh'),
      });
    }
  }

  private readEditor(builtin: BuiltinId): Read | undefined {
    const { editor } = this.ports;
    if (!editor) return undefined;
    if (builtin === 'diagnostics') this.diagnostics ??= { source: describeDiagnostics(editor.diagnostics()) };
    else this.openEditors ??= { source: describeOpenEditors(editor.openEditors()) };
    const source = (builtin === 'diagnostics' ? this.diagnostics : this.openEditors)?.source;
    if (!source) return undefined;
    return { body: { kind: 'text', text: source.text }, path: undefined, note: source.note };
  }
}

function failed(failure: Extract<CollectedSection['body'], { kind: 'failed' }>['failure']): Read {
  return { body: { kind: 'failed', failure }, path: undefined, note: undefined };
}
