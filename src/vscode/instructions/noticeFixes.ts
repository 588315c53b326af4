import * as vscode from 'vscode';
import { NoticeDiagnostic } from './fileNotices';

/** What silences a line, and a file; `core/instructions/markdownSpans.ts` looks for them. */
const IGNORE_LINE = '<!-- context-budget-ignore -->';
const IGNORE_FILE = '<!-- context-budget-ignore-file -->';

/** Files that there may be notices for: Markdown, and rules of agents in files of other kinds. */
export const NOTICED_FILES: vscode.DocumentSelector = [
  { language: 'markdown' },
  { pattern: '**/*.{mdc,txt}' },
  { pattern: '**/.{cursorrules,windsurfrules,clinerules}' },
];

/** Quick fixes of stale names: the path that is there, or not to look the line or the file up any more. */
export class NoticeFixes implements vscode.CodeActionProvider {
  static readonly metadata: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics.flatMap((diagnostic) => (isHere(document, diagnostic) ? fixesOf(document, diagnostic) : []));
  }
}

/** Whether a stale name still stands where it was found: text that was changed since may have moved it. */
function isHere(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): diagnostic is NoticeDiagnostic {
  if (!(diagnostic instanceof NoticeDiagnostic) || diagnostic.notice.kind === 'agentCut') return false;
  const [name] = diagnostic.notice.message.args;
  return document.getText(diagnostic.range) === name;
}

function fixesOf(document: vscode.TextDocument, diagnostic: NoticeDiagnostic): readonly vscode.CodeAction[] {
  const { replacement } = diagnostic.notice;
  const lineEnd = document.lineAt(diagnostic.range.start.line).range.end;
  const fileEnd = document.lineAt(document.lineCount - 1).range.end;
  const silent = [
    fix(
      vscode.l10n.t('Do not check this line'),
      document,
      diagnostic,
      new vscode.Range(lineEnd, lineEnd),
      ` ${IGNORE_LINE}`,
    ),
    fix(
      vscode.l10n.t('Do not check this file'),
      document,
      diagnostic,
      new vscode.Range(fileEnd, fileEnd),
      `\n${IGNORE_FILE}\n`,
    ),
  ];
  if (replacement === undefined) return silent;
  const replacing = fix(
    vscode.l10n.t('Change to “{0}”', replacement),
    document,
    diagnostic,
    diagnostic.range,
    replacement,
  );
  replacing.isPreferred = true;
  return [replacing, ...silent];
}

function fix(
  title: string,
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  range: vscode.Range,
  text: string,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, range, text);
  return action;
}
