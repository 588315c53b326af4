import * as vscode from 'vscode';
import { CONTEXT_KEYS } from './ids';

/** What the manifest's `when` clauses ask for; told to VS Code when it is news. */
export class ContextKeys {
  readonly #told = new Map<string, unknown>();

  set(key: keyof typeof CONTEXT_KEYS, value: string | boolean): void {
    if (this.#told.get(key) === value) return;
    this.#told.set(key, value);
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS[key], value);
  }
}
