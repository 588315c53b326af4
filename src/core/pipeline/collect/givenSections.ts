/**
 * Sections that come as JSON instead of from a folder: what `optimize` works on. It decides what such JSON may
 * say and names what is wrong with it; the pipeline treats the result like sections of a folder.
 */

import { type CollectedSection, PRIORITIES, type Priority, STATUSES } from '../../model/section';
import type { UsageWindow } from '../../model/usage';
import { MAX_ID_CHARS, RESERVED_ELEMENTS, readableName } from '../../text/elements';
import { hashText } from '../../text/hash';
import { isRecord, type JsonRecord } from '../../text/jsonRecord';
import { ellipsize } from '../../text/sentence';

function shortHash(text: string): string {
  return hashText(text).slice(0, 6);
}

/**
 * A readable id: the first of `wishes` that is free in `taken`, else the last one with a hash of `path`. An id depends
 * on the path and on shorter wishes being taken, never on an order of events. Matches `^[a-z][a-z0-9-]*$`.
 */
export function uniqueId(wishes: readonly string[], path: string, taken: ReadonlySet<string>): string {
  const ids = wishes.map((wish) => readableName(wish, path));
  const free = ids.find((id) => !taken.has(id));
  if (free !== undefined) return free;
  const last = ids.at(-1) ?? 'section';
  return `${last.slice(0, MAX_ID_CHARS - 7)}-${shortHash(path)}`;
}

/** Names that are elements as they are. */
const ID_PATTERN = /^[a-z][a-z0-9-]{0,79}$/;

/** What reading gave; `names` says under which id a section goes whose own is no element's name. */
export type GivenSections =
  | {
      readonly kind: 'ok';
      readonly sections: readonly CollectedSection[];
      readonly names: ReadonlyMap<string, string>;
    }
  /** `why` is a sentence without its full stop. */
  | { readonly kind: 'wrong'; readonly why: string };

/** A value in a message, not longer than a line. */
function shown(value: unknown): string {
  return ellipsize(value === undefined ? 'missing' : JSON.stringify(value), 40);
}

type Check = readonly [isRight: (value: unknown) => boolean, expectation: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const CHECKS: Readonly<Record<string, Check>> = {
  id: [(value) => typeof value === 'string' && /[\p{L}\p{N}]/u.test(value), 'a name with a letter or a digit'],
  text: [isText, 'a string'],
  title: [isText, 'a string'],
  priority: [(value) => PRIORITIES.some((priority) => priority === value), `one of ${PRIORITIES.join(', ')}`],
  status: [(value) => STATUSES.some((status) => status === value), `one of ${STATUSES.join(', ')}`],
  summary: [isText, 'a string'],
  keywords: [isTexts, 'a list of strings'],
  keep_recent: [(value) => Number.isSafeInteger(value) && Number(value) >= 1, 'a whole number of at least 1'],
  on_demand: [isFlag, 'true or false'],
  pinned: [isFlag, 'true or false'],
};

function problemOf(item: unknown, where: string): string | undefined {
  if (!isRecord(item)) return `${where} must be an object with id and text, but is ${shown(item)}`;
  const unknown = Object.keys(item).find((key) => !Object.hasOwn(CHECKS, key));
  if (unknown !== undefined) return `${where} has the key "${unknown}"; known are ${Object.keys(CHECKS).join(', ')}`;
  for (const [key, [isRight, expectation]] of Object.entries(CHECKS)) {
    const value = item[key];
    const isOptional = key !== 'id' && key !== 'text';
    if ((value === undefined && isOptional) || isRight(value)) continue;
    return `${where}.${key} must be ${expectation}, but is ${shown(value)}`;
  }
  return undefined;
}

/** The text as a source would print it that speaks for itself (DESIGN §3.2). */
function bodyOf({ text, status, summary }: JsonRecord): string {
  const body = String(text);
  const sentence = typeof summary === 'string' ? summary.replace(/\s+/g, ' ').trim() : '';
  // OK alone says nothing that could stand for the text.
  if (sentence === '' && (status === undefined || status === 'OK')) return body;
  return `SUMMARY:${status === undefined ? 'OK' : String(status)}:${sentence}\n---\n${body}`;
}

function toSection(item: JsonRecord, id: string): CollectedSection {
  const { title, priority, keep_recent: keepRecent, on_demand: onDemand, keywords } = item;
  return {
    id,
    title: typeof title === 'string' && title !== '' ? title : String(item.id),
    priority: (priority as Priority | undefined) ?? 'P2',
    source: { kind: 'file', path: id },
    keepRecent: keepRecent === undefined ? undefined : Number(keepRecent),
    onDemand: onDemand === true,
    keywords: (keywords as readonly string[] | undefined) ?? [],
    isDiscovered: false,
    body: { kind: 'text', text: bodyOf(item) },
    path: undefined,
    note: undefined,
    isPinned: item.pinned === true,
    isExcluded: false,
  };
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  return Object.entries(value).map(([id, text]) => ({ id, text }));
}

/**
 * Reads sections: a list of objects (`id` and `text`; optional `title`, `priority`, `status`, `summary`, `keywords`,
 * `keep_recent`, `on_demand`, `pinned`), or one object of ids and texts. Never throws.
 */
export function readGivenSections(text: string): GivenSections {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return { kind: 'wrong', why: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const items = itemsOf(value);
  if (!items)
    return {
      kind: 'wrong',
      why: `it must be a list of sections, or an object of ids and texts, but is ${shown(value)}`,
    };
  if (items.length === 0) return { kind: 'wrong', why: 'it has no sections' };
  const isList = Array.isArray(value);
  for (const [at, item] of items.entries()) {
    const where = isList ? `sections[${at}]` : `section "${String((item as JsonRecord).id)}"`;
    const why = problemOf(item, where);
    if (why !== undefined) return { kind: 'wrong', why };
  }
  return named(items.filter(isRecord));
}

function named(items: readonly JsonRecord[]): GivenSections {
  const names = new Map<string, string>();
  // Ids that may stay as they are come first, so that no other takes their name.
  const own = items.map(({ id }) => String(id));
  const mayStay = (id: string): boolean => ID_PATTERN.test(id) && !RESERVED_ELEMENTS.includes(id);
  const taken = new Set([...RESERVED_ELEMENTS, ...own.filter(mayStay)]);
  for (const [at, id] of own.entries()) {
    if (own.indexOf(id) < at) return { kind: 'wrong', why: `two sections have the id ${shown(id)}` };
    const name = mayStay(id) ? id : uniqueId([id, `${id}-section`], id, taken);
    taken.add(name);
    names.set(id, name);
  }
  return { kind: 'ok', sections: items.map((item) => toSection(item, names.get(String(item.id)) ?? '')), names };
}

/** Renames a usage history to the ids that the sections got. */
export function renameUsage(usage: UsageWindow, names: ReadonlyMap<string, string>): UsageWindow {
  return {
    ...usage,
    sections: usage.sections.map((section) => ({ ...section, id: names.get(section.id) ?? section.id })),
  };
}
