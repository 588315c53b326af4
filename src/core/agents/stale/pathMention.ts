/**
 * Which spans of an instruction file name a path of its repository. It goes by the form of the name alone, and leaves
 * out what is a pattern, a placeholder, a place outside of the repository, or something that tools make.
 */

import { collapsePath } from '../../text/safePath';
import type { MarkdownSpan, SpanContext, SpanForm } from './markdownSpans';

/** A name that has the form of a path of the repository. */
export interface PathMention {
  readonly form: SpanForm;
  /** As written, without a suffix for a line or a place in the file. */
  readonly text: string;
  /** `text` with `/` only, without `./` and without `/` at its ends; may begin with `../`. */
  readonly path: string;
  /** It says that it is a folder, by a slash at its end. */
  readonly isFolder: boolean;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly context: SpanContext;
}

/** `:12`, `:12:5`, `:12-40`, `#L3`, `#heading`, `?query` and `::test` name a place in a file. */
const PLACE = /(?::\d+(?:[-:,]\d+)*|::[\w.[\]:-]+|[#?][^/]*|:[A-Za-z_][\w.]*(?:\(\))?)$/;
/** Characters that no path of a repository has, but patterns, placeholders and code have. */
const NOT_A_PATH = /[<>{}$*?|"'`,;=%!&^~\s\\…:#]|\.\.\./;
/** A first segment that is a domain: `github.com`, `pkg.go.dev`, `example.org`. */
const DOMAIN = /^(?:www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|sh|gov|edu|co|me|in|cloud)$)/i;
/** Segments that stand for something. */
const PLACEHOLDER =
  /^(?:path|to|your|my|foo|bar|baz|qux|xxx+|yyy+|nnn+|name|filename|file|dir|folder|example|feature|new|some|thing|whatever|x|y|z|n)$|^(?:your|my|some|foo|bar|new|example|sample)[-_A-Z]|(?:^|[-_])(?:foo|bar|baz|xxx+|nnn+|yyyy)(?:$|[-_])|\[[^\]]*(?:name|id|feature|topic)[^\]]*\]|^My[A-Z]|^(?:Foo|Bar|Baz|Example)[A-Z]?|^[A-Z]\w*Name$|YYYY|NNNN|XXX|[-_][NX]{1,2}(?:$|[-_])|^0+\d?[-_]/;
/** Folders that builds and tools fill, and that may be missing. */
const MADE =
  /^(?:node_modules|dist|build|built|out|output|outputs|target|coverage|bin|obj|lib-cov|tmp|temp|logs?|results?|reports?|artifacts?|venv|\.venv|env|__pycache__|generated|__generated__|\.git|\.next|\.cache|\.turbo|\.nyc_output|\.vscode|\.idea|\.env.*|site|_site|_build|htmlcov|state|storage|uploads|downloads|cache|\.tmp|\.local|\.claude|playwright-report|test-results|\.context-budget)$/i;
/** Files that are everybody's own, or made. */
const MADE_FILE =
  /(?:^|[./_-])(?:local|tmp|temp|generated|gen|bak|min|log|lock|secrets?|credentials?)\.\w+$|\.(?:log|lock|pid|sock|tmp|pyc|o|so|dll|exe|class|jar|zip|tar|gz|vsix|whl|db|sqlite3?|env|pem|key|map|snap|csv|tsv|parquet|jsonl|png|jpe?g|gif|webp|mp4|webm|pdf)$/i;

/** What is not in the repository, by its beginning: addresses, anchors, homes, drives, packages with a scope. */
const NOT_HERE = /^(?:[a-z][\w+.-]*:(?!\d)|\/\/|[#~@])/i;
const EXTENSION = /[\w)\]]\.[A-Za-z]\w{0,9}$/;
/** Names that tools give a meaning, wherever such a file lies or may lie. */
const CONVENTIONAL =
  /^(?:AGENTS?|CLAUDE(?:\.local)?|GEMINI|QWEN|CODEX|COPILOT|README|CHANGELOG|CHANGES|LICENSE|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|MEMORY|SOUL|HEARTBEAT|IDENTITY|USER|TOOLS|SKILLS?|TODO|PLANS?|PROGRESS|SUMMARY|NOTES?|SPEC|TASKS?|REVIEW|REPORT|RULES?|PULL_REQUEST_TEMPLATE|CODEOWNERS|INSTRUCTIONS|HANDOFF|RELEASE|INDEX|PROMPT)\.md$/;

/** Folders of tools, which people fill for themselves or not at all; those of a repository's hosts are everybody's. */
const PERSONAL = /^\.(?!github$|gitlab$|circleci$|storybook$|changeset$|husky$)\w/;
/** What programs write while they run: `signal_state.json`. */
const WRITTEN = /(?:^|[-_.])(?:state|cache|history|session|status)\.(?:json|ya?ml|txt|xml)$/i;

/** A segment that stands for many: `path/to`, `your-package`, `foo.ts`, `FooBar.tsx`. */
function isPlaceholder(segment: string): boolean {
  const dot = segment.indexOf('.', 1);
  return PLACEHOLDER.test(dot < 0 ? segment : segment.slice(0, dot));
}

/** Whether builds, tools or people make a path on their own machine. */
function isMade(segments: readonly string[]): boolean {
  const name = segments.at(-1) as string;
  return segments.some((segment) => MADE.test(segment)) || MADE_FILE.test(name) || WRITTEN.test(name);
}

/** The path that a span names, by its form; undefined when it is none, or one that need not exist. */
export function pathMention(span: MarkdownSpan): PathMention | undefined {
  if (NOT_HERE.test(span.text)) return undefined;
  const text = span.text.replace(PLACE, '');
  const name = span.form === 'link' ? decodedLink(text) : text;
  if (name === undefined || NOT_A_PATH.test(span.form === 'link' ? name.replaceAll(' ', '') : name)) return undefined;
  const path = collapsePath(name);
  const segments = path.split('/').filter((segment) => segment !== '..');
  if (!hasForm(span.form, name, segments) || DOMAIN.test(segments[0] as string)) return undefined;
  if (segments.some(isPlaceholder) || isMade(segments) || PERSONAL.test(segments[0] as string)) return undefined;
  const { form, line, start, context } = span;
  return { form, text, path, isFolder: name.endsWith('/'), line, start, end: start + text.length, context };
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

/** A file says what it is by its extension, a folder by a slash; names alone only where they are telling. */
function hasForm(form: SpanForm, name: string, segments: readonly string[]): boolean {
  if (segments.length === 0 || !segments.every((segment) => /\w/.test(segment))) return false;
  const isFolder = name.endsWith('/');
  if (name.startsWith('/') && (isFolder || form === 'link')) return false;
  if (!isFolder && !EXTENSION.test(name)) return false;
  if (form === 'link') return !/\.html?$/i.test(name);
  return segments.length > 1 || (!isFolder && isTelling(segments[0] as string));
}

/** `ARCHITECTURE.md`: a document of the folder. Names of code alone are as often examples of how to name. */
function isTelling(name: string): boolean {
  return !CONVENTIONAL.test(name) && /^[A-Z][A-Z\d_-]{3,}\.md$/.test(name);
}
