/**
 * The forms of a folder: rows of its files, then the best files' texts, newest entries first. Files with a text stand
 * before those with a row alone, since both follow the same order; a line counts the others.
 */
import type { ShownFile } from '../../model/report';
import type { FolderFile } from '../../model/section';
import { toCell } from '../../render/element';
import { type Escape, elementName } from '../../text/elements';
import { plural } from '../../text/numbers';
import { toOneLine } from '../../text/sentence';
import { addSizes, isWithin, type LineTokenCounter, NO_SIZE, type Size, subtractSizes } from '../../tokens/lines';
import type { Cutter } from './cuts';
import { type ContentForms, wholeForm } from './forms';
import { type KeptEntries, textForms } from './textForms';

/** What the forms of a folder are made of. */
export interface FolderFacts {
  readonly id: string;
  readonly handle: string;
  /** Best first. */
  readonly files: readonly FolderFile[];
  /** How many of them are granted with `P2`. */
  readonly early: number;
  /** Files that were not read. */
  readonly leftOut: number;
  /** Files that get a row before any text is shown: the profile's `top_k.index`. */
  readonly rowLimit: number;
  /** Of the payload: what begins far beyond them is measured coarsely. */
  readonly caps: Size;
  readonly escapeTags: Escape;
  readonly counter: LineTokenCounter;
  readonly cutText: Cutter;
  /** Newest entries of each dated list that a rule leaves; undefined where it leaves all. */
  readonly kept: KeptEntries;
}

/** What a row says of a file. */
type RowFile = Pick<FolderFile, 'title' | 'date'>;

/** `title | 2026-02-03 | ~310 tok | section:ID/KEY`, with its `\n`; `-` stands for no date. */
export function renderFileRow({ title, date }: RowFile, tokens: number, handle: string, escapeTags: Escape): string {
  return `${toCell(title, escapeTags)} | ${date ?? '-'} | ~${tokens} tok | ${escapeTags(toOneLine(handle))}\n`;
}

/** Says that there are more files than are shown. */
function renderMore(count: number, handle: string): string {
  return count === 0 ? '' : `… ${count} more ${count === 1 ? 'file' : 'files'}: ${handle}\n`;
}

/** No payload reaches a file that begins beyond so many times its caps, whatever rows before it give way. */
const FINE_CAPS = 2;

/** A file, measured. */
interface Measured {
  readonly file: FolderFile;
  readonly handle: string;
  readonly text: string;
  readonly tokens: number;
  readonly row: string;
  readonly rowSize: Size;
}

function measure({ handle, files, escapeTags, counter }: FolderFacts): readonly Measured[] {
  return files.map((file) => {
    const own = `${handle}/${file.key}`;
    const escaped = escapeTags(file.text);
    const text = escaped === '' || escaped.endsWith('\n') ? escaped : `${escaped}\n`;
    const tokens = counter.count(text);
    const row = renderFileRow(file, tokens, own, escapeTags);
    return { file, handle: own, text, tokens, row, rowSize: counter.measure(row) };
  });
}

/** A file of which the payload has one line. */
function shownRow({ file: { path, title, date }, tokens, rowSize, handle }: Measured): ShownFile {
  return { path, title, date, tokens, tokensShown: rowSize.tokens, handle, shown: 'row' };
}

/** How far a folder is disclosed. */
interface FolderState {
  /** Files with a row or a text. */
  readonly rows: number;
  /** Of these, files with a text, the first ones. */
  readonly texts: number;
  /** The form of the last text. */
  readonly part: number;
  readonly size: Size;
}

/** Files below their rows, as far as they are shown. */
class FolderText {
  readonly files: readonly Measured[];
  readonly #texts = new Map<number, ContentForms>();
  readonly #frame: Size;
  readonly #notes = new Map<number, Size>();

  constructor(private readonly facts: FolderFacts) {
    this.files = measure(facts);
    const name = elementName(facts.id);
    this.#frame = facts.counter.measure(`<${name}>\n</${name}>\n`);
  }

  /** Every step from one row to all texts, without those that a later one undercuts: it shows more for less. */
  states(): readonly FolderState[] {
    const { early, rowLimit, caps } = this.facts;
    const all = this.files.length;
    const first = Math.min(all, Math.max(early, rowLimit, 1));
    const states: FolderState[] = [];
    let rows = 0;
    let texts = 0;
    let below = this.#frame;
    const add = (part: number, size: Size): void => {
      states.push({ rows, texts, part, size: addSizes(size, this.#noteSize(all - rows)) });
    };
    const addRow = (): void => {
      below = addSizes(below, this.files[rows++]?.rowSize ?? NO_SIZE);
      add(this.#lastPart(texts - 1), below);
    };
    const addText = (): void => {
      const at = texts++;
      const without = subtractSizes(below, this.files[at]?.rowSize ?? NO_SIZE);
      const forms = this.#forms(
        at,
        at < first && isWithin(below, { tokens: FINE_CAPS * caps.tokens, chars: FINE_CAPS * caps.chars }),
      );
      for (let part = 0; part < forms.count; part++) {
        below = addSizes(without, subtractSizes(forms.size(part), this.#frame));
        add(part, below);
      }
    };
    while (texts < Math.min(early, all)) {
      addRow();
      addText();
    }
    while (rows < first) addRow();
    while (texts < first) addText();
    while (rows < all) addRow();
    while (texts < all) addText();
    let least: Size = { tokens: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };
    return states
      .toReversed()
      .filter(({ size }) => {
        const isUndercut = size.tokens > least.tokens || size.chars > least.chars;
        if (!isUndercut) least = size;
        return !isUndercut;
      })
      .toReversed();
  }

  render({ rows, texts, part }: FolderState): string {
    const blocks = this.files.slice(0, texts).map((_, at) => this.#renderText(at, at === texts - 1 ? part : undefined));
    const others = this.files.slice(texts, rows).map(({ row }) => row);
    return [...blocks, ...others, this.#note(this.files.length - rows)].join('');
  }

  shown({ rows, texts, part }: FolderState): readonly ShownFile[] {
    return this.files.slice(0, rows).map((measured, at) => {
      const forms = at < texts ? this.#texts.get(at) : undefined;
      if (!forms) return shownRow(measured);
      const form = at === texts - 1 ? part : this.#lastPart(at);
      const tokensShown = subtractSizes(forms.size(form), this.#frame).tokens;
      return { ...shownRow(measured), tokensShown, shown: forms.shown(form).isPartial ? 'entries' : 'full' };
    });
  }

  /** What is missing of the texts, where some are shown in part. */
  left({ texts, part }: FolderState): { readonly entries: number; readonly lines: number } {
    let [entries, lines] = [0, 0];
    for (let at = 0; at < texts; at++) {
      const { left } = this.#texts.get(at)?.shown(at === texts - 1 ? part : this.#lastPart(at)) ?? {};
      entries += left?.entries ?? 0;
      lines += left?.lines ?? 0;
    }
    return { entries, lines };
  }

  #renderText(at: number, part = this.#lastPart(at)): string {
    const content = this.#texts.get(at)?.render(part) ?? '';
    return content.endsWith('\n') ? content : `${content}\n`;
  }

  #lastPart(at: number): number {
    return (this.#texts.get(at)?.count ?? 1) - 1;
  }

  /** `isFine`: entry by entry, else whole or not at all, which is enough for files far down. */
  #forms(at: number, isFine: boolean): ContentForms {
    const { id, counter, cutText, kept } = this.facts;
    const known = this.#texts.get(at);
    const file = this.files[at];
    if (known || !file) return known ?? wholeForm(id, '', counter);
    const { handle, text } = file;
    const head = `# ${file.row}`;
    const isWhole = !isFine && kept.keepRecent === undefined;
    const forms = isWhole
      ? this.#wholeForm(head, file)
      : textForms({ id, handle, head, text, hints: {}, counter, cutText, ...kept });
    this.#texts.set(at, forms);
    return forms;
  }

  /** Its size is a sum, since the text was counted for its row, unless that may run into the line before it. */
  #wholeForm(head: string, { text, tokens }: Measured): ContentForms {
    const { id, counter } = this.facts;
    const content = head + text;
    if (!/^[^\s/]/.test(text)) return wholeForm(id, content, counter);
    const above = addSizes(this.#frame, counter.measure(head));
    const size = addSizes(above, { tokens, chars: text.length });
    return { ...wholeForm(id, '', counter), size: () => size, render: () => content };
  }

  #note(hidden: number): string {
    return renderMore(hidden + this.facts.leftOut, this.facts.handle);
  }

  #noteSize(hidden: number): Size {
    const known = this.#notes.get(hidden) ?? this.facts.counter.measure(this.#note(hidden));
    this.#notes.set(hidden, known);
    return known;
  }
}

/**
 * The forms of a folder's element: the files granted with `P2` row by row with their texts, then rows of the best
 * `rowLimit` files, then their texts, file by file; then the rows of the others, and their texts. Each text comes by its
 * own forms. Linear in the files' texts, which are counted once.
 */
export function folderForms(facts: FolderFacts): ContentForms {
  const text = new FolderText(facts);
  const states = text.states();
  const at = (form: number): FolderState => states[form] ?? { rows: 0, texts: 0, part: 0, size: NO_SIZE };
  const early = states.findLastIndex(({ rows }) => rows <= facts.early);
  return {
    count: states.length,
    size: (form) => at(form).size,
    render: (form) => text.render(at(form)),
    shown: (form) => {
      const files = text.shown(at(form));
      const isWhole = files.length === text.files.length && files.every(({ shown }) => shown === 'full');
      return { files, left: text.left(at(form)), isPartial: !isWhole || facts.leftOut > 0 };
    },
    ...(facts.early > 0 && early >= 0 ? { early } : {}),
  };
}

/**
 * Rows of the best files alone, at most `rowLimit` of them: what stands below a folder's row in an index. Form 0 has
 * none. Sizes are without tags, since the rows have no element of their own. Those of early files are granted with `P2`.
 */
export function folderRows(facts: FolderFacts): ContentForms {
  const { handle, leftOut, counter, rowLimit, early } = facts;
  const files = measure({ ...facts, files: facts.files.slice(0, rowLimit) });
  const total = facts.files.length + leftOut;
  const note = (rows: number): string => (rows === 0 ? '' : renderMore(total - rows, handle));
  const sums: Size[] = [NO_SIZE];
  for (const { rowSize } of files) sums.push(addSizes(sums.at(-1) ?? NO_SIZE, rowSize));
  const render = (rows: number): string => [...files.slice(0, rows).map(({ row }) => row), note(rows)].join('');
  return {
    count: sums.length,
    size: (rows) => addSizes(sums[rows] ?? NO_SIZE, counter.measure(note(rows))),
    render,
    shown: (rows) => ({ files: files.slice(0, rows).map(shownRow), isPartial: true }),
    ...(early > 0 ? { early: Math.min(early, files.length) } : {}),
  };
}

/** One sentence on a folder: how many files, and the newest of them. */
export function folderSummary(files: readonly FolderFile[], leftOut: number): string {
  const newest = files.reduce<FolderFile | undefined>(
    (best, file) => (file.date !== undefined && file.date > (best?.date ?? '') ? file : best),
    undefined,
  );
  const count = plural(files.length + leftOut, 'file');
  return newest ? `${count}, newest ${newest.date}: ${newest.title}` : count;
}
