/**
 * What workspaces have to say about places of instruction and memory files, as diagnostics, and where agents stop
 * reading, as decorations. It decides how notices look; what they are is the core's business.
 */

import * as vscode from 'vscode';
import type { FileNotice } from '../../core/agents/stale/stalePaths';
import { DisposableStore } from '../base/disposables';
import { DIAGNOSTIC_SOURCE, SETTINGS, SETTINGS_SECTION } from '../base/ids';
import { say } from '../base/language';
import { onDidChangeSettings } from '../base/preferences';
import type { FolderWorkspace, WorkspaceRegistry } from '../workspace/workspaceRegistry';
import { CutDecorations, type MarkedCut } from './cutDecorations';

/** What `contextBudget.staleInstructions.*` and `contextBudget.agentCuts` may say. */
type Level = 'off' | 'information' | 'warning';

const LEVELS: Readonly<Record<Exclude<Level, 'off'>, vscode.DiagnosticSeverity>> = {
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
};

/** Code of each kind, shown after the message, and the setting of its level. */
const KINDS: Readonly<Record<FileNotice['kind'], { readonly code: string; readonly setting: string }>> = {
  agentCut: { code: 'agent-cut', setting: SETTINGS.agentCuts },
  stalePath: { code: 'stale-path', setting: SETTINGS.stalePaths },
};

/** A diagnostic with the notice that it was made of, for its quick fixes. */
class NoticeDiagnostic extends vscode.Diagnostic {
  constructor(
    readonly notice: FileNotice,
    severity: vscode.DiagnosticSeverity,
  ) {
    super(rangeOf(notice), say(notice.message), severity);
    this.source = DIAGNOSTIC_SOURCE;
    this.code = KINDS[notice.kind].code;
  }
}

/** A line is marked whole: VS Code ends the range where the line does. */
function rangeOf({ line, columns }: FileNotice): vscode.Range {
  const at = Math.max(0, line - 1);
  return columns
    ? new vscode.Range(at, columns.start, at, columns.end)
    : new vscode.Range(at, 0, at, Number.MAX_SAFE_INTEGER);
}

/** Keeps diagnostics and decorations as the newest snapshots have them. */
export class FileNotices extends DisposableStore {
  readonly #collection = this.add(vscode.languages.createDiagnosticCollection('contextBudget'));
  readonly #cuts = this.add(new CutDecorations());
  /** What is shown, by folder: nothing is done again for a snapshot that says the same. */
  readonly #shown = new Map<
    string,
    { readonly notices: readonly FileNotice[]; readonly files: readonly vscode.Uri[] }
  >();

  constructor(private readonly registry: WorkspaceRegistry) {
    super();
    this.add(registry.onDidChange(() => this.#update()));
    this.add(
      onDidChangeSettings([SETTINGS.agentCuts, SETTINGS.stalePaths], () => {
        for (const key of [...this.#shown.keys()]) this.#clear(key);
        this.#update();
      }),
    );
  }

  /** Lines (from 0) after which agents stop, as they are marked in a document; for tests. */
  cutsIn(uri: vscode.Uri): readonly MarkedCut[] {
    return this.#cuts.of(uri);
  }

  #update(): void {
    const folders = this.registry.all;
    const open = new Set(folders.map(({ folder }) => folder.uri.toString()));
    for (const key of [...this.#shown.keys()]) if (!open.has(key)) this.#clear(key);
    for (const folder of folders) this.#updateFolder(folder);
  }

  #updateFolder({ folder, workspace }: FolderWorkspace): void {
    const key = folder.uri.toString();
    const { notices } = workspace.snapshot;
    const { notices: shown = [] } = this.#shown.get(key) ?? {};
    if (shown === notices || JSON.stringify(shown) === JSON.stringify(notices)) return;
    this.#clear(key);
    const byPath = new Map<string, FileNotice[]>();
    for (const notice of notices) byPath.set(notice.path, [...(byPath.get(notice.path) ?? []), notice]);
    const files: vscode.Uri[] = [];
    for (const [path, own] of byPath) {
      const uri = vscode.Uri.joinPath(folder.uri, path);
      files.push(uri);
      this.#show(uri, folder, own);
    }
    this.#shown.set(key, { notices, files });
  }

  #show(uri: vscode.Uri, folder: vscode.WorkspaceFolder, notices: readonly FileNotice[]): void {
    const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION, folder);
    const shown = notices.flatMap((notice) => {
      const level = settings.get<Level>(KINDS[notice.kind].setting, 'off');
      return level === 'off' ? [] : [new NoticeDiagnostic(notice, LEVELS[notice.isMinor ? 'information' : level])];
    });
    this.#collection.set(uri, shown);
    this.#cuts.set(
      uri,
      shown.filter(({ notice }) => notice.kind === 'agentCut').map(({ notice }) => notice),
    );
  }

  #clear(key: string): void {
    for (const uri of this.#shown.get(key)?.files ?? []) {
      this.#collection.delete(uri);
      this.#cuts.set(uri, []);
    }
    this.#shown.delete(key);
  }
}

/** What silences a line, and a file; `core/agents/stale/pathMentions.ts` looks for them. */
const IGNORE_LINE = '<!-- context-budget-ignore -->';
const IGNORE_FILE = '<!-- context-budget-ignore-file -->';

/** Files that there may be notices for: Markdown, and rules of agents in files of other kinds. */
const NOTICED_FILES: vscode.DocumentSelector = [
  { language: 'markdown' },
  { pattern: '**/*.{mdc,txt}' },
  { pattern: '**/.{cursorrules,windsurfrules,clinerules}' },
];

/** Quick fixes of stale names: the path that exists, or a comment that turns the check off for the line or the file. */
export function registerNoticeFixes(): vscode.Disposable {
  const provideCodeActions: vscode.CodeActionProvider['provideCodeActions'] = (document, _range, { diagnostics }) =>
    diagnostics.flatMap((diagnostic) => (isHere(document, diagnostic) ? fixesOf(document, diagnostic) : []));
  const metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  return vscode.languages.registerCodeActionsProvider(NOTICED_FILES, { provideCodeActions }, metadata);
}

/** Whether a stale name is still where it was found: later edits may have moved it. */
function isHere(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): diagnostic is NoticeDiagnostic {
  if (!(diagnostic instanceof NoticeDiagnostic) || diagnostic.notice.kind === 'agentCut') return false;
  const [name] = diagnostic.notice.message.args;
  return document.getText(diagnostic.range) === name;
}

function fixesOf(document: vscode.TextDocument, diagnostic: NoticeDiagnostic): readonly vscode.CodeAction[] {
  const { replacement } = diagnostic.notice;
  const lineEnd = document.lineAt(diagnostic.range.start.line).range.end;
  const fileEnd = document.lineAt(document.lineCount - 1).range.end;
  const fix = (title: string, range: vscode.Range, text: string): vscode.CodeAction => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, range, text);
    return action;
  };
  const silent = [
    fix(vscode.l10n.t('Do not check this line'), new vscode.Range(lineEnd, lineEnd), ` ${IGNORE_LINE}`),
    fix(vscode.l10n.t('Do not check this file'), new vscode.Range(fileEnd, fileEnd), `\n${IGNORE_FILE}\n`),
  ];
  if (replacement === undefined) return silent;
  const replacing = fix(vscode.l10n.t('Change to “{0}”', replacement), diagnostic.range, replacement);
  replacing.isPreferred = true;
  return [replacing, ...silent];
}
