import * as vscode from 'vscode';
import type { ContextReport, ReportSection } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';
import { EditorError } from '../base/editorError';
import type { FolderWorkspace, WorkspaceRegistry } from './sessions';

/** The active folder's workspace, started if need be. @throws EditorError `noFolder` */
export async function requireWorkspace(registry: WorkspaceRegistry): Promise<FolderWorkspace> {
  const active = await registry.demand();
  if (!active) throw new EditorError('noFolder', vscode.l10n.t('No folder is open. Open one first.'));
  return active;
}

/** The report of a snapshot. @throws EditorError `noReport` when the workspace could not make one */
export function requireReport(snapshot: WorkspaceSnapshot): ContextReport {
  if (snapshot.report) return snapshot.report;
  throw new EditorError('noReport', vscode.l10n.t('The folder could not be counted. The log says why.'));
}

/** One section of a report. @throws EditorError `unknownSection` */
export function requireSection(report: ContextReport, mode: PayloadMode, sectionId: string): ReportSection {
  const section = report.payloads[mode].sections.find(({ id }) => id === sectionId);
  if (section) return section;
  throw new EditorError('unknownSection', vscode.l10n.t('There is no section {0} any more.', sectionId));
}
