import { errorClass } from '../../core/text/phrase';

/** PERFORMANCE §3: 1 MB of ordinary code takes about 150 ms of a free processor. */
const PARSE_DEADLINE_MS = 1500;
/** Below what the pool gives a file that has to wait (`protocol/workerClient.ts`), so that the parser gives up by itself. */
const HARD_DEADLINE_MS = 20_000;

/**
 * When to give a parse up. Other programs may hold the processors: on a machine with six of them busy, honest files of
 * 250 KB took 1.5 s of the clock. So a parse may use 1.5 s of this process's processor time, and never more than 20 s.
 * @param now milliseconds of a clock
 * @param spentMs milliseconds of processor time used so far by this process; the clock where that is not known
 * @returns whether it is time. Cheap until the clock says 1.5 s: the parser asks about a hundred times a millisecond
 */
export function parseDeadline(now: () => number, spentMs: () => number = now): () => boolean {
  const startMs = now();
  const spentBeforeMs = spentMs();
  return () => {
    const elapsedMs = now() - startMs;
    if (elapsedMs <= PARSE_DEADLINE_MS) return false;
    return elapsedMs > HARD_DEADLINE_MS || spentMs() - spentBeforeMs > PARSE_DEADLINE_MS;
  };
}

/**
 * The parser is dead; the host replaces its worker. Never thrown for what a file contains otherwise. `aborted`: the memory
 * of WebAssembly cannot be trusted any more; `notLoaded`: the tree-sitter runtime or a language could not be loaded.
 */
export class ParserCrash extends errorClass<'aborted' | 'notLoaded'>('ParserCrash') {}

/**
 * Whether WebAssembly itself failed, as opposed to our code around it. A stack that overflowed (a `RangeError`; OCaml's
 * scanner recurses into nested comments) unwinds through WebAssembly without putting its own stack pointer back.
 */
export function isWasmFailure(error: unknown): boolean {
  if (error instanceof RangeError) return /call stack/u.test(error.message);
  return error instanceof Error && (error.name === 'RuntimeError' || error.message.startsWith('Aborted('));
}
