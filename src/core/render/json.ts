import type { DetailItem } from '../model/detail';
import type { ObservationRow } from '../model/observation';
import type { ChangeNote, MapFile, RepoMapView, WordMatch } from '../model/repoMap';
import type { BudgetSummary, ContextReport, CutRecord, ReportSection, ShownFile } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { MapExplanation } from '../repomap/facts/types';
import { roundedOrNull } from '../text/counts';
import { plural } from '../text/numbers';
import { inEnglish } from '../text/phrase';

/** A row as DESIGN §5.2 spells it; with its detail where that was asked for. */
export function toJsonObservation(row: ObservationRow, detail?: string) {
  const { id, type, taskId, ts, precision, timeFrom, instant, actor, phase, summary, refs, detailTokens } = row;
  return {
    id,
    type,
    task_id: taskId,
    time: ts,
    // Keys without a value are left out of JSON.
    precision,
    time_from: timeFrom,
    instant,
    actor,
    phase,
    summary,
    refs: { files: refs.files, commands: refs.commands, urls: refs.urls },
    detail_tokens: detailTokens,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** One observation in the JSON payload. */
export type JsonObservation = ReturnType<typeof toJsonObservation>;

/** Version name of the JSON payload (DESIGN §5.2). */
const PAYLOAD_VERSION = 'context_payload.v2';

/** What a payload's JSON is made of: one of the report's, or the answer to one request with a cap of its own. */
export interface RequestedPayload {
  readonly mode: PayloadMode | 'map' | 'detail' | 'timeline';
  readonly profile: string;
  /** `chars` and `tokens` count exactly `text`. */
  readonly budget: Omit<BudgetSummary, 'isExact'>;
  readonly text: string;
  /** Of a whole context. */
  readonly cuts?: readonly CutRecord[];
  readonly sections?: readonly JsonSection[];
  /** Undefined where there is no such section, or the request was about something else. */
  readonly observations?: readonly JsonObservation[] | undefined;
  readonly repoMap?: RepoMapView | undefined;
  /** Of a request with a query. */
  readonly match?: WordMatch | undefined;
  /** Why the map shows what it shows, if the request wants that. */
  readonly explanation?: MapExplanation | undefined;
  /** Of mode detail: the texts, and the handles that lead nowhere. */
  readonly details?: readonly DetailItem[];
  readonly unknown?: readonly string[];
  readonly notes: readonly string[];
}

/** One section in the JSON payload. */
export type JsonSection = ReturnType<typeof toJsonSection>;

/** One file of the map in the JSON payload. */
export type JsonMapFile = ReturnType<typeof explainedFile>;

function toJsonSection(section: ReportSection) {
  return {
    id: section.id,
    title: section.title,
    priority: section.priority,
    status: section.status,
    summary: section.summary,
    disclosure: section.disclosure,
    reason: section.reason,
    chars: section.chars,
    tokens: section.tokens,
    tokens_full: section.tokensFull,
    // Only where the profile's agent loads the file by itself.
    ...(section.agentTokens === undefined ? {} : { agent_tokens: section.agentTokens }),
    citations: section.citations,
    roi: roundedOrNull(section.roi),
    roi_class: section.roiClass,
    score: section.score,
    handle: section.handle,
    // Only of a folder.
    ...(section.files === undefined ? {} : { files: section.files.map(toJsonFolderFile) }),
    text: section.text,
  };
}

function toJsonFolderFile({ path, title, date, tokens, handle, shown }: ShownFile) {
  return { path, title, date: date ?? null, tokens, handle, shown };
}

/** One file of a map as DESIGN §5.2 spells it. */
export function toJsonFile({ path, rank, symbols, change }: MapFile) {
  return {
    path,
    rank,
    symbols: symbols.map(({ handle, kind, name, signature, lineStart, lineEnd, change: own }) => ({
      handle,
      kind,
      name,
      signature,
      line_start: lineStart,
      line_end: lineEnd,
      ...toJsonChange(own),
    })),
    ...toJsonChange(change),
  };
}

/** Only in a map of changes (DESIGN §5.6). */
function toJsonChange(change: ChangeNote | undefined) {
  return change ? { role: change.role, why: change.why.map(inEnglish) } : {};
}

/** What a handle of a detail stands for, with the fields of a section; those of `section` when the handle is one. */
export function toJsonItem(item: DetailItem, section: ReportSection | undefined): JsonSection {
  const { text, linesShown, linesTotal } = item;
  const isWhole = linesShown === linesTotal;
  const isOfLine = linesShown === 0 && text !== '';
  const shown = isOfLine
    ? `${plural(text.length, 'character')} of a line`
    : `${linesShown} of ${plural(linesTotal, 'line')}`;
  return {
    id: section?.id ?? item.handle,
    title: item.title,
    // Symbols and files belong to the map, which has this priority (DESIGN §3.1).
    priority: section?.priority ?? 'P2',
    status: section?.status ?? 'OK',
    summary: section?.summary ?? item.title,
    disclosure: isWhole ? 'full' : 'summary',
    reason: isWhole ? 'asked for' : shown,
    chars: text.length,
    tokens: item.tokens,
    tokens_full: item.tokensFull,
    citations: section?.citations ?? 0,
    roi: roundedOrNull(section?.roi ?? null),
    roi_class: section?.roiClass ?? 'no data',
    score: section?.score ?? null,
    handle: item.handle,
    text,
  };
}

/** One text of a mode detail payload as DESIGN §5.2 spells it, with what it leaves out. */
function toJsonDetail({ handle, title, text, tokens, tokensFull, linesShown, linesTotal, ...more }: DetailItem) {
  const { outline, uses, rest } = more;
  return {
    handle,
    title,
    text,
    tokens,
    tokens_full: tokensFull,
    lines_shown: linesShown,
    lines_total: linesTotal,
    ...(outline.length > 0 ? { outline: outline.map((row) => row.trimEnd()) } : {}),
    ...(uses === undefined ? {} : { uses }),
    ...(rest === undefined ? {} : { rest }),
  };
}

/** With reasons, strongest first, where the request wants them. */
function explainedFile(file: MapFile, reasons: MapExplanation['files'][number] | undefined) {
  const { symbols, ...plain } = toJsonFile(file);
  if (!reasons) return { ...plain, symbols };
  const whys = reasons.symbols.map(({ because }) => because.map(inEnglish));
  return {
    ...plain,
    symbols: symbols.map((symbol, at) => ({ ...symbol, why: whys[at] ?? [] })),
    why: reasons.because.map(inEnglish),
  };
}

/** A cut as DESIGN §5.2 spells it. */
function toJsonCut({ id, tokensFull, tokens, leftOut, nextTokens, reason }: CutRecord) {
  return {
    id,
    tokens_full: tokensFull,
    tokens,
    left_out: leftOut,
    ...(nextTokens === undefined ? {} : { next_tokens: nextTokens }),
    reason,
  };
}

/** `context_payload.v2`: a contract with other programs (DESIGN §5.2), and the one place that orders its fields. */
export function toRequestedJson({ profile, mode, budget, repoMap, explanation, ...rest }: RequestedPayload) {
  const { sections = [], observations, cuts, match, notes, details, unknown } = rest;
  return {
    version: PAYLOAD_VERSION,
    profile,
    mode,
    budget: {
      budget_tokens: budget.budgetTokens,
      tokens: budget.tokens,
      tokenizer: budget.tokenizer,
      hard_cap_chars: budget.hardCapChars,
      chars: budget.chars,
      status: budget.status,
      // Text is never cut in the middle (DESIGN §1, principle 1).
      truncated: false,
      // Only with a profile that names its agent: tokens that it loads by itself, beside `tokens`.
      ...(budget.agent ? { agent_tokens: budget.agent.tokens } : {}),
      downgrade_applied: budget.downgradeApplied,
      ...(budget.suggestedTokens === undefined ? {} : { suggested_budget_tokens: budget.suggestedTokens }),
      ...(budget.grants ? { grants: budget.grants } : {}),
      ...(cuts ? { cuts: cuts.filter(({ by }) => by !== 'rule').map(toJsonCut) } : {}),
    },
    sections,
    // `none`: there is no such section.
    observations: { source: observations ? 'jsonl' : 'none', items: observations ?? [] },
    repo_map: {
      files_total: repoMap?.filesTotal ?? 0,
      files_shown: repoMap?.filesShown ?? 0,
      ...(repoMap?.packages ? { packages: repoMap.packages } : {}),
      items: repoMap?.items.map((file, at) => explainedFile(file, explanation?.files[at])) ?? [],
    },
    ...(match ? { match: toJsonMatch(match) } : {}),
    ...(details ? { details: details.map(toJsonDetail), unknown: unknown ?? [] } : {}),
    notes,
  };
}

/** Known and unknown words as DESIGN §5.2 spells them. */
export function toJsonMatch({ known, unknown, nearest }: WordMatch) {
  return { known, unknown, nearest };
}

/** The JSON payload of one mode; `budget.tokens` counts the text form of exactly this payload. */
export function toJsonPayload(report: ContextReport, mode: PayloadMode) {
  const { sections, observations, ...payload } = report.payloads[mode];
  return toRequestedJson({
    ...payload,
    profile: report.profile,
    sections: sections.map(toJsonSection),
    observations: observations?.map((row) => toJsonObservation(row)),
  });
}
