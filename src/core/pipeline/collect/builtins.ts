/**
 * The table of built-in sources: one row a source. It decides where each is there, how much it matters, what its text is
 * made of and which changes make it stale; `collector.ts` remembers what was read.
 */

import type {
  BuiltinId,
  CollectedSection,
  ObservationSection,
  Priority,
  SectionFailure,
  SectionSource,
} from '../../model/section';
import type { Clock, EditorState, FileSource, GitDirectorySource, ProcessRunner } from '../../ports/ports';
import { phrase } from '../../text/phrase';
import { describeDiagnostics, describeOpenEditors, type SourceText } from './editorSources';
import { STATUS_TIMEOUT_MS } from './gitQuestions';
import { readGit } from './gitSource';
import type { RelaySource } from './relaySource';

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

/** What a source adds to its definition. */
export type Read = Pick<CollectedSection, 'body' | 'path' | 'note'>;

/** What reading a built-in source gave. */
export interface BuiltinRead {
  /** `undefined` when the section does not exist here. */
  readonly section: Read | undefined;
  /** Nothing was read, since that was called off. */
  readonly isCancelled?: true;
  /** The next collection reads it again, whatever has changed. */
  readonly isForgotten?: true;
  /** Files that git sees as changed. */
  readonly changedPaths?: readonly string[];
}

/** What the host can do. */
export interface HostAbilities {
  /** False in the CLI: `diagnostics` and `open-editors` do not exist there. */
  readonly hasEditor: boolean;
  /** False where the folder cannot be written: `observations` does not exist there. */
  readonly hasObservations?: boolean;
  /** Whether the relay log is read. */
  readonly hasRelay?: boolean;
  /** False in a browser: `git` does not exist there; command sections do, and say that they were not run. */
  readonly hasProcesses: boolean;
}

/** Built-in sources whose text another clone of the folder has not. */
const OF_THE_MACHINE: readonly BuiltinId[] = ['git', 'diagnostics', 'open-editors', 'observations'];

/** Whether a section may differ between two machines that have the same files. */
export function dependsOnMachine(source: SectionSource): boolean {
  return source.kind === 'command' || (source.kind === 'builtin' && OF_THE_MACHINE.includes(source.builtin));
}

interface BuiltinSource {
  /** Where the config says nothing else (DESIGN §3.1). */
  readonly priority: Priority;
  readonly isServed: (host: HostAbilities) => boolean;
  readonly read: (ports: CollectorPorts, isTrusted: boolean, signal: AbortSignal) => BuiltinRead | Promise<BuiltinRead>;
  /** What it is while nothing was read; pending where that is not said. */
  readonly unread?: Read;
  /** Kinds of changes after which it is read again, besides `all`. `always`: each collection reads it. */
  readonly staleOn: readonly Exclude<CollectorChange['kind'], 'all'>[] | 'always';
  /** Only these files, and folders around them, make it stale; other files than last time as well. */
  readonly paths?: (ports: CollectorPorts) => readonly string[];
  /** Trust, or losing it, makes it stale. */
  readonly dependsOnTrust?: true;
}

/** The map is filled in by the engine, which holds the index. */
const REPO_MAP: Read = { body: { kind: 'repoMap' }, path: undefined, note: undefined };

const ABSENT: BuiltinRead = { section: undefined };

export function failed(failure: SectionFailure): Read {
  return { body: { kind: 'failed', failure }, path: undefined, note: undefined };
}

function textOf(source: SourceText | undefined): BuiltinRead {
  if (!source) return ABSENT;
  return { section: { body: { kind: 'text', text: source.text }, path: undefined, note: source.note } };
}

async function gitSection(
  { processes, gitDirectories }: CollectorPorts,
  isTrusted: boolean,
  signal: AbortSignal,
): Promise<BuiltinRead> {
  if (!processes) return ABSENT;
  const read = await readGit(processes, gitDirectories, isTrusted, signal);
  switch (read.kind) {
    case 'absent':
      return { section: undefined, changedPaths: [] };
    case 'refused':
      return { section: failed({ kind: 'gitNotTrusted' }), changedPaths: [] };
    case 'text':
      return { ...textOf(read), changedPaths: read.changedPaths };
    case 'failed': {
      const section = failed({ kind: 'command', outcome: read.outcome, timeoutMs: STATUS_TIMEOUT_MS });
      return { section, changedPaths: [] };
    }
    case 'cancelled':
      return { section: undefined, changedPaths: [], isCancelled: true };
  }
}

async function relaySection({ relay }: CollectorPorts): Promise<BuiltinRead> {
  const [named = ''] = relay?.paths() ?? [];
  try {
    const read = await relay?.read();
    if (!read?.section) return ABSENT;
    const { section, path } = read;
    if (section.kind === 'text')
      return { section: { body: { kind: 'text', text: section.text }, path, note: section.note } };
    return { section: failed({ kind: 'unreadable', path: section.path, message: section.message }) };
  } catch {
    // An engine that failed says why elsewhere; its words could hold an absolute path.
    const message = phrase('it could not be compacted; refresh to try again');
    return { section: failed({ kind: 'unreadable', path: named, message }), isForgotten: true };
  }
}

async function observationSection({ readObservations }: CollectorPorts): Promise<BuiltinRead> {
  const read = await readObservations?.();
  if (!read) return ABSENT;
  if (read.kind === 'failed')
    return { section: failed({ kind: 'unreadable', path: read.path, message: read.message }) };
  return { section: { body: { kind: 'observations', ...read.rows }, path: undefined, note: read.note } };
}

export const BUILTIN_SOURCES: Readonly<Record<BuiltinId, BuiltinSource>> = {
  relay: {
    priority: 'P0',
    isServed: ({ hasRelay }) => hasRelay === true,
    read: relaySection,
    staleOn: ['files'],
    paths: ({ relay }) => relay?.paths() ?? [],
  },
  'repo-map': {
    priority: 'P2',
    isServed: () => true,
    read: () => ({ section: REPO_MAP }),
    unread: REPO_MAP,
    staleOn: [],
  },
  diagnostics: {
    priority: 'P2',
    isServed: ({ hasEditor }) => hasEditor,
    read: ({ editor }) => textOf(editor && describeDiagnostics(editor.diagnostics())),
    staleOn: ['diagnostics'],
  },
  git: {
    priority: 'P2',
    isServed: ({ hasProcesses }) => hasProcesses,
    read: gitSection,
    // A saved file changes what git says about the working tree.
    staleOn: ['git', 'files'],
    dependsOnTrust: true,
  },
  'open-editors': {
    priority: 'P3',
    isServed: ({ hasEditor }) => hasEditor,
    read: ({ editor }) => textOf(editor && describeOpenEditors(editor.openEditors())),
    staleOn: ['editors'],
  },
  observations: {
    priority: 'P3',
    isServed: ({ hasObservations }) => hasObservations === true,
    read: observationSection,
    // Only what was appended is read.
    staleOn: 'always',
  },
};
