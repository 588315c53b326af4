/** Sections of a payload that are nearly the same text, as `AGENTS.md` has what `CLAUDE.md` has: what both say tells as much as one. */
import type { CitableSection } from './citablePayload';

/** Of the lines of the longer of two sections, those that the other has where it is a copy. */
const COPIED = 0.8;
/** Lines of a section that may be a copy: fewer are the same by chance. */
const MIN_COPIED = 5;

function linesOf({ text }: CitableSection): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Position of the first section that has nearly the text of each section; its own where there is none. */
export function firstsOf(sections: readonly CitableSection[]): readonly number[] {
  const known: { readonly at: number; readonly lines: ReadonlySet<string> }[] = [];
  return sections.map((section, at) => {
    const lines = new Set(section.isInventory ? [] : linesOf(section));
    const isCopy = (other: ReadonlySet<string>): boolean =>
      lines.size >= MIN_COPIED &&
      [...lines].filter((line) => other.has(line)).length >= COPIED * Math.max(lines.size, other.size);
    const first = known.find((other) => isCopy(other.lines));
    if (!first) known.push({ at, lines });
    return first?.at ?? at;
  });
}

/** What of a section the one that it is a copy of has not. */
export function withoutCopy(section: CitableSection, first: CitableSection): CitableSection {
  const [lines, paths, symbols] = [linesOf(first), first.paths, first.symbols].map((all) => new Set(all));
  const rest = (all: readonly string[], other: ReadonlySet<string> | undefined): readonly string[] =>
    all.filter((each) => !other?.has(each));
  return {
    ...section,
    text: rest(linesOf(section), lines).join('\n'),
    paths: rest(section.paths, paths),
    symbols: rest(section.symbols, symbols),
  };
}
