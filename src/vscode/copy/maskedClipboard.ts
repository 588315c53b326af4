import * as vscode from 'vscode';
import { type Maskable, type MaskedCopy, maskText } from '../../core/secrets/maskText';
import { findSourceLine, type SecretFinding } from '../../core/secrets/secretFinding';
import type { SecretScanner } from '../../core/secrets/secretScanner';
import type { MaskedKeys } from '../../protocol/panel';
import { EditorError } from '../base/editorError';
import { formatCount } from '../base/format';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { sayError } from '../base/language';
import type { StatusBar } from '../status/statusBar';
import type { FolderSession } from '../workspace/sessions';
import { maskedNote, secretLabel, secretList, secretPlace, unmaskQuestion } from './secretWords';

/** A text on its way to the clipboard, and what is said of it. */
export interface ClipboardCopy extends Partial<Omit<Maskable, 'text'>> {
  readonly text: string;
  /** Of the text as it is; another count where secrets were masked. */
  readonly tokens?: number;
  /** What the status bar says; gets the tokens of what was copied. */
  readonly note: (tokens: string) => string;
  /** A whole payload: the status bar says where it goes, which nothing else tells a newcomer. */
  readonly isPayload?: boolean;
  /** Counts the masked text, and is where paths belong to. */
  readonly active?: Pick<FolderSession, 'folder' | 'session'> | undefined;
  /** Workspace-relative path behind a section or handle. */
  readonly pathOf?: (sectionId: string) => string | undefined;
}

/** The last copy that had secrets, or could not be scanned. */
interface HeldBack {
  readonly copy: ClipboardCopy;
  readonly findings: readonly SecretFinding[];
  /** It was copied as it is, afterwards. */
  readonly isUnmasked: boolean;
}

interface FindingItem extends vscode.QuickPickItem {
  readonly finding: SecretFinding;
}

/**
 * The one way of a text to the clipboard: secrets are masked and counted. The last text that had some is kept in memory
 * until the next copy, so that it can be copied as it is by somebody who means to.
 */
export class MaskedClipboard implements vscode.Disposable {
  readonly #scanner: SecretScanner;
  readonly #statusBar: StatusBar;
  readonly #didCopy = new vscode.EventEmitter<void>();
  #last: HeldBack | undefined;

  /** After each copy: what was masked in the last one may be another. */
  readonly onDidCopy = this.#didCopy.event;

  readonly commands = {
    [COMMANDS.copyUnmasked]: () => this.copyUnmasked(),
    [COMMANDS.showMasked]: () => this.showMasked(),
  } satisfies CommandHandlers;

  constructor(scanner: SecretScanner, statusBar: StatusBar) {
    this.#scanner = scanner;
    this.#statusBar = statusBar;
  }

  /** @throws EditorError `notScanned` when secrets cannot be looked for; nothing is copied then */
  async write(copy: ClipboardCopy): Promise<void> {
    const { text, findings, tokens } = await this.#mask(copy);
    await vscode.env.clipboard.writeText(text);
    this.#last = findings.length === 0 ? undefined : { copy, findings, isUnmasked: false };
    this.#didCopy.fire();
    const note = maskedNote(copy.note(formatCount(tokens ?? copy.tokens ?? 0)), findings.length);
    this.#say(copy.isPayload ? vscode.l10n.t('{0}: paste it into the chat', note) : note);
  }

  /** What was masked in the last copy, if `text` is what was copied; undefined where that was nothing. */
  maskedIn(text: string): MaskedKeys | undefined {
    const { copy, findings = [], isUnmasked } = this.#last ?? {};
    if (copy?.text !== text || findings.length === 0 || isUnmasked) return undefined;
    return { keys: findings.length, sectionIds: [...new Set(findings.map(({ sectionId }) => sectionId))] };
  }

  dispose(): void {
    this.#didCopy.dispose();
  }

  /** Copies the last text again as it is, after a modal question that lists what was masked. */
  async copyUnmasked(): Promise<void> {
    const { copy, findings } = this.#required();
    const verb = vscode.l10n.t('Copy Unmasked');
    const detail = secretList(findings);
    const answer = await vscode.window.showWarningMessage(
      unmaskQuestion(findings.length),
      { modal: true, detail },
      verb,
    );
    if (answer !== verb) return;
    await vscode.env.clipboard.writeText(copy.text);
    this.#last = { copy, findings, isUnmasked: true };
    this.#didCopy.fire();
    this.#say(vscode.l10n.t('{0}, unmasked', copy.note(formatCount(copy.tokens ?? 0))));
  }

  /** Lists what was masked in the last copy; choosing one opens its file at the line. */
  async showMasked(): Promise<void> {
    const { copy, findings } = this.#required();
    const items = findings.map((finding): FindingItem => {
      const path = copy.pathOf?.(finding.sectionId);
      return {
        label: `$(key) ${secretLabel(finding.label)}`,
        description: secretPlace(finding),
        ...(path === undefined ? {} : { detail: path }),
        finding,
      };
    });
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Masked in the Last Copy'),
      placeHolder: vscode.l10n.t('Choose one to open its file'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked) await this.#open(copy, picked.finding);
  }

  async #mask(copy: ClipboardCopy): Promise<MaskedCopy> {
    const { text, elements = [], fallbackId = '', active } = copy;
    const countTokens = active && ((texts: readonly string[]) => active.session.countTokens(texts));
    try {
      return await maskText({ text, elements, fallbackId }, { scanner: this.#scanner, countTokens });
    } catch (error) {
      this.#last = { copy, findings: [], isUnmasked: false };
      throw new EditorError(
        'notScanned',
        vscode.l10n.t(
          'Nothing was copied, since keys could not be looked for ({0}). Copy Unmasked copies it.',
          sayError(error),
        ),
        { cause: error },
      );
    }
  }

  async #open({ active, pathOf }: ClipboardCopy, finding: SecretFinding): Promise<void> {
    const path = pathOf?.(finding.sectionId);
    if (!active || path === undefined)
      throw new EditorError('noSource', vscode.l10n.t('{0} has no file of its own.', finding.sectionId));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(active.folder.uri, path));
    const line = findSourceLine(document.getText(), finding) ?? 1;
    const selection = document.lineAt(Math.min(line, document.lineCount) - 1).range;
    await vscode.window.showTextDocument(document, { selection, preview: true });
  }

  /** @throws EditorError `nothingMasked` */
  #required(): HeldBack {
    if (this.#last) return this.#last;
    throw new EditorError('nothingMasked', vscode.l10n.t('Nothing was masked in the last copy.'));
  }

  #say(note: string): void {
    this.#statusBar.note(`$(check) ${note}`);
  }
}
