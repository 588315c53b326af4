/**
 * What Claude Code puts back behind a compaction. Newer versions log it; of older ones it is known by what the session had
 * before (seen in public sessions of 2.0 to 2.1.63): the files used last, if they are small, the plan, and skills.
 */
import type { LoggedBlock } from './sessionLog';

const MAX_FILES = 5;
/** Lines with their numbers, about 5,000 tokens: of larger files only the name comes back. */
const MAX_FILE_CHARS = 22_000;
const MAX_SKILL_CHARS = 20_000;
const CHARS_PER_TOKEN = 3;

/** Of a file whose text the log does not have; Claude Code reads no more of one. */
const MAX_FILE_TOKENS = 5_000;
const MAX_MENTIONED_TOKENS = 25_000;

/** Files that a message brings along: they are in the log of newer versions alone. */
const MENTION = /(?<![\w.@])@(~?[\w./-]*\w\.\w{1,8})\b/g;
/** Plans come back as such, not as files. */
const PLAN_FILE = /[\\/]\.claude[\\/]plans[\\/]/;

interface UsedFile {
  readonly text: string;
  /** Characters of the lines that the text does not have. */
  readonly more: number;
}

const ASSUMED = { kind: 'block', from: 'agent', isAssumed: true } as const;
const MENTIONED: UsedFile = { text: '', more: MAX_FILE_TOKENS * CHARS_PER_TOKEN };

export class ClaudeFiles {
  /** The one used last is the last. */
  readonly #files = new Map<string, UsedFile>();
  readonly #skills = new Map<string, string>();
  #plan = '';

  /** @param share of the file's lines that the text has, above 0 */
  used(path: string, text: string, share = 1): void {
    this.#files.delete(path);
    if (PLAN_FILE.test(path)) this.#plan = text;
    else this.#files.set(path, shortened({ text, more: Math.round(text.length * (1 / share - 1)) }));
  }

  edited(path: string): void {
    const file = this.#files.get(path);
    if (!file) return;
    this.#files.delete(path);
    this.#files.set(path, file);
  }

  planned(plan: string): void {
    this.#plan = plan;
  }

  /** @param text of a command or skill, which comes back as it was */
  told(text: string): void {
    this.#skills.set(text.slice(0, 100), text.slice(0, MAX_SKILL_CHARS));
  }

  /** Files that a message names with `@`: what they bring is what the window grows by. */
  mentionedIn(text: string): readonly LoggedBlock[] {
    const paths = new Set([...text.matchAll(MENTION)].map(([, path = '']) => path));
    for (const path of paths) if (!this.#files.has(path)) this.#files.set(path, MENTIONED);
    const tokens = MAX_MENTIONED_TOKENS * paths.size;
    return tokens === 0 ? [] : [{ ...ASSUMED, part: 'read', text: '', tokens }];
  }

  /** Call at a compaction: files that were used before it are forgotten. */
  restored(): readonly LoggedBlock[] {
    const files = [...this.#files.values()].filter((file) => !isLarge(file)).slice(-MAX_FILES);
    this.#files.clear();
    return [
      ...files.map(
        ({ text, more }): LoggedBlock => ({
          ...ASSUMED,
          part: 'read',
          text,
          tokens: Math.round(more / CHARS_PER_TOKEN),
        }),
      ),
      ...[this.#plan, ...this.#skills.values()]
        .filter((text) => text !== '')
        .map((text): LoggedBlock => ({ ...ASSUMED, part: 'instructions', text })),
    ];
  }
}

function isLarge({ text, more }: UsedFile): boolean {
  return text.length + more > MAX_FILE_CHARS;
}

/** The text of a file that will not come back is not kept. */
function shortened(file: UsedFile): UsedFile {
  return isLarge(file) ? { text: '', more: MAX_FILE_CHARS + 1 } : file;
}
