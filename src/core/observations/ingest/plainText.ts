/** A text of Markdown as one reads it: without marks of code, emphasis and links. `__` stays: it is in names of files. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/!?\[([^\]]{0,300})\]\([^)\s]{0,1000}\)/g, '$1')
    .replace(/\*\*|`+|~~/g, '')
    .trim();
}

/** Addresses in a text, each once. */
export function linksOf(text: string): readonly string[] {
  const found = text.match(/https?:\/\/[^\s<>()[\]|`"'，。；）】]+/g) ?? [];
  return [...new Set(found.map((url) => url.replace(/[.,;:!?]+$/, '')))].slice(0, 20);
}

/** `what → outcome`; outcomes that are empty or said already are left out. */
export function withOutcome(what: string, outcomes: readonly string[]): string {
  const said = outcomes.filter((text) => text !== '' && text !== what);
  if (what === '') return said.join(': ');
  return said.length === 0 ? what : `${what} → ${said.join(': ')}`;
}
