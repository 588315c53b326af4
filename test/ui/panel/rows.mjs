/** Rows of the panel's list, found by their section. */

/** Selector of a row. */
export const row = (id) => `[data-row="${id}"]`;

export async function focusRow(panel, id) {
  await panel.page.focus(row(id));
}
