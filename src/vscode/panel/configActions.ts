import * as vscode from 'vscode';
import { CONFIG_PATH } from '../../core/config/config';
import type { ConfigChange } from '../../core/config/configEdit';
import { requireSession } from '../workspace/activeSession';
import type { SessionRegistry } from '../workspace/sessions';
import type { ConfigWriteOutcome, ConfigWriter } from './configWriter';

/** Changes of the active folder's config that somebody clicked on. */
export class ConfigActions {
  readonly #registry: SessionRegistry;
  readonly #writer: ConfigWriter;

  constructor(registry: SessionRegistry, writer: ConfigWriter) {
    this.#registry = registry;
    this.#writer = writer;
  }

  /** Writes `change`; the session reads the config again at once. See {@link ConfigWriter.write} for what it throws. */
  async change(change: ConfigChange): Promise<ConfigWriteOutcome> {
    const { folder, session } = await requireSession(this.#registry);
    const outcome = await this.#writer.write(folder, change);
    if (outcome === 'written') session.notify({ kind: 'files', changed: [CONFIG_PATH], removed: [] });
    if (outcome === 'unsaved') void this.#offerToSave(vscode.Uri.joinPath(folder.uri, CONFIG_PATH));
    return outcome;
  }

  async #offerToSave(uri: vscode.Uri): Promise<void> {
    const save = vscode.l10n.t('Save');
    const text = vscode.l10n.t(
      '{0} has changes that are not saved; what you chose is among them and holds once the file is saved.',
      CONFIG_PATH,
    );
    if ((await vscode.window.showInformationMessage(text, save)) !== save) return;
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    await document?.save();
  }
}
