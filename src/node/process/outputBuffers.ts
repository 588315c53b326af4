// Core's own declaration of the global decoder has no streaming.
import { TextDecoder } from 'node:util';

/** Bytes kept from the start of a stream, up to a cap that is noticed, never passed. */
export class HeadBuffer {
  private readonly chunks: Uint8Array[] = [];
  private sizeBytes = 0;

  constructor(private readonly capBytes: number) {}

  /** False once the stream has given more than the cap. */
  push(chunk: Uint8Array): boolean {
    const room = this.capBytes - this.sizeBytes;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (kept.length > 0) this.chunks.push(kept);
    this.sizeBytes += kept.length;
    return chunk.length <= room;
  }

  /** UTF-8; bad bytes become U+FFFD, and a character cut by the cap is left out. */
  text(): string {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const text = this.chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
    return this.sizeBytes < this.capBytes ? text + decoder.decode() : text;
  }
}

/** The last bytes of a stream. Memory is bounded by twice the cap and one chunk. */
export class TailBuffer {
  private chunks: Uint8Array[] = [];
  private sizeBytes = 0;
  private isCut = false;

  constructor(private readonly capBytes: number) {}

  push(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.capBytes * 2) this.trim();
  }

  /** UTF-8; bad bytes become U+FFFD, and a character cut by the cap is left out. */
  text(): string {
    this.trim();
    let bytes: Uint8Array = Buffer.concat(this.chunks);
    if (this.isCut) {
      // A sequence has at most three continuation bytes (RFC 3629).
      let start = 0;
      while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
      bytes = bytes.subarray(start);
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  private trim(): void {
    if (this.sizeBytes <= this.capBytes) return;
    const all = Buffer.concat(this.chunks);
    this.chunks = [new Uint8Array(all.subarray(all.length - this.capBytes))];
    this.sizeBytes = this.capBytes;
    this.isCut = true;
  }
}
