import { COMMANDS, type CommandHandlers } from '../base/ids';
import { allowedSessionAgents, askForAgents } from '../base/transcriptConsent';
import type { SessionPageView } from './sessionPageView';
import type { SessionTree } from './sessionTree';

/** What can be done with sessions. */
export function sessionActions(tree: SessionTree, view: SessionPageView) {
  const commands = {
    /** Asks for leave where there is none yet, then reads the agents' logs. */
    [COMMANDS.refreshSessions]: async () => {
      if (allowedSessionAgents().length === 0) await askForAgents();
      await Promise.all([tree.readAgain(), view.readAgain()]);
    },
    /** Opens the page of a row's session. */
    [COMMANDS.openSession]: async (given) => {
      const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : given;
      const row = tree.rows.find((each) => each.id === id);
      if (row && tree.folder) await view.open(tree.folder, row);
    },
  } satisfies CommandHandlers;

  return { commands };
}
