/**
 * The built-in sources that the editor knows: `diagnostics` and `open-editors`, as texts. They decide words and
 * order; what the editor shows is the host's to say.
 */

import type { EditorDiagnostic, OpenEditor } from '../../ports/ports';
import { filesOf } from '../../text/counts';
import { plural } from '../../text/numbers';
import { inEnglish, NO_WORDS, type Phrase, phrase } from '../../text/phrase';

/** A text and the row's note. */
export interface SourceText {
  readonly text: string;
  readonly note: Phrase;
}

/** More problems than this are a broken setup, not a list to work through; counts are always complete. */
const MAX_LISTED = 500;

const SEVERITIES: readonly EditorDiagnostic['severity'][] = ['error', 'warning', 'info'];

/**
 * `ALERT` with errors, `WARN` with warnings only, else `OK`; grouped by file. Hints are left out: editors use them for
 * greyed-out code, not for problems. Nothing without problems: an editor without a language server has none either,
 * and an empty section would make the editor's numbers differ from the command line's.
 */
export function describeDiagnostics(all: readonly EditorDiagnostic[]): SourceText | undefined {
  const listed = all.filter((item) => item.severity !== 'hint').sort(byPlace);
  const errors = listed.filter((item) => item.severity === 'error');
  const warnings = listed.filter((item) => item.severity === 'warning');
  const infos = listed.length - errors.length - warnings.length;
  const counts = [
    errors.length > 0 ? phrase(errors.length === 1 ? '{0} error' : '{0} errors', errors.length) : NO_WORDS,
    warnings.length > 0 ? phrase(warnings.length === 1 ? '{0} warning' : '{0} warnings', warnings.length) : NO_WORDS,
    infos > 0 ? phrase(infos === 1 ? '{0} note' : '{0} notes', infos) : NO_WORDS,
  ].filter((part) => part !== NO_WORDS);
  const [first] = counts;
  if (!first) return undefined;
  const word = errors.length > 0 ? 'ALERT' : warnings.length > 0 ? 'WARN' : 'OK';
  const worst = errors.length > 0 ? errors : warnings.length > 0 ? warnings : listed;
  const lines = [
    `SUMMARY:${word}:${listOf(counts.map(inEnglish))} in ${plural(countFiles(listed), 'file')}`,
    '---',
    ...byFile(listed.slice(0, MAX_LISTED)),
    ...(listed.length > MAX_LISTED ? [`and ${listed.length - MAX_LISTED} more`] : []),
  ];
  return { text: `${lines.join('\n')}\n`, note: phrase('{0}, {1}', first, filesOf(countFiles(worst))) };
}

function byPlace(a: EditorDiagnostic, b: EditorDiagnostic): number {
  return (
    compare(a.path, b.path) ||
    a.line - b.line ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countFiles(items: readonly EditorDiagnostic[]): number {
  return new Set(items.map((item) => item.path)).size;
}

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function byFile(items: readonly EditorDiagnostic[]): string[] {
  return items.flatMap((item, at) => {
    const origin = [item.source, item.code].filter((part) => part !== undefined && part !== '').join(' ');
    const row = `- line ${item.line}, ${item.severity}: ${oneLine(item.message)}${origin === '' ? '' : ` (${oneLine(origin)})`}`;
    return items[at - 1]?.path === item.path ? [row] : [oneLine(item.path), row];
  });
}

/** The active editor first, the others in the order of their tabs; unsaved ones and the selection marked. */
export function describeOpenEditors(all: readonly OpenEditor[]): SourceText | undefined {
  if (all.length === 0) return undefined;
  const ordered = [...all].sort((a, b) => Number(b.isActive) - Number(a.isActive));
  const dirty = all.filter((editor) => editor.isDirty).length;
  const opened = String(all.length);
  const note = dirty > 0 ? phrase('{0} open, {1} unsaved', opened, String(dirty)) : phrase('{0} open', opened);
  return { text: ordered.map((editor) => `- ${editorRow(editor)}\n`).join(''), note };
}

function editorRow({ path, isActive, isDirty, selection }: OpenEditor): string {
  const marks = [isActive ? 'active' : '', isDirty ? 'unsaved' : '', selection ? selectionWords(selection) : ''];
  const words = marks.filter((mark) => mark !== '').join(', ');
  return words === '' ? oneLine(path) : `${oneLine(path)} (${words})`;
}

function selectionWords({ startLine, endLine }: NonNullable<OpenEditor['selection']>): string {
  return startLine === endLine ? `line ${startLine} selected` : `lines ${startLine}–${endLine} selected`;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
