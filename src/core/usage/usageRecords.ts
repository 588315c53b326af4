import type { RecordKind } from '../records/recordKind';
import { decodeUsage, USAGE_VERSION } from './usageCodec';
import { UsageError } from './usageError';

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
  what: 'usage records',
  configKey: 'usage_log',
  fail: (reason, message, options) => new UsageError(reason, message, options),
  isFailure: (error) => UsageError.is(error),
};
