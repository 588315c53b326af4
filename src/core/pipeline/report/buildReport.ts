/**
 * The pipeline: route → score → fit → render, from what the host collected to the one snapshot that everything shows
 * (DESIGN §3). It decides the order of the stages and gathers their results; each stage decides for itself.
 */

import { PRIORITIES } from '../../model/priority';
import type { ContextReport, ReportRequest } from '../../model/report';
import type { CollectedSection } from '../../model/section';
import type { Tokenizer } from '../../ports/ports';
import type { RankedMap } from '../../repomap/facts/types';
import { createEscape } from '../../text/escape';
import { LineTokenCounter } from '../../tokens/lines';
import { type FactsContext, readFacts, type SectionFacts } from '../fit/measuredSection';
import { routeSection } from '../route/route';
import { scoreSections } from '../score/score';
import { buildPayload } from './buildPayload';

/** Payload order: priority, then id by code units, so that stable sections come first. */
function byPriorityThenId(left: CollectedSection, right: CollectedSection): number {
  const priority = PRIORITIES.indexOf(left.priority) - PRIORITIES.indexOf(right.priority);
  return priority || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

/**
 * Builds the snapshot of both payloads. `map` is the ranked map within the profile's `mapTokens`; while it is undefined
 * or the index is not ready, map sections are pending. Pass the same `LineTokenCounter` again and again: then only
 * changed lines are counted. Deterministic; linear in the sections' text.
 */
export function buildReport(request: ReportRequest, map: RankedMap | undefined, tokenizer: Tokenizer): ContextReport {
  const sections = [...request.sections].sort(byPriorityThenId);
  const routes = sections.map(routeSection);
  const counter = LineTokenCounter.over(tokenizer);
  const context: FactsContext = {
    counter,
    escapeTags: createEscape(sections.map(({ id }) => id)),
    map: request.isIndexReady ? map : undefined,
    mapTokens: request.profile.mapTokens,
    isEstimate: request.isEstimate ?? false,
  };
  const facts: readonly SectionFacts[] = scoreSections(
    routes.map(({ routed }) => routed),
    request,
  ).map((scored) => readFacts(scored, context));
  return {
    profile: request.profile.name,
    payloads: {
      index: buildPayload('index', facts, request.profile, context),
      expanded: buildPayload('expanded', facts, request.profile, context),
    },
    problems: [...request.problems, ...routes.flatMap(({ problem }) => (problem ? [problem] : []))],
  };
}
