/** The lines of a map, grown by one chosen definition at a time. */

import type { ChangeNote, MapPackage } from '../../model/repoMap';
import type { IndexedFile } from '../index/indexedFile';
import type { MapItem, MapOrder } from '../ranking/mapOrder';
import { changeLine, fileLine, type MapStyle, packageLine, placementOf, symbolLine } from './mapLines';

interface Shown {
  readonly definitions: Set<number>;
  readonly scopeLines: Set<string>;
  /** Signatures by parent: the same one twice (`#ifdef` branches, overloads in stubs) says nothing more. */
  readonly signatures: Set<string>;
  /** Definitions whose line is a name alone. */
  readonly brief: Set<number>;
  /** The file itself was chosen, for what stands outside of its definitions. */
  isItself: boolean;
}

/** A chosen definition, and whether its line and those around it that came with it are names alone. */
export interface Chosen extends MapItem {
  readonly isBrief: boolean;
}

/** The lines of a map, as a set: adding a definition adds what is not there yet. */
export class Sheet {
  readonly #shown = new Map<IndexedFile, Shown>();
  /** In the order in which they came; files without one stand first. */
  readonly #packages = new Map<MapPackage | undefined, number>([[undefined, 0]]);

  constructor(
    private readonly style: MapStyle,
    private readonly order: MapOrder,
    items: readonly Chosen[] = [],
  ) {
    for (const item of items) this.add(item);
  }

  /** Files by package, then by their place in the order; of the same place, by which definition came first. */
  get files(): readonly IndexedFile[] {
    const placed = [...this.#shown.keys()].map((file) => ({
      file,
      group: this.#packages.get(this.order.packageOf?.(file)) ?? 0,
      place: this.order.placeOf?.(file) ?? 0,
    }));
    return placed.sort((a, b) => a.group - b.group || b.place - a.place).map(({ file }) => file);
  }

  /** In the order of their files. */
  get packages(): readonly MapPackage[] {
    return [...new Set(this.files.flatMap((file) => this.order.packageOf?.(file) ?? []))];
  }

  /** Whether the item, or one that reads the same at the same place, is there. */
  has(item: MapItem): boolean {
    const shown = this.#shown.get(item.file);
    if (item.index < 0) return shown?.isItself === true;
    return shown !== undefined && (shown.definitions.has(item.index) || this.#readsAsShown(item, shown));
  }

  /** What changed, or calls what did, is shown although it reads the same as another. */
  #readsAsShown(item: MapItem, { signatures }: Shown): boolean {
    return !this.order.aboutOf?.(item) && signatures.has(item.file.signatureKey(item.index));
  }

  countOf(file: IndexedFile): number {
    return this.#shown.get(file)?.definitions.size ?? 0;
  }

  /** The file's definitions that are there, in document order. */
  definitionsOf(file: IndexedFile): readonly number[] {
    return [...(this.#shown.get(file)?.definitions ?? [])].sort((a, b) => a - b);
  }

  /** Lines that `item` would add. */
  missing({ file, index, isBrief }: Chosen): readonly string[] {
    const shown = this.#shown.get(file);
    const { ancestors, scopeLine } = placementOf(file, index, this.style.mask);
    const lines = shown ? [] : [fileLine(file, this.style.mask)];
    const around = this.order.packageOf?.(file);
    if (around && !this.#packages.has(around)) lines.unshift(packageLine(around, this.style.mask));
    if (index < 0) return [...lines, ...this.#itself(file)];
    ancestors.forEach((ancestor, depth) => {
      if (!shown?.definitions.has(ancestor)) lines.push(this.#line(file, ancestor, depth, isBrief));
    });
    if (scopeLine !== undefined && !shown?.scopeLines.has(scopeLine)) lines.push(scopeLine);
    lines.push(this.#line(file, index, ancestors.length + (scopeLine === undefined ? 0 : 1), isBrief));
    return lines;
  }

  add(item: Chosen): void {
    const { file, index, isBrief } = item;
    let shown = this.#shown.get(file);
    if (!shown) {
      shown = {
        definitions: new Set(),
        scopeLines: new Set(),
        signatures: new Set(),
        brief: new Set(),
        isItself: false,
      };
      this.#shown.set(file, shown);
      const around = this.order.packageOf?.(file);
      // The opened folder's own files stand first: what is not below another package is below it.
      if (around && !this.#packages.has(around))
        this.#packages.set(around, around.path === '' ? 0 : this.#packages.size);
    }
    if (index < 0) {
      shown.isItself = true;
      return;
    }
    const { ancestors, scopeLine } = placementOf(file, index, this.style.mask);
    for (const at of [...ancestors, index]) {
      if (isBrief && !shown.definitions.has(at)) shown.brief.add(at);
      shown.definitions.add(at);
    }
    shown.signatures.add(file.signatureKey(index));
    if (scopeLine !== undefined) shown.scopeLines.add(scopeLine);
  }

  text(): string {
    let last: MapPackage | undefined;
    return this.files
      .map((file) => {
        const around = this.order.packageOf?.(file);
        const head = around && around !== last ? packageLine(around, this.style.mask) : '';
        last = around;
        return head + this.fileText(file);
      })
      .join('');
  }

  #line(file: IndexedFile, index: number, depth: number, isBrief: boolean): string {
    const style = isBrief ? { ...this.style, isNamesOnly: true } : this.style;
    return symbolLine(file, index, depth, style, this.order.aboutOf?.({ file, index }));
  }

  /** The line that says why the file itself is there. */
  #itself(file: IndexedFile): readonly string[] {
    const change = this.changeOf(file);
    return change ? [changeLine(change, this.style.mask)] : [];
  }

  /** Of the file itself, where it was chosen. */
  changeOf(file: IndexedFile): ChangeNote | undefined {
    return this.order.aboutOf?.({ file, index: -1 });
  }

  isItself(file: IndexedFile): boolean {
    return this.#shown.get(file)?.isItself === true;
  }

  /** Members below their parent, members of a type from elsewhere below its name, each group in document order. */
  fileText(file: IndexedFile): string {
    const children = new Map<number, number[]>();
    for (const index of this.definitionsOf(file)) {
      const parent = file.rowParent(index);
      children.set(parent, [...(children.get(parent) ?? []), index]);
    }
    const brief = this.#shown.get(file)?.brief;
    const below = (parent: number, depth: number): string => {
      const groups = new Map<string, string>();
      let text = '';
      for (const index of children.get(parent) ?? []) {
        const { scopeLine } = placementOf(file, index, this.style.mask);
        const at = depth + (scopeLine === undefined ? 0 : 1);
        const block = this.#line(file, index, at, brief?.has(index) === true) + below(index, at + 1);
        if (scopeLine === undefined) text += block;
        else groups.set(scopeLine, (groups.get(scopeLine) ?? '') + block);
      }
      for (const [scopeLine, block] of groups) text += scopeLine + block;
      return text;
    };
    const itself = this.isItself(file) ? this.#itself(file).join('') : '';
    return fileLine(file, this.style.mask) + itself + below(-1, 0);
  }
}
