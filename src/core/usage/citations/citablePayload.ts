/** What an agent got, as far as it can be cited: made from a fitted payload, read by `findCitations.ts`. */

import type { PayloadReport, ReportSection } from '../../model/report';
import { splitIdentifier } from '../../text/terms';
import { pathsIn } from './pathNames';

/** One section as an agent got it. */
export interface CitableSection {
  readonly id: string;
  readonly handle: string;
  readonly title: string;
  /** Its text as shown, in an index its row; empty when it was left out. */
  readonly text: string;
  /** The file it was read from, workspace-relative; undefined when there is none or the section was left out. */
  readonly path: string | undefined;
  /** It only lists paths and says nothing about them: map, git, open editors. */
  readonly isInventory: boolean;
  /** It is the repo map: its prose is signatures. */
  readonly isMap: boolean;
  /** Workspace paths that it names, its own aside; folders end without `/`. */
  readonly paths: readonly string[];
  /** Symbols that it names and that would hardly be named by chance. */
  readonly symbols: readonly string[];
  /** `sym:…` of the symbols shown. */
  readonly symbolHandles: readonly string[];
  /** Ids of the observations whose rows are shown. */
  readonly observationIds: readonly number[];
}

/** A payload that replies are compared with. */
export interface CitablePayload {
  /** The whole text form, for telling quotations. */
  readonly text: string;
  readonly sections: readonly CitableSection[];
}

const INVENTORIES: ReadonlySet<string> = new Set(['repo-map', 'git', 'open-editors']);

/** Inline code; longer spans are no names. */
const CODE_SPAN = /`([^`\n]{1,200})`/gu;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const MIN_SYMBOL_CHARS = 6;

/** A name of two or more words, as prose does not have it. */
function isDistinctive(name: string): boolean {
  return name.length >= MIN_SYMBOL_CHARS && /[_$]|\p{Ll}\p{Lu}/u.test(name) && splitIdentifier(name).length > 1;
}

function distinctiveNames(texts: Iterable<string>): readonly string[] {
  const names = new Set<string>();
  for (const text of texts) for (const [name] of text.matchAll(NAME)) if (isDistinctive(name)) names.add(name);
  return [...names];
}

function toCitable(section: ReportSection, payload: PayloadReport): CitableSection {
  const { id, handle, title, source, disclosure, text } = section;
  const builtin = source.kind === 'builtin' ? source.builtin : undefined;
  const isShown = disclosure !== 'omitted';
  const map = builtin === 'repo-map' && isShown ? payload.repoMap : undefined;
  const own = isShown ? section.path : undefined;
  const paths = new Set([...pathsIn(text), ...(map?.items.map(({ path }) => path) ?? [])]);
  if (own !== undefined) paths.delete(own);
  const shown = map?.items.flatMap((item) => item.symbols);
  const spans = [...text.matchAll(CODE_SPAN)].map(([, span]) => span ?? '');
  return {
    id,
    handle,
    title,
    text,
    path: own,
    isInventory: builtin !== undefined && INVENTORIES.has(builtin),
    isMap: builtin === 'repo-map',
    paths: [...paths],
    symbols: distinctiveNames(shown?.map(({ name }) => name) ?? spans),
    symbolHandles: shown?.map((symbol) => symbol.handle) ?? [],
    observationIds: builtin === 'observations' && isShown ? (payload.observations ?? []).map((row) => row.id) : [],
  };
}

/** What of a payload can be cited. Linear in its text. */
export function citablePayload(payload: PayloadReport): CitablePayload {
  return { text: payload.text, sections: payload.sections.map((section) => toCitable(section, payload)) };
}
