import type { TokenizerName } from '../ports/ports';

/** A handle with the text it stands for, found by the host. */
export interface DetailSource {
  readonly handle: string;
  /** What was asked for, where that is another handle; several texts may answer it. */
  readonly asked?: string;
  readonly title: string;
  /** As `cleanText` gives it. */
  readonly text: string;
  /** One line with its `\n` that stands for it where the text does not fit. */
  readonly row?: string;
  /** Rows of the definitions in it, each with its handle; shown first where the text does not fit. */
  readonly outline?: readonly string[];
  /** The line of its file that it begins with; where the text does not fit, its blocks are listed by their lines. */
  readonly foldsFrom?: number;
  /** One line about who uses it, without `\n`; shown below the text. */
  readonly uses?: string;
}

export interface DetailRequest {
  readonly tokenizer: TokenizerName;
  /** Cap of each item, marker lines included. */
  readonly detailTokens: number;
  /** Caps of the whole. */
  readonly budgetTokens: number;
  readonly hardCapChars: number;
  /** At most so many texts; no limit when absent. */
  readonly maxItems?: number;
  readonly items: readonly DetailSource[];
}

/** One item of a detail payload, cut at line ends; inside of a line only where that has no room. */
export interface DetailItem {
  readonly handle: string;
  readonly asked: string;
  readonly title: string;
  /** As the source has it: what stands before `rest`, without a line end where that goes on inside of a line. */
  readonly text: string;
  /** Rows of the definitions in it, or of its blocks, where lines are missing. */
  readonly outline: readonly string[];
  /** The line below its text. */
  readonly uses?: string;
  /** The handle of what follows, where lines are missing. */
  readonly rest: string | undefined;
  readonly tokens: number;
  readonly tokensFull: number;
  /** Whole lines. */
  readonly linesShown: number;
  readonly linesTotal: number;
}

export interface DetailResult {
  readonly items: readonly DetailItem[];
  /** Handles left out because a cap of the whole payload or `maxItems` was reached. */
  readonly omitted: readonly string[];
  /** Handles whose row is shown instead of their text. */
  readonly asRows: readonly string[];
  /** Those of `omitted` and `asRows` that `maxItems` kept out, and no cap. */
  readonly pastLimit: readonly string[];
  /** What gave way, such as `detail → index: 12, 14`. */
  readonly downgradeApplied: readonly string[];
  readonly text: string;
  readonly tokens: number;
}
