import * as vscode from 'vscode';
import { MAX_CAP } from '../../core/config/schemaParts';
import type { ScoringMode } from '../../core/model/relevance';
import type { BudgetSummary } from '../../core/model/report';
import { isRecord } from '../../core/text/jsonRecord';
import { formatCount } from '../../core/text/numbers';
import { type Phrase, phrase } from '../../core/text/phrase';
import { SCORING_MODES, SECTION_SORTS, type SectionSort } from '../../protocol/panel';
import { chosen } from '../base/editorError';
import { COMMANDS, type CommandHandlers, type PanelCommandHandlers, UNLISTED_COMMANDS } from '../base/ids';
import { say } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { ConfigActions } from './configWriter';
import { doneWords } from './sectionActions';

/** What each mode is called, and what it does. */
const MODES: Readonly<Record<ScoringMode, { readonly label: Phrase; readonly detail: Phrase }>> = {
  off: { label: phrase('Off'), detail: phrase('No scores; payloads stay as they are') },
  baseline: { label: phrase('Measure'), detail: phrase('Track usage, change nothing') },
  static: {
    label: phrase('Rules'),
    detail: phrase('Apply the fixed rules of the config: some sections on demand, only newest entries'),
  },
  dynamic: {
    label: phrase('Automatic'),
    detail: phrase('Show one line of each section that scores below the threshold'),
  },
};

/** What a keybinding, or a former command of its own, may bring along. */
interface Tuning {
  readonly mode?: ScoringMode | undefined;
  readonly threshold?: number | undefined;
}

function tuningOf(argument: unknown): Tuning {
  if (typeof argument === 'number') return isThreshold(argument) ? { threshold: argument } : {};
  const { mode = argument, threshold } = isRecord(argument) ? argument : {};
  const isGiven = typeof threshold === 'number' && isThreshold(threshold);
  return { mode: SCORING_MODES.find((each) => each === mode), threshold: isGiven ? threshold : undefined };
}

const SORT_LABELS: Readonly<Record<SectionSort, Phrase>> = {
  size: phrase('Size within Priority'),
  payload: phrase('Payload Order'),
  return: phrase('Use'),
  name: phrase('Name'),
};

/** What can be chosen in the panel that is about no single section: the rows' order and how scoring works. */
export function panelViewActions({ preferences, registry }: EditorServices, config: ConfigActions) {
  const commands = {
    /** Lets the user choose how the panel orders its rows. */
    [COMMANDS.sortSections]: async () => {
      const current = preferences.sort;
      const items = SECTION_SORTS.map((sort) => ({
        sort,
        label: say(SORT_LABELS[sort]),
        ...(sort === current ? { description: vscode.l10n.t('current') } : {}),
      }));
      const title = vscode.l10n.t('Sort Sections');
      const placeHolder = vscode.l10n.t('Sort sections by');
      const { sort } = chosen(await vscode.window.showQuickPick(items, { title, placeHolder }));
      await preferences.setSort(sort);
    },
    [COMMANDS.tuneRelevance]: (argument) => tune(argument),
    [UNLISTED_COMMANDS.setScoringMode]: (argument) => tune(argument),
    [UNLISTED_COMMANDS.setThreshold]: (argument) => tune(argument),
  } satisfies CommandHandlers;

  const panelCommands = { changeLimit } satisfies PanelCommandHandlers;

  /** Asks for the token limit of the profile in use and writes it into the config. */
  async function changeLimit(): Promise<void> {
    const { workspace } = await registry.require();
    const { profile: name, profiles, report } = workspace.snapshot;
    const profile = profiles.find((each) => each.name === name);
    const budget = report?.payloads[preferences.mode].budget;
    if (!profile || !budget) return;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Change the Limit of Profile {0}', name),
      prompt: vscode.l10n.t(
        'Tokens that a payload may have. {0} of {1} are used.',
        formatCount(budget.tokens),
        formatCount(budget.budgetTokens),
      ),
      value: String(profile.budgetTokens),
      validateInput: (text) => limitProblem(limitOf(text), budget),
    });
    const budgetTokens = limitOf(chosen(typed));
    if (budgetTokens === undefined || budgetTokens === profile.budgetTokens) return;
    const change = { kind: 'profile', name, budgetTokens } as const;
    await config.change(change, doneWords(change));
  }

  /** Takes mode, threshold or both from `argument`; else asks for the mode, and for the threshold where it matters. */
  async function tune(argument: unknown): Promise<void> {
    const given = tuningOf(argument);
    if (given.mode === undefined && given.threshold === undefined) await setScoring(await askTuning());
    else await setScoring(given);
  }

  async function askTuning(): Promise<Tuning> {
    const { workspace } = await registry.require();
    const { scoring } = workspace.snapshot.config;
    const title = vscode.l10n.t('Tune Relevance');
    const items = SCORING_MODES.map((mode) => ({
      mode,
      label: say(MODES[mode].label),
      detail: say(MODES[mode].detail),
      ...(mode === scoring.mode ? { description: vscode.l10n.t('current') } : {}),
    }));
    const placeHolder = vscode.l10n.t('Select how scores change payloads');
    const { mode } = chosen(await vscode.window.showQuickPick(items, { title, placeHolder }));
    if (mode !== 'dynamic') return { mode };
    const typed = await vscode.window.showInputBox({
      title,
      prompt: vscode.l10n.t('Threshold: sections that score less show one line'),
      value: scoring.threshold.toFixed(2),
      validateInput: (text) =>
        text.trim() !== '' && isThreshold(Number(text))
          ? undefined
          : vscode.l10n.t('Enter a number from 0 to 1, such as 0.3'),
    });
    return { mode, threshold: Number(chosen(typed)) };
  }

  /** Writes both in one change; two decimals of the threshold are kept. */
  async function setScoring({ mode, threshold }: Tuning): Promise<void> {
    const rounded = threshold === undefined ? undefined : Math.round(threshold * 100) / 100;
    const done = [
      ...(mode === undefined ? [] : [vscode.l10n.t('Relevance: {0}', say(MODES[mode].label))]),
      ...(rounded === undefined ? [] : [vscode.l10n.t('Threshold {0}', rounded.toFixed(2))]),
    ];
    await config.change({ kind: 'scoring', mode, threshold: rounded }, done.join(' · '));
  }

  return { commands, panelCommands, setScoring };
}

/** The limit as typed, with or without separators; undefined for what is no limit. */
function limitOf(text: string): number | undefined {
  const plain = text.trim().replace(/(?<=\d)[,_ \u202f](?=\d{3}(?!\d))/g, '');
  const limit = /^\d+$/.test(plain) ? Number(plain) : 0;
  return limit >= 1 && limit <= MAX_CAP ? limit : undefined;
}

/** Why it cannot be the limit; where it can, a remark if this payload's characters would reach theirs first. */
function limitProblem(
  limit: number | undefined,
  { tokens, chars, hardCapChars }: BudgetSummary,
): string | vscode.InputBoxValidationMessage | undefined {
  if (limit === undefined) return vscode.l10n.t('Enter a whole number of tokens, such as 9000');
  if ((chars / Math.max(1, tokens)) * limit <= hardCapChars) return undefined;
  return {
    message: vscode.l10n.t(
      'The limit of {0} characters is reached first. Open Config changes it.',
      formatCount(hardCapChars),
    ),
    severity: vscode.InputBoxValidationSeverity.Info,
  };
}

function isThreshold(value: number): boolean {
  return value >= 0 && value <= 1;
}
