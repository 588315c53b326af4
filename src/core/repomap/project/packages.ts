/**
 * The packages of a folder: where they are and what each is for. From manifests and READMEs alone; a folder without either
 * is no package.
 */
import type { MapPackage } from '../../model/repoMap';
import { folderOf, nameOf } from '../../text/safePath';
import { classifyPath } from '../index/pathClass';

/** What a folder says of itself besides its code. */
export interface Project {
  /** By path; the job is `''` where nothing says it. */
  readonly packages: readonly MapPackage[];
  /** Commits that touched each file, of the last ones (`gitQuestions.ts`); empty where the history is not read. */
  readonly churn: readonly (readonly [path: string, commits: number])[];
  /** What those commits say they do, newest first, and the files that each touched, as positions in `churn`. */
  readonly messages: readonly (readonly [title: string, files: readonly number[]])[];
}

/** What the last commits did. */
export type History = Pick<Project, 'churn' | 'messages'>;

export const NO_HISTORY: History = { churn: [], messages: [] };
export const NO_PROJECT: Project = { packages: [], ...NO_HISTORY };

/** A longer job is cut behind a word. Characters. */
const MAX_JOB_CHARS = 100;
/** Manifests and READMEs that are read, the shallowest first. */
const MAX_FILES = 300;

/** Where each manifest says what its package is for: the first group that matched. JSON is read as such. */
const DESCRIPTIONS: readonly (readonly [file: RegExp, description: RegExp | 'json'])[] = [
  [/^(?:package|composer)\.json$/u, 'json'],
  [/^(?:Cargo|pyproject)\.toml$/u, /^description\s*=\s*(?:"""|'''|["'])\s*([^"\n]+?)\s*["'\n]/mu],
  [/^setup\.cfg$/u, /^description\s*=\s*(.+)/mu],
  [/^setup\.py$/u, /\bdescription\s*=\s*["']+([^"'\n]+)/u],
  [/\.gemspec$/u, /\.summary\s*=\s*(?:%q?[({[])?["']?([^"'\n)}\]]+)/u],
  [/^pubspec\.yaml$/u, /^description:\s*[>|]?-?\s*([^\n]+)/mu],
  [
    /^pom\.xml$/u,
    /<\/(?:artifactId|version|name|packaging)>\s*(?:<[^d][^>]*>[^<]*<\/[^>]*>\s*)*<description>\s*([^<]+)/u,
  ],
  [/\.(?:cs|fs)proj$/u, /<Description>\s*([^<]+)/u],
  [/^mix\.exs$/u, /\bdescription:\s*"([^"\n]+)/u],
  [/^build\.gradle(?:\.kts)?$/u, /^\s*description\s*=?\s*["']([^"'\n]+)/mu],
  // Marks a package and has no description.
  [/^go\.mod$/u, /(?!)/u],
];

const README = /^readme(?:\.(?:md|markdown|rst|txt|adoc))?$/iu;

/** Whether a file may say what its folder is for. */
export function isProjectFile(path: string): boolean {
  const name = nameOf(path);
  return README.test(name) || DESCRIPTIONS.some(([file]) => file.test(name));
}

/** The first sentence of a text, on one line, without marks of Markdown. */
export function firstSentence(text: string): string {
  const plain = text
    .replace(/!\[[^\]]*\]\([^)]*\)/gu, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/<[^>]*>|&nbsp;/gu, ' ')
    .replace(/[`*]|(?<!\w)_|_(?!\w)/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const sentence = /^.+?[.!?。！？](?=\s|$|[\p{Lo}])/u.exec(plain)?.[0] ?? plain;
  if (sentence.length <= MAX_JOB_CHARS) return sentence.replace(/\.$/u, '');
  const cut = sentence.slice(0, MAX_JOB_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_JOB_CHARS / 2)).trimEnd()}…`;
}

/** Whether a text has at least so many words; of scripts without spaces, three characters count as one. */
function hasWords(text: string, count: number): boolean {
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return Math.max(text.split(' ').length, unspaced / 3) >= count;
}

/** A description of one word is the package's name again. */
function isSaying(description: string): boolean {
  return hasWords(description, 2);
}

/** Lines of a README that are no prose: headings and their rules, badges, lists, tables, links, markup, code. */
const NO_PROSE = /^(?:#|=|-|~|\*{3}|\+|\||!\[|\[!\[|\[[^\]]*\]:|\.\. |:\w+|<|>|```|\s{4}|\d+\.)/u;

/** Links, pictures, tags and entities. */
const LINKS = /!?\[[^[\]]*\]\([^()]*\)|<a\b[^<>]*>[^<]*<\/a>|<[^<>]*>|&#?\w+;/giu;

/** What stands between the links of a row. */
const SEPARATOR = /[|｜/·•∙]/u;
/** Stands for a link while its row is divided: a path has slashes too. */
const LINK = '\u0001';
/** Names of languages as READMEs write them, each in its own or in English; lower case, without what stands in brackets. */
const LANGUAGES: ReadonlySet<string> = new Set([
  ...['english', 'chinese', 'japanese', 'korean', 'french', 'german', 'spanish', 'portuguese', 'russian', 'italian'],
  ...['en', 'zh', 'zh-cn', 'zh-tw', 'ja', 'ko', 'fr', 'de', 'es', 'pt', 'ru', '中文', '简体中文', '繁體中文', '日本語'],
  ...['한국어', 'français', 'deutsch', 'español', 'português', 'русский', 'italiano', 'türkçe', 'tiếng việt', 'polski'],
]);
/** A longer text is no row of links. UTF-16 code units. */
const MAX_SWITCH_CHARS = 5000;
/** A name in a row of links has no more words. */
const MAX_NAME_WORDS = 3;

/** Whether a text is a row of links or of names of languages, such as `[English](README_EN.md) | 简体中文`. */
function isSwitch(text: string): boolean {
  if (text.length > MAX_SWITCH_CHARS) return false;
  const cells = text
    .replace(/!\[[^\]]*\]\([^)]*\)/gu, '')
    .replace(/\[[^\]]*\]\([^)]*\)|<a\b[^>]*>[^<]*<\/a>/giu, LINK)
    .replace(/<[^>]*>|&#?\w+;|[*_`]|\p{RI}|\p{Extended_Pictographic}/gu, ' ')
    .split(SEPARATOR)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  const isLink = (cell: string): boolean => cell.replaceAll(LINK, '').trim() === '';
  const isName = (cell: string): boolean => !cell.includes(LINK) && cell.split(/\s+/u).length <= MAX_NAME_WORDS;
  if (cells.length < 2) return cells.every((cell) => isLink(cell));
  return (
    cells.every((cell) => LANGUAGES.has(cell.replace(/\s*[(（].*/u, '').toLowerCase())) ||
    (cells.some(isLink) && cells.every((cell) => isLink(cell) || isName(cell)))
  );
}

/** A README says in its beginning what it is about. UTF-16 code units. */
const MAX_README_CHARS = 20_000;

/** The first sentence of a README's prose; `''` when there is none. */
export function readmeSentence(text: string): string {
  const blocks = text
    .slice(0, MAX_README_CHARS)
    .replaceAll('\r\n', '\n')
    .replace(/<!--[\s\S]*?-->/gu, '')
    .replace(/^(```|~~~)[\s\S]*?^\1/gmu, '')
    .split(/\n\s*\n/u);
  for (const block of blocks) {
    const prose = block.split('\n').filter((line) => line.trim() !== '' && !NO_PROSE.test(line));
    const hasSeparator = (line: string): boolean =>
      line.length <= MAX_SWITCH_CHARS && SEPARATOR.test(line) && SEPARATOR.test(line.replace(LINKS, ''));
    // Its rows may be broken behind a separator.
    if (prose.some(hasSeparator) && isSwitch(prose.join('|'))) continue;
    const lines = prose.filter((line) => !hasSeparator(line) || !isSwitch(line));
    // A row of links says where to go on, and not what this is.
    if (!/\p{L}{3}/u.test(block.replace(LINKS, ''))) continue;
    // A title of reStructuredText stands above its rule.
    if (/^\S[^\n]*\n(?:={3,}|-{3,}|~{3,})\s*$/mu.test(block)) continue;
    const sentence = firstSentence(lines.join(' '));
    if (hasWords(sentence, 3)) return sentence;
  }
  return '';
}

function described(name: string, text: string): string {
  const how = DESCRIPTIONS.find(([file]) => file.test(name))?.[1];
  if (how === undefined) return '';
  if (how !== 'json') return firstSentence(how.exec(text)?.[1] ?? '');
  try {
    const { description } = JSON.parse(text) as { readonly description?: unknown };
    return typeof description === 'string' ? firstSentence(description) : '';
  } catch {
    return '';
  }
}

/**
 * The packages among `paths`, by path. At most 300 manifests and READMEs are read, those of tests, examples and vendored
 * code left out. A manifest's description is the job, else the first sentence of the README beside it.
 * @param read gives a file's text, or `undefined` when it cannot be read
 */
export async function readPackages(
  paths: Iterable<string>,
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly MapPackage[]> {
  const found: { readonly path: string; readonly isReadme: boolean; readonly depth: number }[] = [];
  for (const path of paths) {
    const name = nameOf(path);
    if (!isProjectFile(path)) continue;
    const isReadme = README.test(name);
    const pathClass = classifyPath(`${folderOf(path)}/x`);
    if (pathClass === 'source' || pathClass === 'tooling')
      found.push({ path, isReadme, depth: path.split('/').length });
  }
  found.sort((a, b) => a.depth - b.depth || Number(a.isReadme) - Number(b.isReadme) || (a.path < b.path ? -1 : 1));
  const jobs = new Map<string, { manifest: string; readme: string; hasManifest: boolean }>();
  for (const { path, isReadme } of found.slice(0, MAX_FILES)) {
    const text = await read(path);
    if (text === undefined) continue;
    const folder = folderOf(path);
    const known = jobs.get(folder) ?? { manifest: '', readme: '', hasManifest: false };
    if (isReadme) known.readme ||= readmeSentence(text);
    else {
      known.hasManifest = true;
      known.manifest ||= described(nameOf(path), text);
    }
    jobs.set(folder, known);
  }
  return [...jobs]
    .map(([path, { manifest, readme }]) => ({ path, job: isSaying(manifest) ? manifest : readme }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
