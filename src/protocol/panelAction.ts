import { PANEL_COMMANDS, type PanelToHost, SECTION_LISTS } from './panel';

/** What somebody asks for; `ready` is the page's own word. */
type Asked = Exclude<PanelToHost, { type: 'ready' }>;
type Plain = Exclude<Asked['type'], 'command' | 'section' | 'setListed'>;
type SectionAction = Extract<Asked, { type: 'section' }>['action'];

// Objects, so that the compiler misses a message that is not named here.
const PLAIN: Readonly<Record<Plain, true>> = {
  setMode: true,
  setProfile: true,
  openFile: true,
  setTask: true,
  setScoringMode: true,
  setThreshold: true,
  dismissOffer: true,
};
const SECTION_ACTIONS: Readonly<Record<SectionAction, true>> = { open: true, copy: true };

/** Everything that the panel can ask for, by the names of `panelActionOf`: what a walk through the panel has to do. */
export const PANEL_ACTIONS: readonly string[] = [
  ...Object.keys(PLAIN),
  ...PANEL_COMMANDS.map((command) => `command ${command}`),
  ...Object.keys(SECTION_ACTIONS).map((action) => `section ${action}`),
  ...SECTION_LISTS.flatMap((list) => [`setListed ${list} on`, `setListed ${list} off`]),
];

/** What a message of the panel asks for, without what it is about: a name for the log. */
export function panelActionOf(message: Asked): string {
  switch (message.type) {
    case 'command':
      return `command ${message.command}`;
    case 'section':
      return `section ${message.action}`;
    case 'setListed':
      return `setListed ${message.list} ${message.isListed ? 'on' : 'off'}`;
    default:
      return message.type;
  }
}
