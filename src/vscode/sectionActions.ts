import * as vscode from 'vscode';
import { requireReport, requireSection, requireSession } from './activeSession';
import { EditorError } from './editorError';
import type { PreferenceStore } from './preferences';
import type { SessionRegistry } from './sessions';

/** Scheme of the read-only documents that show a section without a file of its own. */
export const SECTION_SCHEME = 'context-budget';

/** What can be done with one row of the panel, other than copying it. */
export class SectionActions implements vscode.TextDocumentContentProvider {
  readonly #registry: SessionRegistry;
  readonly #preferences: PreferenceStore;
  readonly #announce: (text: string) => void;

  constructor(registry: SessionRegistry, preferences: PreferenceStore, announce: (text: string) => void) {
    this.#registry = registry;
    this.#preferences = preferences;
    this.#announce = announce;
  }

  async setPinned(sectionId: string, isPinned: boolean): Promise<void> {
    const title = await this.#setListed('pinned', sectionId, isPinned);
    this.#announce(isPinned ? vscode.l10n.t('{0} pinned', title) : vscode.l10n.t('{0} unpinned', title));
  }

  async setExcluded(sectionId: string, isExcluded: boolean): Promise<void> {
    const title = await this.#setListed('excluded', sectionId, isExcluded);
    this.#announce(isExcluded ? vscode.l10n.t('{0} excluded', title) : vscode.l10n.t('{0} included', title));
  }

  /** Turns a pin or an exclusion over. */
  async toggle(list: 'pinned' | 'excluded', sectionId: string): Promise<void> {
    const { session } = await requireSession(this.#registry);
    const section = requireSection(requireReport(session.snapshot), this.#preferences.mode, sectionId);
    if (list === 'pinned') await this.setPinned(sectionId, !section.isPinned);
    else await this.setExcluded(sectionId, !section.isExcluded);
  }

  /** Opens the section's file; a section without one opens as a read-only document with its text. */
  async open(sectionId: string): Promise<void> {
    const { folder, session } = await requireSession(this.#registry);
    const { path } = requireSection(requireReport(session.snapshot), this.#preferences.mode, sectionId);
    const uri = path
      ? vscode.Uri.joinPath(folder.uri, path)
      : vscode.Uri.from({ scheme: SECTION_SCHEME, path: `/${sectionId}`, query: folder.uri.toString() });
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const active = this.#registry.all.find(({ folder }) => folder.uri.toString() === uri.query);
    if (!active) throw new EditorError('noFolder', vscode.l10n.t('The folder of this section is not open any more.'));
    const section = requireSection(requireReport(await active.whenReady()), 'expanded', uri.path.slice(1));
    if (section.disclosure === 'full') return section.text;
    const { items } = await active.session.detail([section.handle]);
    return items.length === 0 ? section.text : items.map((item) => item.text).join('\n');
  }

  async #setListed(list: 'pinned' | 'excluded', sectionId: string, isListed: boolean): Promise<string> {
    const { folder, session } = await requireSession(this.#registry);
    const { title } = requireSection(requireReport(session.snapshot), this.#preferences.mode, sectionId);
    await this.#preferences.setListed(folder, list, sectionId, isListed);
    session.update(this.#preferences.of(folder));
    return title;
  }
}

/** The section's id in what a menu of the panel hands to a command (`data-vscode-context`), or in a plain argument. */
export function sectionIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  if (typeof argument !== 'object' || argument === null || !('sectionId' in argument)) return undefined;
  return typeof argument.sectionId === 'string' ? argument.sectionId : undefined;
}
