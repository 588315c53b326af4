import { isObservations, type MeasuredSection } from './measuredSection';
import {
  ABSENT,
  BUDGET,
  dropped,
  entriesVariant,
  entriesVariants,
  isAbsent,
  mapVariant,
  mapVariants,
  type PayloadVariants,
  type SectionVariant,
} from './sectionVariant';

function rowVariant({ row, rowSize, ownSentence }: MeasuredSection): SectionVariant {
  const disclosure = ownSentence === '' ? 'stub' : 'summary';
  return { ...rowSize, kind: 'row', disclosure, isPartial: true, row };
}

/** A map or a list of observations below the section's row. */
function withRow({ row, rowSize }: MeasuredSection, variant: SectionVariant): SectionVariant {
  const size = { tokens: rowSize.tokens + variant.tokens, chars: rowSize.chars + variant.chars };
  return { ...variant, ...size, disclosure: 'summary', isPartial: true, row };
}

function* withRows(measured: MeasuredSection, variants: Iterable<SectionVariant>): Generator<SectionVariant> {
  for (const variant of variants) yield withRow(measured, variant);
}

/** What goes below a section's row, if anything: a map, or so many observations. */
function bodyOf({ stub, rule, section, map, entries }: MeasuredSection) {
  if (stub?.kind === 'config') return { map: undefined, listSize: 0 };
  const total = isObservations(section.source) ? (entries?.total ?? 1) : 0;
  return { map, listSize: rule?.kind === 'keepNewest' ? Math.min(rule.count, total) : total };
}

function start(measured: MeasuredSection): SectionVariant {
  const { map, listSize } = bodyOf(measured);
  const config = { kind: 'config' } as const;
  if (isAbsent(measured)) return ABSENT;
  if (map) return withRow(measured, mapVariant(measured, map.size));
  if (listSize > 0 && listSize < (measured.entries?.total ?? 1))
    return withRow(measured, entriesVariant(measured, listSize, config));
  const row = rowVariant(measured);
  if (listSize > 0) return withRow(measured, { ...row, ...measured.full, kind: 'full', itemsShown: listSize });
  const isList = measured.map !== undefined || isObservations(measured.section.source);
  return isList ? { ...row, kind: 'stub', cutter: config } : row;
}

/** The variants of sections in the index-only payload: a row and, for a map and for observations, an element. */
export const indexVariants: PayloadVariants = {
  start,
  *capped(measured, _, cap) {
    const { map, listSize } = bodyOf(measured);
    if (!map && listSize === 0) return;
    if (map) yield* withRows(measured, mapVariants(measured, map.size, 1, cap));
    else yield* withRows(measured, entriesVariants(measured, listSize, 1, cap));
    yield rowVariant(measured);
  },
  downgrades(measured, { itemsShown = 0 }, layer) {
    const { map, listSize } = bodyOf(measured);
    if (map)
      return layer === 'map'
        ? withRows(measured, mapVariants(measured, itemsShown, Math.ceil(map.size / 2), BUDGET))
        : [];
    return layer === 'index' && listSize > 0
      ? withRows(measured, entriesVariants(measured, itemsShown, Math.ceil(listSize / 2), BUDGET))
      : [];
  },
  fewerEntries: (measured, { itemsShown = 0 }) =>
    bodyOf(measured).listSize > 0 ? withRows(measured, entriesVariants(measured, itemsShown, 1, BUDGET)) : [],
  *last(measured, { itemsShown = 0 }) {
    const { map, listSize } = bodyOf(measured);
    if (map) yield* withRows(measured, mapVariants(measured, itemsShown, 1, BUDGET));
    if (map || listSize > 0) yield rowVariant(measured);
    // An alarm's row is its one sentence and handle already.
    if (measured.status === 'OK') yield dropped(BUDGET);
  },
};
