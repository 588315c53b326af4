import * as vscode from 'vscode';
import type { StatusBar } from './statusBar';

/** The prompts that ship with the extension, by the language they are written in. */
const PROMPTS = { en: 'observer-relay.md', zh: 'observer-relay.zh-cn.md' } as const;

type PromptLanguage = keyof typeof PROMPTS;

/** What can be done for a window that only observes other agents and passes messages on. */
export class RelayActions {
  readonly #extensionUri: vscode.Uri;
  readonly #statusBar: StatusBar;

  constructor(extensionUri: vscode.Uri, statusBar: StatusBar) {
    this.#extensionUri = extensionUri;
    this.#statusBar = statusBar;
  }

  /** Copies the observer's prompt in the editor's language, or in the one that a keybinding names. */
  async copyPrompt(given: unknown): Promise<void> {
    const language = given === 'en' || given === 'zh' ? given : editorLanguage();
    const bytes = await vscode.workspace.fs.readFile(
      vscode.Uri.joinPath(this.#extensionUri, 'media', PROMPTS[language]),
    );
    await vscode.env.clipboard.writeText(new TextDecoder().decode(bytes));
    this.#statusBar.note(`$(check) ${vscode.l10n.t('Copied the observer relay prompt')}`);
  }
}

function editorLanguage(): PromptLanguage {
  return vscode.env.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
