import { folderOf, isGitName, nameOf } from '../text/safePath';
import { IgnoreFile } from './ignoreFile';

/** Folders that are never walked, besides git's: version control, installed packages, caches that tools fill. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  `.hg .svn .jj node_modules .vscode-test .vscode-test-web __pycache__ .venv .tox .mypy_cache .pytest_cache .ruff_cache
  .gradle .terraform .next .nuxt .svelte-kit .turbo .parcel-cache`.split(/\s+/),
);

/** True for a folder name that is never walked. `.git` may be a file too (a worktree), and is skipped as well. */
export function isSkippedName(name: string): boolean {
  return SKIPPED_FOLDERS.has(name) || isGitName(name);
}

/** Steps of matching that a walk may take: about two seconds. With 200 usual patterns, 200,000 files take half of it. */
const MAX_WALK_STEPS = 20_000_000;

/** The same for a single path after the walk. */
const MAX_PATH_STEPS = 5_000_000;

/** One ignore file, compiled. */
interface Layer {
  /** Folder the patterns are relative to: `''` or ending with `/`. */
  readonly base: string;
  readonly file: IgnoreFile;
}

/** Layers that hold in one folder, the strongest (deepest) last; `undefined` when the folder itself is ignored. */
type Chain = readonly Layer[] | undefined;

/** What rules are made of: enough to make the same elsewhere. */
export interface IgnoreTexts {
  /** Of `.git/info/exclude`. */
  readonly exclude: string;
  /** Of each folder's `.gitignore`; `''` is the root. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Git's ignore rules of one folder: nested `.gitignore` files over `.git/info/exclude`, deeper ones first, a file's
 * last matching line counts, nothing inside an ignored folder comes back. `core.excludesFile` lies outside and is not read.
 * When the budget of matching is spent, what no line without wildcards decides about is left out.
 */
export class IgnoreRules {
  private readonly texts = new Map<string, string>();
  private exclude = '';
  private readonly chains = new Map<string, Chain>();
  private readonly meter = { steps: 0 };
  private isWalk = true;
  private undecided = 0;

  constructor(private readonly maxSteps = MAX_WALK_STEPS) {}

  /** The rules of a walk that is over, from their texts. */
  static of({ exclude, folders }: IgnoreTexts): IgnoreRules {
    const rules = new IgnoreRules();
    rules.setExclude(exclude);
    for (const [folder, text] of folders) rules.setFolder(folder, text);
    rules.forgetCompiled();
    return rules;
  }

  get from(): IgnoreTexts {
    return { exclude: this.exclude, folders: this.texts };
  }

  /** Paths that were left out because the budget was spent. */
  get undecidedPaths(): number {
    return this.undecided;
  }

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

  /** Whether git, or the list of folders that are never walked, leaves out `path` or a folder above it. */
  isIgnored(path: string, isFolder = false): boolean {
    if (!this.isWalk) this.meter.steps = 0;
    const chain = this.chainOf(folderOf(path));
    return chain === undefined || this.isLeftOut(chain, path, isFolder);
  }

  /** The walk is over: drops compiled rules, which are compiled again when needed; each path has a budget from now on. */
  forgetCompiled(): void {
    this.isWalk = false;
    this.chains.clear();
  }

  private isLeftOut(chain: readonly Layer[], path: string, isFolder: boolean): boolean {
    if (isSkippedName(nameOf(path))) return true;
    const maxSteps = this.isWalk ? this.maxSteps : MAX_PATH_STEPS;
    for (let at = chain.length - 1; at >= 0; at--) {
      const layer = chain[at];
      const verdict = layer?.file.judge(path.slice(layer.base.length), isFolder, this.meter, maxSteps);
      if (verdict === 'undecided') this.undecided++;
      if (verdict) return verdict !== 'kept';
    }
    return false;
  }

  private chainOf(folder: string): Chain {
    if (this.chains.has(folder)) return this.chains.get(folder);
    const chain =
      folder === '' ? [...layersOf('', this.exclude || undefined), ...this.ownLayer('')] : this.childChain(folder);
    this.chains.set(folder, chain);
    return chain;
  }

  private childChain(folder: string): Chain {
    const above = this.chainOf(folderOf(folder));
    if (above === undefined || this.isLeftOut(above, folder, true)) return undefined;
    return [...above, ...this.ownLayer(folder)];
  }

  private ownLayer(folder: string): readonly Layer[] {
    return layersOf(folder === '' ? '' : `${folder}/`, this.texts.get(folder));
  }
}

function layersOf(base: string, text: string | undefined): readonly Layer[] {
  return text === undefined ? [] : [{ base, file: new IgnoreFile(text) }];
}
