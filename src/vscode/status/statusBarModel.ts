import * as vscode from 'vscode';
import type { StatusThresholds } from '../../core/config/profile';
import type { BudgetSummary, PayloadReport, ReportSection } from '../../core/model/report';
import type { Status } from '../../core/model/status';
import type { SessionSnapshot } from '../../core/workspace/workspace';
import { formatCount, formatEstimate, formatShare, formatThousands } from '../base/format';
import { COMMANDS, FOCUS_BUDGET_VIEW } from '../base/ids';
import { listed } from '../base/language';
import { reachedThreshold } from '../base/statusThresholds';

const SECTIONS_SHOWN = 5;

/** Commands that the hover's links may run. */
export const HOVER_COMMANDS: readonly string[] = [
  COMMANDS.copyPayload,
  FOCUS_BUDGET_VIEW,
  COMMANDS.switchProfile,
  COMMANDS.hideStatusBar,
];

/** Text of the item: `$(dashboard) 4.2k / 7.5k`, with a warning sign from the first threshold of a cap on. */
export function statusText({ tokens, budgetTokens, isExact }: BudgetSummary, status: Status): string {
  const icon = status === 'OK' ? '$(dashboard)' : '$(warning)';
  return `${icon} ${isExact ? '' : '≈'}${formatThousands(tokens)} / ${formatThousands(budgetTokens)}`;
}

/** One sentence about the tokens, for the hover and for screen readers. */
export function tokenSentence(budget: BudgetSummary, thresholds: StatusThresholds): string {
  const used = formatEstimate(budget.tokens, budget.isExact);
  const cap = formatCount(budget.budgetTokens);
  if (budget.tokens > budget.budgetTokens)
    return vscode.l10n.t('{0} of {1} tokens, {2} over', used, cap, formatCount(budget.tokens - budget.budgetTokens));
  const share = formatShare(budget.tokens, budget.budgetTokens);
  const reached = reachedThreshold(budget.tokens, budget.budgetTokens, thresholds);
  return reached === undefined
    ? vscode.l10n.t('{0} of {1} tokens ({2})', used, cap, share)
    : vscode.l10n.t('{0} of {1} tokens ({2}), past the {3} mark', used, cap, share, formatShare(reached, 1));
}

function charSentence({ chars, hardCapChars, isExact }: BudgetSummary, thresholds: StatusThresholds): string {
  const used = formatEstimate(chars, isExact);
  const cap = formatCount(hardCapChars);
  if (chars > hardCapChars)
    return vscode.l10n.t('{0} of {1} characters, {2} over', used, cap, formatCount(chars - hardCapChars));
  const share = formatShare(chars, hardCapChars);
  const reached = reachedThreshold(chars, hardCapChars, thresholds);
  return reached === undefined
    ? vscode.l10n.t('{0} of {1} characters ({2})', used, cap, share)
    : vscode.l10n.t('{0} of {1} characters ({2}), past the {3} mark', used, cap, share, formatShare(reached, 1));
}

/** The hover: totals, the five largest sections, alerts, links. */
export function statusTooltip(
  snapshot: SessionSnapshot,
  payload: PayloadReport,
  thresholds: StatusThresholds,
): vscode.MarkdownString {
  const lines = [
    `**${vscode.l10n.t('Context Budget')}** · ${escapeMarkdown(snapshot.profile)}`,
    tokenSentence(payload.budget, thresholds),
    charSentence(payload.budget, thresholds),
    largestSections(payload.sections),
    ...alertLine(payload.sections),
    ...restrictedLine(payload.sections),
    [
      link(vscode.l10n.t('Copy Payload'), COMMANDS.copyPayload),
      link(vscode.l10n.t('Open Panel'), FOCUS_BUDGET_VIEW),
      link(vscode.l10n.t('Switch Profile'), COMMANDS.switchProfile),
      link(vscode.l10n.t('Hide'), COMMANDS.hideStatusBar),
    ].join(' · '),
  ];
  const tooltip = new vscode.MarkdownString(lines.join('\n\n'));
  tooltip.isTrusted = { enabledCommands: [...HOVER_COMMANDS] };
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
  const names = sections
    .filter((section) => section.status === 'ALERT')
    .map((section) => escapeMarkdown(section.title));
  if (names.length === 0) return [];
  return names.length === 1
    ? [vscode.l10n.t('1 alert: {0}', listed(names))]
    : [vscode.l10n.t('{0} alerts: {1}', names.length, listed(names))];
}

function restrictedLine(sections: readonly ReportSection[]): readonly string[] {
  const names = sections.filter((section) => section.isNotRun).map((section) => escapeMarkdown(section.title));
  return names.length === 0 ? [] : [vscode.l10n.t('Not run in Restricted Mode: {0}', listed(names))];
}

function link(label: string, command: string): string {
  return `[${label}](command:${command})`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~$&]/g, '\\$&');
}
