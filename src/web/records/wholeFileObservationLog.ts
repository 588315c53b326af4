import type { ObservationDraft } from '../../core/observations/observation';
import { encodeObservation } from '../../core/observations/observationCodec';
import type { LogAppend, ObservationLog } from '../../core/observations/observationLog';
import { OBSERVATION_RECORDS } from '../../core/observations/observationRecords';
import type { LogCursor, LogRead } from '../../core/records/recordLog';
import { WholeFileLog, type WholeFileLogOptions } from './wholeFileLog';

/** `ObservationLog` as a file of JSON Lines that is written whole. */
export class WholeFileObservationLog implements ObservationLog {
  readonly #log: WholeFileLog;

  constructor(options: Omit<WholeFileLogOptions, 'kind' | 'rotation'>) {
    this.#log = new WholeFileLog({ ...options, kind: OBSERVATION_RECORDS });
  }

  async append(drafts: readonly ObservationDraft[], onlyAt?: LogCursor): Promise<LogAppend> {
    const makers = drafts.map((draft) => ({ addsTo: undefined, make: (id: number) => encodeObservation(id, draft) }));
    const outcome = await this.#log.append(makers, { onlyAt });
    return outcome.kind === 'moved' ? outcome : { kind: 'appended', ids: outcome.numbers, repairs: outcome.repairs };
  }

  follow(cursor: LogCursor | undefined): Promise<LogRead> {
    return this.#log.follow(cursor);
  }
}
