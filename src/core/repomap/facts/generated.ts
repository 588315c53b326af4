/** What generators write near the top of a file: Go's convention, Meta's `@generated`, and prose of the same meaning. */
const MARK =
  /@generated\b|\bcode generated\b.*\bdo not edit\b|\bdo not (?:edit|modify)\b.*\bgenerated\b|^\W*(?:auto-?|automatically )generated\b|\b(?:file|code|source|class|module|content|header)s?\b.*\b(?:auto-?|automatically )generated\b|\bgenerated (?:by|from)\b.*\bdo not\b/iu;
const HEADER_CHARS = 1000;
/** Mean line length of minified code; people stay below a tenth of it. */
const MINIFIED_LINE_CHARS = 500;

/** Whether a text says that it was generated, or looks minified. Reads the first 1,000 characters. */
export function looksGenerated(text: string, lineCount: number): boolean {
  if (text.length > MINIFIED_LINE_CHARS * Math.max(1, lineCount)) return true;
  const header = text.slice(0, HEADER_CHARS);
  // What all marks have in common; looking for it takes a twentieth of the time.
  if (!/generated/iu.test(header)) return false;
  return header.split('\n').some((line) => /^\s*(?:\/\/|\/\*|\*|#|<!--|--|;|"""|''')/u.test(line) && MARK.test(line));
}
