/**
 * Files that hold other languages' source, or are prose: which lines are code and in which language, and what headings
 * define. Code keeps its place: its lines are known in the file.
 */
import type { Definition } from './types';

/** Reads `<script>` blocks (Vue, Svelte), code cells of a Jupyter notebook, or headings of a Markdown document. */
export type EmbeddedReader = 'scripts' | 'notebook' | 'headings';

/** Source found in a file. */
interface EmbeddedSource {
  readonly language: string;
  readonly text: string;
  /** The file's row of each line of the text, from 0; absent where the text has the file's own lines. */
  readonly rows?: readonly number[];
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

/** A cell's texts; none when another language fills the cell. */
function cellTexts(source: unknown): readonly string[] {
  const texts = (Array.isArray(source) ? source : [source]).filter((text): text is string => typeof text === 'string');
  return /^%%(?!time|capture|timeit)/u.test(texts[0] ?? '') ? [] : texts;
}

/** Lines of a cell's text, without their ends and without commands to the notebook itself. */
function codeLines(text: string): readonly string[] {
  const lines = text.replace(/\n$/u, '').split('\n');
  return lines.map((line) => (/^\s*[%!]/u.test(line) ? '' : line));
}

/** The value of a JSON text; `undefined` for anything else. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Offsets of a JSON text's string literals, with their quotes, one after the other. */
class JsonStrings {
  #at = 0;
  /** Lines that begin up to what was looked at, and where the next one does. */
  #row = 0;
  #nextLine = 0;

  constructor(private readonly json: string) {}

  /** The row of the next string of that value, from 0; undefined where none follows, and the place stays. */
  rowOf(value: string): number | undefined {
    for (let start = this.json.indexOf('"', this.#at); start >= 0; ) {
      const end = this.#end(start);
      // An escape takes at most six characters. Pictures in outputs are long, and none of the code.
      const isLikely = end - start - 2 >= value.length && end - start - 2 <= 6 * value.length;
      if (isLikely && parsed(this.json.slice(start, end)) === value) {
        this.#at = end;
        return this.#rowAt(start);
      }
      start = this.json.indexOf('"', end);
    }
    return undefined;
  }

  #end(start: number): number {
    for (let at = this.json.indexOf('"', start + 1); at >= 0; at = this.json.indexOf('"', at + 1)) {
      let slashes = 0;
      while (this.json[at - 1 - slashes] === '\\') slashes++;
      if (slashes % 2 === 0) return at + 1;
    }
    return this.json.length;
  }

  #rowAt(offset: number): number {
    for (; this.#nextLine <= offset; this.#row++) this.#nextLine = this.#lineAfter(this.#nextLine);
    return this.#row - 1;
  }

  /** Where the line after the one that begins there begins; the end of all texts where there is none. */
  #lineAfter(start: number): number {
    const end = this.json.indexOf('\n', start);
    return end < 0 ? Number.POSITIVE_INFINITY : end + 1;
  }
}

/** A notebook's code cells, a blank line between them. Its JSON may have them in any layout, also all on one line. */
export function readNotebook(text: string): EmbeddedSource | undefined {
  const notebook = parsed(text) as Notebook | null | undefined;
  const name = notebook?.metadata?.kernelspec?.language ?? notebook?.metadata?.language_info?.name;
  if (!Array.isArray(notebook?.cells) || typeof name !== 'string') return undefined;
  const strings = new JsonStrings(text);
  const lines: string[] = [];
  const rows: number[] = [];
  const add = (added: readonly string[], row: number): void => {
    for (const line of added) {
      lines.push(line);
      rows.push(row);
    }
  };
  for (const cell of notebook.cells) {
    if (cell?.source === undefined) continue;
    // What stands before it, such as outputs, may have the same texts.
    strings.rowOf('source');
    for (const part of cell.cell_type === 'code' ? cellTexts(cell.source) : []) {
      const row = strings.rowOf(part);
      if (row !== undefined) add(codeLines(part), row);
    }
    add([''], rows.at(-1) ?? 0);
  }
  return { language: name.toLowerCase(), text: lines.join('\n'), rows };
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

/** HTML that has no headings in it, up to a line that closes it: how its first line begins, and what closes. */
const RAW_BLOCKS: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  // `<!-->` closes itself.
  { open: /^ {0,3}<!--/u, close: /-->/u },
  { open: /^ {0,3}<(?:pre|script|style|textarea)\b/iu, close: /<\/(?:pre|script|style|textarea)>/iu },
];

/** Whether a line closes the block that another line opened. */
type Closer = (line: string) => boolean;

/** What closes a block that a line opens, where it has no headings in it. */
function closerOf(line: string): Closer | undefined {
  const fence = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
  if (fence !== undefined) return (other) => other.replace(/^ {0,3}/u, '').startsWith(fence);
  const block = RAW_BLOCKS.find(({ open }) => open.test(line));
  return block && !block.close.test(line) ? (other) => block.close.test(other) : undefined;
}

/** How the first line of a title over a line of `===` begins. */
const TITLE = /^ {0,3}[^\s>#|\-*+=`~\d]/u;
/** A line that ends the paragraph before it: a quote, a list, a row of a table, an image's tag. */
const BREAK = /^ {0,3}(?:[>|<]|[-*+][ \t]|1[.)][ \t]|([-*_])(?:[ \t]*\1){2,}[ \t]*$)/u;

function findHeadings(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let closer: Closer | undefined;
  /** Rows of the paragraph so far; a title has no other block's lines in it. */
  let first = -1;
  let isTitle = false;
  const isFrontMatter = lines[0]?.trim() === '---';
  for (let row = isFrontMatter ? lines.indexOf('---', 1) + 1 : 0; row < lines.length; row++) {
    const line = lines[row] ?? '';
    if (closer) {
      if (closer(line)) closer = undefined;
      continue;
    }
    const atx = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/u.exec(line);
    const under = /^ {0,3}(=+|-+)[ \t]*$/u.exec(line)?.[1];
    closer = closerOf(line);
    if (atx) found.push({ level: atx[1]?.length ?? 1, name: headingName(atx[2] ?? ''), row });
    else if (under !== undefined && isTitle) {
      const title = lines.slice(first, row).map((each) => each.trim());
      found.push({ level: under.startsWith('=') ? 1 : 2, name: headingName(title.join(' ')), row: first });
    }
    if (atx || closer || line.trim() === '' || (under !== undefined && isTitle)) {
      first = -1;
      isTitle = false;
    } else if (first < 0 || BREAK.test(line)) {
      first = row;
      isTitle = TITLE.test(line);
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
