import * as vscode from 'vscode';
import type { Config } from '../../core/config/config';
import { RELAY_DEFAULTS } from '../../core/config/relayDefaults';
import { parseRelay } from '../../core/relay/parseRelay';
import { RelayError } from '../../core/relay/relayError';
import { decodeText } from '../../core/text/decode';
import { phrase } from '../../core/text/phrase';
import type { SessionRegistry } from '../workspace/sessions';

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

/** A folder's relay log and ledger, as its config names them; undefined for a file that is not there. */
export interface FolderRelay {
  readonly log: unknown;
  readonly ledger: unknown;
}

/** Reads both. Throws `RelayError` for a file that is no JSON, and the editor's error for one that cannot be read. */
export async function readFolderRelay(folder: vscode.Uri, { path, ledger }: Config['relay']): Promise<FolderRelay> {
  const [log, facts] = await Promise.all([path, ledger].map((name) => readJson(folder, name)));
  return { log, ledger: facts };
}

async function readJson(folder: vscode.Uri, name: string): Promise<unknown> {
  try {
    const decoded = decodeText(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)));
    if (decoded.kind !== 'text') throw new RelayError('notJson', phrase('{0} is not text.', name));
    return parseRelay(decoded.text, name);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
