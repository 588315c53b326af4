import { open } from 'node:fs/promises';

/** Larger pieces are not read faster, and fall out of the processor's cache. */
const PIECE_BYTES = 1 << 20;

/**
 * The bytes of a file in pieces, the next one read while one is worked on. A piece is valid until the next is asked for.
 * Rejects like `fs` does.
 */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let filling = Buffer.allocUnsafe(PIECE_BYTES);
    let full = Buffer.allocUnsafe(PIECE_BYTES);
    let reading = file.read(filling, 0, PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      [filling, full] = [full, filling];
      reading = file.read(filling, 0, PIECE_BYTES);
      // Else its failure would end the process while the consumer is at work; it is met by the next turn.
      reading.catch(() => undefined);
      yield full.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
