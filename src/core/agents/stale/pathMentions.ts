/**
 * Paths that an instruction file mentions: in code spans, links, `@` imports and plain words with a slash. It decides what
 * has the form of a path of this repository; whether the path is stale is decided by evidence, in `stalePaths.ts`.
 */

import { codeSpans } from '../../text/markdown';
import { collapsePath } from '../../text/safePath';
import { withoutSpans } from '../mentions';

/** One mention of a path. */
export interface PathMention {
  /** As written, without a suffix for a line or a place in the file. */
  readonly text: string;
  /** `text` with `/` only, without `./` and without `/` at its ends; may begin with `../`. */
  readonly path: string;
  /** Resolved from the file's folder only, as Markdown does. */
  readonly isLink: boolean;
  /** It ends with a slash. */
  readonly isFolder: boolean;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 columns, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Silences the line it stands on and the next one. */
const IGNORE_LINE = /<!--\s*context-budget-ignore(?=\s|-->)([^<>]*)-->/g;
/** Silences the whole file, wherever it stands. */
const IGNORE_FILE = /<!--\s*context-budget-ignore-file\s*-->/;

const LINK = /\]\(\s*(<[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+["'(][^\n]*?["')])?\s*\)/g;
const DEFINITION = /^\s{0,3}\[[^\]^]+\]:\s*(<[^<>]*>|\S+)/;
/** Also what follows an `@`: agents read it as an import. */
const PLAIN = /(?<![\w./:~$@*{}<>\\-])@?((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.()[\]-]+)+\/?)/g;

/** A longer line is data. UTF-16 code units. */
const MAX_LINE_CHARS = 5000;
/** A file with more mentions is a listing; later ones are ignored. */
const MAX_MENTIONS = 5000;

/** `:12`, `:12:5`, `:12-40`, `#L3`, `#heading`, `?query`, `::test` and `:name()` name a place in a file. */
const PLACE = /(?::\d+(?:[-:,]\d+)*|::[\w.[\]:-]+|[#?][^/]*|:[A-Za-z_][\w.]*(?:\(\))?)$/;
/** Characters of patterns, placeholders, addresses and code. */
const NOT_A_PATH = /[<>{}$*?|"'`,;=%!&^~\s\\…:#]|\.\.\.|^\/|^@/;
const EXTENSION = /[\w)\]]\.[A-Za-z]\w{0,9}$/;
/** Folders that builds and tools fill: git may have had them by mistake, and a machine may have them again. */
const GENERATED =
  /^(?:node_modules|dist|build|out|output|outputs|target|coverage|bin|obj|tmp|temp|logs?|results?|reports?|artifacts?|\.?venv|env|__pycache__|generated|__generated__|\.git|\.next|\.cache|\.turbo|_site|_build|cache|\.env.*|test-results|\.context-budget)$/i;

/** Folders of agents and tools: each machine and each parent folder may have its own. Those of Git hosts are shared. */
const PERSONAL = /^\.(?!\.|github$|gitlab$|circleci$|storybook$|changeset$|husky$)\w/;
/** Names that tools give a meaning: agents write such a file wherever they need it. */
const CONVENTIONAL =
  /^(?:AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|CODEX|COPILOT|README|CHANGELOG|MEMORY|SOUL|HEARTBEAT|IDENTITY|USER|TOOLS|BOOTSTRAP|SKILLS?|TODO|PLANS?|PROGRESS|SUMMARY|NOTES?|SPEC|TASKS?|REVIEW|REPORT|RULES?|HANDOFF|PROMPT|NEXT)\.md$/i;

/** Rules that the comments of a line silence there and on the next line; `''` for a comment that names none. */
export function silencedRules(line: string): ReadonlySet<string> {
  return new Set([...line.matchAll(IGNORE_LINE)].flatMap(([, rules = '']) => rules.match(/[^\s,]+/g) ?? ['']));
}

/** Mentions in the order of their places; none in a file that silences itself. Linear in the text. */
export function pathMentions(source: string): readonly PathMention[] {
  if (IGNORE_FILE.test(source)) return [];
  const found: PathMention[] = [];
  let wasMarked = false;
  for (const [at, line] of source.split(/\r\n?|\n/).entries()) {
    const silenced = silencedRules(line);
    const isMarked = silenced.has('') || silenced.has('stale-path');
    if (!isMarked && !wasMarked && line.length <= MAX_LINE_CHARS) found.push(...mentionsIn(line, at + 1));
    wasMarked = isMarked;
    if (found.length > MAX_MENTIONS) break;
  }
  return found.slice(0, MAX_MENTIONS);
}

function mentionsIn(line: string, number: number): readonly PathMention[] {
  if (isHistory(line)) return [];
  const found: PathMention[] = [];
  const add = (given: string, from: number, isLink: boolean, mustHaveSlash: boolean): void => {
    const mention = asPath(given.trim(), isLink, mustHaveSlash);
    const start = from + given.length - given.trimStart().length;
    if (mention) found.push({ ...mention, isLink, line: number, start, end: start + mention.text.length });
  };
  for (const { start, end, marks } of codeSpans(line))
    for (const word of line.slice(start + marks, end - marks).matchAll(/\S+/g))
      add(word[0], start + marks + word.index, false, false);
  const prose = withoutSpans(line, ' ');
  let rest = prose;
  const blank = (from: number, length: number): void => {
    rest = rest.slice(0, from) + ' '.repeat(length) + rest.slice(from + length);
  };
  for (const link of prose.matchAll(LINK)) {
    const target = link[1] as string;
    const isAngled = target.startsWith('<');
    const from = link.index + link[0].indexOf(target, 2) + (isAngled ? 1 : 0);
    add(isAngled ? target.slice(1, -1) : target, from, true, false);
    blank(link.index, link[0].length);
  }
  const definition = DEFINITION.exec(rest);
  if (definition) {
    add(definition[1] as string, definition[0].length - (definition[1] as string).length, true, false);
    blank(0, definition[0].length);
  }
  for (const [address] of rest.matchAll(/[a-z][\w+.-]*:\/\/\S+/gi)) blank(rest.indexOf(address), address.length);
  for (const word of rest.matchAll(PLAIN)) {
    const text = (word[1] as string).replace(/[.)\]]+$/, (end) =>
      end.includes(')') && word[1]?.includes('(') ? end : '',
    );
    add(text, word.index + word[0].length - (word[1] as string).length, false, true);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The path that some text is by its form; undefined when it is none. */
function asPath(
  given: string,
  isLink: boolean,
  mustHaveSlash: boolean,
): Pick<PathMention, 'text' | 'path' | 'isFolder'> | undefined {
  if (/^(?:[a-z][\w+.-]*:(?!\d)|\/\/|[#~])/i.test(given)) return undefined;
  const text = given.replace(PLACE, '').replace(/[.,;]+$/, '');
  const name = isLink ? decodedLink(text) : text;
  if (name === undefined || NOT_A_PATH.test(isLink ? name.replaceAll(' ', '') : name)) return undefined;
  const path = collapsePath(name);
  const segments = path.split('/').filter((segment) => segment !== '..');
  const isFolder = name.endsWith('/');
  if (segments.length === 0 || segments.some((segment) => !/\w/.test(segment) || GENERATED.test(segment)))
    return undefined;
  if (PERSONAL.test(segments[0] as string)) return undefined;
  if (segments.length === 1 && (mustHaveSlash || CONVENTIONAL.test(name) || isFolder || !EXTENSION.test(name)))
    return undefined;
  return { text, path, isFolder };
}

/** A link's target as a path: `%20` is a space. */
function decodedLink(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Words that say that a path is gone, or that it is yet to be made: such a line is right although the path is missing. */
const HISTORY =
  /\b(?:removed?|removing|removal|delet(?:e|ed|es|ing|ion)|renam(?:e|ed|ing)|moved?|migrat(?:e|ed|es|ing|ion)|replac(?:e|ed|es|ing)|deprecated|legacy|obsolete|former(?:ly)?|previous(?:ly)?|archived?|superseded|retired|used to|no longer|not exist|merged into|split into|extracted|was|were|inherited|creat(?:e|es|ed|ing)|generat(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|if\b.{0,80}\bexists?|if (?:it |they |present)|e\.g|for example|such as|instead of|without)\b|~~|->|→|=>|❌|删除|移除|废弃|旧|新建|创建|生成|如果|如 |例如|无|没有/i;

function isHistory(line: string): boolean {
  return HISTORY.test(line);
}
