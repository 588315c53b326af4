import { isObservationHandle } from '../model/observation';
import type { ScoringMode } from '../model/relevance';
import type { ContextReport, PayloadReport, ReportSection } from '../model/report';
import { type PayloadMode, WORST_FIRST } from '../model/section';
import { sectionOfHandle, splitLines } from '../text/elements';
import { hashText } from '../text/hash';
import { type Citation, MAX_MAP_NAMES, type ShownMap, type UsageDraft, type UsedSection } from './usageRecord';

/** One use of a payload. */
export interface UseRequest {
  readonly payload: PayloadMode;
  /** See `UsageDraft.trigger`. */
  readonly trigger: string;
  /** Absent: the payload was handed out, and what comes of it is not known yet. */
  readonly cited?: readonly Citation[];
  readonly responseMs?: number;
  readonly observabilityScore?: number;
}

function builtin(sections: readonly ReportSection[], id: 'repo-map' | 'observations'): ReportSection | undefined {
  return sections.find(({ source }) => source.kind === 'builtin' && source.builtin === id);
}

function sectionOf(asked: string, sections: readonly ReportSection[]): ReportSection | undefined {
  const handle = splitLines(asked).base;
  if (isObservationHandle(handle)) return builtin(sections, 'observations');
  if (handle.startsWith('sym:')) return builtin(sections, 'repo-map');
  if (!handle.startsWith('file:')) return sections.find(({ id }) => id === sectionOfHandle(handle)?.id);
  const path = handle.slice('file:'.length).replace(/#L\d.*$/, '');
  // Lines of a file that is no section of its own are what the map pointed at.
  return sections.find((section) => section.path === path) ?? builtin(sections, 'repo-map');
}

/**
 * Evidence that sections were used: the handles that were asked for, as citations of the sections that they belong to: an
 * observation's of the index of observations, a symbol's of the map. Handles that belong to no section are left out.
 */
export function handleCitations(report: ContextReport, handles: readonly string[]): readonly Citation[] {
  const { sections } = report.payloads.expanded;
  return [...new Set(handles.map((handle) => handle.trim()))].flatMap((what) => {
    const id = sectionOf(what, sections)?.id;
    return id === undefined ? [] : [{ id, evidence: 'handle' as const, what }];
  });
}

/** In the index a section is a row, and a few have an element besides: their text goes on after the row. */
function hasElement({ text }: ReportSection): boolean {
  return text.trimEnd().includes('\n');
}

/**
 * The sections of a payload in the order of its text. In an index-only payload the rows come first, alarms before the
 * others, and a section with an element counts as where that is.
 */
export function payloadOrder({ mode, sections }: PayloadReport): readonly ReportSection[] {
  if (mode === 'expanded') return sections;
  const rows = sections.filter((section) => !hasElement(section));
  const ordered = WORST_FIRST.flatMap((status) => rows.filter((section) => section.status === status));
  return [...ordered, ...sections.filter(hasElement)];
}

/**
 * A section as a cycle has it. The hash is of the text within the tags, which have the id: so a section that only got
 * another id is known again, and one with the same id and hash is the same bytes.
 */
export function usedSection(section: ReportSection): UsedSection {
  const { id, chars, tokens, disclosure, charsFull, tokensFull, text, priority } = section;
  return {
    id,
    chars,
    tokens,
    disclosure,
    charsFull,
    tokensFull,
    ...(disclosure === 'omitted' ? {} : { hash: hashText(text) }),
    priority,
  };
}

/** What the map of a payload shows; undefined where it has none. */
function shownMap({ sections, repoMap }: PayloadReport): ShownMap | undefined {
  const isShown = builtin(sections, 'repo-map')?.disclosure !== 'omitted';
  if (!repoMap || !isShown || repoMap.items.length === 0) return undefined;
  const symbols = repoMap.items.flatMap((item) => item.symbols);
  return {
    paths: repoMap.items.map(({ path }) => path).slice(0, MAX_MAP_NAMES),
    names: [...new Set(symbols.map(({ name }) => name))].slice(0, MAX_MAP_NAMES),
  };
}

/** One use of a payload of `report`, as a record. `ts`: see `UsageDraft.ts`. */
export function usageDraft(report: ContextReport, request: UseRequest, ts: string, mode: ScoringMode): UsageDraft {
  const payload = report.payloads[request.payload];
  const { trigger, cited, responseMs, observabilityScore } = request;
  const map = shownMap(payload);
  return {
    ts,
    trigger,
    profile: report.profile,
    sections: payloadOrder(payload).map(usedSection),
    cited: cited ?? [],
    mode,
    payload: request.payload,
    overheadTokens: payload.overheadTokens,
    overheadChars: payload.budget.chars - payload.sections.reduce((sum, { chars }) => sum + chars, 0),
    ...(responseMs === undefined ? {} : { responseMs }),
    ...(observabilityScore === undefined ? {} : { observabilityScore }),
    ...(map ? { map } : {}),
    ...(report.queryHash === undefined ? {} : { queryHash: report.queryHash }),
    ...(cited ? {} : { judged: false }),
  };
}
