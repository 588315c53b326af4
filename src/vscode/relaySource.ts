import * as vscode from 'vscode';
import { parseRelay } from '../core/relay/parseRelay';
import { RELAY_DEFAULTS } from '../core/relay/relayDefaults';
import type { SessionRegistry } from './sessions';

/** A relay log as somebody has it. */
export interface RelaySource {
  readonly name: string;
  readonly value: unknown;
}

/** Top-level keys by which a JSON text is known to be a relay log. */
const TELLING_KEYS: readonly string[] = [
  'relay_context',
  'execution_logs',
  'status_reports',
  'failure_noise',
  'api_error_dumps',
  'evidence_paths',
  'ledger',
];

/** The relay log in the active editor, else a file that is picked; undefined when nobody picks one. */
export async function findRelaySource(registry: SessionRegistry, given: unknown): Promise<RelaySource | undefined> {
  if (given instanceof vscode.Uri) return open(given);
  const document = vscode.window.activeTextEditor?.document;
  if (document && isRelayLog(document.getText())) return parse(document);
  const uri = await pickFile(registry.active?.folder.uri ?? vscode.workspace.workspaceFolders?.[0]?.uri);
  return uri && open(uri);
}

function isRelayLog(text: string): boolean {
  if (!TELLING_KEYS.some((key) => text.includes(`"${key}"`))) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && TELLING_KEYS.some((key) => Object.hasOwn(value, key));
  } catch {
    // Something else that speaks of one.
    return false;
  }
}

async function open(uri: vscode.Uri): Promise<RelaySource> {
  return parse(await vscode.workspace.openTextDocument(uri));
}

function parse(document: vscode.TextDocument): RelaySource {
  const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  return { name, value: parseRelay(document.getText().replace(/^\uFEFF/, ''), name) };
}

async function pickFile(folder: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const own = folder && vscode.Uri.joinPath(folder, RELAY_DEFAULTS.path);
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Relay log to compact'),
    openLabel: vscode.l10n.t('Compact'),
    filters: { JSON: ['json'] },
    ...(own ? { defaultUri: own } : {}),
  });
  return picked?.[0];
}
