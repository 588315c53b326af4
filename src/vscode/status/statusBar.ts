import * as vscode from 'vscode';
import { budgetStatus } from '../../core/config/profile';
import { DisposableStore } from '../base/disposables';
import { FOCUS_BUDGET_VIEW, SETTINGS_SECTION, STATUS_BAR_ITEM } from '../base/ids';
import { isStatusBarWanted, type PreferenceStore, readStatusThresholds } from '../base/preferences';
import type { SessionRegistry } from '../workspace/sessions';
import { statusText, statusTooltip, tokenSentence } from './statusBarModel';

/** How long what was copied stays readable. */
const NOTE_MS = 8000;

/** What the item shows, for tests. */
export interface StatusBarState {
  readonly isVisible: boolean;
  readonly text: string;
  readonly tooltip: string;
  /** The theme colour's id; undefined unless the status is ALERT. */
  readonly background: string | undefined;
}

/**
 * The meter in the status bar: the budget of the active folder's payload, with a status by the thresholds of the
 * settings, and for some seconds what was copied.
 */
export class StatusBar implements vscode.Disposable {
  readonly #registry: SessionRegistry;
  readonly #preferences: PreferenceStore;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #note: string | undefined;
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #isVisible = false;

  constructor(registry: SessionRegistry, preferences: PreferenceStore) {
    this.#registry = registry;
    this.#preferences = preferences;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem(STATUS_BAR_ITEM, vscode.StatusBarAlignment.Right, 90),
    );
    this.#item.name = vscode.l10n.t('Context Budget');
    this.#item.command = FOCUS_BUDGET_VIEW;
    this.#store.add(registry.onDidChange(() => this.#render()));
    this.#store.add(preferences.onDidChangeMode(() => this.#render()));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SETTINGS_SECTION}.statusBar`)) this.start();
      }),
    );
  }

  /** Begins to follow the active folder, or stops when the item was hidden by the setting. */
  start(): void {
    this.#registry.want('statusBar', isStatusBarWanted());
    this.#render();
  }

  /** Shows `text` instead of the meter: until the next note when `isLasting`, else for eight seconds. */
  note(text: string, isLasting = false): void {
    clearTimeout(this.#noteTimer);
    if (!isStatusBarWanted()) {
      // Hidden by the setting: what was asked for is still answered, in VS Code's own place.
      vscode.window.setStatusBarMessage(text, NOTE_MS);
      return;
    }
    this.#note = text;
    if (!isLasting) this.#noteTimer = setTimeout(() => this.clearNote(), NOTE_MS);
    this.#render();
  }

  clearNote(): void {
    clearTimeout(this.#noteTimer);
    this.#note = undefined;
    this.#render();
  }

  get state(): StatusBarState {
    const { text, tooltip, backgroundColor } = this.#item;
    return {
      isVisible: this.#isVisible,
      text,
      tooltip: typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? ''),
      background: backgroundColor?.id,
    };
  }

  dispose(): void {
    clearTimeout(this.#noteTimer);
    this.#store.dispose();
  }

  #render(): void {
    const snapshot = this.#registry.active?.session.snapshot;
    const payload = snapshot?.report?.payloads[this.#preferences.mode];
    this.#isVisible = isStatusBarWanted() && (payload !== undefined || this.#note !== undefined);
    if (!this.#isVisible) {
      this.#item.hide();
      return;
    }
    if (snapshot && payload) {
      const { budget } = payload;
      const thresholds = readStatusThresholds();
      // With the settings as they ship this is `budget.status`.
      const status = budgetStatus(budget, budget, thresholds);
      this.#item.text = this.#note ?? statusText(budget, status);
      this.#item.tooltip = statusTooltip(snapshot, payload, thresholds);
      // Reset on every other status: a colour that lingers is a lie.
      this.#item.backgroundColor =
        status === 'ALERT' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
      const spoken = `${vscode.l10n.t('Context Budget')}: ${tokenSentence(budget, thresholds)}`;
      this.#item.accessibilityInformation = { label: this.#note?.replace(/\$\([\w~-]+\)\s*/g, '') ?? spoken };
    } else if (this.#note !== undefined) {
      this.#item.text = this.#note;
      this.#item.tooltip = undefined;
      this.#item.backgroundColor = undefined;
    }
    this.#item.show();
  }
}
