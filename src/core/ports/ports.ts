/**
 * The ports: everything the core needs from the world arrives through these interfaces, so that the core itself runs
 * unchanged in Node, in an extension host, in a worker and in a browser. A host implements them once, in its
 * composition root; tests implement them in memory.
 */

import type { Phrase } from '../text/phrase';
import type { SymbolKind } from './symbolKind';

/** For callers that never lose interest. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;

/** Something that must be released exactly once. */
export interface Disposable {
  dispose(): void;
}

/** The only source of time. Nothing that is rendered into a payload may depend on it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs`; disposing the result cancels it. */
  schedule(callback: () => void, delayMs: number): Disposable;
}

/** Diagnostic log of the host: an output channel in the editor, stderr in the CLI. Never part of a result. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

/** One entry of a folder. `link` is a symbolic link whose target was not followed yet. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** What reading a file gave; expected outcomes are data, not exceptions. */
export type FileRead =
  /** `modifiedMs`: when it was last written, milliseconds since the epoch; not every source knows. */
  | { readonly kind: 'ok'; readonly bytes: Uint8Array; readonly modifiedMs?: number | undefined }
  | { readonly kind: 'tooLarge'; readonly sizeBytes: number }
  | { readonly kind: 'missing' }
  /** `message` says why, as words that follow a colon: `text/decode.ts`. */
  | { readonly kind: 'unreadable'; readonly message: Phrase };

/** What listing a folder gave. */
export type DirectoryRead =
  | {
      readonly kind: 'ok';
      readonly entries: readonly DirectoryEntry[];
      /** Names that are not UTF-8, with U+FFFD for what is not; they are no `entries`, since no path leads there. */
      readonly unnamed?: readonly string[];
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly message: Phrase };

/** Where a link leads: with the real path inside the root; `outside` when it leaves the root, `missing` when it dangles or loops. */
export type LinkTarget =
  | { readonly kind: 'file' | 'folder'; readonly realPath: string }
  | { readonly kind: 'outside' | 'missing' };

/**
 * Read access to one workspace folder. Every path is relative to the folder's root, with `/` between segments, without
 * a leading `/` or `./`; the root itself is `''`. Implementations never follow a link out of the root and never put an
 * absolute path into a message.
 */
export interface FileSource {
  /** The folder's display name, never a path. */
  readonly rootName: string;
  list(folder: string): Promise<DirectoryRead>;
  /**
   * Reads a file whole, or tells its size if that is over `maxBytes`, without reading it. `mayRead` is asked with the real
   * path inside the root of what was opened, before any of it is read; a file that it refuses is `missing`. A source
   * without links need not ask.
   */
  read(path: string, maxBytes: number, mayRead?: (realPath: string) => Promise<boolean>): Promise<FileRead>;
  /** Takes back bytes that `read` gave and the caller no longer uses: another file may be read into them. */
  reuse?(bytes: Uint8Array): void;
  resolveLink(path: string): Promise<LinkTarget>;
  /**
   * What tells a content of the file from its next one without reading it; undefined for what is no plain file inside of
   * the folder. Absent where the system keeps no such thing.
   */
  stamp?(path: string): Promise<FileStamp | undefined>;
}

/** What a file system says of a file that changes whenever its content does. Times in milliseconds since the Unix epoch. */
export interface FileStamp {
  readonly dev: number;
  readonly ino: number;
  readonly sizeBytes: number;
  /** Of the content. */
  readonly mtimeMs: number;
  /** Of content or attributes. */
  readonly ctimeMs: number;
}

/** Names contents of files, so that the same bytes have the same name on every machine. */
export interface ContentNames {
  /** Hex digits. */
  nameOf(bytes: Uint8Array): string;
  /** Names of contents that need not be read, as they are now; undefined where nothing tells them. Never rejects. */
  openUnread(signal: AbortSignal): Promise<UnreadContents | undefined>;
}

export interface UnreadContents {
  /** The name of the content that the file had when it had that stamp; undefined where it has to be read. */
  nameOf(path: string, stamp: FileStamp): string | undefined;
}

/** Why a program was not started: `PATH` finds it in the opened folder alone, where programs are not looked up. */
export const PROGRAM_IN_FOLDER = 'EINFOLDER';

/** How a child process ended. */
export interface ProcessOutcome {
  /** `exited`: by itself. `timedOut`, `flooded`, `cancelled`: its whole process tree was ended by us. `notStarted`: spawn failed. */
  readonly kind: 'exited' | 'timedOut' | 'flooded' | 'cancelled' | 'notStarted';
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Decoded as UTF-8, at most the request's `maxOutputBytes`. */
  readonly stdout: string;
  /** The last 16 KiB of stderr at most. */
  readonly stderr: string;
  /** The platform's reason when `kind` is `notStarted`, such as `ENOENT`; or {@link PROGRAM_IN_FOLDER}. */
  readonly errorCode: string | undefined;
  readonly durationMs: number;
}

/** The outcome of a process that never ran: `cancelled` before its start, or `notStarted` for the platform's reason. */
export function neverRan(
  kind: 'cancelled' | 'notStarted',
  errorCode?: string | undefined,
  durationMs = 0,
): ProcessOutcome {
  return { kind, exitCode: undefined, signal: undefined, stdout: '', stderr: '', errorCode, durationMs };
}

/** One child process to run in the workspace folder, without a shell. */
export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** What it reads from stdin, which then ends; without it there is no stdin. */
  readonly input?: string;
  /** For git alone: the runner makes its environment from this. */
  readonly git?: GitGuard;
}

/**
 * What git may take from its surroundings. Never a network, nor variables of another repository. Where the folder is not
 * trusted, nothing but `variables`, and no program out of the folder.
 */
export type GitGuard =
  | { readonly isTrusted: true }
  | { readonly isTrusted: false; readonly variables: Readonly<Record<string, string>> };

/** A git directory of our own that stands in for that of an untrusted folder: it has no config that could run anything. */
export interface ReadyGitDirectory {
  readonly kind: 'ready';
  /** Environment that leads git there. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute; never part of a result. */
  readonly workTree: string;
  /** The opened folder below the work tree, with `/` at its end; `''` when they are the same. */
  readonly prefix: string;
  /** Git may fail for what only a trusted folder's git looks for: objects at a remote, a shared index. */
  readonly isPartial: boolean;
}

/** `refused`: there is a repository, but it leads elsewhere or has a format that only a trusted folder's git reads. */
export type GitDirectory = ReadyGitDirectory | { readonly kind: 'absent' | 'refused' };

/** Makes git directories for a folder that is not trusted. */
export interface GitDirectorySource {
  /** For the repository as it is now. Never rejects. */
  open(): Promise<GitDirectory>;
}

/** Runs child processes with the workspace folder as working directory. Absent in hosts that cannot. */
export interface ProcessRunner {
  run(request: ProcessRequest, signal?: AbortSignal): Promise<ProcessOutcome>;
}

/** One problem the editor shows, reduced to what an agent needs. Lines are 1-based. */
export interface EditorDiagnostic {
  readonly path: string;
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly source: string | undefined;
  readonly code: string | undefined;
  readonly message: string;
}

/** One open editor tab. */
export interface OpenEditor {
  readonly path: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** 1-based line range of the selection in the active editor, when something is selected. */
  readonly selection: { readonly startLine: number; readonly endLine: number } | undefined;
  /** What is selected in the active editor, cut at 4,000 characters. */
  readonly selectedText?: string | undefined;
  /** A tab that the next file opened will replace: looked at, not worked on. */
  readonly isPreview?: boolean;
}

/** One symbol that a language extension tells of a file. Lines are 1-based and inclusive. */
export interface EditorSymbol {
  /** Undefined for what is no definition: a value, a key. */
  readonly kind: SymbolKind | undefined;
  readonly name: string;
  /** What the extension says besides the name, such as a type; may be empty. */
  readonly detail: string;
  readonly nameLine: number;
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly children: readonly EditorSymbol[];
}

/** What the editor's language extensions know about one folder's files. Paths are workspace-relative. */
export interface EditorSymbolSource {
  /** Open documents that are as their files are. */
  openFiles(): readonly string[];
  /** Undefined when no extension knows the file. Opens the document, which may wake the extensions of its language. */
  symbolsOf(path: string): Promise<readonly EditorSymbol[] | undefined>;
  /** Calls `listener` when a document of the folder was opened or saved. */
  onDidChange(listener: () => void): Disposable;
}

/** What the editor knows; absent in the CLI, whose `diagnostics` and `open-editors` sections do not exist. */
export interface EditorState {
  /** Symbols that language extensions tell; absent in hosts that have none. */
  readonly symbols?: EditorSymbolSource;
  diagnostics(): readonly EditorDiagnostic[];
  openEditors(): readonly OpenEditor[];
}

/** Bytes of files that ship with the product: grammars, the tree-sitter runtime, tokenizer ranks. */
export interface AssetSource {
  /** `name` is relative to the product's root, such as `grammars/tree-sitter-go.wasm`. Rejects when it is missing. */
  read(name: string): Promise<Uint8Array>;
}

/**
 * Names come from our own worker, but a worker parses hostile files: it gets product files and nothing else.
 * @throws Error for any other name
 */
export function checkAssetName(name: string): void {
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || name.split('/').includes('..'))
    throw new Error(`"${name}" is not the name of a product file`);
}

/** One pack of a {@link CacheStore}, as it lies there. */
export interface StoredPack {
  readonly name: string;
  /** Space it takes. */
  readonly sizeBytes: number;
  /** Since it was written or its body was read, to the hour. */
  readonly idleMs: number;
}

/**
 * Packs of bytes that survive restarts, one store a folder, shared by all processes of the user. A pack is never
 * changed after it was written, so that no process waits for another; any process may remove any pack at any time. Losing
 * one costs time, never correctness. Nothing here rejects: what fails is logged by the host.
 */
export interface CacheStore {
  /** A word that no other call gives, in no process and at no time. */
  makeId(): string;
  /** Empty when there is nothing, or nothing readable. */
  list(): Promise<readonly StoredPack[]>;
  /** The head alone, which is cheap; `undefined` when the pack is gone or is not, byte for byte, what was saved. */
  readHead(name: string): Promise<Uint8Array | undefined>;
  /** The body; `undefined` as for the head. Counts as a use. */
  readBody(name: string): Promise<Uint8Array | undefined>;
  /**
   * Whole or not at all, whenever the process ends.
   * @param name lower-case letters, digits and `-`; never used before
   * @returns the space it takes; `undefined` when it could not be written
   */
  save(name: string, head: Uint8Array, body: Uint8Array): Promise<number | undefined>;
  /** Removes what is there of `names`. */
  remove(names: readonly string[]): Promise<void>;
}

/** Names of the supported encodings, as in OpenAI's tiktoken. */
export type TokenizerName = 'o200k_base' | 'cl100k_base';

/** Counts tokens synchronously and exactly. Lives in the worker; see `src/worker/tokenizer.ts`. */
export interface Tokenizer {
  readonly name: TokenizerName;
  /** Number of tokens of `text`, special tokens encoded as ordinary text. Linear-ish on any input. */
  count(text: string): number;
}
