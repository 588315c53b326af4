/** Keeps the focus where the user left it while rows move. DOM only. */

/** Remembers the focused element, so that it can be found again after a render; undefined when nothing here has it. */
export function rememberFocus(root: HTMLElement): (() => void) | undefined {
  const focused = document.activeElement;
  // A panel without the focus must not take it from the editor.
  if (!document.hasFocus() || !(focused instanceof HTMLElement) || !root.contains(focused)) return undefined;
  const { key } = focused.dataset;
  return () => {
    if (document.activeElement === focused) return;
    if (focused.isConnected) focused.focus({ preventScroll: true });
    else replacementFor(root, key)?.focus({ preventScroll: true });
  };
}

/** The same control of the same section, else the section's row, else the row that Tab reaches. */
function replacementFor(root: HTMLElement, key: string | undefined): HTMLElement | undefined {
  const keyed = [...root.querySelectorAll<HTMLElement>('[data-key]')];
  const sectionId = key?.split(' ').at(1);
  return (
    keyed.find((element) => key !== undefined && element.dataset.key === key) ??
    keyed.find((element) => sectionId !== undefined && element.dataset.row === sectionId) ??
    keyed.find((element) => element.dataset.row !== undefined && element.tabIndex === 0)
  );
}
