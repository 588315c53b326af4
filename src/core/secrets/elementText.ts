import { INDEX_ELEMENT } from '../text/elements';

/** A stretch of a payload's text between tags: what may be masked. Tags are never part of one. */
export interface TextPart {
  /** The section it belongs to; a detail's handle. */
  readonly sectionId: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** `<name>`, or with attributes `<detail handle="…" title="…">`. */
const OPEN_TAG = /^<([a-z][a-z0-9-]*)((?: [a-z]+="[^"\n]*")*)>/;

const ATTRIBUTE = / ([a-z]+)="([^"\n]*)"/g;

const INDEX_ROW = /^(?:OK|WARN|ALERT) \| ([a-z][a-z0-9-]*) \| /;

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

class PartReader {
  readonly parts: TextPart[] = [];
  #element: { readonly name: string; readonly sectionId: string; readonly start: number } | undefined;
  #between = 0;

  constructor(
    private readonly text: string,
    private readonly names: ReadonlySet<string>,
    private readonly fallbackId: string,
  ) {}

  read(): readonly TextPart[] {
    for (let start = 0; start < this.text.length; ) {
      const lineEnd = this.text.indexOf('\n', start);
      const end = lineEnd < 0 ? this.text.length : lineEnd;
      if (this.#element) this.#closeAt(start, end);
      else this.#openAt(start, end);
      start = end + 1;
    }
    this.#add(this.#element?.sectionId ?? this.fallbackId, this.#element?.start ?? this.#between, this.text.length);
    return this.parts;
  }

  #closeAt(start: number, end: number): void {
    const element = this.#element;
    if (!element || this.text.slice(start, end) !== `</${element.name}>`) return;
    if (element.name === INDEX_ELEMENT) this.#addRows(element.start, start);
    else this.#add(element.sectionId, element.start, start);
    this.#element = undefined;
    this.#between = end + 1;
  }

  #openAt(start: number, end: number): void {
    const line = this.text.slice(start, end);
    const match = OPEN_TAG.exec(line);
    const name = match?.[1] ?? '';
    if (!match || !this.names.has(name)) return;
    this.#add(this.fallbackId, this.#between, start);
    const sectionId = this.#addAttributes(match[2] ?? '', start + 1 + name.length) ?? name;
    const open = start + match[0].length;
    const close = `</${name}>`;
    if (line.length >= match[0].length + close.length && line.endsWith(close)) {
      this.#add(sectionId, open, end - close.length);
      this.#between = end + 1;
    } else this.#element = { name, sectionId, start: Math.min(end + 1, this.text.length) };
  }

  /** Values one by one, so that nothing found can reach over a quote. The handle, where there is one. */
  #addAttributes(attributes: string, offset: number): string | undefined {
    let handle: string | undefined;
    for (const match of attributes.matchAll(ATTRIBUTE)) {
      const [whole, name, value = ''] = match;
      if (name === 'handle') handle = unescaped(value);
      const end = offset + match.index + whole.length - 1;
      this.#add(handle ?? this.fallbackId, end - value.length, end);
    }
    return handle;
  }

  /** Rows of the index: each is of its own section. */
  #addRows(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const lineEnd = Math.min(this.text.indexOf('\n', at) + 1 || end, end);
      const id = INDEX_ROW.exec(this.text.slice(at, lineEnd))?.[1];
      this.#add(id ?? this.fallbackId, at, lineEnd);
      at = lineEnd;
    }
  }

  #add(sectionId: string, start: number, end: number): void {
    if (start < end) this.parts.push({ sectionId, start, end });
  }
}

/**
 * The stretches of `text` between the tags of elements called `names`, in order. The escape of payloads sees to it that
 * no content has such a tag at the start of a line. What stands outside belongs to `fallbackId`. Linear.
 */
export function splitElements(text: string, names: Iterable<string>, fallbackId: string): readonly TextPart[] {
  return new PartReader(text, new Set(names), fallbackId).read();
}
