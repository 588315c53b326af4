import type { DetailItem } from '../model/detail';
import type { ObservationRow } from '../model/observation';
import type { MapFile, RepoMapView } from '../model/repoMap';
import type { ContextReport, ReportSection } from '../model/report';
import type { PayloadMode, Status } from '../model/section';
import type { RoiClass } from '../model/usage';
import type { TokenizerName } from '../ports/ports';
import type { MapExplanation } from '../repomap/facts/types';
import { roundedOrNull } from '../text/counts';
import { plural } from '../text/numbers';
import { inEnglish } from '../text/phrase';

/** One observation in the JSON payload (DESIGN §5.2). */
interface JsonObservation {
  readonly id: number;
  readonly type: string;
  readonly task_id: string;
  readonly time: string;
  readonly actor: string;
  readonly phase: string;
  readonly summary: string;
  readonly refs: {
    readonly files: readonly string[];
    readonly commands: readonly string[];
    readonly urls: readonly string[];
  };
  readonly detail_tokens: number;
  /** In mode `detail` only. */
  readonly detail?: string;
}

/** A row as DESIGN §5.2 spells it; with its detail where that was asked for. */
export function toJsonObservation(row: ObservationRow, detail?: string): JsonObservation {
  const { id, type, taskId, ts, actor, phase, summary, refs, detailTokens } = row;
  return {
    id,
    type,
    task_id: taskId,
    time: ts,
    actor,
    phase,
    summary,
    refs: { files: refs.files, commands: refs.commands, urls: refs.urls },
    detail_tokens: detailTokens,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Version name of the JSON payload (DESIGN §5.2). */
const PAYLOAD_VERSION = 'context_payload.v2';

type RowWords = Pick<ReportSection, 'id' | 'title' | 'priority' | 'status' | 'summary' | 'disclosure' | 'reason'>;
type RowNumbers = Pick<ReportSection, 'chars' | 'tokens' | 'citations' | 'roi' | 'score' | 'handle' | 'text'>;

/** One section in the JSON payload: the row of the report as it goes over the wire. */
export interface JsonSection extends RowWords, RowNumbers {
  readonly tokens_full: number;
  /** Only where the profile's agent loads the file by itself. */
  readonly agent_tokens?: number;
  readonly roi_class: RoiClass;
}

/** One file of the map in the JSON payload. */
export interface JsonMapFile {
  readonly path: string;
  readonly rank: number;
  readonly symbols: readonly {
    readonly handle: string;
    readonly kind: string;
    readonly name: string;
    readonly signature: string;
    readonly line_start: number;
    readonly line_end: number;
    readonly why?: readonly string[];
  }[];
  /** Reasons, strongest first; only in an explained map. */
  readonly why?: readonly string[];
}

/** A map, an index, a timeline or details: a payload that answers one request, with a cap of its own. */
export interface RequestedPayload {
  readonly mode: 'map' | 'detail' | 'index' | 'timeline';
  readonly profile: string;
  readonly budgetTokens: number;
  readonly hardCapChars: number;
  readonly tokenizer: TokenizerName;
  /** Of `tokens` and the characters of `text` against the caps. */
  readonly status: Status;
  /** The text form; `tokens` counts exactly this. */
  readonly text: string;
  readonly tokens: number;
  readonly sections?: readonly JsonSection[];
  /** Undefined where the request was about something else. */
  readonly observations?: readonly JsonObservation[];
  /** Ladder steps taken. */
  readonly downgradeApplied?: readonly string[];
  readonly repoMap?: RepoMapView;
  /** Why the map shows what it shows, if the request wants that. */
  readonly explanation?: MapExplanation | undefined;
  readonly notes: readonly string[];
}

/** The JSON payload, `context_payload.v2`: a contract with other programs (DESIGN §5.2). */
export interface JsonPayload {
  readonly version: typeof PAYLOAD_VERSION;
  readonly profile: string;
  readonly mode: PayloadMode | RequestedPayload['mode'];
  readonly budget: {
    readonly budget_tokens: number;
    readonly tokens: number;
    readonly tokenizer: string;
    readonly hard_cap_chars: number;
    readonly chars: number;
    readonly status: Status;
    readonly truncated: false;
    /** Only with a profile that names its agent: tokens that it loads by itself, beside `tokens`. */
    readonly agent_tokens?: number;
    readonly downgrade_applied: readonly string[];
  };
  readonly sections: readonly JsonSection[];
  /** `none`: there is no such section. */
  readonly observations: { readonly source: 'jsonl' | 'none'; readonly items: readonly JsonObservation[] };
  readonly repo_map: {
    readonly files_total: number;
    readonly files_shown: number;
    readonly items: readonly JsonMapFile[];
  };
  readonly notes: readonly string[];
}

function toJsonSection(section: ReportSection): JsonSection {
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
    ...(section.agentTokens === undefined ? {} : { agent_tokens: section.agentTokens }),
    citations: section.citations,
    roi: roundedOrNull(section.roi),
    roi_class: section.roiClass,
    score: section.score,
    handle: section.handle,
    text: section.text,
  };
}

/** One file of a map as DESIGN §5.2 spells it. */
export function toJsonFile({ path, rank, symbols }: MapFile): JsonMapFile {
  return {
    path,
    rank,
    symbols: symbols.map(({ handle, kind, name, signature, lineStart, lineEnd }) => ({
      handle,
      kind,
      name,
      signature,
      line_start: lineStart,
      line_end: lineEnd,
    })),
  };
}

/** What a handle of a detail stands for, with the fields of a section; those of `section` when the handle is one. */
export function toJsonItem(item: DetailItem, section: ReportSection | undefined): JsonSection {
  const isWhole = item.linesShown === item.linesTotal;
  return {
    id: section?.id ?? item.handle,
    title: item.title,
    // Symbols and files belong to the map, which has this priority (DESIGN §3.1).
    priority: section?.priority ?? 'P2',
    status: section?.status ?? 'OK',
    summary: section?.summary ?? item.title,
    disclosure: isWhole ? 'full' : 'summary',
    reason: isWhole ? 'asked for' : `${item.linesShown} of ${plural(item.linesTotal, 'line')}`,
    chars: item.text.length,
    tokens: item.tokens,
    tokens_full: item.tokensFull,
    citations: section?.citations ?? 0,
    roi: roundedOrNull(section?.roi ?? null),
    roi_class: section?.roiClass ?? 'no data',
    score: section?.score ?? null,
    handle: item.handle,
    text: item.text,
  };
}

function explainedFile(file: MapFile, reasons: MapExplanation['files'][number] | undefined): JsonMapFile {
  const plain = toJsonFile(file);
  if (!reasons) return plain;
  const symbols = plain.symbols.map((symbol, at) => ({
    ...symbol,
    why: reasons.symbols[at]?.because.map(inEnglish) ?? [],
  }));
  return { ...plain, why: reasons.because.map(inEnglish), symbols };
}

type JsonParts = Omit<JsonPayload, 'version' | 'observations' | 'repo_map'> & {
  readonly observations: readonly JsonObservation[] | undefined;
  readonly repoMap: RepoMapView | undefined;
  readonly explanation?: MapExplanation | undefined;
};

/** The one place that orders the fields of the format. */
function assemble({
  profile,
  mode,
  budget,
  sections,
  observations,
  repoMap,
  explanation,
  notes,
}: JsonParts): JsonPayload {
  return {
    version: PAYLOAD_VERSION,
    profile,
    mode,
    budget,
    sections,
    observations: { source: observations ? 'jsonl' : 'none', items: observations ?? [] },
    repo_map: {
      files_total: repoMap?.filesTotal ?? 0,
      files_shown: repoMap?.filesShown ?? 0,
      items: repoMap?.items.map((file, at) => explainedFile(file, explanation?.files[at])) ?? [],
    },
    notes,
  };
}

/** The JSON payload of one mode; `budget.tokens` counts the text form of exactly this payload. */
export function toJsonPayload(report: ContextReport, mode: PayloadMode): JsonPayload {
  const { budget, sections, repoMap, observations, notes } = report.payloads[mode];
  return assemble({
    profile: report.profile,
    mode,
    budget: {
      budget_tokens: budget.budgetTokens,
      tokens: budget.tokens,
      tokenizer: budget.tokenizer,
      hard_cap_chars: budget.hardCapChars,
      chars: budget.chars,
      status: budget.status,
      truncated: budget.truncated,
      ...(budget.agent ? { agent_tokens: budget.agent.tokens } : {}),
      downgrade_applied: budget.downgradeApplied,
    },
    sections: sections.map(toJsonSection),
    observations: observations?.map((row) => toJsonObservation(row)),
    repoMap,
    notes,
  });
}

/** The JSON payload that answers one request. */
export function toRequestedJson(payload: RequestedPayload): JsonPayload {
  const { profile, mode, sections = [], observations, repoMap, explanation, notes } = payload;
  const budget = {
    budget_tokens: payload.budgetTokens,
    tokens: payload.tokens,
    tokenizer: payload.tokenizer,
    hard_cap_chars: payload.hardCapChars,
    chars: payload.text.length,
    status: payload.status,
    truncated: false as const,
    downgrade_applied: payload.downgradeApplied ?? [],
  };
  return assemble({ profile, mode, budget, sections, observations, repoMap, explanation, notes });
}
