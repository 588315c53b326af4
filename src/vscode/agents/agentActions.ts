import { connectionsById } from '../../core/setup/connections';
import type { ChangePreview } from '../base/fileChange';
import { COMMANDS, type CommandHandlers } from '../base/ids';
import { listed } from '../base/language';
import type { EditorServices } from '../copy/editorServices';
import type { AgentHost } from './connectionCheck';
import { pickConnections } from './connectionPicks';
import { ConnectionWriter } from './connectionWriter';

/** *Connect an Agent…*: what can be connected, what it costs, the exact change, and a check that it works. */
export function agentCommands(editor: EditorServices, preview: ChangePreview, host: AgentHost | undefined) {
  const { registry, statusBar } = editor;
  const writer = new ConnectionWriter(editor, preview, host);
  return {
    /** Asks for agent and connections, or takes ids of connections from a keybinding (`hooks:…`, `mcp:…`, `skill:…`). */
    [COMMANDS.connectAgent]: async (given) => {
      const active = await registry.require();
      const asked = Array.isArray(given)
        ? connectionsById(given)
        : await pickConnections(active, writer, host !== undefined);
      const done: string[] = [];
      try {
        for (const connection of asked) {
          const line = await writer.connect(active, connection);
          if (line !== undefined) done.push(line);
        }
      } finally {
        // What was done before one failed is said too.
        if (done.length > 0) statusBar.done(listed(done));
      }
    },
  } satisfies CommandHandlers;
}
