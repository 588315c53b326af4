import { findTyped, nextRow, TypeAhead } from './keyboard';
import type { PanelActions } from './panelActions';

const MOVES: readonly string[] = ['ArrowDown', 'ArrowUp', 'Home', 'End'];

function rowsIn(root: HTMLElement): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-row]')];
}

function hasSelectedText(): boolean {
  return (document.getSelection()?.toString() ?? '') !== '';
}

/** A letter or digit without a modifier that makes it a command. */
function isTyped(event: KeyboardEvent): boolean {
  return event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/**
 * The keys of the row list: arrows, Home and End move, → and ← open and close, Ctrl+C copies the section, letters find
 * the next row by name. Enter and Space are the button's own.
 */
export function createRowKeys(
  root: HTMLElement,
  actions: Pick<PanelActions, 'dispatch' | 'post'>,
  now: () => number,
): (sectionId: string, event: KeyboardEvent) => void {
  const typeAhead = new TypeAhead();

  const moveTo = (sectionId: string | undefined): void => {
    const row = rowsIn(root).find((element) => element.dataset.row === sectionId);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };

  return (sectionId, event) => {
    const { key } = event;
    if (MOVES.includes(key)) {
      const ids = rowsIn(root).map((row) => row.dataset.row ?? '');
      moveTo(nextRow(ids, sectionId, key));
    } else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      actions.dispatch({ type: 'setOpen', sectionId, isOpen: key === 'ArrowRight' });
    } else if (key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey) && !hasSelectedText()) {
      actions.post({ type: 'section', action: 'copy', sectionId });
    } else if (isTyped(event)) {
      const rows = rowsIn(root).map((row) => ({
        id: row.dataset.row ?? '',
        name: row.querySelector('.base')?.textContent ?? '',
      }));
      moveTo(findTyped(rows, sectionId, typeAhead.add(key, now())));
    } else {
      return;
    }
    event.preventDefault();
  };
}
