import type { ObservationFeed } from '../../src/core/observations/observationIndex';
import { ObservationQueries } from '../../src/core/observations/observationQueries';
import type {
  ObservationAnswer,
  ObservationEngine,
  ObservationInquiry,
} from '../../src/core/observations/observationStore';
import type { Tokenizer } from '../../src/core/ports/ports';

/** The engine's part in this thread; `crash` makes it lose its memory, as a worker that dies does. */
export class DeskEngine implements ObservationEngine {
  /** Bytes fed since the start, to see that nothing is read twice. */
  fedBytes = 0;
  #desk = new ObservationQueries();

  constructor(private readonly tokenizer: Tokenizer) {}

  feedObservations(feed: ObservationFeed): Promise<boolean> {
    this.fedBytes += feed.bytes.length;
    // As over a channel: what is fed is a copy.
    return Promise.resolve(this.#desk.feed({ ...feed, bytes: new Uint8Array(feed.bytes) }));
  }

  askObservations({ at, question }: ObservationInquiry): Promise<ObservationAnswer> {
    return Promise.resolve(this.#desk.ask(at, question, this.tokenizer));
  }

  crash(): void {
    this.#desk = new ObservationQueries();
  }
}
