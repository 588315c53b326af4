/** What the engine is asked about logs, which grow larger than a host may be held up by: usage, observations, relay. */
import type { PayloadReport } from '../model/report';
import type { ObservationEngine } from '../observations/observationStore';
import type { RelayFiles, RelaySection } from '../relay/relaySection';
import type { GivenPayload } from '../usage/citations/citablePayload';
import type { CitingTurn } from '../usage/citations/findCitations';
import type { Citation } from '../usage/usageRecord';
import { call } from './call';

/** Turns of an agent, and the payload that it had. */
export interface CitationRequest {
  readonly payload: PayloadReport;
  /** What is recorded of the payload that they had; absent: `payload`, as it is. */
  readonly given?: GivenPayload | undefined;
  readonly turns: readonly CitingTurn[];
}

export const LOG_CALLS = {
  /** What of the payload each turn gives evidence of having used; parallel to the turns. */
  findCitations: call<(request: CitationRequest) => readonly (readonly Citation[])[]>(),
  /** Compacts the relay log: tens of megabytes take longer than a host may be held up. */
  buildRelay: call<(files: RelayFiles) => RelaySection>(),
  /** A lost index is noticed by the next question, and filled again by the asker. */
  feedObservations: call<ObservationEngine['feedObservations']>(),
  askObservations: call<ObservationEngine['askObservations']>(),
};
