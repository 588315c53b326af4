import { cleanText } from '../../text/cleanText';

/** A line that says what went wrong, in the words of compilers, test runners and shells. */
const TELLING =
  /\b(?:error|errors|err!|fail(?:ed|ure|ures|s)?|fatal|panic(?:ked)?|exception|traceback|assert(?:ion)?\w*|undefined|unresolved|cannot|can't|could not|not found|no such|denied|refused|timed? ?out|expected|mismatch|segmentation fault|killed)\b|[A-Z]\w*(?:Error|Exception)\b|^\s*(?:✖|✗|×|❌|●|E\s{2,}|-->|✕)|错误|錯誤|失败|失敗|异常/iu;

/** Lines kept. */
const MAX_LINES = 12;
/** Of which the last of the output, telling or not: many tools end with the reason. */
const LAST_LINES = 3;
/** UTF-16 code units of a line. */
const MAX_LINE_CHARS = 300;

/** The lines of an output that say why it failed, in order, each once; the last ones always. Colours are taken out. */
export function keyLines(output: string): readonly string[] {
  const lines = cleanText(output)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const lastFrom = lines.length - LAST_LINES;
  const kept = new Set<string>();
  const last = lines.slice(Math.max(0, lastFrom));
  for (const line of lines.slice(0, Math.max(0, lastFrom))) {
    if (kept.size >= MAX_LINES - LAST_LINES) break;
    if (TELLING.test(line.slice(0, MAX_LINE_CHARS))) kept.add(cut(line));
  }
  for (const line of last) kept.add(cut(line));
  return [...kept];
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS - 1)}…` : line;
}
