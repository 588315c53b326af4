/** The lines of a text with the marks that tell lists, headings, tables, code and messages. */
import { FENCE } from '../../text/markdown';

/** What a line is to the list it stands in. */
export interface TextLine {
  /** With its `\n`. */
  readonly text: string;
  /** Its start, without `\n`: no mark is farther in. */
  readonly head: string;
  /** In a fenced code block or front matter, fences included: nothing starts there. */
  readonly isCode: boolean;
  readonly opensFence: boolean;
  readonly isBlank: boolean;
  /** 1…6 for a heading, else 0. */
  readonly heading: number;
  /** Indent of a bullet or number that starts an item, else -1. */
  readonly bullet: number;
  readonly isRow: boolean;
  readonly isDivider: boolean;
}

const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
/** A bullet, or a number, and white space after it; thematic breaks such as `- - -` are not bullets. */
const BULLET = /^(\s*)(?:[-*+•]|\d{1,9}[.)])(?=\s+\S)/;
const BREAK = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const ROW = /^ {0,3}\|/;
const ROW_DIVIDER = /^ {0,3}\|[\s|:-]*-[\s|:-]*$/;

/** Lines longer than this are not looked at by expressions. */
const MARK_CHARS = 300;

/** Front matter is not longer than this. */
const MAX_FRONT_LINES = 200;

function frontMatterEnd(raws: readonly string[]): number {
  if (raws[0]?.trimEnd() !== '---') return 0;
  const end = raws.slice(1, MAX_FRONT_LINES).findIndex((raw) => raw.trimEnd() === '---');
  return end < 0 ? 0 : end + 2;
}

/** Splits a text into lines. Linear. */
export function readLines(text: string): readonly TextLine[] {
  const raws = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const frontEnd = frontMatterEnd(raws);
  let fence: string | undefined;
  return raws.map((raw, at) => {
    const head = raw.length > MARK_CHARS ? raw.slice(0, MARK_CHARS) : raw.replace(/\n$/, '');
    const mark = at < frontEnd ? undefined : FENCE.exec(head)?.[1];
    const isCode = at < frontEnd || fence !== undefined || mark !== undefined;
    const opensFence = fence === undefined && mark !== undefined;
    if (opensFence) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence) && head.trim() === mark) fence = undefined;
    const isRow = !isCode && ROW.test(head);
    return {
      text: raw,
      head,
      isCode,
      opensFence,
      isBlank: raw.trim() === '',
      heading: isCode ? 0 : (HEADING.exec(head)?.[1]?.length ?? 0),
      bullet: isCode || BREAK.test(head) ? -1 : (BULLET.exec(head)?.[1]?.length ?? -1),
      isRow,
      isDivider: isRow && ROW_DIVIDER.test(head.trimEnd()),
    };
  });
}

const ROLE =
  '(?<role>user|human|you|me|prompt|assistant|ai|agent|bot|model|system|developer|tool|claude|chatgpt|gpt|gemini|copilot|codex|cline|用户|助手|助理|系统|我|你)';

/** `user: …`, `**User:** …`, `[10:02] Human: …`, `- Assistant (Feb 3, 2026): …`. */
const MESSAGE = new RegExp(
  `^(?<bullet>[-*+]\\s+)?(?:>\\s?)?(?:#{1,6}\\s+)?(?:\\[[^\\]]{1,40}\\]\\s*|[\\d:/.T -]{4,24}Z?\\s+)?[*_\\[<]{0,3}${ROLE}[*_\\]>]{0,3}(?:\\s*\\([^)]{1,40}\\))?[*_]{0,3}\\s*[:：][*_]{0,3}(?:\\s|$)`,
  'iu',
);
/** `## User`, `### **Assistant**`. */
const MESSAGE_HEADING = new RegExp(`^#{1,6}\\s+[*_]{0,3}${ROLE}[*_]{0,3}\\s*$`, 'iu');

/** Messages of one chat. */
interface Chat {
  /** The lines that start a message. */
  readonly starts: readonly number[];
  /** The line behind the last message. */
  readonly end: number;
}

const SPEAKERS = new Set(['user', 'human', 'you', 'me', 'prompt', 'assistant', '用户', '助手', '助理', '我', '你']);

/** Pairs such as `User: Ann` and `Agent: Bo` are no chat: there a role speaks twice, in bullets two roles do. */
function isChat(roles: readonly { readonly role: string; readonly isBullet: boolean }[]): boolean {
  const distinct = new Set(roles.map(({ role }) => role));
  if (roles.length === distinct.size || ![...distinct].some((role) => SPEAKERS.has(role))) return false;
  return distinct.size > 1 || roles.every(({ isBullet }) => !isBullet);
}

/**
 * The chats of a text. A message owns everything up to the next one, headings included; the last one ends at a heading
 * that is not below the one above the chat.
 */
export function findMessages(lines: readonly TextLine[]): readonly Chat[] {
  type Group = { starts: number[]; roles: { role: string; isBullet: boolean }[]; above: number };
  const groups: Group[] = [];
  let lastFilled = -1;
  for (const [at, { head, isCode, isBlank, heading }] of lines.entries()) {
    const match = isCode ? null : ((heading > 0 ? MESSAGE_HEADING.exec(head) : null) ?? MESSAGE.exec(head));
    if (match?.groups) {
      const group = groups.at(-1);
      // A heading right above starts another chat, unless it is a message itself or part of one.
      const level = group?.starts.at(-1) === lastFilled ? 0 : (lines[lastFilled]?.heading ?? 0);
      if (!group || (level > 0 && level <= (lines[group.above]?.heading ?? 6)))
        groups.push({ starts: [], roles: [], above: level > 0 ? lastFilled : -1 });
      const { role = '', bullet } = match.groups;
      groups.at(-1)?.starts.push(at);
      groups.at(-1)?.roles.push({ role: role.toLowerCase(), isBullet: bullet !== undefined });
    }
    if (!isBlank) lastFilled = at;
  }
  return groups.flatMap(({ starts, roles, above }, index) => {
    const limit = groups[index + 1]?.above ?? lines.length;
    const last = starts.at(-1) ?? 0;
    const level = lines[above]?.heading ?? (lines[last]?.heading || 6);
    let end = last + 1;
    while (end < limit && !((lines[end]?.heading ?? 0) > 0 && (lines[end]?.heading ?? 0) <= level)) end++;
    return isChat(roles) ? [{ starts, end }] : [];
  });
}
