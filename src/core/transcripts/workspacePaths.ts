/**
 * Paths as agents write them, made relative to the workspace: absolute ones, relative to a working folder, `~`, file
 * URIs, drive letters. It is text work alone: nothing is looked up, so a path that comes out lies inside, but need not exist.
 */

import { isSafePath } from '../text/safePath';

/** What paths are read against. */
export interface WorkspacePlace {
  /**
   * The folder and what counts as the same: its real path, the link it was opened by, Git work trees of it. Absolute,
   * as the platform writes them; the first is the folder itself.
   */
  readonly roots: readonly [string, ...string[]];
  /** What `~` stands for. */
  readonly home?: string | undefined;
}

/** Longer ones are no paths. */
const MAX_PATH_CHARS = 1_024;
const DRIVE = /^[a-z]:(?=\/|$)/i;

interface Absolute {
  /** Lower-case drive letter with colon, `//host/share`, or empty. */
  readonly volume: string;
  readonly segments: readonly string[];
}

function toAbsolute(path: string): Absolute | undefined {
  const drive = DRIVE.exec(path)?.[0];
  const unc = /^\/\/[^/]+\/[^/]+/.exec(path)?.[0];
  if (drive === undefined && unc === undefined && !path.startsWith('/')) return undefined;
  const volume = drive ?? unc ?? '';
  const segments: string[] = [];
  for (const segment of path.slice(volume.length).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return { volume: volume.toLowerCase(), segments };
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 32) return true;
  return false;
}

/** The path in a `file:` URI or one of a remote folder; `undefined` for other schemes and bad escapes. */
function pathOfUri(uri: string): string | undefined {
  const match = /^(?:file:\/\/(?:localhost)?|vscode-remote:\/\/[^/]*)(\/[^?#]*)/i.exec(uri);
  if (match?.[1] === undefined) return undefined;
  try {
    return decodeURIComponent(match[1]).replace(/^\/(?=[a-z]:)/i, '');
  } catch {
    // A stray `%`: no URI.
    return undefined;
  }
}

/** Turns paths of transcripts into workspace-relative ones with `/`. */
export class WorkspacePaths {
  /** Longest first: a work tree may lie inside the folder. */
  readonly #roots: readonly Absolute[];
  readonly #root: string;
  readonly #home: string | undefined;
  /** Drive letters, `\\` between segments, and letters of either case. */
  readonly isWindows: boolean;

  constructor({ roots, home }: WorkspacePlace) {
    this.#root = roots[0];
    this.isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(roots[0]);
    this.#home = home;
    this.#roots = roots
      .flatMap((root) => this.#absolute(root) ?? [])
      .sort((left, right) => right.segments.length - left.segments.length);
  }

  /**
   * The path relative to the folder; `undefined` for what lies outside, the folder itself, what is no path, and what no
   * config may name either.
   * @param cwd what a relative path is relative to; the folder unless given
   */
  relative(given: string, cwd?: string): string | undefined {
    const path = this.#resolve(given, cwd);
    const rest = path && this.#inside(path)?.join('/');
    // A folder may be called `c:` or `~`: alone, its path would lead elsewhere.
    return rest !== undefined && isSafePath(rest) ? rest : undefined;
  }

  /** Whether a working folder is this one, below it, or a work tree of it. A folder above it is not. */
  owns(cwd: string): boolean {
    const path = this.#isText(cwd) ? this.#absolute(cwd) : undefined;
    return path !== undefined && this.#inside(path) !== undefined;
  }

  /** The absolute path after `cd given`; `undefined` when that is not known. */
  folderAfter(given: string, cwd?: string): string | undefined {
    const path = this.#resolve(given, cwd);
    return path && `${path.volume}/${path.segments.join('/')}`;
  }

  #isText(text: string): boolean {
    return text !== '' && text.length <= MAX_PATH_CHARS && !hasControl(text);
  }

  #resolve(given: string, cwd: string | undefined): Absolute | undefined {
    if (!this.#isText(given)) return undefined;
    const direct = this.#absolute(given);
    if (direct) return direct;
    if (/^[a-z][a-z\d+.-]+:\/\//i.test(given) || given.startsWith('~')) return undefined;
    const base = this.#absolute(cwd === undefined || cwd === '' ? this.#root : cwd);
    if (!base || !this.#isText(cwd ?? this.#root)) return undefined;
    return toAbsolute(`${base.volume}/${base.segments.join('/')}/${this.#slashes(given)}`);
  }

  #absolute(given: string): Absolute | undefined {
    const isUri = /^(?:file|vscode-remote):\/\//i.test(given);
    const isHome = given === '~' || given.startsWith('~/') || given.startsWith('~\\');
    const path = isUri ? pathOfUri(given) : isHome ? this.#home && `${this.#home}${given.slice(1)}` : given;
    if (path === undefined || !this.#isText(path)) return undefined;
    const slashed = this.#slashes(path);
    // Git Bash on Windows writes `/c/Users`.
    const isMsys = this.isWindows && /^\/[a-z](?=\/|$)/i.test(slashed);
    return toAbsolute(isMsys ? `${slashed[1]}:${slashed.slice(2)}` : slashed);
  }

  #slashes(path: string): string {
    const isWindowsPath = this.isWindows || /^(?:[a-z]:\\|\\\\)/i.test(path);
    return isWindowsPath ? path.replaceAll('\\', '/') : path;
  }

  #inside({ volume, segments }: Absolute): readonly string[] | undefined {
    const isSame = (left: string | undefined, right: string): boolean =>
      left === right || (this.isWindows && left?.toLowerCase() === right.toLowerCase());
    const root = this.#roots.find(
      (candidate) =>
        candidate.volume === volume && candidate.segments.every((segment, at) => isSame(segments[at], segment)),
    );
    return root && segments.slice(root.segments.length);
  }
}
