import * as vscode from 'vscode';
import type { ScoringMode } from '../../core/model/relevance';
import { type Phrase, phrase } from '../../core/text/phrase';
import { SCORING_MODES, SECTION_SORTS, type SectionSort } from '../../protocol/panel';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { say } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { ConfigActions } from './configWriter';

/** What each mode does. */
const MODE_DETAILS: Readonly<Record<ScoringMode, Phrase>> = {
  off: phrase('No scores; payloads as without them'),
  baseline: phrase('Measures only; payloads stay as they are'),
  static: phrase('Fixed rules of the config: on demand, newest entries'),
  dynamic: phrase('Sections below the threshold become stubs'),
};

const SORT_LABELS: Readonly<Record<SectionSort, Phrase>> = {
  size: phrase('Size within Priority'),
  payload: phrase('Payload Order'),
  status: phrase('Status'),
  return: phrase('Return'),
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
      const placeHolder = vscode.l10n.t('Order of the rows');
      const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
      if (picked) await preferences.setSort(picked.sort);
    },
    /** Takes the mode from `argument`, else asks for it. */
    [COMMANDS.setScoringMode]: async (argument) => {
      const given = SCORING_MODES.find((mode) => mode === argument);
      if (given) return setScoringMode(given);
      const { workspace } = await registry.require();
      const current = workspace.snapshot.config.scoring.mode;
      const items = SCORING_MODES.map((mode) => ({
        mode,
        label: mode,
        detail: say(MODE_DETAILS[mode]),
        ...(mode === current ? { description: vscode.l10n.t('current') } : {}),
      }));
      const title = vscode.l10n.t('Set Scoring Mode');
      const placeHolder = vscode.l10n.t('What scores do to payloads');
      const picked = await vscode.window.showQuickPick(items, { title, placeHolder });
      if (picked) await setScoringMode(picked.mode);
    },
    /** Takes the threshold from `argument`, else asks for it. */
    [COMMANDS.setThreshold]: async (argument) => {
      if (typeof argument === 'number' && isThreshold(argument)) return setThreshold(argument);
      const { workspace } = await registry.require();
      const typed = await vscode.window.showInputBox({
        title: vscode.l10n.t('Set Relevance Threshold'),
        prompt: vscode.l10n.t('Sections that score less become stubs in mode dynamic'),
        value: workspace.snapshot.config.scoring.threshold.toFixed(2),
        validateInput: (text) =>
          text.trim() !== '' && isThreshold(Number(text))
            ? undefined
            : vscode.l10n.t('A number from 0 to 1, such as 0.3'),
      });
      if (typed !== undefined) await setThreshold(Number(typed));
    },
  } satisfies CommandHandlers;

  async function setScoringMode(mode: ScoringMode): Promise<void> {
    await config.change({ kind: 'scoring', mode }, vscode.l10n.t('Scoring mode {0}', mode));
  }

  /** @param threshold 0…1; two decimals are kept */
  async function setThreshold(threshold: number): Promise<void> {
    const rounded = Math.round(threshold * 100) / 100;
    const done = vscode.l10n.t('Threshold {0}', rounded.toFixed(2));
    await config.change({ kind: 'scoring', threshold: rounded }, done);
  }

  async function dismissOffer(mode: ScoringMode): Promise<void> {
    const { folder } = await registry.require();
    await preferences.dismissOffer(folder, mode);
  }

  return { commands, setScoringMode, setThreshold, dismissOffer };
}

function isThreshold(value: number): boolean {
  return value >= 0 && value <= 1;
}
