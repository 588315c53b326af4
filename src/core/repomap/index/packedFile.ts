/** Facts of a file as they came from a parser; they become columns that files share, which take half of the memory. */
import type { FileOutcome } from '../../model/repoMap';
import { partsOfOne } from '../../text/bytes';
import type { Definition } from '../facts/types';
import type { IndexedFacts } from './indexedFile';
import { DefinitionWriter, readDefinitions, type StoredRange } from './storedDefinitions';

/** Files of so many bytes share columns: what is packed sooner than it grows old is garbage that is collected at once. */
export const BYTES_TOGETHER = 128 * 1024;
/** What a definition takes, about. */
const DEFINITION_BYTES = 100;
const NOTHING = new Uint8Array();

/** What a file holds, of its own or as parts of columns. */
interface Held extends Pick<IndexedFacts, 'words' | 'referenceCounts' | 'postings'> {
  readonly definitions: readonly Definition[] | StoredRange;
}

/** Definitions are objects until `packTogether`, and are made again for each who asks after it. */
export class PackedFile implements IndexedFacts {
  readonly contentHash: string;
  readonly language: string | undefined;
  readonly outcome: FileOutcome;
  readonly lineCount: number;
  readonly isGenerated: boolean;
  readonly definitionCount: number;
  #held: Held;

  /** @param facts of a file of that content, wherever it is */
  constructor(
    readonly path: string,
    facts: Omit<IndexedFacts, keyof Held | 'path'>,
    held: Held,
  ) {
    this.contentHash = facts.contentHash;
    this.language = facts.language;
    this.outcome = facts.outcome;
    this.lineCount = facts.lineCount;
    this.isGenerated = facts.isGenerated ?? false;
    this.definitionCount = facts.definitionCount;
    this.#held = held;
  }

  /** The same content at another path. */
  at(path: string): PackedFile {
    return new PackedFile(path, this, this.#held);
  }

  get words(): Uint32Array {
    return this.#held.words;
  }

  get referenceCounts(): Uint32Array {
    return this.#held.referenceCounts;
  }

  get postings(): Uint8Array | undefined {
    return this.#held.postings;
  }

  get definitions(): readonly Definition[] {
    const { definitions } = this.#held;
    return 'columns' in definitions ? readDefinitions(definitions) : definitions;
  }

  get stored(): StoredRange | undefined {
    const { definitions } = this.#held;
    return 'columns' in definitions ? definitions : undefined;
  }

  /** Of the columns that it needs, about. */
  get sizeBytes(): number {
    const { words, referenceCounts, postings } = this.#held;
    const inWords = words.byteLength + referenceCounts.byteLength + (postings?.length ?? 0);
    return inWords + DEFINITION_BYTES * this.definitionCount;
  }

  /** The same facts, held elsewhere. */
  moveTo(held: Held): void {
    this.#held = held;
  }
}

/** Puts the facts of files into columns that they share. */
export function packTogether(files: readonly PackedFile[]): void {
  const writer = new DefinitionWriter();
  const ends = files.map(({ definitions }) => writer.add(definitions));
  const columns = writer.columns();
  const words = partsOfOne(
    files.map((file) => file.words),
    Uint32Array,
  );
  const counts = partsOfOne(
    files.map((file) => file.referenceCounts),
    Uint32Array,
  );
  const postings = partsOfOne(
    files.map((file) => file.postings ?? NOTHING),
    Uint8Array,
  );
  for (const [at, file] of files.entries()) {
    file.moveTo({
      definitions: { columns, from: ends[at - 1] ?? 0, to: ends[at] as number },
      words: words[at] as Uint32Array,
      referenceCounts: counts[at] as Uint32Array,
      postings: file.postings && postings[at],
    });
  }
}
