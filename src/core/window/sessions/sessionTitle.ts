/** What a session is called: the first line that a person wrote in it. Agents keep no titles in most logs. */

/** More of a line is no title. It is shortened for people only once it is masked: half a secret would not be known as one. */
const MAX_CHARS = 1_000;

/** Undefined for a text that begins with markup: a program wrote it, or it calls a command. */
export function titleIn(text: string): string | undefined {
  const [first, second] =
    /\S.*(?:\s*\n\s*\S.*)?/
      .exec(text)?.[0]
      .split('\n')
      .filter((line) => line.trim() !== '') ?? [];
  if (first === undefined || first.startsWith('<')) return undefined;
  // "Implement this plan:" says little without the plan.
  const line =
    first.trimEnd().endsWith(':') && second !== undefined ? `${plain(first)} ${plain(second)}` : plain(first);
  return line === '' ? undefined : line.slice(0, MAX_CHARS);
}

/** Without the mark of a heading. */
function plain(line: string): string {
  return line.trim().replace(/^#+\s*/, '');
}
