import * as vscode from 'vscode';
import { budgetStatus, type StatusThresholds } from '../../core/config/profile';
import type { BudgetSummary, PayloadReport, ReportSection } from '../../core/model/report';
import type { Status } from '../../core/model/section';
import { cutSections } from '../../core/print/budgetTable';
import { formatCount, formatThousands, roundEstimate } from '../../core/text/numbers';
import type { WorkspaceSnapshot } from '../../core/workspace/workspace';
import { DisposableStore } from '../base/disposables';
import { COMMANDS, type CommandHandlers, FOCUS_BUDGET_VIEW, SETTINGS, STATUS_BAR_ITEM } from '../base/ids';
import { formatEstimate, formatShare, listed } from '../base/language';
import {
  isStatusBarWanted,
  onDidChangeSettings,
  type PreferenceStore,
  readStatusThresholds,
  writeSetting,
} from '../base/preferences';
import { reachedThreshold } from '../base/statusThresholds';
import type { WorkspaceRegistry } from '../workspace/workspaceRegistry';

const SECTIONS_SHOWN = 5;

/** `$(dashboard) 4.2k / 7.5k`, with a warning sign from the first threshold of a cap on; `…, 8 left out`. */
function statusText({ budget, leftOut }: PayloadReport, status: Status): string {
  const { tokens, budgetTokens, isExact } = budget;
  const icon = status === 'OK' ? '$(dashboard)' : '$(warning)';
  const size = isExact ? formatThousands(tokens) : `≈${formatThousands(roundEstimate(tokens))}`;
  const used = `${icon} ${size} / ${formatThousands(budgetTokens)}`;
  return leftOut.sections === 0 ? used : vscode.l10n.t('{0}, {1} left out', used, formatCount(leftOut.sections));
}

/** What a sentence about a cap says: the size, the cap, how much over, the share, and the threshold that it passed. */
function capParts(used: number, cap: number, isExact: boolean, thresholds: StatusThresholds) {
  const reached = reachedThreshold(used, cap, thresholds);
  return {
    sizes: [formatEstimate(used, isExact), formatCount(cap)] as const,
    over: used > cap ? formatCount(used - cap) : undefined,
    share: formatShare(used, cap),
    mark: reached === undefined ? undefined : formatShare(reached, 1),
  };
}

/** One sentence about the tokens, for the hover and for screen readers. */
function tokenSentence({ tokens, budgetTokens, isExact }: BudgetSummary, thresholds: StatusThresholds): string {
  const { sizes, over, share, mark } = capParts(tokens, budgetTokens, isExact, thresholds);
  if (over !== undefined) return vscode.l10n.t('{0} of {1} tokens, {2} over', ...sizes, over);
  return mark === undefined
    ? vscode.l10n.t('{0} of {1} tokens ({2})', ...sizes, share)
    : vscode.l10n.t('{0} of {1} tokens ({2}), past the {3} mark', ...sizes, share, mark);
}

function charSentence({ chars, hardCapChars, isExact }: BudgetSummary, thresholds: StatusThresholds): string {
  const { sizes, over, share, mark } = capParts(chars, hardCapChars, isExact, thresholds);
  if (over !== undefined) return vscode.l10n.t('{0} of {1} characters, {2} over', ...sizes, over);
  return mark === undefined
    ? vscode.l10n.t('{0} of {1} characters ({2})', ...sizes, share)
    : vscode.l10n.t('{0} of {1} characters ({2}), past the {3} mark', ...sizes, share, mark);
}

/** What the budget leaves out, with the largest of it. */
function leftOutLine({ leftOut, sections }: PayloadReport): readonly string[] {
  const [largest] = sections
    .filter(({ isLeftOut }) => isLeftOut)
    .toSorted((a, b) => b.tokensFull - a.tokensFull || (a.id < b.id ? -1 : 1));
  if (!largest) return [];
  const [tokens, title] = [formatThousands(leftOut.tokens), escapeMarkdown(largest.title)];
  return leftOut.sections === 1
    ? [vscode.l10n.t('1 section left out ({0} tokens): {1}', tokens, title)]
    : [vscode.l10n.t('{0} sections left out ({1} tokens), the largest: {2}', leftOut.sections, tokens, title)];
}

/** How much the budget cuts off sections that are shown in part. */
function cutLine({ sections }: PayloadReport): readonly string[] {
  const cut = cutSections(sections);
  if (cut.sections === 0) return [];
  const tokens = formatThousands(cut.tokens);
  return cut.sections === 1
    ? [vscode.l10n.t('1 section cut ({0} tokens not shown)', tokens)]
    : [vscode.l10n.t('{0} sections cut ({1} tokens not shown)', cut.sections, tokens)];
}

/** The hover: totals, what is left out, the five largest sections, alerts, links. */
function statusTooltip(
  snapshot: WorkspaceSnapshot,
  payload: PayloadReport,
  thresholds: StatusThresholds,
): vscode.MarkdownString {
  const links: readonly (readonly [label: string, command: string])[] = [
    [vscode.l10n.t('Copy Payload'), COMMANDS.copyPayload],
    [vscode.l10n.t('Open Panel'), FOCUS_BUDGET_VIEW],
    [vscode.l10n.t('Switch Profile'), COMMANDS.switchProfile],
    [vscode.l10n.t('Hide'), COMMANDS.hideStatusBar],
  ];
  const lines = [
    `**${vscode.l10n.t('Context Budget')}** · ${escapeMarkdown(snapshot.profile)}`,
    tokenSentence(payload.budget, thresholds),
    charSentence(payload.budget, thresholds),
    ...leftOutLine(payload),
    ...cutLine(payload),
    largestSections(payload.sections),
    ...alertLine(payload.sections),
    ...restrictedLine(payload.sections),
    links.map(([label, command]) => `[${label}](command:${command})`).join(' · '),
  ];
  const tooltip = new vscode.MarkdownString(lines.join('\n\n'));
  tooltip.isTrusted = { enabledCommands: links.map(([, command]) => command) };
  return tooltip;
}

function largestSections(sections: readonly ReportSection[]): string {
  const shown = sections
    .filter((section) => section.tokens > 0)
    .toSorted((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
  const rows = shown
    .slice(0, SECTIONS_SHOWN)
    .map((section) => `| ${escapeMarkdown(section.title)} | ${formatCount(section.tokens)} |`);
  const rest = shown.length - rows.length;
  if (rest > 0) rows.push(`| ${vscode.l10n.t('{0} more', rest)} | |`);
  // VS Code shows the header row even when it is empty; it has to stay empty.
  return ['| | |', '|:--|--:|', ...rows].join('\n');
}

function alertLine(sections: readonly ReportSection[]): readonly string[] {
  const names = sections.filter(({ status }) => status === 'ALERT').map(({ title }) => escapeMarkdown(title));
  if (names.length === 0) return [];
  return names.length === 1
    ? [vscode.l10n.t('1 alert: {0}', listed(names))]
    : [vscode.l10n.t('{0} alerts: {1}', names.length, listed(names))];
}

function restrictedLine(sections: readonly ReportSection[]): readonly string[] {
  const names = sections.filter((section) => section.isNotRun).map((section) => escapeMarkdown(section.title));
  return names.length === 0 ? [] : [vscode.l10n.t('Not run in Restricted Mode: {0}', listed(names))];
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~$&]/g, '\\$&');
}

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
export class StatusBar extends DisposableStore {
  readonly #item = this.add(vscode.window.createStatusBarItem(STATUS_BAR_ITEM, vscode.StatusBarAlignment.Right, 90));
  #note: string | undefined;
  #noteTimer: ReturnType<typeof setTimeout> | undefined;
  #isVisible = false;

  readonly commands = {
    [COMMANDS.hideStatusBar]: () => writeSetting(SETTINGS.statusBarVisible, false),
  } satisfies CommandHandlers;

  constructor(
    private readonly registry: WorkspaceRegistry,
    private readonly preferences: PreferenceStore,
  ) {
    super();
    this.#item.name = vscode.l10n.t('Context Budget');
    this.#item.command = FOCUS_BUDGET_VIEW;
    this.add(registry.onDidChange(() => this.#render()));
    this.add(preferences.onDidChange(() => this.#render()));
    this.add(onDidChangeSettings(['statusBar'], () => this.start()));
    this.add({ dispose: () => clearTimeout(this.#noteTimer) });
  }

  /** Begins to follow the active folder, or stops when the item was hidden by the setting. */
  start(): void {
    this.registry.want('statusBar', isStatusBarWanted());
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

  /** Shows that something was done, for eight seconds. */
  done(text: string): void {
    this.note(`$(check) ${text}`);
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

  #render(): void {
    const snapshot = this.registry.active?.workspace.snapshot;
    const payload = snapshot?.report?.payloads[this.preferences.mode];
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
      this.#item.text = this.#note ?? statusText(payload, status);
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
