/** First bytes of every WebAssembly module: `\0asm` and version 1. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
/** Sections of kind 0 carry a name. */
const CUSTOM_SECTION = 0;
/** The section that holds the bodies of all functions. */
const CODE_SECTION = 10;

/** What is known about a grammar's `.wasm` before it is loaded. */
export type WasmKind =
  | 'current'
  /** Built with an Emscripten whose `dylink` section tree-sitter stopped reading in 0.26 (PERFORMANCE §1). */
  | 'old'
  | 'notWasm';

/** A LEB128 number and where it ends. */
function readLength(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = start;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return { value, end: at };
}

/** Tells from the first section whether tree-sitter can load a grammar; its own error for an old one is empty. */
export function wasmKindOf(bytes: Uint8Array): WasmKind {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) return 'notWasm';
  if (bytes[MAGIC.length] !== CUSTOM_SECTION) return 'current';
  const size = readLength(bytes, MAGIC.length + 1);
  const name = readLength(bytes, size.end);
  const text = new TextDecoder().decode(bytes.subarray(name.end, name.end + name.value));
  return text === 'dylink' ? 'old' : 'current';
}

/**
 * Bytes of the largest function of a WebAssembly module, 0 for one without functions and for a file that breaks off. In
 * grammars it is the lexer, one `switch` over all states: 8 KB in Go's, 459 KB in PowerShell's.
 */
export function largestFunctionBytes(bytes: Uint8Array): number {
  let largest = 0;
  for (let at = MAGIC.length; at < bytes.length; ) {
    const size = readLength(bytes, at + 1);
    const end = size.end + size.value;
    if (bytes[at] === CODE_SECTION) {
      const count = readLength(bytes, size.end);
      for (let body = count.end; body < end; ) {
        const length = readLength(bytes, body);
        largest = Math.max(largest, length.value);
        body = length.end + length.value;
      }
    }
    at = end;
  }
  return largest;
}
