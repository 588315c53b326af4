import type { RecordKind } from '../records/recordLog';
import { phrase } from '../text/phrase';
import { decodeUsage, USAGE_VERSION } from './usageCodec';
import { UsageError } from './usageRecord';

/** Usage as the records of a log. */
export const USAGE_RECORDS: RecordKind = {
  format: {
    version: USAGE_VERSION,
    numberKey: 'cycle',
    numberOf: (line) => {
      const decoded = decodeUsage(line);
      return decoded.kind === 'ok' ? decoded.record.cycle : undefined;
    },
  },
  what: phrase('usage records'),
  configKey: 'usage_log',
  fail: (reason, words, options) => new UsageError(reason, words, options),
  isFailure: (error) => UsageError.is(error),
};
