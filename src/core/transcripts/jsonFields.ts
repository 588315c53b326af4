/** Access to JSON of foreign formats: a value of an unexpected type counts as absent. */
import { isRecord, isShallow, type JsonRecord, parseJson } from '../text/jsonRecord';

export function asObject(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

export function objectAt(object: JsonRecord | undefined, key: string): JsonRecord | undefined {
  return asObject(object?.[key]);
}

/** Empty for what is no list. */
export function listAt(object: JsonRecord | undefined, key: string): readonly unknown[] {
  const value = object?.[key];
  return Array.isArray(value) ? value : [];
}

/** Objects of a list; others are left out. */
export function objectsAt(object: JsonRecord | undefined, key: string): readonly JsonRecord[] {
  return listAt(object, key).filter(isRecord);
}

/** `undefined` for what is no string. */
export function textAt(object: JsonRecord | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** `undefined` for what is no finite number. */
export function numberAt(object: JsonRecord | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** More tokens than any window or bill has: sums of them stay exact. */
const MAX_COUNT = 1e12;

/** A provider's figure: a whole number from 0 to a trillion; `undefined` for all else. */
export function countAt(object: JsonRecord | undefined, key: string): number | undefined {
  const value = object?.[key];
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_COUNT
    ? (value as number)
    : undefined;
}

/** The furthest that a `Date` goes from the epoch, in milliseconds (ECMA-262, 21.4.1.1). */
const MAX_TIME_MS = 8.64e15;

/** Milliseconds since the epoch; `undefined` for what is no time. */
export function instantAt(object: JsonRecord | undefined, key: string): number | undefined {
  const value = numberAt(object, key);
  return value !== undefined && Math.abs(value) <= MAX_TIME_MS ? value : undefined;
}

/** Parsed JSON that is an object and not nested too deep; `undefined` for all else, also for text that is no JSON. */
export function parseObject(text: string): JsonRecord | undefined {
  const value = parseJson(text);
  return isRecord(value) && isShallow(value) ? value : undefined;
}

/** Milliseconds since the epoch of an ISO time; `undefined` for what is none. */
export function timeAt(object: JsonRecord | undefined, key: string): number | undefined {
  const value = object?.[key];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** The text of a string, or of a list of strings and of objects with `text`, joined by line ends; empty for all else. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (typeof part === 'string' ? part : (textAt(asObject(part), 'text') ?? '')))
    .filter((text) => text !== '')
    .join('\n');
}

/** The first `cwd` in text that is cut off in the middle of a record. */
export function cwdIn(head: string): string | undefined {
  const raw = /"cwd"\s*:\s*("(?:[^"\\]|\\.){1,1000}")/.exec(head)?.[1];
  return raw === undefined ? undefined : textAt(parseObject(`{"cwd":${raw}}`), 'cwd');
}

/** What a user record says. A `command` is a slash command: it begins a turn, but is no instruction in words. */
type UserText =
  | { readonly kind: 'message' | 'command'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: '' };

/** Elements that programs add beside a person's words. */
const ADDED =
  /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|environment_context|permissions instructions|user_instructions|INSTRUCTIONS|turn_aborted|collaboration_mode|skills_instructions|environments_context)\b[^>]*>[\s\S]*?<\/\1>/g;

/** A record that begins so was not written by a person: output of programs, messages of other agents. */
const NOTICE =
  /^\s*(?:<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification|user-prompt-submit-hook|subagent_notification)\b|(?:[^\n<]{1,60} sent a message[^\n<]{0,40}:\s*)?<\\?(?:agent|cross-session|teammate)-message\b|Caveat: The messages below|\[Request interrupted by user|# AGENTS\.md instructions for |This session is being continued from a previous conversation)/;

const COMMAND = /^\s*<(?:command-name|command-message|command-args)>/;

/** Longer texts are taken as they are: an element that a program adds is never so long. UTF-16 code units. */
const MAX_SCANNED_CHARS = 500_000;

/** The part of a user record's text that a person wrote: programs add reminders, command output and environment facts. */
export function plainUserText(text: string): UserText {
  if (NOTICE.test(text.slice(0, 300))) return { kind: 'notice', text: '' };
  if (COMMAND.test(text.slice(0, 300))) return { kind: 'command', text: '' };
  const rest = text.length > MAX_SCANNED_CHARS || !text.includes('</') ? text : text.replace(ADDED, '');
  const plain = rest.trim();
  return plain === '' ? { kind: 'notice', text: '' } : { kind: 'message', text: plain };
}

/** What programs added to a user record's text, beside a person's words; empty where that is nothing. */
export function addedUserText(text: string): string {
  return text.length > MAX_SCANNED_CHARS || !text.includes('</') ? '' : (text.match(ADDED) ?? []).join('\n');
}
