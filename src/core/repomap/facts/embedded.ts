/**
 * Files that hold other languages' source, or are prose: which lines are code and in which language, and what headings
 * define. Code keeps its place: the text to parse has the file's own line numbers.
 */
import type { Definition } from './types';

/** Reads `<script>` blocks (Vue, Svelte), code cells of a Jupyter notebook, or headings of a Markdown document. */
export type EmbeddedReader = 'scripts' | 'notebook' | 'headings';

/** Source found in a file, line for line where the file has it; everything else is blank. */
interface EmbeddedSource {
  readonly language: string;
  readonly text: string;
}

/** A longer heading is a paragraph by mistake. */
const MAX_HEADING_CHARS = 200;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

function scriptLanguage(attributes: string): string | undefined {
  const lang = /\blang\s*=\s*["']?(\w+)/u.exec(attributes)?.[1];
  if (lang === undefined || lang === 'js' || lang === 'javascript') return 'javascript';
  if (lang === 'ts' || lang === 'typescript') return 'typescript';
  return lang === 'tsx' || lang === 'jsx' ? lang : undefined;
}

/** A comment, or the opening of a script; a quoted attribute may have a `>`, as `generic="T extends Array<string>"`. */
const OPENING = /<!--|<script\b((?:"[^"]{0,500}"|'[^']{0,500}'|[^>"']){0,500})>/giu;

/** The script blocks of a component; in one language, TypeScript when any of them says so. */
export function readScripts(text: string): EmbeddedSource | undefined {
  let result = '';
  let kept = 0;
  const languages = new Set<string>();
  const opening = new RegExp(OPENING);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [, attributes] = match;
    const close = text.indexOf(attributes === undefined ? '-->' : '</script', opening.lastIndex);
    if (close < 0) break;
    const language = attributes === undefined ? undefined : scriptLanguage(attributes);
    if (language !== undefined) {
      languages.add(language);
      result += blank(text.slice(kept, opening.lastIndex)) + text.slice(opening.lastIndex, close);
      kept = close;
    }
    opening.lastIndex = close;
  }
  const language = ['tsx', 'typescript', 'jsx', 'javascript'].find((candidate) => languages.has(candidate));
  return language === undefined ? undefined : { language, text: result + blank(text.slice(kept)) };
}

interface Notebook {
  readonly cells?: readonly { readonly cell_type?: unknown; readonly source?: unknown }[];
  readonly metadata?: {
    readonly kernelspec?: { readonly language?: unknown };
    readonly language_info?: { readonly name?: unknown };
  };
}

/** A cell's lines, without commands to the notebook itself; none when another language fills the cell. */
function cellLines(source: unknown): readonly string[] {
  const lines = Array.isArray(source) ? source : [source];
  const texts = lines.filter((line): line is string => typeof line === 'string');
  return /^%%(?!time|capture|timeit)/u.test(texts[0] ?? '') ? [] : texts;
}

/** The value of a JSON text; `undefined` for anything else. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** No line of code is longer; a picture in an output is. */
const MAX_CELL_LINE_CHARS = 100_000;

/** The string that a line of indented JSON holds, if it is one. */
function jsonString(line: string): string | undefined {
  if (line.length > MAX_CELL_LINE_CHARS) return undefined;
  const literal = /^\s*("(?:[^"\\]|\\.)*")\s*,?\s*$/u.exec(line)?.[1];
  const value = literal === undefined ? undefined : parsed(literal);
  return typeof value === 'string' ? value : undefined;
}

/** A notebook's code cells, each line where the file has its string; lines that cannot be placed are left out. */
export function readNotebook(text: string): EmbeddedSource | undefined {
  const notebook = parsed(text) as Notebook | null | undefined;
  const name = notebook?.metadata?.kernelspec?.language ?? notebook?.metadata?.language_info?.name;
  if (!Array.isArray(notebook?.cells) || typeof name !== 'string') return undefined;
  const lines = text.split('\n');
  const code: string[] = lines.map(() => '');
  let row = 0;
  for (const cell of notebook.cells) {
    if (cell?.cell_type !== 'code') continue;
    for (const line of cellLines(cell.source)) {
      while (row < lines.length && jsonString(lines[row] ?? '') !== line) row++;
      if (row >= lines.length) break;
      code[row] = /^\s*[%!]/u.test(line) ? '' : (line.split('\n', 1)[0] ?? '');
      row++;
    }
  }
  return { language: name.toLowerCase(), text: code.join('\n') };
}

function headingName(raw: string): string {
  return raw
    .slice(0, 2 * MAX_HEADING_CHARS)
    .replace(/\s+#+\s*$/u, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/<[^>]*>|[`*]/gu, '')
    .trim()
    .slice(0, MAX_HEADING_CHARS);
}

interface Heading {
  readonly level: number;
  readonly name: string;
  readonly row: number;
}

function findHeadings(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let fence = '';
  const isFrontMatter = lines[0]?.trim() === '---';
  let row = isFrontMatter ? lines.indexOf('---', 1) + 1 : 0;
  for (; row < lines.length; row++) {
    const line = lines[row] ?? '';
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      continue;
    }
    if (mark !== '') fence = mark;
    const atx = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/u.exec(line);
    const under = /^ {0,3}(=+|-+)[ \t]*$/u.exec(lines[row + 1] ?? '')?.[1];
    if (atx) found.push({ level: atx[1]?.length ?? 1, name: headingName(atx[2] ?? ''), row });
    else if (under !== undefined && /^ {0,3}[^\s>#|\-*+=`~\d]/u.test(line)) {
      found.push({ level: under.startsWith('=') ? 1 : 2, name: headingName(line), row });
      row++;
    }
  }
  return found.filter((heading) => heading.name !== '');
}

/** A document's headings as definitions: each reaches to the next one of its level or above, and holds those below. */
export function readHeadings(text: string): readonly Definition[] {
  const lines = text.replace(/\r/g, '').replace(/\n$/u, '').split('\n');
  const headings = findHeadings(lines);
  const ends = headings.map(() => lines.length);
  const parents: number[] = [];
  const open: number[] = [];
  headings.forEach(({ level, row }, index) => {
    while (open.length > 0 && (headings[open.at(-1) as number] as Heading).level >= level)
      ends[open.pop() as number] = row;
    parents.push(open.at(-1) ?? -1);
    open.push(index);
  });
  return headings.map(({ level, name, row }, index) => ({
    kind: 'heading',
    name,
    signature: `${'#'.repeat(level)} ${name}`,
    doc: '',
    lineStart: row + 1,
    lineEnd: ends[index] as number,
    parent: parents[index] as number,
  }));
}
