import * as vscode from 'vscode';
import type { SecretFinding } from '../../core/model/report';
import type { Masking } from '../../core/secrets/masking';
import { findingFile } from '../../core/secrets/secretFinding';
import { formatCount } from '../../core/text/numbers';
import { type Phrase, phrase } from '../../core/text/phrase';
import type { MaskedKeys } from '../../protocol/panel';
import { DisposableStore } from '../base/disposables';
import { chosen, EditorError } from '../base/editorError';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { say } from '../base/language';
import type { StatusBar } from '../status/statusBar';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';

/** What a finding looks like, in the language of the editor; names of services stay as they are. */
const SECRET_LABELS: ReadonlyMap<string, Phrase> = new Map([
  ['private key', phrase('private key')],
  ['password', phrase('password')],
  ['key', phrase('key or token')],
  ['password in a URL', phrase('password in a URL')],
  ['database password', phrase('database password')],
  ['bearer token', phrase('bearer token')],
  ['JSON web token', phrase('JSON web token')],
  ['API key', phrase('API key')],
]);

function secretLabel(label: string): string {
  const words = SECRET_LABELS.get(label);
  return words ? say(words) : label;
}

/** `git, line 3`. */
function secretPlace(finding: SecretFinding): string {
  const { sectionId, line } = finding;
  const file = findingFile(finding);
  return file === undefined ? vscode.l10n.t('{0}, line {1}', sectionId, formatCount(line)) : `${sectionId}, ${file}`;
}

/** What was copied, and that keys of it were masked. */
function maskedNote(note: string, count: number): string {
  if (count === 0) return note;
  return count === 1
    ? vscode.l10n.t('{0}, 1 key masked', note)
    : vscode.l10n.t('{0}, {1} keys masked', note, formatCount(count));
}

/** What is asked before secrets are copied. */
function unmaskQuestion(count: number): string {
  if (count === 0) return vscode.l10n.t('Copy without scanning for keys, tokens and passwords?');
  return count === 1
    ? vscode.l10n.t('Copy 1 key unmasked?')
    : vscode.l10n.t('Copy {0} keys unmasked?', formatCount(count));
}

/** More places are only counted. */
const PLACES_SHOWN = 12;

/** One line a finding. */
function secretList(findings: readonly SecretFinding[]): string {
  const rows = findings
    .slice(0, PLACES_SHOWN)
    .map((finding) => vscode.l10n.t('{0}: {1}', secretPlace(finding), secretLabel(finding.label)));
  const more = findings.length - PLACES_SHOWN;
  return (more > 0 ? [...rows, vscode.l10n.t('and {0} more', formatCount(more))] : rows).join('\n');
}

/** A text as it is, with its secrets. */
interface PlainText {
  readonly text: string;
  readonly tokens?: number;
}

/** A text on its way to the clipboard, and what is said of it. */
export interface ClipboardCopy extends PlainText {
  /** What was masked in `text` where it was made; the clipboard masks what comes without. */
  readonly secrets?: readonly SecretFinding[];
  /** Some of it was left out, since secrets could not be looked for. */
  readonly isCutShort?: boolean;
  /** Renders the same with its secrets, as it is now; absent for a text that the clipboard masks. */
  readonly unmasked?: () => Promise<PlainText>;
  /** What findings in a text that the clipboard masks belong to. */
  readonly sectionId?: string;
  /** What the status bar says; gets the tokens of what was copied. */
  readonly note: (tokens: string) => string;
  /** A whole payload: the status bar says where it goes, which nothing else tells a newcomer. */
  readonly isPayload?: boolean;
  /** Where paths belong to. */
  readonly active?: FolderWorkspace | undefined;
  /** Workspace-relative path behind a finding that has none of its own. */
  readonly path?: string | undefined;
}

/** The last copy that had secrets, or could not be scanned. */
interface HeldBack {
  readonly copy: ClipboardCopy;
  /** As it was copied. */
  readonly text: string | undefined;
  readonly findings: readonly SecretFinding[];
  /** The same with its secrets, rendered when it was copied: files that change later may hold others. */
  readonly plain: Promise<PlainText>;
  /** It was copied as it is, afterwards. */
  readonly isUnmasked: boolean;
}

function heldBack(copy: ClipboardCopy, text: string | undefined, findings: readonly SecretFinding[]): HeldBack {
  const plain = copy.unmasked?.() ?? Promise.resolve(copy);
  // A failure is told where the text is asked for.
  plain.catch(() => undefined);
  return { copy, text, findings, plain, isUnmasked: false };
}

/**
 * The only way to copy a text that may hold secrets: they are masked and counted. The last text that had some stays in
 * memory until the next copy, so that the user can copy it unmasked.
 */
export class MaskedClipboard extends DisposableStore {
  readonly #didCopy = this.add(new vscode.EventEmitter<void>());
  #last: HeldBack | undefined;

  /** After each copy: what was masked in the last one may be another. */
  readonly onDidCopy = this.#didCopy.event;

  readonly commands = {
    /** Copies the last text again as it is, after a modal question that lists what was masked. */
    [COMMANDS.copyUnmasked]: async () => {
      const held = this.#required();
      const { copy, findings } = held;
      const verb = vscode.l10n.t('Copy Unmasked');
      const detail = secretList(findings);
      const question = unmaskQuestion(findings.length);
      chosen(await vscode.window.showWarningMessage(question, { modal: true, detail }, verb));
      const { text, tokens = 0 } = await held.plain;
      await vscode.env.clipboard.writeText(text);
      this.#last = { ...held, text, isUnmasked: true };
      this.#didCopy.fire();
      this.statusBar.done(vscode.l10n.t('{0}, unmasked', copy.note(formatCount(tokens))));
    },
    /** Lists what was masked in the last copy; choosing one opens its file at the line. */
    [COMMANDS.showMasked]: async () => {
      const { copy, findings } = this.#required();
      if (findings.length === 0) throw nothingMasked();
      const items = findings.map((finding) => {
        const path = finding.path ?? copy.path;
        return {
          label: `$(key) ${secretLabel(finding.label)}`,
          description: secretPlace(finding),
          ...(path === undefined ? {} : { detail: path }),
          finding,
        };
      });
      const title = vscode.l10n.t('Masked in the Last Copy');
      const placeHolder = vscode.l10n.t('Choose one to open its file');
      const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
      const { finding } = chosen(await vscode.window.showQuickPick(items, options));
      await this.#open(copy, finding);
    },
  } satisfies CommandHandlers;

  constructor(
    private readonly masking: Masking,
    private readonly statusBar: StatusBar,
  ) {
    super();
  }

  /** Something of the last copy was masked, or could not be scanned: it can be copied as it is. */
  get hasHeldBack(): boolean {
    return this.#last !== undefined;
  }

  /** Something of the last copy was masked. */
  get hasMasked(): boolean {
    return (this.#last?.findings.length ?? 0) > 0;
  }

  /** @throws EditorError `notScanned` when secrets cannot be looked for; nothing is copied then */
  async write(copy: ClipboardCopy): Promise<void> {
    const { text, findings, tokens } = await this.#mask(copy);
    const isWhole = findings.length === 0 && !copy.isCutShort;
    const held = isWhole ? undefined : heldBack(copy, text, findings);
    await vscode.env.clipboard.writeText(text);
    this.#last = held;
    this.#didCopy.fire();
    const note = maskedNote(copy.note(formatCount(tokens ?? 0)), findings.length);
    this.statusBar.done(copy.isPayload ? vscode.l10n.t('{0}: paste it into the chat', note) : note);
  }

  /** What was masked in the last copy, if `text` is what was copied; undefined where that was nothing. */
  maskedIn(text: string): MaskedKeys | undefined {
    const { text: copied, findings = [], isUnmasked } = this.#last ?? {};
    if (copied !== text || findings.length === 0 || isUnmasked) return undefined;
    return { keys: findings.length, sectionIds: [...new Set(findings.map(({ sectionId }) => sectionId))] };
  }

  async #mask(copy: ClipboardCopy): Promise<PlainText & Pick<HeldBack, 'findings'>> {
    const { text, tokens, secrets, sectionId = '' } = copy;
    if (secrets) return { text, tokens: tokens ?? 0, findings: secrets };
    const masked = (await this.masking.masksFor([text]))(text);
    if (masked) {
      const findings = masked.secrets.map(({ label, line }) => ({ sectionId, label, line }));
      return { text: masked.text, tokens: tokens ?? 0, findings };
    }
    this.#last = heldBack(copy, undefined, []);
    this.#didCopy.fire();
    throw new EditorError(
      'notScanned',
      vscode.l10n.t('Nothing copied: the secret scan failed. Copy Unmasked copies without a scan.'),
    );
  }

  async #open({ active, path: whole }: ClipboardCopy, { path = whole, line, sectionId }: SecretFinding): Promise<void> {
    if (!active || path === undefined)
      throw new EditorError('noSource', vscode.l10n.t('{0} has no file of its own.', sectionId));
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(active.folder.uri, path));
    const selection = document.lineAt(Math.min(line, document.lineCount) - 1).range;
    await vscode.window.showTextDocument(document, { selection, preview: true });
  }

  /** @throws EditorError `nothingMasked` */
  #required(): HeldBack {
    if (this.#last) return this.#last;
    throw nothingMasked();
  }
}

function nothingMasked(): EditorError {
  return new EditorError('nothingMasked', vscode.l10n.t('Nothing was masked in the last copy.'));
}
