/**
 * The notes on changed files that Claude Code adds to a message when an editor drives it, and does not log: each message
 * brings those of all files again that were changed since the session read them whole (anthropics/claude-code, issues
 * 16021, 21693 and 29442; in public sessions of 2.0.35 to 2.1.63 the window grows by them, and in terminals it does not).
 */
import type { JsonRecord } from '../../text/jsonRecord';
import { countAt, objectsAt, textAt } from '../jsonFields';
import type { LoggedBlock } from './sessionLog';

/** Lines around a change that a note has. */
const CONTEXT_LINES = 8;

/** What is kept of the files of a session, in UTF-16 code units: of others no note is known. */
const MAX_KEPT_CHARS = 2_000_000;

const BEFORE =
  'was modified, either by the user or by a linter. This change was intentional, so make sure to take it into account as ' +
  "you proceed (ie. don't revert it unless the user asks you to). Don't tell the user this, since they are already aware. " +
  'Here are the relevant changes (shown with line numbers):';

/** Lines of the file as it is now, from 0; the end is outside. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface ChangedFile {
  readonly changes: readonly Span[];
  readonly lines: readonly string[];
}

export class ClaudeNotes {
  /** Files that were read whole or written, by path. */
  readonly #files = new Map<string, ChangedFile>();
  #keptChars = 0;
  /** Nothing was asked since the newest notes. */
  #isFresh = false;

  /** The model has all of the file. */
  known(path: string): void {
    this.#keep(path, { changes: [], lines: [] });
  }

  /** @param shown what the screen shows of the change: the file before it, and its hunks */
  edited(path: string, shown: JsonRecord | undefined): void {
    const file = this.#files.get(path);
    const before = textAt(shown, 'originalFile');
    if (file && before !== undefined)
      this.#keep(path, changed(file.changes, before, objectsAt(shown, 'structuredPatch')));
  }

  forget(): void {
    this.#files.clear();
    this.#keptChars = 0;
  }

  asked(): void {
    this.#isFresh = false;
  }

  /** What the next message brings; nothing if one before it did, with no request between them. */
  next(): readonly LoggedBlock[] {
    if (this.#isFresh) return [];
    this.#isFresh = true;
    return [...this.#files]
      .filter(([, { changes }]) => changes.length > 0)
      .map(([path, file]) => ({
        kind: 'block',
        part: 'read',
        from: 'agent',
        isAssumed: true,
        text: `Note: ${path} ${BEFORE}\n${snippet(file)}`,
      }));
  }

  #keep(path: string, file: ChangedFile): void {
    this.#keptChars += sizeOf(file) - sizeOf(this.#files.get(path));
    this.#files.set(path, file);
    if (this.#keptChars > MAX_KEPT_CHARS) this.known(path);
  }
}

function sizeOf(file: ChangedFile | undefined): number {
  return (file?.lines ?? []).reduce((sum, line) => sum + line.length, 0);
}

/** Hunks from the last to the first: lines before one have the same numbers before and after it. */
function changed(known: readonly Span[], before: string, hunks: readonly JsonRecord[]): ChangedFile {
  const lines = before.split('\n');
  let changes = known;
  for (const hunk of [...hunks].reverse()) {
    const texts = (Array.isArray(hunk.lines) ? hunk.lines : []).filter(
      (line): line is string => typeof line === 'string' && !line.startsWith('\\'),
    );
    const start = Math.max(0, (countAt(hunk, 'oldStart') ?? 1) - 1);
    const isChange = (line: string): boolean => !line.startsWith(' ');
    const leading = Math.max(0, texts.findIndex(isChange));
    const trailing = texts.length - 1 - texts.findLastIndex(isChange);
    const old = texts.filter((line) => !line.startsWith('+'));
    const fresh = texts.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    lines.splice(start, old.length, ...fresh);
    const grown = fresh.length - old.length;
    let change: Span = { from: start + leading, to: start + fresh.length - trailing };
    const kept: Span[] = [];
    for (const span of changes) {
      if (span.to < change.from) kept.push(span);
      else if (span.from > change.to - grown) kept.push({ from: span.from + grown, to: span.to + grown });
      else change = { from: Math.min(span.from, change.from), to: Math.max(span.to + grown, change.to) };
    }
    changes = [...kept, change];
  }
  return { changes: [...changes].sort((a, b) => a.from - b.from), lines };
}

/** Changed lines with those around them, each with its number. */
function snippet({ changes, lines }: ChangedFile): string {
  const shown = new Set<number>();
  for (const { from, to } of changes)
    for (let line = Math.max(0, from - CONTEXT_LINES); line < Math.min(lines.length, to + CONTEXT_LINES); line++)
      shown.add(line);
  return [...shown]
    .sort((a, b) => a - b)
    .map((line) => `${String(line + 1).padStart(6)}→${lines[line] ?? ''}`)
    .join('\n');
}
