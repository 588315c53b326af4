/** The report and the maps that leave: the pipeline with its mask stage, which alone has to wait for a scanner. */
import { makeProblem } from '../../model/problem';
import type { ContextReport, ReportRequest } from '../../model/report';
import type { Tokenizer } from '../../ports/ports';
import { type Masking, NotScanned } from '../../secrets/masking';
import { phrase } from '../../text/phrase';
import { fitReport, scoreReport } from '../report/buildReport';
import type { ScoredSection } from '../route/route';
import type { MaskedMap } from './maskLines';
import { isNotScanned, maskSections, textsToMask, withhold } from './maskSections';

/** The map of a report, if it has one, masked together with `texts`. */
type MapFor = (texts: readonly string[]) => Promise<MaskedMap | undefined>;

/** The map, or that it could not be scanned. */
async function mapOr(mapFor: MapFor, texts: readonly string[]): Promise<MaskedMap | 'notScanned' | undefined> {
  try {
    return await mapFor(texts);
  } catch (error) {
    if (NotScanned.is(error)) return 'notScanned';
    throw error;
  }
}

function withMap(scored: ScoredSection, map: MaskedMap | 'notScanned' | undefined): ScoredSection {
  if (scored.content.kind !== 'repoMap' || map === undefined) return scored;
  if (map === 'notScanned') return withhold(scored);
  return { ...scored, secrets: map.secrets.map((secret) => ({ sectionId: scored.section.id, ...secret })) };
}

/** Builds the snapshot of both payloads without secrets; a section that cannot be scanned is left out and says so. */
export async function buildMaskedReport(
  request: ReportRequest,
  masking: Masking,
  mapFor: MapFor,
  tokenizer: Tokenizer,
): Promise<ContextReport> {
  const scored = scoreReport(request, tokenizer);
  const texts = textsToMask(scored);
  const map = await mapOr(mapFor, texts);
  const isMapMasked = typeof map === 'object';
  const masks = await masking.masksFor([...texts, ...(isMapMasked ? map.texts : [])]);
  const sections = maskSections(scored, masks).map((section) => withMap(section, map));
  const report = fitReport(request, sections, isMapMasked ? map.map : undefined, tokenizer);
  const problems = sections.flatMap(({ section }) =>
    isNotScanned(section)
      ? [makeProblem('index', 'error', phrase('{0} was left out, because the secret scan failed.', section.id))]
      : [],
  );
  return { ...report, problems: [...report.problems, ...problems] };
}
