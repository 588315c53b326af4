import { isObservations, type MeasuredSection } from './measuredSection';
import {
  ABSENT,
  BUDGET,
  type Cutter,
  dropped,
  entriesVariant,
  entriesVariants,
  isAbsent,
  lineVariant,
  mapVariant,
  mapVariants,
  type PayloadVariants,
  type SectionVariant,
} from './sectionVariant';

/** How many of the newest entries a rule leaves, and who says so; undefined when it leaves all. */
function newestByRule(measured: MeasuredSection): SectionVariant | undefined {
  const { rule, section, entries } = measured;
  if (!entries || (rule?.kind !== 'keepNewest' && rule?.kind !== 'keepNewestByAge')) return undefined;
  if (rule.count >= entries.total) return undefined;
  if (rule.kind === 'keepNewest') return entriesVariant(measured, rule.count, { kind: 'config' });
  const isByAge = entries.isDated || section.source.kind === 'files' || isObservations(section.source);
  // The line that says what is missing may cost more than a short entry: then nothing would be saved.
  const isSmaller = entries.measure(rule.count).tokens < entries.full.tokens;
  return isByAge && isSmaller ? entriesVariant(measured, rule.count, { kind: 'static' }) : undefined;
}

function unstubbed(measured: MeasuredSection): SectionVariant {
  const { status, content, map, ownSentence, entries, full } = measured;
  if (map) return mapVariant(measured, map.size);
  // `OK` injects the sentence alone.
  if (status === 'OK' && content.kind === 'summary' && content.detail !== '')
    return lineVariant(measured, 'ownSentence', ownSentence);
  return (
    newestByRule(measured) ?? {
      ...full,
      kind: 'full',
      disclosure: 'full',
      isPartial: false,
      itemsShown: entries?.total,
    }
  );
}

function start(measured: MeasuredSection): SectionVariant {
  if (isAbsent(measured)) return ABSENT;
  const text = unstubbed(measured);
  if (!measured.stub) return text;
  const line = lineVariant(measured, 'stub', measured.stubLine, measured.stub);
  // What is shorter than its own stub is shown: hiding it would save nothing.
  return line.tokens < text.tokens && line.chars < text.chars ? line : text;
}

function sentence(measured: MeasuredSection, cutter: Cutter): SectionVariant {
  return lineVariant(measured, 'sentence', measured.sentenceLine, cutter);
}

/** The variants of sections in the expanded payload. */
export const expandedVariants: PayloadVariants = {
  start,
  *capped(measured, { itemsShown }, cap) {
    const { section, entries, map } = measured;
    if (entries && itemsShown !== undefined) yield* entriesVariants(measured, itemsShown, 1, cap);
    if (map) yield* mapVariants(measured, map.size, 1, cap);
    yield sentence(measured, cap);
    if (!section.isPinned) yield lineVariant(measured, 'stub', measured.stubLine, cap);
    if (section.priority !== 'P1') yield dropped(cap);
  },
  downgrades(measured, { itemsShown = 0 }, layer) {
    const { map, entries, section } = measured;
    if (map) return layer === 'map' ? mapVariants(measured, itemsShown, Math.ceil(map.size / 2), BUDGET) : [];
    return layer === 'index' && entries && isObservations(section.source)
      ? entriesVariants(measured, itemsShown, Math.ceil(entries.total / 2), BUDGET)
      : [];
  },
  fewerEntries: (measured, { itemsShown = 0 }) =>
    measured.entries ? entriesVariants(measured, itemsShown, 1, BUDGET) : [],
  *last(measured, { itemsShown = 0 }) {
    if (measured.status !== 'OK') yield sentence(measured, BUDGET);
    else {
      if (measured.map) yield* mapVariants(measured, itemsShown, 1, BUDGET);
      yield dropped(BUDGET);
    }
  },
};
