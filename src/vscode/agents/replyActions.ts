import * as vscode from 'vscode';
import { decodeText } from '../../core/text/decode';
import { formatCount } from '../../core/text/numbers';
import type { Citation } from '../../core/usage/usageRecord';
import { payloadAnswered, recordReply } from '../../core/usage/usageService';
import { chosen, EditorError } from '../base/editorError';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { listed } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import { type OfferedText, offeredTexts } from '../workspace/offeredTexts';
import { requireReport } from '../workspace/workspaceRegistry';
import { citedNames } from './citedWords';

/** Where a reply comes from: a text that is there, or a file that is asked for. */
type Source = OfferedText | (vscode.QuickPickItem & { readonly text: undefined });

/** Finds out what of the payload an agent's reply has used, and records it. Asked for by name, so no setting forbids it. */
export function replyCommands({ lastReply, log, registry, statusBar }: EditorServices) {
  async function reply(given: unknown): Promise<string> {
    if (typeof given === 'string') return given;
    if (given instanceof vscode.Uri) return readText(given);
    const sources: readonly Source[] = [
      ...(await offeredTexts(log)),
      { label: vscode.l10n.t('$(file) From File…'), text: undefined },
    ];
    const title = vscode.l10n.t('Record Agent Reply');
    const placeHolder = vscode.l10n.t('Where is the agent’s reply?');
    const { text } = chosen(await vscode.window.showQuickPick(sources, { title, placeHolder }));
    if (text !== undefined) return text;
    const [file] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Record Reply') })) ?? [];
    return readText(chosen(file));
  }

  return {
    /** A keybinding may bring the reply along, or the file that it is in. */
    [COMMANDS.recordAgentReply]: async (given) => {
      const { workspace } = await registry.require();
      const { usage } = workspace;
      if (!usage) throw new EditorError('noUsageLog', vscode.l10n.t('A usage log cannot be stored in this folder.'));
      const replyText = await reply(given);
      if (replyText.trim() === '') throw new EditorError('emptyReply', vscode.l10n.t('The reply is empty.'));
      statusBar.note(`$(loading~spin) ${vscode.l10n.t('Checking which sections were used…')}`, true);
      try {
        const snapshot = await workspace.whenReady();
        const report = requireReport(snapshot);
        const { mode, given } = await payloadAnswered(usage, report.profile);
        const had = await workspace.payloadGiven(mode, given);
        // The text of an earlier task is not kept.
        const task = given && given.queryHash !== report.queryHash ? undefined : snapshot.task;
        const [cited = []] = await workspace.findCitations([{ replyText, toolCalls: [], task }], had, given);
        await recordReply(usage, report, cited);
        lastReply.record(workspace, cited);
        statusBar.note(citedNote(cited));
      } catch (error) {
        statusBar.clearNote();
        throw error;
      }
    },
  } satisfies CommandHandlers;
}

async function readText(file: vscode.Uri): Promise<string> {
  const decoded = decodeText(await vscode.workspace.fs.readFile(file));
  if (decoded.kind === 'text') return decoded.text;
  throw new EditorError('notText', vscode.l10n.t('{0} is not text.', vscode.workspace.asRelativePath(file)));
}

function citedNote(cited: readonly Citation[]): string {
  if (cited.length === 0) return `$(info) ${vscode.l10n.t('No evidence that the reply used a section')}`;
  const names = listed(citedNames(cited));
  return cited.length === 1
    ? `$(check) ${vscode.l10n.t('1 section cited: {0}', names)}`
    : `$(check) ${vscode.l10n.t('{0} sections cited: {1}', formatCount(cited.length), names)}`;
}
