import type { ObservationRow } from '../model/observation';
import type { MapFile } from '../model/repoMap';
import type { ContextReport, ReportSection } from '../model/report';
import type { PayloadMode, Status } from '../model/section';
import type { RoiClass } from '../model/usage';
import { roundedOrNull } from '../text/counts';

/** One observation in the JSON payload (DESIGN §5.2). */
export interface JsonObservation {
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
export const PAYLOAD_VERSION = 'context_payload.v2';

/** One section in the JSON payload. */
export interface JsonSection {
  readonly id: string;
  readonly title: string;
  readonly priority: string;
  readonly status: Status;
  readonly summary: string;
  readonly disclosure: string;
  readonly reason: string;
  readonly chars: number;
  readonly tokens: number;
  readonly tokens_full: number;
  /** Only where the profile's agent loads the file by itself. */
  readonly agent_tokens?: number;
  readonly citations: number;
  readonly roi: number | null;
  readonly roi_class: RoiClass;
  readonly score: number | null;
  readonly handle: string;
  readonly text: string;
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
  }[];
}

/** The JSON payload, `context_payload.v2`: a contract with other programs (DESIGN §5.2). */
export interface JsonPayload {
  readonly version: typeof PAYLOAD_VERSION;
  readonly profile: string;
  readonly mode: PayloadMode;
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

/** The JSON payload of one mode; `budget.tokens` counts the text form of exactly this payload. */
export function toJsonPayload(report: ContextReport, mode: PayloadMode): JsonPayload {
  const { budget, sections, repoMap, observations, notes } = report.payloads[mode];
  return {
    version: PAYLOAD_VERSION,
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
    observations: {
      source: observations ? 'jsonl' : 'none',
      items: observations?.map((row) => toJsonObservation(row)) ?? [],
    },
    repo_map: {
      files_total: repoMap?.filesTotal ?? 0,
      files_shown: repoMap?.filesShown ?? 0,
      items: repoMap?.items.map(toJsonFile) ?? [],
    },
    notes,
  };
}
