/**
 * The pipeline: route → score → mask → fit → render, from what the host collected to the one snapshot that everything shows
 * (DESIGN §3). It decides the order of the stages and gathers their results; each stage decides for itself.
 */

import { PRIORITIES } from '../../model/priority';
import type { Problem } from '../../model/problem';
import type { ContextReport, ReportRequest } from '../../model/report';
import type { CollectedSection } from '../../model/section';
import type { Tokenizer } from '../../ports/ports';
import type { RankedMap } from '../../repomap/facts/types';
import { createEscape } from '../../text/escape';
import { LineTokenCounter } from '../../tokens/lines';
import { type FactsContext, readFacts, type SectionFacts } from '../fit/measuredSection';
import { routeSection } from '../route/route';
import { type ScoredSection, scoreSections } from '../score/score';
import { buildPayload } from './buildPayload';

/** Payload order: priority, then id by code units, so that stable sections come first. */
function byPriorityThenId(left: CollectedSection, right: CollectedSection): number {
  const priority = PRIORITIES.indexOf(left.priority) - PRIORITIES.indexOf(right.priority);
  return priority || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

/** What is known of the sections before any of it is measured. */
export interface ScoredReport {
  /** In the order of the payload. */
  readonly sections: readonly ScoredSection[];
  readonly problems: readonly Problem[];
}

/** Routes and scores what was collected. */
export function scoreReport(request: ReportRequest): ScoredReport {
  const routes = [...request.sections].sort(byPriorityThenId).map(routeSection);
  return {
    sections: scoreSections(
      routes.map(({ routed }) => routed),
      request,
    ),
    problems: [...request.problems, ...routes.flatMap(({ problem }) => (problem ? [problem] : []))],
  };
}

/**
 * Fits and renders both payloads of sections that are masked, or are not to be. `map` is the ranked map within the
 * profile's `mapTokens`; while it is undefined or the index is not ready, map sections are pending. Pass the same
 * `LineTokenCounter` again and again: then only changed lines are counted. Deterministic; linear in the sections' text.
 */
export function fitReport(
  request: ReportRequest,
  { sections, problems }: ScoredReport,
  map: RankedMap | undefined,
  tokenizer: Tokenizer,
): ContextReport {
  const context: FactsContext = {
    counter: LineTokenCounter.over(tokenizer),
    escapeTags: createEscape(sections.map(({ section }) => section.id)),
    map: request.isIndexReady ? map : undefined,
    mapTokens: request.profile.mapTokens,
    isEstimate: request.isEstimate ?? false,
  };
  const facts: readonly SectionFacts[] = sections.map((scored) => readFacts(scored, context));
  return {
    profile: request.profile.name,
    payloads: {
      index: buildPayload('index', facts, request.profile, context),
      expanded: buildPayload('expanded', facts, request.profile, context),
    },
    problems,
  };
}

/** The snapshot of what is not masked: for texts that have no secrets, and for who asked for them. */
export function buildReport(request: ReportRequest, map: RankedMap | undefined, tokenizer: Tokenizer): ContextReport {
  return fitReport(request, scoreReport(request), map, tokenizer);
}
