/**
 * Stale paths: mentions of paths that git's history had and the tree no longer has. The evidence decides: a path that the
 * history never had may be an example, a plan, or another repository's, and nothing is said of it.
 */

import type { Phrase } from '../../text/phrase';
import { phrase } from '../../text/phrase';
import { folderOf, resolvePath } from '../../text/safePath';
import type { PathMention } from './pathMentions';

/** Something to say about one place of an instruction or memory file: shown as a diagnostic, listed by the CLI. */
export interface FileNotice {
  /** `agentCut`: an agent reads no further than here. `stalePath`: git deleted or renamed what is named here. */
  readonly kind: 'agentCut' | 'stalePath';
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 columns of the words meant, end exclusive; undefined for the whole line. */
  readonly columns: { readonly start: number; readonly end: number } | undefined;
  readonly message: Phrase;
  /** Worth knowing, not a problem: never more than information. Absent: as the setting says. */
  readonly isMinor?: true;
  /** What may stand in place of the columns' words; absent where nothing is known. */
  readonly replacement?: string;
  /** The commit that deleted or renamed a stale path, 40 or 64 hex digits. */
  readonly commit?: string;
}

/** A path that a commit deleted or renamed; newest first in a history. */
export interface RemovedPath {
  /** Workspace-relative. */
  readonly path: string;
  /** Full object id. */
  readonly commit: string;
  /** Committer's day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly renamedTo?: string;
}

/** A mention of a path that the history had and the tree no longer has. */
export interface StalePath {
  /** The instruction file, workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 columns of the mention, end exclusive. */
  readonly columns: { readonly start: number; readonly end: number };
  /** As written. */
  readonly mention: string;
  /** The path that the history had, workspace-relative. */
  readonly target: string;
  /** The newest commit that deleted or renamed it. */
  readonly commit: string;
  /** That commit's day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Where it is now, workspace-relative; absent when it was deleted. */
  readonly renamedTo?: string;
  /** `renamedTo` as the mention would write it. */
  readonly replacement?: string;
}

/** A folder with more is not read by any agent. */
const MAX_FINDINGS = 500;

/** Renames of renames that are followed. */
const MAX_RENAMES = 20;

/** What a history says of each path and folder, newest first. */
export class RemovedPaths {
  readonly #files = new Map<string, RemovedPath>();
  readonly #folders = new Map<string, RemovedPath[]>();

  /** @param history newest first */
  constructor(history: readonly RemovedPath[]) {
    for (const removed of history) {
      if (this.#files.has(removed.path)) continue;
      this.#files.set(removed.path, removed);
      for (let folder = folderOf(removed.path); folder !== ''; folder = folderOf(folder)) {
        const own = this.#folders.get(folder);
        if (own) own.push(removed);
        else this.#folders.set(folder, [removed]);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#files.size === 0;
  }

  /** The newest removal of a file, or in a folder. */
  of(path: string): RemovedPath | undefined {
    return this.#files.get(path) ?? this.#folders.get(path)?.[0];
  }

  /** Where a removed file or folder is in the tree now; undefined when it was deleted, or its files went apart. */
  renamedTo(path: string, tree: ReadonlySet<string>): string | undefined {
    const file = this.#files.get(path);
    if (file) return this.#followed(file, tree);
    const inside = this.#folders.get(path) ?? [];
    const last = inside.filter(({ commit }) => commit === inside[0]?.commit);
    const targets = new Set(
      last.map((removed) => {
        const rest = removed.path.slice(path.length);
        const now = this.#followed(removed, tree);
        return now?.endsWith(rest) ? now.slice(0, -rest.length) : undefined;
      }),
    );
    return targets.size === 1 ? [...targets][0] || undefined : undefined;
  }

  #followed(removed: RemovedPath, tree: ReadonlySet<string>): string | undefined {
    let at: RemovedPath | undefined = removed;
    for (let step = 0; at && step < MAX_RENAMES; step++) {
      if (at.renamedTo === undefined || tree.has(at.renamedTo)) return at.renamedTo;
      at = this.#files.get(at.renamedTo);
    }
    return undefined;
  }
}

/** A mention in its file, with the removed path that it may mean. */
export interface Candidate {
  readonly file: string;
  readonly mention: PathMention;
  readonly removed: RemovedPath;
  readonly target: string;
}

/** Mentions that the history had; whether the tree still has them is not looked at yet. */
export function candidatesOf(
  file: string,
  mentions: readonly PathMention[],
  history: RemovedPaths,
): readonly Candidate[] {
  return mentions.flatMap((mention) => {
    const places = [
      resolvePath(folderOf(file), mention.path),
      mention.isLink ? undefined : resolvePath('', mention.path),
    ];
    for (const target of places) {
      const removed = target === undefined ? undefined : history.of(target);
      if (target !== undefined && removed) return [{ file, mention, removed, target }];
    }
    return [];
  });
}

/**
 * Drops candidates that a file of `paths` answers: the path itself, a file in it, one of the same name with an extension,
 * or one whose path ends with it, since instructions shorten paths. Case does not count.
 */
export function dropPresent(candidates: Set<Candidate>, paths: Iterable<string>): void {
  const wanted = [...candidates].map((candidate) => {
    const tail = candidate.mention.path.replace(/^(?:\.\.\/)+/, '').toLowerCase();
    const isBare = !/\.\w+$/.test(tail);
    return {
      candidate,
      ends: [`/${tail}/`, ...(isBare ? [`/${tail}.`] : [])],
      last: tail.slice(tail.lastIndexOf('/') + 1),
    };
  });
  if (wanted.length === 0) return;
  for (const path of paths) {
    const whole = `/${path.toLowerCase()}/`;
    for (const { candidate, ends, last } of wanted)
      if (whole.includes(last) && ends.some((end) => whole.includes(end))) candidates.delete(candidate);
  }
}

/** Candidates that are left, as findings by file, line and column. */
export function findingsOf(
  candidates: Iterable<Candidate>,
  history: RemovedPaths,
  tree: ReadonlySet<string>,
): readonly StalePath[] {
  const found = [...candidates].map(({ file, mention, removed, target }): StalePath => {
    const { line, start, end, text } = mention;
    const renamedTo = history.renamedTo(target, tree);
    const { commit, date } = removed;
    const place = { path: file, line, columns: { start, end }, mention: text, target, commit, date };
    if (renamedTo === undefined) return place;
    const isRelative = mention.isLink || resolvePath('', mention.path) !== target;
    const written = isRelative ? relativeTo(folderOf(file), renamedTo) : renamedTo;
    return { ...place, renamedTo, replacement: mention.isFolder ? `${written}/` : written };
  });
  return found.sort(byPlace).slice(0, MAX_FINDINGS);
}

/** A finding as a notice. */
export function noticeOf({ path, line, columns, mention, commit, date, replacement }: StalePath): FileNotice {
  const short = commit.slice(0, 10);
  const message =
    replacement === undefined
      ? phrase('“{0}” was deleted in commit {1} ({2}).', mention, short, date)
      : phrase('“{0}” was renamed to “{1}” (commit {2}, {3}).', mention, replacement, short, date);
  return {
    kind: 'stalePath',
    path,
    line,
    columns,
    message,
    commit,
    ...(replacement === undefined ? {} : { replacement }),
  };
}

/** The order in which notices are told. */
export function byPlace<T extends Pick<StalePath, 'path' | 'line'> & Pick<FileNotice, 'columns'>>(a: T, b: T): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || (a.columns?.start ?? 0) - (b.columns?.start ?? 0);
}

/** How a file in `folder` links to `path`, both relative to the root. */
export function relativeTo(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/');
}
