/** The baseline of `orientation.mjs`: types, ordered by how often their name occurs in code of their language. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { AssetSource, Tokenizer } from '../../src/core/ports/ports';
import { TYPE_KINDS } from '../../src/core/repomap/index/importance';
import type { RepoIndex } from '../../src/core/repomap/index/repoIndex';
import { selectMap } from '../../src/core/repomap/map/selection';
import type { MapItem } from '../../src/core/repomap/ranking/mapOrder';
import { LineTokenCounter } from '../../src/core/tokens/lines';
import { packedAssets } from '../../src/worker/packedAssets';
import { createTokenizer } from '../../src/worker/tokenizer';
import { CommitFacts } from './commitFacts';

export { cloneOf } from './commitFacts';

/** Types of the product's own code, the most mentioned first. */
function typesByCount(index: RepoIndex): readonly MapItem[] {
  const counts = new Map<string, number>();
  for (const { family, referenceCounts, words } of index.files) {
    referenceCounts.forEach((count, at) => {
      const key = `${family} ${words[at]}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    });
  }
  const types = index.files.flatMap((file) =>
    file.definitions.flatMap(({ kind }, at) =>
      file.pathClass === 'source' && TYPE_KINDS.has(kind)
        ? [{ file, index: at, count: counts.get(`${file.family} ${file.nameWords[at]}`) ?? 0 }]
        : [],
    ),
  );
  return types.sort((a, b) => b.count - a.count);
}

/** Maps by that order, within the same budget and rendered by the same code. */
export class TypesByCount {
  private constructor(
    private readonly facts: CommitFacts,
    private readonly tokenizer: Tokenizer,
    private readonly budgetTokens: number,
  ) {}

  /** @param root of this checkout, built */
  static async open(root: string, budgetTokens: number): Promise<TypesByCount> {
    const files: AssetSource = { read: async (name) => new Uint8Array(readFileSync(join(root, name))) };
    const assets = packedAssets(files, brotliDecompressSync);
    const ranks = await assets.read('dist/tokenizers/o200k_base.ranks');
    const tokenizer = new LineTokenCounter(createTokenizer('o200k_base', ranks));
    return new TypesByCount(new CommitFacts(assets), tokenizer, budgetTokens);
  }

  /** Of the commit that a checkout is at: its text, and the names that it shows. */
  async map(checkout: string): Promise<{ readonly names: readonly string[]; readonly text: string }> {
    const index = await this.facts.index(checkout, 'HEAD');
    const order = { items: () => typesByCount(index), explainFile: () => [], explain: () => [] };
    const map = selectMap(index, order, { budgetTokens: this.budgetTokens }, this.tokenizer);
    const { text, view } = map.render(map.size);
    return {
      text,
      names: view.items.flatMap(({ symbols }) => symbols.map(({ name }) => name.split('.').at(-1) ?? '')),
    };
  }
}
