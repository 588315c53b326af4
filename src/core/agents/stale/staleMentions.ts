/**
 * Stale instructions: which paths an instruction file names that its workspace does not have. It decides
 * for precision: what has not clearly the form of a name of this repository, or is said to be an example, to be made or
 * to be gone, is no claim that can be wrong. How precise that is was measured: README, "Stale instructions".
 */

import { phrase } from '../../text/phrase';
import { markdownSpans, type SpanContext } from './markdownSpans';
import { PathIndex } from './pathIndex';
import { pathMention } from './pathMention';
import type { FileNotice } from './stalePaths';
import { type PlacedPath, stalePaths, wantedNames } from './stalePaths';

// What is said around a name decides whether it claims to exist: a file to be made, an example, something that was
// removed, or that lies in another repository does not. It knows English and Chinese; other languages claim.

/** Characters of the sentence that are looked at before and after a name. */
const BEFORE = 90;
const AFTER = 60;

/** To be made, or made by something. */
const MADE =
  /\b(?:creat(?:e[sd]?|ing|ion)|generat(?:e[sd]?|ing|or)|scaffold\w*|writ(?:e|es|ing|ten)|outputs?|produc(?:e[sd]?|ing)|emit(?:s|ted)?|sav(?:e[sd]?|ing)|export(?:ed|s)? to|add(?:ing|s|ed)? (?:a|an|new|your|one|to)\b|new (?:file|folder|directory|module|package|test|component)s?|will (?:be|live|contain)|to be (?:added|created)|put|place|download(?:s|ed)?|clone[ds]?|compil(?:e[sd]?|ing) (?:to|into)|built|build artifacts?|renam(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|copy|copied|copies|extract(?:ed)?|planned|future|todo|proposed|upcoming|not yet)\b/i;
/** Not there any more, or not to be there. */
const GONE =
  /\b(?:no longer|remov(?:e[sd]?|ing|al)|delet(?:e[sd]?|ing)|deprecated|legacy|obsolete|former(?:ly)?|previous(?:ly)?|used to|old|there (?:is|are) no|not exist|without|never|don['’]?t|do not|not|avoid|forbidden|instead of|rather than|missing|absent|git-?ignored?|untracked|ignored?)\b/i;
/** Only an example, or only there for some. */
const MAYBE =
  /\b(?:e\.?g\b|for example|for instance|such as|examples?|like|similar to|i\.e\b|template|placeholder|hypothetical|format|convention|named?|naming|suppose|if (?:it |there |they )?(?:exists?|present|is|any|you)|when present|optional(?:ly)?|may|might|could|would|locally|cached?|temporary|mirrors?|matching|correspond\w*)\b|[❌✗✘🚫]|->|→|=>/iu;
/** Somewhere else. */
const ELSEWHERE =
  /\b(?:other|another|separate|sibling|external|upstream|parent|sister|different|that|their) (?:repo|repository|repositories|repos|project|package|codebase|workspace|checkout)\b|\bin the [\w./`-]+ repo(?:sitory)?\b|https?:\/\/|\bsubmodules?\b|\bhome directory\b|\bbranch(?:es)?\b/i;
const CHINESE =
  /本地|新增|新建|创建|建立|創建|產生|生成|输出|輸出|删除|刪除|移除|废弃|廢棄|例如|不存在|忽略|如果|建议|建議|命名|示例|模板|範例|计划|計劃|將會|将会|分支|不进|不要|旧|舊/;

const NO_CLAIM: readonly RegExp[] = [MADE, GONE, MAYBE, ELSEWHERE, CHINESE];

/** The same for what a chapter or the beginning of a list says, where a word has to say more to count. */
const NO_CLAIM_ABOVE =
  /\b(?:examples?|template|creat(?:e|ing)|generat(?:ed?|ing)|add(?:ing)? (?:a|an|new)|new|migrat\w+|removed|deprecated|legacy|planned|future|roadmap|todo|history|changelog|outputs?|artifacts?|bad|wrong|don['’]t|never|avoid|naming|scaffold\w*|proposed|external|upstream)\b|新增|新建|创建|示例|模板|计划|计劃|历史|歷史/i;

/** The end of a sentence, not of `e.g.`; rows of tables end at their cells' borders before the name alone. */
const STOP = /(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?;]\s|[。；！？]/g;

/** The words around the name that speak of it. Those of code are no words. */
function around({ sentence, at, length }: SpanContext): string {
  const before = withoutCode(sentence.slice(0, at))
    .replace(/[`(]\s*$/, ' ')
    .slice(-BEFORE);
  const after = withoutCode(sentence.slice(at + length).replace(/^\s*[`)]/, ' ')).slice(0, AFTER);
  const stops = [...before.matchAll(STOP), ...before.matchAll(/\|/g)].map(({ index }) => index + 1);
  const end = after.search(STOP);
  return `${before.slice(Math.max(0, ...stops))} ${end < 0 ? after : after.slice(0, end)}`;
}

function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, ' ` ');
}

/** Whether the text claims that the name exists. */
function isClaim(context: SpanContext): boolean {
  const near = around(context);
  const above = [context.lead, ...context.headings];
  return !NO_CLAIM.some((pattern) => pattern.test(near)) && !above.some((text) => NO_CLAIM_ABOVE.test(text));
}

/** What must be known of a workspace. */
interface WorkspaceView {
  /** All files, by one pass, some at a time: a host lets its thread go in between. */
  listing(): AsyncIterable<Iterable<string>>;
  /** Whether a path is left out of the listing on purpose: it may or may not be there. */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Whether something lies at a path that is not listed: an empty folder, a linked one. */
  exists(path: string): Promise<boolean>;
}

/** What an instruction file, `path` in the workspace, claims to exist. Pure, linear in the text. */
export function mentionsOf({ path: file, text }: Record<'path' | 'text', string>): readonly PlacedPath[] {
  const claims = markdownSpans(text).filter(({ context }) => isClaim(context));
  return claims.flatMap((span) => pathMention(span) ?? []).map((mention) => ({ file, mention }));
}

/** Paths that are named and not there, by file, line and column. Linear in the listing. */
export async function findStalePaths(
  placed: readonly PlacedPath[],
  view: WorkspaceView,
): Promise<readonly FileNotice[]> {
  if (placed.length === 0) return [];
  const index = new PathIndex(wantedNames(placed));
  for await (const part of view.listing()) index.add(part);
  const notices: FileNotice[] = [];
  for (const { file, mention, candidates, replacement } of stalePaths(placed, index)) {
    if (candidates.some((path) => view.isIgnored(path, false) || view.isIgnored(path, true))) continue;
    const isThere = await Promise.all(candidates.map((path) => view.exists(path)));
    if (isThere.includes(true)) continue;
    const { text, line, start, end } = mention;
    const message =
      replacement === undefined
        ? phrase('“{0}” does not exist in this workspace.', text)
        : phrase('“{0}” does not exist in this workspace. There is “{1}”.', text, replacement);
    const fix = replacement === undefined ? {} : { replacement };
    notices.push({ kind: 'stalePath', path: file, line, columns: { start, end }, message, ...fix });
  }
  return notices.sort(byPlace);
}

/** The order in which notices are told. */
export function byPlace(a: FileNotice, b: FileNotice): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || (a.columns?.start ?? 0) - (b.columns?.start ?? 0);
}
