import ignore, { type Ignore } from 'ignore';
import { isGitName } from '../config/safePath';

/**
 * Folders that are never walked, ignored or not, besides git's: version control, installed packages, and caches that
 * tools fill by the thousand and that hold nothing a person wrote.
 */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.hg',
  '.svn',
  '.jj',
  'node_modules',
  '.vscode-test',
  '.vscode-test-web',
  '__pycache__',
  '.venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.terraform',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
]);

/** True for a folder name that is never walked. `.git` may be a file too (a worktree), and is skipped as well. */
export function isSkippedName(name: string): boolean {
  return SKIPPED_FOLDERS.has(name) || isGitName(name);
}

/** One ignore file, compiled, as it holds inside the folder whose chain it is part of. */
interface Layer {
  /** Folder the patterns are relative to: `''` or ending with `/`. */
  readonly base: string;
  readonly text: string;
  readonly matcher: Ignore;
}

/** Layers that hold in one folder, the strongest (deepest) last; `undefined` when the folder itself is ignored. */
type Chain = readonly Layer[] | undefined;

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\]!# ]/g, '\\$&');
}

/**
 * Git's ignore rules of one folder tree: nested `.gitignore` files over `.git/info/exclude`, deeper ones first, the
 * last matching line of a file counts, and nothing inside an ignored folder can be brought back. The user's global
 * `core.excludesFile` lies outside the folder and is not read.
 */
export class IgnoreRules {
  private readonly texts = new Map<string, string>();
  private exclude = '';
  private readonly chains = new Map<string, Chain>();

  /** `ignoreCase` as git's `core.ignoreCase`: true where the file system folds case. */
  constructor(private readonly ignoreCase = false) {}

  /** Sets the text of `.git/info/exclude`. */
  setExclude(text: string): void {
    this.exclude = text;
    this.chains.clear();
  }

  /** Sets the text of the `.gitignore` in `folder` (`''` is the root). */
  setFolder(folder: string, text: string): void {
    this.texts.set(folder, text);
    if (this.chains.has(folder)) this.chains.clear();
  }

  /**
   * Whether git, or the list of folders that are never walked, leaves `path` out, by itself or with a folder above it.
   * Linear in the path's depth times the number of rules on the way.
   */
  isIgnored(path: string, isFolder = false): boolean {
    const slash = path.lastIndexOf('/');
    const chain = this.chainOf(slash < 0 ? '' : path.slice(0, slash));
    return chain === undefined || this.isLeftOut(chain, path, isFolder);
  }

  /** Drops compiled rules and what they remember of paths; they are compiled again when needed. */
  forgetCompiled(): void {
    this.chains.clear();
  }

  private isLeftOut(chain: readonly Layer[], path: string, isFolder: boolean): boolean {
    if (isSkippedName(path.slice(path.lastIndexOf('/') + 1))) return true;
    for (let at = chain.length - 1; at >= 0; at--) {
      const layer = chain[at];
      if (!layer) continue;
      const result = layer.matcher.test(path.slice(layer.base.length) + (isFolder ? '/' : ''));
      if (result.ignored) return true;
      if (result.unignored) return false;
    }
    return false;
  }

  private chainOf(folder: string): Chain {
    if (this.chains.has(folder)) return this.chains.get(folder);
    const chain = folder === '' ? this.rootChain() : this.childChain(folder);
    this.chains.set(folder, chain);
    return chain;
  }

  private rootChain(): Layer[] {
    const layers = this.exclude === '' ? [] : [this.compile('', this.exclude)];
    return [...layers, ...this.ownLayer('')];
  }

  private childChain(folder: string): Chain {
    const slash = folder.lastIndexOf('/');
    const above = this.chainOf(slash < 0 ? '' : folder.slice(0, slash));
    if (above === undefined || this.isLeftOut(above, folder, true)) return undefined;
    return [...above.map((layer) => this.reopen(layer, folder)), ...this.ownLayer(folder)];
  }

  /**
   * A layer that ignores `folder`, although a deeper file brought it back, would call everything in it ignored. Git
   * asks each path anew, so inside the folder the layer gets one more line that opens it.
   */
  private reopen(layer: Layer, folder: string): Layer {
    const inside = folder.slice(layer.base.length);
    if (!layer.matcher.test(`${inside}/`).ignored) return layer;
    return this.compile(layer.base, `${layer.text}\n!/${escapePattern(inside)}/`);
  }

  private ownLayer(folder: string): Layer[] {
    const text = this.texts.get(folder);
    return text === undefined ? [] : [this.compile(folder === '' ? '' : `${folder}/`, text)];
  }

  private compile(base: string, text: string): Layer {
    return { base, text, matcher: ignore({ ignorecase: this.ignoreCase }).add(text) };
  }
}
