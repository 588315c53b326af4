/**
 * Actions of the Budget panel that take one press: one entry an action. The page draws a row's buttons from
 * it, the host registers commands under the same names, and messages that name anything else are refused.
 */
import type { ReportSection } from '../core/model/report';
import { NO_WORDS, type Phrase, phrase } from '../core/text/phrase';

/** What an action of a row may depend on. */
export interface ActedSection extends Pick<ReportSection, 'isPinned' | 'isExcluded' | 'path' | 'priority'> {
  readonly isOnDemand: boolean;
}

/** How an action is offered in an opened row. Its label is the title of its command. */
interface RowButton<Icon extends string> {
  /** A codicon. */
  readonly icon: Icon;
  /** Shown on hover; where there are no words, the section's path. */
  readonly tooltip: Phrase;
  /** Buttons of one place take each other's: one of them at a time is offered. */
  readonly place: string;
  readonly isOffered: (section: ActedSection) => boolean;
}

function button<Icon extends string>(
  place: string,
  icon: Icon,
  tooltip: Phrase,
  isOffered: RowButton<Icon>['isOffered'] = () => true,
): RowButton<Icon> {
  return { place, icon, tooltip, isOffered };
}

/** Actions of one row, in the order of the buttons; each is the command `contextBudget.section.<name>` as well. */
export const ROW_ACTIONS = {
  pin: button(
    'pinned',
    'pin',
    phrase('Never shorten it because of its score; the limit can still cut it'),
    (section) => !section.isPinned,
  ),
  unpin: button('pinned', 'pinned', phrase('A low score may shorten it again'), (section) => section.isPinned),
  onDemand: button(
    'on_demand',
    'fold',
    phrase('Show only one line; the agent can ask for the full text. Stop On Demand undoes it'),
    // `P0` is always shown in full.
    (section) => !section.isOnDemand && section.priority !== 'P0',
  ),
  alwaysShow: button(
    'on_demand',
    'unfold',
    phrase('Show the text again, as far as the limit allows'),
    (section) => section.isOnDemand,
  ),
  exclude: button('excluded', 'exclude', phrase('Leave out of every payload'), (section) => !section.isExcluded),
  include: button('excluded', 'add', phrase('Include in payloads again'), (section) => section.isExcluded),
  open: button('open', 'go-to-file', NO_WORDS, (section) => section.path !== undefined),
  copy: button('copy', 'copy', phrase('Copy this section as the agent gets it')),
};

export type RowAction = keyof typeof ROW_ACTIONS;

/** Their names, in the order of the buttons. */
export const ROW_ACTION_NAMES = Object.keys(ROW_ACTIONS) as readonly RowAction[];

export type RowCommand = `contextBudget.section.${RowAction}`;

/** The command that does the same. */
export function rowCommand(action: RowAction): RowCommand {
  return `contextBudget.section.${action}`;
}

/** Actions of a row of *Before the First Word*; a category may have some too. */
export const WINDOW_ACTIONS = ['measure', 'onDemand', 'disable', 'open'] as const;

export type WindowAction = (typeof WINDOW_ACTIONS)[number];

/** Commands that a link or button of the panel may run; anything else is refused. */
export const PANEL_COMMANDS = [
  'openFolder',
  'createInstructions',
  'howItWorks',
  'manageTrust',
  'changeLimit',
  'toggleChanges',
  // What the window bar and *Before the First Word* ask for.
  'selectWindow',
  'toggleHomeFiles',
  'openConfig',
  'showLog',
  'moreCopyActions',
  'copyPayload',
  'sortSections',
  // What the Relay part asks for; of the folder's own relay log.
  'compactRelay',
  'copyRelaySummary',
  'copyObserverPrompt',
  'openRelayLog',
] as const;

export type PanelCommand = (typeof PANEL_COMMANDS)[number];
