import { errorClass } from '../../core/text/errorWords';

/** Why a parser cannot go on. */
export type ParserCrashReason =
  /** WebAssembly aborted: its memory cannot be trusted any more. */
  | 'aborted'
  /** The tree-sitter runtime or a language table could not be loaded. */
  | 'notLoaded';

/** The parser is dead; the host replaces its worker. Never thrown for what a file contains otherwise. */
export class ParserCrash extends errorClass<ParserCrashReason>('ParserCrash') {}

/**
 * Whether WebAssembly itself failed, as opposed to our code around it. A stack that overflowed (a `RangeError`; OCaml's
 * scanner recurses into nested comments) unwinds through WebAssembly without putting its own stack pointer back.
 */
export function isWasmFailure(error: unknown): boolean {
  if (error instanceof RangeError) return /call stack/u.test(error.message);
  return error instanceof Error && (error.name === 'RuntimeError' || error.message.startsWith('Aborted('));
}
