import type { ObservationDraft } from '../../core/observations/observation';
import { encodeObservation } from '../../core/observations/observationCodec';
import type { LogAppend, ObservationLog } from '../../core/observations/observationLog';
import { OBSERVATION_RECORDS } from '../../core/observations/observationRecords';
import type { LogCursor, LogRead } from '../../core/records/recordLog';
import { RecordLog } from './recordLog';
import type { RecordLogPlace } from './recordPlace';

/** `ObservationLog` as a file of JSON Lines in the workspace; see `RecordLog` for what lies beside it. */
export class JsonlObservationLog implements ObservationLog {
  readonly #log: RecordLog;

  constructor(place: RecordLogPlace) {
    this.#log = new RecordLog(place, OBSERVATION_RECORDS);
  }

  async append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    const makers = drafts.map((draft) => ({
      addsTo: undefined,
      make: (id: number) => encodeObservation(id, draft),
    }));
    const outcome = await this.#log.append(makers, { onlyAt });
    return outcome.kind === 'moved' ? outcome : { kind: 'appended', ids: outcome.numbers, repairs: outcome.repairs };
  }

  follow(cursor: LogCursor | undefined): Promise<LogRead> {
    return this.#log.follow(cursor);
  }
}
