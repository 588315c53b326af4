import type { PanelFinding, PanelToHost } from '../src/protocol/panel';
import type { PanelCommand } from '../src/protocol/panelAction';
import type { PanelAction } from './state';

/** What the views may do; one object that lives as long as the panel, so that rows can compare it by identity. */
export interface PanelActions {
  readonly dispatch: (action: PanelAction) => void;
  readonly post: (message: PanelToHost) => void;
  readonly run: (command: PanelCommand) => void;
  readonly copyPayload: () => void;
  readonly openFilter: () => void;
  readonly closeFilter: () => void;
  /** Moves the focus to a section's row; the filter goes when it hides that row. */
  readonly goToRow: (sectionId: string) => void;
  /** Shows what a finding is about: filters the rows, opens a single one, opens a part. Changes nothing in the folder. */
  readonly review: (review: NonNullable<PanelFinding['review']>, findingKey?: string) => void;
  /** Where the task is written. */
  readonly focusTask: () => void;
  /** `folderId`: the section whose file the row is. */
  readonly onRowKey: (rowId: string, event: KeyboardEvent, folderId?: string) => void;
}
