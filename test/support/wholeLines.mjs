// Files that another thread or process appends to. What stands behind the last line end is still being written.

/** The lines of a text that are complete, without their ends; empty ones are left out. */
export function wholeLines(text) {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}

/** What the complete lines of a JSON Lines text hold. */
export function wholeRecords(text) {
  return wholeLines(text).map((line) => JSON.parse(line));
}
