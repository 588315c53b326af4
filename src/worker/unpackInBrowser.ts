import { decompress } from 'brotli/decompress';

/**
 * Undoes Brotli in a browser: by the browser itself where it can (the newest ones), else in JavaScript, which takes some
 * twenty times as long: a second for the largest grammar, in a worker, once. Rejects on what is not Brotli.
 */
export async function unpackInBrowser(packed: Uint8Array): Promise<Uint8Array> {
  const native = nativeStream();
  if (!native) return decompress(packed);
  const unpacked = new Blob([new Uint8Array(packed)]).stream().pipeThrough(native);
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** `undefined` where the browser does not know the format, which it says by throwing. */
function nativeStream(): DecompressionStream | undefined {
  try {
    // Newer than the types of the language.
    return new DecompressionStream('brotli' as CompressionFormat);
  } catch {
    return undefined;
  }
}
