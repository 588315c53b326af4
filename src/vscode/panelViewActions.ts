import * as vscode from 'vscode';
import type { ScoringMode } from '../core/config/config';
import { SECTION_SORTS, type SectionSort } from '../protocol/panel';
import { requireSession } from './activeSession';
import type { ConfigActions } from './configActions';
import type { PreferenceStore } from './preferences';
import type { SessionRegistry } from './sessions';

/** What can be chosen in the panel that is about no single section: the rows' order and how scoring works. */
export class PanelViewActions {
  readonly #registry: SessionRegistry;
  readonly #preferences: PreferenceStore;
  readonly #config: ConfigActions;
  readonly #announce: (text: string) => void;

  constructor(
    registry: SessionRegistry,
    preferences: PreferenceStore,
    config: ConfigActions,
    announce: (text: string) => void,
  ) {
    this.#registry = registry;
    this.#preferences = preferences;
    this.#config = config;
    this.#announce = announce;
  }

  /** Lets somebody choose how the panel orders its rows. */
  async sortSections(): Promise<void> {
    const current = this.#preferences.sort;
    const items = SECTION_SORTS.map((sort) => ({
      sort,
      label: sortLabel(sort),
      ...(sort === current ? { description: vscode.l10n.t('current') } : {}),
    }));
    const title = vscode.l10n.t('Sort Sections');
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Order of the rows') });
    if (picked) await this.#preferences.setSort(picked.sort);
  }

  async setScoringMode(mode: ScoringMode): Promise<void> {
    const outcome = await this.#config.change({ kind: 'scoring', mode });
    if (outcome !== 'unsaved') this.#announce(vscode.l10n.t('Scoring mode {0}', mode));
  }

  /** @param threshold 0…1; two decimals are kept */
  async setThreshold(threshold: number): Promise<void> {
    const rounded = Math.round(threshold * 100) / 100;
    const outcome = await this.#config.change({ kind: 'scoring', threshold: rounded });
    if (outcome !== 'unsaved') this.#announce(vscode.l10n.t('Threshold {0}', rounded.toFixed(2)));
  }

  async dismissOffer(mode: ScoringMode): Promise<void> {
    const { folder } = await requireSession(this.#registry);
    await this.#preferences.dismissOffer(folder, mode);
  }
}

function sortLabel(sort: SectionSort): string {
  switch (sort) {
    case 'size':
      return vscode.l10n.t('Size within Priority');
    case 'payload':
      return vscode.l10n.t('Payload Order');
    case 'return':
      return vscode.l10n.t('Return');
    case 'name':
      return vscode.l10n.t('Name');
  }
}
