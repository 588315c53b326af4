/**
 * The few globals of the WHATWG Encoding standard that every host has (Node, browsers, workers). Core is type-checked
 * without DOM and without Node types, so that nothing else of the world slips in.
 */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array;
  encodeInto(source: string, destination: Uint8Array): { read: number; written: number };
}
