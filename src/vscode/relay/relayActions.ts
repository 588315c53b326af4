import * as vscode from 'vscode';
import { compactRelay, type RelayCompaction } from '../../core/relay/compactRelay';
import { writeExact } from '../../core/relay/exactNumbers';
import { parseRelay } from '../../core/relay/factsInput';
import { RelayError } from '../../core/relay/relayContext';
import { isForwardOnly } from '../../core/relay/relaySummary';
import { decodeText } from '../../core/text/decode';
import { formatCount } from '../../core/text/numbers';
import { phrase } from '../../core/text/phrase';
import { EditorError } from '../base/editorError';
import { unlessMissing } from '../base/folders';
import { COMMANDS, type CommandHandlers, type PanelCommandHandlers } from '../base/ids';
import { listed, say } from '../base/language';
import { readOwnText } from '../base/launcherFile';
import type { EditorServices } from '../copy/editorServices';
import type { WorkspaceRegistry } from '../workspace/workspaceRegistry';

/** A relay log and the name of its file. */
interface RelaySource {
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
  'latest_instruction',
  'current_blockers',
  'controller_route_summary',
];

/**
 * A relay log: the given file, or the active editor's; undefined where the folder's own is meant.
 * @throws EditorError `noRelayLog` where there is none at all
 */
async function findRelaySource(registry: WorkspaceRegistry, given: unknown): Promise<RelaySource | undefined> {
  if (given instanceof vscode.Uri) return open(given);
  const document = vscode.window.activeTextEditor?.document;
  if (document && isRelayLog(document)) return parse(document);
  if (registry.active?.workspace.snapshot.relay) return undefined;
  throw new EditorError('noRelayLog', vscode.l10n.t('No relay log here. Open one in an editor and try again.'));
}

/** Longer documents are not looked into. */
const MAX_LOG_CHARS = 4_000_000;

/** Whether a document is a relay log, by its keys. */
export function isRelayLog(document: vscode.TextDocument): boolean {
  if (!/^jsonc?$/.test(document.languageId)) return false;
  const text = document.getText();
  if (text.length > MAX_LOG_CHARS || !TELLING_KEYS.some((key) => text.includes(`"${key}"`))) return false;
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

/** A JSON file of a folder; undefined where there is none. @throws RelayError for a file that is no JSON */
async function readJson(folder: vscode.Uri, name: string): Promise<unknown> {
  const bytes = await unlessMissing(() => vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)));
  if (!bytes) return undefined;
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') throw new RelayError('notJson', phrase('{0} is not text.', name));
  return parseRelay(decoded.text, name);
}

/** The prompts that ship with the extension, by the language they are written in. */
const PROMPTS = { en: 'media/observer-relay.md', zh: 'media/observer-relay.zh-cn.md' } as const;

/** What can be done for a window that only observes other agents and passes messages on. */
export function relayActions({ clipboard, context, registry, statusBar }: EditorServices) {
  const commands = {
    /** Opens the compacted relay log as a new document beside the one it was made of; that one stays as it is. */
    [COMMANDS.compactRelay]: async (given) => {
      const source = await findRelaySource(registry, given);
      await (source ? show(compactRelay(source.value)) : panelCommands.compactRelay());
    },
    /** Copies what a relay log comes down to, at most ten lines. */
    [COMMANDS.copyRelaySummary]: async (given) => {
      const source = await findRelaySource(registry, given);
      if (!source) return panelCommands.copyRelaySummary();
      await copySummary(compactRelay(source.value).output.summary, source.name);
    },
    [COMMANDS.copyObserverPrompt]: (language) => copyPrompt(language),
  } satisfies CommandHandlers;

  /** What the panel asks for is about the folder's own log. */
  const panelCommands = {
    /** Opens the compacted relay log of the folder's own log and ledger; not while another agent recovers the work. */
    compactRelay: async () => {
      const { active } = registry;
      const relay = active?.workspace.snapshot.relay;
      if (!active || !relay) return;
      const state = relay.kind === 'read' ? relay.recovery?.state : undefined;
      if (state !== undefined && isForwardOnly(state)) {
        statusBar.note(`$(warning) ${vscode.l10n.t('Not compacted while the work is {0}', state)}`);
        return;
      }
      const files = active.workspace.snapshot.config.relay;
      const [log, ledger] = await Promise.all(
        [files.path, files.ledger].map((name) => readJson(active.folder.uri, name)),
      );
      await show(compactRelay(log ?? {}, { ledger }));
    },
    /** Copies the summary that the panel shows, of log and ledger. @throws EditorError `unreadableLog` */
    copyRelaySummary: async () => {
      const relay = registry.active?.workspace.snapshot.relay;
      if (!relay) return;
      const { path } = relay;
      if (relay.kind === 'failed') {
        const why = say(relay.message);
        throw new EditorError('unreadableLog', vscode.l10n.t('{0} could not be read: {1}', path, why));
      }
      await copySummary(relay.view.summary, path);
    },
    copyObserverPrompt: () => copyPrompt(undefined),
    /** Opens the folder's relay log, or its ledger where there is no log. */
    openRelayLog: async () => {
      const { active } = registry;
      const path = active?.workspace.snapshot.relay?.path;
      if (!active || path === undefined) return;
      await vscode.window.showTextDocument(vscode.Uri.joinPath(active.folder.uri, path));
    },
  } satisfies PanelCommandHandlers;

  /** Copies the observer's prompt in the editor's language, or in the one that a keybinding names. */
  async function copyPrompt(given: unknown): Promise<void> {
    const ofEditor = vscode.env.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
    const language = given === 'en' || given === 'zh' ? given : ofEditor;
    await vscode.env.clipboard.writeText(await readOwnText(context.extensionUri, PROMPTS[language]));
    statusBar.done(vscode.l10n.t('Copied the observer relay prompt'));
  }

  async function copySummary(summary: string, name: string): Promise<void> {
    const note = vscode.l10n.t('Copied the relay summary of {0}', name);
    await clipboard.write({ text: `${summary}\n`, sectionId: 'relay', note: () => note });
  }

  async function show({ output, findings }: RelayCompaction): Promise<void> {
    const content = writeExact(`${JSON.stringify(output, null, 2)}\n`);
    const document = await vscode.workspace.openTextDocument({ language: 'json', content });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
    statusBar.done(compactionNote(findings.dropped.length, output.self_check.missing));
  }

  return { commands, panelCommands };
}

function compactionNote(dropped: number, missing: readonly string[]): string {
  const count =
    dropped === 1
      ? vscode.l10n.t('Compacted, 1 entry dropped')
      : vscode.l10n.t('Compacted, {0} entries dropped', formatCount(dropped));
  return missing.length === 0 ? count : vscode.l10n.t('{0}; missing: {1}', count, listed(missing));
}
