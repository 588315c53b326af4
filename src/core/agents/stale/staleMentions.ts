/**
 * Stale instructions: which paths an instruction file names that its workspace does not have. It decides
 * for precision: what has not clearly the form of a name of this repository, or is said to be an example, to be made or
 * to be gone, is no claim that can be wrong. How precise that is was measured: README, "Stale instructions".
 */

import { phrase } from '../../text/phrase';
import type { FileNotice } from './fileNotice';
import { type MarkdownSpan, markdownSpans } from './markdownSpans';
import { whyNoClaim } from './mentionContext';
import { PathBook } from './pathIndex';
import { pathMention } from './pathMention';
import { type PlacedPath, stalePaths, wantedNames } from './stalePaths';

/** An instruction file and what is in it. */
export interface InstructionText {
  /** Workspace-relative. */
  readonly path: string;
  readonly text: string;
}

/** What must be known of a workspace. */
export interface WorkspaceView {
  /** All files, by one pass, some at a time: a host lets its thread go in between. */
  listing(): AsyncIterable<Iterable<string>>;
  /** Whether a path is left out of the listing on purpose: it may or may not be there. */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Whether something lies at a path that is not listed: an empty folder, a linked one. */
  exists(path: string): Promise<boolean>;
}

/** What an instruction file claims to exist. Pure, linear in the text. */
export function mentionsOf({ path: file, text }: InstructionText): readonly PlacedPath[] {
  const spans = markdownSpans(text);
  const claims = spans.filter(({ context }) => whyNoClaim(context) === undefined);
  return claims.flatMap((span: MarkdownSpan): PlacedPath[] => {
    const mention = pathMention(span);
    return mention ? [{ file, mention }] : [];
  });
}

/** Paths that are named and not there, by file, line and column. Linear in the listing. */
export async function findStalePaths(
  placed: readonly PlacedPath[],
  view: WorkspaceView,
): Promise<readonly FileNotice[]> {
  if (placed.length === 0) return [];
  const book = new PathBook(wantedNames(placed));
  for await (const part of view.listing()) book.add(part);
  const notices: FileNotice[] = [];
  for (const { file, mention, candidates, replacement } of stalePaths(placed, book)) {
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
function byPlace(a: FileNotice, b: FileNotice): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || (a.columns?.start ?? 0) - (b.columns?.start ?? 0);
}
