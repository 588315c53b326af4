import type { NumberedLog } from '../records/numberedLog';
import type { LogCursor, LogRead, RecordKind } from '../records/recordLog';
import { phrase } from '../text/phrase';
import type { ObservationDraft } from './observation';
import { decodeObservation, encodeObservation, OBSERVATION_VERSION } from './observationCodec';
import { ObservationError } from './observationError';
import type { LogAppend, ObservationLog } from './observationLog';

/** Observations as the records of a log. */
export const OBSERVATION_RECORDS: RecordKind = {
  format: {
    version: OBSERVATION_VERSION,
    numberKey: 'id',
    numberOf: (line) => {
      const decoded = decodeObservation(line);
      return decoded.kind === 'ok' ? decoded.observation.id : undefined;
    },
  },
  what: phrase('observations'),
  configKey: 'observations.path',
  fail: (reason, words, options) => new ObservationError(reason, words, options),
  isFailure: (error) => ObservationError.is(error),
};

/** `ObservationLog` as numbered records, whatever keeps the bytes. */
export class StoredObservationLog implements ObservationLog {
  constructor(private readonly log: NumberedLog) {}

  async append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    const makers = drafts.map((draft) => ({ addsTo: undefined, make: (id: number) => encodeObservation(id, draft) }));
    const outcome = await this.log.append(makers, { onlyAt });
    return outcome.kind === 'moved' ? outcome : { kind: 'appended', ids: outcome.numbers, repairs: outcome.repairs };
  }

  follow(cursor: LogCursor | undefined): Promise<LogRead> {
    return this.log.follow(cursor);
  }
}
