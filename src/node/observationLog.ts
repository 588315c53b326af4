import type { ObservationDraft } from '../core/observations/observation';
import { decodeObservation, encodeObservation, OBSERVATION_VERSION } from '../core/observations/observationCodec';
import { ObservationError } from '../core/observations/observationError';
import type { LogAppend, LogCursor, LogRead, ObservationLog } from '../core/observations/observationLog';
import { RecordLog } from './recordLog';
import type { RecordKind, RecordLogPlace } from './recordPlace';

const OBSERVATIONS: RecordKind = {
  format: {
    version: OBSERVATION_VERSION,
    numberKey: 'id',
    numberOf: (line) => {
      const decoded = decodeObservation(line);
      return decoded.kind === 'ok' ? decoded.observation.id : undefined;
    },
  },
  what: 'observations',
  configKey: 'observations.path',
  fail: (reason, message, options) => new ObservationError(reason, message, options),
  isFailure: (error) => ObservationError.is(error),
};

/** `ObservationLog` as a file of JSON Lines in the workspace; see `RecordLog` for what lies beside it. */
export class JsonlObservationLog implements ObservationLog {
  readonly #log: RecordLog;

  constructor(place: RecordLogPlace) {
    this.#log = new RecordLog(place, OBSERVATIONS);
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
