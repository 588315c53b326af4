import type { RecordKind } from '../records/recordKind';
import { phrase } from '../text/phrase';
import { decodeObservation, OBSERVATION_VERSION } from './observationCodec';
import { ObservationError } from './observationError';

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
