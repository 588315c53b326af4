import * as vscode from 'vscode';
import type { PayloadReport, ReportSection } from '../../core/model/report';
import type { PayloadMode } from '../../core/model/section';
import { formatCount } from '../../core/text/numbers';
import { chosen, EditorError } from '../base/editorError';
import { COMMANDS, type CommandHandlers, type CommandId, UNLISTED_COMMANDS } from '../base/ids';
import { type FolderWorkspace, requireReport, requireSection } from '../workspace/workspaceRegistry';
import type { EditorServices } from './editorServices';
import type { ClipboardCopy } from './maskedClipboard';

/** Everything that ends on the clipboard. Each copy waits for an exact count and then says what was copied. */
export function copyActions({ clipboard, preferences, recorder, registry, statusBar }: EditorServices) {
  const commands = {
    [COMMANDS.copyPayload]: () => copyPayload(),
    [COMMANDS.copyIndexPayload]: () => copyPayload('index'),
    [COMMANDS.copyExpandedPayload]: () => copyPayload('expanded'),
    [COMMANDS.copyRepoMap]: () => copyRepoMap(),
    /** The menu beside the panel's copy button. */
    [UNLISTED_COMMANDS.moreCopyActions]: async () => {
      const report = (await registry.require()).workspace.snapshot.report;
      const item = (label: string, command: CommandId, mode?: PayloadMode) => {
        const budget = mode && report?.payloads[mode].budget;
        return budget?.isExact
          ? { label, command, description: vscode.l10n.t('{0} tokens', formatCount(budget.tokens)) }
          : { label, command };
      };
      await runPicked(vscode.l10n.t('More Copy Actions'), [
        item(vscode.l10n.t('Copy Index Payload'), COMMANDS.copyIndexPayload, 'index'),
        item(vscode.l10n.t('Copy Expanded Payload'), COMMANDS.copyExpandedPayload, 'expanded'),
        item(vscode.l10n.t('Copy Other…'), COMMANDS.copyOther),
        item(vscode.l10n.t('Record Agent Reply…'), COMMANDS.recordAgentReply),
        item(vscode.l10n.t('Connect an Agent…'), COMMANDS.connectAgent),
      ]);
    },
    /** Offers what is copied less often than a payload; what was masked, only where something was. */
    [COMMANDS.copyOther]: async () => {
      await registry.require();
      await runPicked(vscode.l10n.t('Copy Other'), [
        { label: vscode.l10n.t('Copy Repo Map'), command: COMMANDS.copyRepoMap },
        { label: vscode.l10n.t('Copy Repo Map for Task…'), command: COMMANDS.copyRepoMapForTask },
        { label: vscode.l10n.t('Copy Timeline…'), command: COMMANDS.copyTimeline },
        { label: vscode.l10n.t('Copy Detail…'), command: COMMANDS.copyDetail },
        ...(clipboard.hasHeldBack ? [{ label: vscode.l10n.t('Copy Unmasked…'), command: COMMANDS.copyUnmasked }] : []),
        ...(clipboard.hasMasked
          ? [{ label: vscode.l10n.t('Show Masked Secrets…'), command: COMMANDS.showMasked }]
          : []),
      ]);
    },
  } satisfies CommandHandlers;

  /** Copies the payload of `mode`, or of the panel's mode. */
  async function copyPayload(mode: PayloadMode = preferences.mode): Promise<void> {
    await copy(async (active) => {
      const report = requireReport(await active.whenReady());
      const payload = report.payloads[mode];
      if (payload.sections.every(({ text }) => text.trim() === ''))
        throw new EditorError('nothingToCopy', vscode.l10n.t('Nothing to copy: no section has text.'));
      const onCopied = () => recorder.payload(active, report, mode);
      const unmasked = async () => textOf((await active.workspace.unmasked()).payloads[mode]);
      return { ...payloadCopy(payload), unmasked, onCopied };
    });
  }

  /**
   * Copies the repo map of the profile's size, for `task`; without it for the kept task or what is being worked on. Of the
   * active folder unless another is given.
   */
  async function copyRepoMap(task = '', folder?: vscode.WorkspaceFolder): Promise<void> {
    await copy(async (active) => {
      await active.whenReady();
      const asked = task === '' ? {} : { query: task };
      const map = await active.workspace.map(asked);
      const files = [formatCount(map.view.filesShown), formatCount(map.view.filesTotal)] as const;
      const note = (tokens: string) => vscode.l10n.t('Copied {0} tokens, {1} of {2} files', tokens, ...files);
      const unmasked = () => active.workspace.map({ ...asked, isUnmasked: true });
      return { ...map, unmasked, note, isPayload: true };
    }, folder);
  }

  /** Copies one section as the expanded payload gives it; what is not shown there in full is fetched by its handle. */
  async function copySection(sectionId: string, folder?: vscode.WorkspaceFolder): Promise<void> {
    await copy(async (active) => {
      const report = requireReport(await active.whenReady());
      const section = requireSection(report, 'expanded', sectionId);
      const note = (tokens: string) => vscode.l10n.t('Copied {0}, {1} tokens', section.title, tokens);
      if (section.disclosure === 'full' || section.disclosure === 'summary') {
        const { secrets } = report.payloads.expanded;
        const unmasked = async () =>
          elementOf(requireSection(await active.workspace.unmasked(), 'expanded', sectionId));
        const isCutShort = section.isNotScanned === true;
        const own = secrets.filter((finding) => finding.sectionId === sectionId);
        return { ...elementOf(section), secrets: own, isCutShort, unmasked, note };
      }
      const handles = [section.handle];
      const detail = await active.workspace.detail(handles);
      if (detail.items.length === 0)
        throw new EditorError('noDetail', vscode.l10n.t('{0} has no text to copy.', section.title));
      const { path } = section;
      const unmasked = () => active.workspace.detail(handles, { isUnmasked: true });
      return { ...detail, path, unmasked, note, onCopied: () => recorder.handles(active, handles) };
    }, folder);
  }

  /** Copies the handle by which an agent can ask for the section. */
  async function copyHandle(sectionId: string): Promise<void> {
    const { workspace } = await registry.require();
    const { handle } = requireSection(requireReport(workspace.snapshot), preferences.mode, sectionId);
    await vscode.env.clipboard.writeText(handle);
    statusBar.done(vscode.l10n.t('Copied {0}', handle));
  }

  async function copy(
    produce: (active: FolderWorkspace) => Promise<Copied>,
    folder?: vscode.WorkspaceFolder,
  ): Promise<void> {
    const active = await registry.require(folder);
    const { report, progress } = active.workspace.snapshot;
    if (progress !== undefined || report?.payloads.expanded.budget.isExact !== true)
      statusBar.note(`$(loading~spin) ${vscode.l10n.t('Counting, then copying…')}`, true);
    try {
      const { onCopied, ...copied } = await produce(active);
      await clipboard.write({ ...copied, active });
      onCopied?.();
    } catch (error) {
      statusBar.clearNote();
      throw error;
    }
  }

  return { commands, copyRepoMap, copySection, copyHandle };
}

/** What other features copy by. */
export type CopyActions = ReturnType<typeof copyActions>;

/** What goes on the clipboard, what is said of it, and what follows once it is there. */
interface Copied extends ClipboardCopy {
  readonly onCopied?: () => void;
}

/** Runs the command that is picked. */
async function runPicked(
  title: string,
  items: readonly (vscode.QuickPickItem & { readonly command: CommandId })[],
): Promise<void> {
  const placeHolder = vscode.l10n.t('What to copy');
  const { command } = chosen(await vscode.window.showQuickPick(items, { title, placeHolder }));
  await vscode.commands.executeCommand(command);
}

function elementOf({ id, text, tokens }: ReportSection): Pick<ClipboardCopy, 'text' | 'tokens'> {
  return { text: `<${id}>\n${text.replace(/\n$/, '')}\n</${id}>\n`, tokens };
}

function textOf({ text, budget }: PayloadReport): Pick<ClipboardCopy, 'text' | 'tokens'> {
  return { text, tokens: budget.tokens };
}

function payloadCopy(payload: PayloadReport): ClipboardCopy {
  const { secrets, sections } = payload;
  return {
    ...textOf(payload),
    secrets,
    isCutShort: sections.some(({ isNotScanned }) => isNotScanned),
    note: (tokens) => payloadNote(payload, tokens),
    isPayload: true,
  };
}

function payloadNote({ leftOut: { sections } }: PayloadReport, tokens: string): string {
  if (sections === 0) return vscode.l10n.t('Copied {0} tokens', tokens);
  return sections === 1
    ? vscode.l10n.t('Copied {0} tokens, 1 section left out', tokens)
    : vscode.l10n.t('Copied {0} tokens, {1} sections left out', tokens, formatCount(sections));
}
