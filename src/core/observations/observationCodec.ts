import type { DetailSource } from '../model/detail';
import { fullTime, type ObservationTime, shownTime, type TimeOrigin, type TimePrecision } from '../model/observation';
import { escapeReserved } from '../text/elements';
import { isRecord, parseJson } from '../text/jsonRecord';
import { toOneLine, toSummary } from '../text/sentence';
import { isObservationTime } from '../text/time';
import { type Observation, type ObservationDraft, taskLabel } from './observation';

/** A cell of a row: one line without the row's separator; `-` when there is nothing to say. */
function toCell(text: string): string {
  return escapeReserved(toSummary(text).replaceAll('|', '¦')) || '-';
}

/**
 * `12 | 2026-02-03 21:23 | TASK-1 | verify | <summary> | ~85 tok` (DESIGN §5.3), with its `\n`; without a phase the type
 * stands in its place.
 */
export function renderObservationRow(
  row: ObservationTime & Pick<Observation, 'id' | 'taskId' | 'phase' | 'type' | 'summary'>,
  detailTokens: number,
): string {
  const { id, taskId, phase, type, summary } = row;
  const labels = [toCell(taskId), toCell(phase.trim() === '' ? type : phase)];
  const cells = [String(id), shownTime(row), ...labels, toCell(summary), `~${detailTokens} tok`];
  return `${cells.join(' | ')}\n`;
}

/** An observation as the text behind its handle: summary, detail, what it points at. */
export function observationDetail(observation: Observation): DetailSource {
  const { id, taskId, actor, phase, summary, detail, refs } = observation;
  const title = [fullTime(observation), taskId, actor, phase].filter((part) => part !== '').join(' · ');
  const pointers = [
    ...(refs.files.length > 0 ? [`files: ${refs.files.join(', ')}`] : []),
    ...refs.commands.map((command) => `command: ${command}`),
    ...refs.urls.map((url) => `url: ${url}`),
  ];
  const isSaid = toOneLine(detail.slice(0, 1000)).startsWith(summary.replace(/…$/, ''));
  const head = isSaid ? [] : [summary];
  const body = detail === '' ? [] : [detail];
  return { handle: String(id), title, text: [...head, ...body, ...pointers].join('\n') };
}

/** Version name of a record (DESIGN §5.3). */
export const OBSERVATION_VERSION = 'obs.v1';

/** One line read: an observation, or why it is none, in words that follow a line number. */
type DecodedLine =
  | { readonly kind: 'ok'; readonly observation: Observation }
  | { readonly kind: 'malformed'; readonly why: string };

/** One record as a line of JSON Lines, with its `\n`; keys always in the same order. */
export function encodeObservation(id: number, draft: ObservationDraft): string {
  const { ts, precision, timeFrom, instant, taskId, actor, phase, type, summary, detail, refs } = draft;
  const record = {
    schema_version: OBSERVATION_VERSION,
    id,
    ts,
    // Keys without a value are left out of JSON.
    precision,
    time_from: timeFrom,
    instant,
    task_id: taskId,
    actor,
    phase,
    type,
    summary,
    detail,
    refs: { files: refs.files, commands: refs.commands, urls: refs.urls },
  };
  return `${JSON.stringify(record)}\n`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const PRECISIONS: Readonly<Record<TimePrecision, true>> = { second: true, minute: true, day: true };
const ORIGINS: Readonly<Record<TimeOrigin, true>> = { text: true, context: true, blame: true, file: true, clock: true };

function oneOf<T extends string>(names: Readonly<Record<T, true>>, value: unknown): T | undefined {
  return typeof value === 'string' && Object.hasOwn(names, value) ? (value as T) : undefined;
}

/** How exactly, from where and at which instant, as far as a record says it rightly. */
function timeOf({ precision, time_from: timeFrom, instant }: Readonly<Record<string, unknown>>) {
  const how = oneOf(PRECISIONS, precision);
  const origin = oneOf(ORIGINS, timeFrom);
  const isInstant = typeof instant === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(instant);
  return { ...(how && { precision: how }), ...(origin && { timeFrom: origin }), ...(isInstant && { instant }) };
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function problemOf(record: Readonly<Record<string, unknown>>): string | undefined {
  const { schema_version: version, id, ts, summary } = record;
  if (version !== OBSERVATION_VERSION) return `schema_version must be "${OBSERVATION_VERSION}"`;
  if (!Number.isSafeInteger(id) || Number(id) < 1) return 'id must be a whole number of at least 1';
  if (typeof ts !== 'string' || !isObservationTime(ts)) return 'ts must be YYYY-MM-DD HH:mm:ss';
  if (typeof summary !== 'string' || summary === '') return 'summary must be a string that is not empty';
  return undefined;
}

/**
 * Reads one line, without its `\n`. Lenient about what only matters for showing (missing labels, a long summary, which
 * is cut), strict about identity and time. Never throws.
 */
export function decodeObservation(line: string): DecodedLine {
  const record = parseJson(line);
  if (record === undefined) return { kind: 'malformed', why: 'it is not JSON' };
  if (!isRecord(record)) return { kind: 'malformed', why: 'it is not an object' };
  const why = problemOf(record);
  if (why !== undefined) return { kind: 'malformed', why };
  const refs = isRecord(record.refs) ? record.refs : {};
  return {
    kind: 'ok',
    observation: {
      id: Number(record.id),
      ts: text(record.ts),
      ...timeOf(record),
      taskId: taskLabel(text(record.task_id)),
      actor: text(record.actor),
      phase: text(record.phase),
      type: text(record.type) || 'event',
      summary: toSummary(text(record.summary)),
      detail: text(record.detail),
      refs: { files: list(refs.files), commands: list(refs.commands), urls: list(refs.urls) },
    },
  };
}
