import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { type DroppedItem, FAULT_RULES, toldAsIs, toldAsKind } from './dropped';
import { canonicalJson, faultOf, isBlankValue } from './jsonValue';
import { ESSENTIALS, type EssentialKey, type EssentialSource, type RelayContext } from './relayContext';

/** Essentials as one place has them, and what of it was dropped. */
interface EssentialsRead {
  readonly context: RelayContext;
  readonly dropped: readonly DroppedItem[];
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/** The value as it came, trimmed; undefined for what says nothing. Only an empty list says that there are none. */
function readEssential(value: unknown, key: EssentialKey, field: string): EssentialsRead {
  const fault = faultOf(value);
  if (fault) {
    const item = { field, index: undefined, rule: FAULT_RULES[fault], ...toldAsIs(value, fault) };
    return { context: {}, dropped: [item] };
  }
  const blank = (index: number | undefined): DroppedItem => ({ field, index, rule: 'empty', text: '' });
  if (!Array.isArray(value)) {
    return isBlankValue(value)
      ? { context: {}, dropped: [blank(undefined)] }
      : { context: { [key]: trimmed(value) }, dropped: [] };
  }
  const dropped = value.flatMap((item, index) => (isBlankValue(item) ? [blank(index)] : []));
  const items = value.filter((item) => !isBlankValue(item)).map(trimmed);
  return { context: items.length > 0 || value.length === 0 ? { [key]: items } : {}, dropped };
}

/** The essentials among the keys of `record`; `fieldOf` names a key in what was dropped. */
function readKnown(record: JsonRecord, fieldOf: (key: string) => string): EssentialsRead {
  const reads = ESSENTIALS.filter((key) => Object.hasOwn(record, key)).map((key) =>
    readEssential(record[key], key, fieldOf(key)),
  );
  return {
    context: Object.assign({}, ...reads.map(({ context }) => context)),
    dropped: reads.flatMap(({ dropped }) => dropped),
  };
}

/** True for the key of an essential. */
export function isEssential(key: string): key is EssentialKey {
  return (ESSENTIALS as readonly string[]).includes(key);
}

/** Essentials where a whole object should hold them and nothing else; `undefined` is none. */
function readContext(value: unknown, place: string): EssentialsRead {
  if (value === undefined || value === null) return { context: {}, dropped: [] };
  const fieldOf = (key: string): string => `${place}.${key}`;
  if (!isRecord(value)) {
    const fault = faultOf(value);
    const said = fault ? toldAsIs(value, fault) : toldAsKind(value);
    return { context: {}, dropped: [{ field: place, index: undefined, rule: 'wrong_type', ...said }] };
  }
  const known = readKnown(value, fieldOf);
  const others = Object.keys(value)
    .filter((key) => !isEssential(key))
    .map((key): DroppedItem => {
      const part = ownValue(value, key);
      return { field: fieldOf(key), index: undefined, rule: 'unknown_key', ...toldAsIs(part, faultOf(part)) };
    });
  return { context: known.context, dropped: [...known.dropped, ...others] };
}

/** Essentials of a log or a ledger, and where each was found. */
interface FoundEssentials extends EssentialsRead {
  readonly sources: Readonly<Record<EssentialKey, EssentialSource>>;
}

/** The first place that has an essential gives it. */
function merged(places: readonly (readonly [EssentialSource, RelayContext])[]): Omit<FoundEssentials, 'dropped'> {
  const found = ESSENTIALS.map((key) => [key, places.find(([, context]) => context[key] !== undefined)] as const);
  return {
    context: Object.fromEntries(found.flatMap(([key, place]) => (place ? [[key, place[1][key]]] : []))),
    sources: Object.fromEntries(
      found.map(([key, place]) => [key, place?.[0] ?? 'missing']),
    ) as FoundEssentials['sources'],
  };
}

/**
 * The essentials of a log or a ledger: those of its `relay_context`, then those beside it, then the ledgers', the first
 * one's first. `place` names the record in what was dropped; a log has none.
 */
export function readEssentials(record: JsonRecord, place = '', ledgers: readonly RelayContext[] = []): FoundEssentials {
  const prefix = place === '' ? '' : `${place}.`;
  const own = readContext(ownValue(record, 'relay_context'), `${prefix}relay_context`);
  const top = readKnown(record, (key) => prefix + key);
  const overruled = ESSENTIALS.flatMap((key): DroppedItem[] => {
    const [wins, gives] = [own.context[key], top.context[key]];
    if (wins === undefined || gives === undefined || canonicalJson(wins) === canonicalJson(gives)) return [];
    return [{ field: prefix + key, index: undefined, rule: 'overruled', ...toldAsIs(gives, undefined) }];
  });
  const places = [
    ['relay_context', own.context] as const,
    ['top_level', top.context] as const,
    ...ledgers.map((context) => ['ledger', context] as const),
  ];
  return { ...merged(places), dropped: [...own.dropped, ...top.dropped, ...overruled] };
}
