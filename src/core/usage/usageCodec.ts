import { SCORING_MODES } from '../model/relevance';
import { DISCLOSURES, PAYLOAD_MODES, PRIORITIES } from '../model/section';
import type { LineMaker } from '../records/recordLog';
import { isRecord, type JsonRecord, parseJson } from '../text/jsonRecord';
import { type Phrase, phrase } from '../text/phrase';
import { toSummary } from '../text/sentence';
import { isObservationTime } from '../text/time';
import type { RequestUsage } from '../transcripts/sessions/sessionLog';
import {
  type Citation,
  EVIDENCE_KINDS,
  MAX_MAP_NAMES,
  type ShownMap,
  type UsageAddition,
  type UsageDraft,
  type UsageRecord,
  type UsedSection,
} from './usageRecord';

/** A line for a draft. */
export function usageLine(draft: UsageDraft): LineMaker {
  return { addsTo: undefined, make: (cycle) => encodeUsage(cycle, draft) };
}

/** Whether a log must be asked what it has before `drafts` are appended. */
export function haveOrigins(drafts: readonly UsageDraft[]): boolean {
  return drafts.some(({ origin }) => origin !== undefined);
}

/** `drafts` without those whose origin is `known`, or that of a draft before. */
export function unrecorded(drafts: readonly UsageDraft[], known: Iterable<string>): readonly UsageDraft[] {
  const seen = new Set(known);
  return drafts.filter(({ origin }) => {
    if (origin === undefined) return true;
    const isNew = !seen.has(origin);
    seen.add(origin);
    return isNew;
  });
}

/** A line that adds to a recorded cycle. */
export function additionLine(cycle: number, addition: UsageAddition): LineMaker {
  return { ...usageLine({ ...addition, trigger: 'cite', sections: [] }), addsTo: cycle };
}

/** The origin of a recorded line; undefined where it has none or is no record. */
export function originOf(line: string): string | undefined {
  // Most records have none, and parsing is what costs.
  const decoded = line.includes('"origin"') ? decodeUsage(line) : undefined;
  return decoded?.kind === 'ok' ? decoded.record.origin : undefined;
}

/** Version name of a record (DESIGN §5.4). */
export const USAGE_VERSION = 'usage.v1';

/** One line read: a record, or why it is none, in words that follow a line number. */
type DecodedUsage =
  | { readonly kind: 'ok'; readonly record: UsageRecord }
  | { readonly kind: 'malformed'; readonly why: Phrase };

const BYTE_ORDER_MARK = '\uFEFF';

function sectionJson({
  id,
  chars,
  tokens,
  disclosure,
  charsFull,
  tokensFull,
  hash,
  priority,
}: UsedSection): JsonRecord {
  // Keys whose value is undefined are left out by JSON.stringify.
  return { id, chars, tokens, disclosure, chars_full: charsFull, tokens_full: tokensFull, hash, priority };
}

function mapJson({ paths, names }: ShownMap): JsonRecord {
  return { paths: paths.slice(0, MAX_MAP_NAMES), names: names.slice(0, MAX_MAP_NAMES) };
}

function usageJson({ input, cacheRead, cacheWrite, output }: Partial<RequestUsage>): JsonRecord {
  return { input, cache_read: cacheRead, cache_write: cacheWrite, output };
}

/**
 * One record as a line of JSON Lines, with its `\n`; keys always in the same order, those without a value left out.
 * Texts of others (`trigger`, `what`) become one line of at most 120 characters.
 */
export function encodeUsage(cycle: number, draft: UsageDraft): string {
  const record = {
    schema_version: USAGE_VERSION,
    cycle,
    ts: draft.ts,
    trigger: toSummary(draft.trigger),
    profile: draft.profile,
    mode: draft.mode,
    payload: draft.payload,
    sections: draft.sections.map(sectionJson),
    cited: draft.cited.map(({ id, evidence, what, entry }) => ({ id, evidence, what: toSummary(what), entry })),
    overhead_tokens: draft.overheadTokens,
    overhead_chars: draft.overheadChars,
    response_ms: draft.responseMs,
    observability_score: draft.observabilityScore,
    map: draft.map && mapJson(draft.map),
    query_hash: draft.queryHash,
    judged: draft.judged === false ? false : undefined,
    model: draft.model && toSummary(draft.model),
    usage: draft.usage && usageJson(draft.usage),
    origin: draft.origin,
  };
  return `${JSON.stringify(record)}\n`;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((known) => known === value);
}

function problemOf({ schema_version: version, cycle, ts, sections, cited }: JsonRecord): Phrase | undefined {
  if (version !== USAGE_VERSION) return phrase('{0} must be {1}', 'schema_version', `"${USAGE_VERSION}"`);
  if (!Number.isSafeInteger(cycle) || Number(cycle) < 1)
    return phrase('{0} must be a whole number of at least {1}', 'cycle', 1);
  if (typeof ts !== 'string' || !isObservationTime(ts)) return phrase('{0} must be {1}', 'ts', 'YYYY-MM-DD HH:mm:ss');
  if (sections !== undefined && !Array.isArray(sections)) return phrase('{0} must be a list', 'sections');
  if (cited !== undefined && !Array.isArray(cited)) return phrase('{0} must be a list', 'cited');
  return undefined;
}

function sectionProblem(value: unknown, at: number): Phrase | undefined {
  if (!isRecord(value) || !isName(value.id)) return phrase('{0} must have an id', `sections[${at}]`);
  const wrong = ['chars', 'tokens'].find((key) => !isAmount(value[key]));
  return wrong === undefined
    ? undefined
    : phrase('{0} must be a number of at least {1}', `sections[${at}].${wrong}`, 0);
}

function citationProblem(value: unknown, at: number): Phrase | undefined {
  if (!isRecord(value) || !isName(value.id)) return phrase('{0} must have an id', `cited[${at}]`);
  if (oneOf(EVIDENCE_KINDS, value.evidence)) return undefined;
  return phrase('{0} must be one of {1}', `cited[${at}].evidence`, EVIDENCE_KINDS.join(', '));
}

function isSaid(why: Phrase | undefined): boolean {
  return why !== undefined;
}

function toSection(value: JsonRecord): UsedSection {
  const { id, chars, tokens, disclosure, chars_full: charsFull, tokens_full: tokensFull, hash } = value;
  const priority = oneOf(PRIORITIES, value.priority);
  return {
    id: String(id),
    chars: Number(chars),
    tokens: Number(tokens),
    disclosure: oneOf(DISCLOSURES, disclosure) ?? 'full',
    ...(isAmount(charsFull) ? { charsFull } : {}),
    ...(isAmount(tokensFull) ? { tokensFull } : {}),
    ...(isName(hash) ? { hash } : {}),
    ...(priority ? { priority } : {}),
  };
}

function toCitation({ id, evidence, what, entry }: JsonRecord): Citation {
  return {
    id: String(id),
    evidence: oneOf(EVIDENCE_KINDS, evidence) ?? 'keyword',
    what: typeof what === 'string' ? toSummary(what) : '',
    ...(isName(entry) ? { entry } : {}),
  };
}

function names(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isName).slice(0, MAX_MAP_NAMES) : [];
}

/** The counts that are amounts; undefined when there is none. */
function usageOf(value: unknown): Partial<RequestUsage> | undefined {
  if (!isRecord(value)) return undefined;
  const { input, cache_read: cacheRead, cache_write: cacheWrite, output } = value;
  const usage = {
    ...(isAmount(input) ? { input } : {}),
    ...(isAmount(cacheRead) ? { cacheRead } : {}),
    ...(isAmount(cacheWrite) ? { cacheWrite } : {}),
    ...(isAmount(output) ? { output } : {}),
  };
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function toRecord(record: JsonRecord, sections: readonly JsonRecord[], cited: readonly JsonRecord[]): UsageRecord {
  const mode = oneOf(SCORING_MODES, record.mode);
  const payload = oneOf(PAYLOAD_MODES, record.payload);
  const { overhead_tokens: overheadTokens, overhead_chars: overheadChars, map, query_hash: queryHash } = record;
  const { response_ms: responseMs, observability_score: observabilityScore } = record;
  const usage = usageOf(record.usage);
  return {
    cycle: Number(record.cycle),
    ts: String(record.ts),
    trigger: typeof record.trigger === 'string' ? toSummary(record.trigger) : '',
    profile: typeof record.profile === 'string' ? record.profile : '',
    sections: sections.map(toSection),
    cited: cited.map(toCitation),
    ...(mode ? { mode } : {}),
    ...(payload ? { payload } : {}),
    ...(isAmount(overheadTokens) ? { overheadTokens } : {}),
    ...(isAmount(overheadChars) ? { overheadChars } : {}),
    ...(isAmount(responseMs) ? { responseMs } : {}),
    ...(isAmount(observabilityScore) ? { observabilityScore } : {}),
    ...(isRecord(map) ? { map: { paths: names(map.paths), names: names(map.names) } } : {}),
    ...(isName(queryHash) ? { queryHash } : {}),
    ...(record.judged === false ? { judged: false } : {}),
    ...(isName(record.model) ? { model: toSummary(record.model) } : {}),
    ...(usage ? { usage } : {}),
    ...(isName(record.origin) ? { origin: record.origin } : {}),
  };
}

/**
 * Reads one line, without its `\n`. Strict about identity (version, cycle, time, ids, sizes, evidence); what may be
 * absent and is wrong counts as absent, unknown keys are passed over. Never throws.
 */
export function decodeUsage(line: string): DecodedUsage {
  // Editors put a byte order mark before the first line; of files that were joined it is in the middle.
  const record = parseJson(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
  if (record === undefined) return { kind: 'malformed', why: phrase('it is not JSON') };
  if (!isRecord(record)) return { kind: 'malformed', why: phrase('it is not an object') };
  const sections = Array.isArray(record.sections) ? record.sections : [];
  const cited = Array.isArray(record.cited) ? record.cited : [];
  const why = problemOf(record) ?? sections.map(sectionProblem).find(isSaid) ?? cited.map(citationProblem).find(isSaid);
  if (why !== undefined) return { kind: 'malformed', why };
  return { kind: 'ok', record: toRecord(record, sections.filter(isRecord), cited.filter(isRecord)) };
}
