import type { ObservationDraft } from '../../src/core/observations/observation';
import { encodeObservation } from '../../src/core/observations/observationCodec';
import type { LogAppend, ObservationLog } from '../../src/core/observations/observationLog';
import type { LogCursor, LogRead } from '../../src/core/records/recordLog';

/** A log in memory; `chunkBytes` small makes readers take many steps. */
export class MemoryObservationLog implements ObservationLog {
  #lines: Uint8Array[] = [];
  #lastId = 0;
  #identity = 0;

  constructor(private readonly chunkBytes = 1 << 20) {}

  append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    if (onlyAt && onlyAt.offset !== this.#size) return Promise.resolve({ kind: 'moved' });
    const ids = drafts.map((draft) => {
      this.#lines.push(new TextEncoder().encode(encodeObservation(++this.#lastId, draft)));
      return this.#lastId;
    });
    return Promise.resolve({ kind: 'appended', ids, repairs: [] });
  }

  follow(cursor: LogCursor | undefined): Promise<LogRead> {
    const identity = String(this.#identity);
    const isReset = cursor?.identity !== identity;
    let offset = isReset ? 0 : cursor.offset;
    const start = offset;
    const taken: Uint8Array[] = [];
    let at = 0;
    for (const line of this.#lines) {
      if (at >= start && (taken.length === 0 || offset + line.length - start <= this.chunkBytes)) {
        if (at !== offset) break;
        taken.push(line);
        offset += line.length;
      }
      at += line.length;
    }
    const cut = { offset, identity };
    return Promise.resolve({
      isReset,
      bytes: Buffer.concat(taken),
      cursor: cut,
      hasMore: offset < this.#size,
      tornBytes: 0,
    });
  }

  /** Somebody rewrote the log: only its first `count` lines are left. */
  rewrite(count: number): void {
    this.#lines = this.#lines.slice(0, count);
    this.#identity++;
  }

  get #size(): number {
    return this.#lines.reduce((sum, { length }) => sum + length, 0);
  }
}
