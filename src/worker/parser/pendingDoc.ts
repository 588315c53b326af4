import type { TreeCursor } from 'web-tree-sitter';

/** A stretch of source. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The comment block, and the attributes below it, that stand right above the next node. A comment behind code on its
 * line belongs to that code, not to what follows.
 */
export class PendingDoc {
  #start = -1;
  #end = -1;
  #endRow = -1;
  #attributeRow = -1;
  /** A doc handed down by a container counts only for a node that begins in the container's first row. */
  #onlyRow = -1;

  get isEmpty(): boolean {
    return this.#start < 0 && this.#attributeRow < 0;
  }

  clear(): void {
    this.#start = -1;
    this.#attributeRow = -1;
    this.#onlyRow = -1;
  }

  /**
   * Whether the node is a doc comment. `mayPass`: when it is none, the doc above it still belongs to what follows.
   */
  addComment(cursor: TreeCursor, text: string, docPattern: RegExp | undefined, mayPass: boolean): boolean {
    const start = cursor.startIndex;
    const end = cursor.endIndex;
    const isDoc =
      !isBehindCode(text, start) && (docPattern?.test(text.slice(start, Math.min(end, start + 12))) ?? true);
    const row = cursor.startPosition.row;
    if (!isDoc) {
      if (mayPass && row <= this.#endRow + 1) this.#endRow = cursor.endPosition.row;
      else this.#start = -1;
      return false;
    }
    if (this.#start < 0 || row > this.#endRow + 1) this.#start = start;
    this.#end = end;
    // Some grammars count the line's end to the comment.
    this.#endRow = text.charCodeAt(end - 1) === 10 ? cursor.endPosition.row - 1 : cursor.endPosition.row;
    return true;
  }

  addAttribute(cursor: TreeCursor): void {
    const { row } = cursor.startPosition;
    if (this.#start >= 0 && row > this.#endRow + 1) this.#start = -1;
    if (this.#attributeRow < 0) this.#attributeRow = row;
    this.#endRow = cursor.endPosition.row;
  }

  /** What a container hands to the first node inside of it. `onlyRow` < 0: to whichever comes first. */
  handDown(containerRow: number, onlyRow: number): PendingDoc {
    const inner = new PendingDoc();
    if (this.#start >= 0 && containerRow <= this.#endRow + 1) {
      inner.#start = this.#start;
      inner.#end = this.#end;
      inner.#endRow = containerRow;
      inner.#onlyRow = onlyRow;
    }
    inner.#attributeRow = this.#attributeRow;
    return inner;
  }

  /** The doc of a node that begins in `row`, if it stands right above. */
  docFor(row: number): SourceSpan | undefined {
    if (this.#start < 0 || (this.#onlyRow >= 0 && row !== this.#onlyRow)) return undefined;
    return this.#onlyRow >= 0 || row <= this.#endRow + 1 ? { start: this.#start, end: this.#end } : undefined;
  }

  /** Row of the first attribute of a node that begins in `row`. */
  firstRow(row: number): number {
    return this.#attributeRow >= 0 ? Math.min(this.#attributeRow, row) : row;
  }
}

function isBehindCode(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const code = text.charCodeAt(before);
    if (code === 10) return false;
    if (code !== 32 && code !== 9 && code !== 13) return true;
  }
  return false;
}
