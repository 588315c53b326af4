import { isRecord, type JsonRecord, ownValue } from '../text/jsonRecord';
import { type DroppedItem, FAULT_RULES, toldAsIs, toldAsKind } from './dropped';
import { faultOf, isBlankText } from './jsonValue';
import {
  ESSENTIALS,
  type EssentialKey,
  type EssentialSource,
  isListEssential,
  type RelayContext,
} from './relayContext';

/** Essentials as one place has them, and what of it was dropped. */
interface EssentialsRead {
  readonly context: RelayContext;
  readonly dropped: readonly DroppedItem[];
}

/** Parts of a text that was given as a list. */
const PART_SEPARATOR = '\n';

/** Texts of an essential; a single text stands for a list of one. What is no text is dropped. */
function readTexts(value: unknown, field: string): { items: readonly string[]; dropped: readonly DroppedItem[] } {
  const items: string[] = [];
  const dropped: DroppedItem[] = [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  values.forEach((item, at) => {
    if (typeof item === 'string' && !isBlankText(item)) {
      items.push(item.trim());
      return;
    }
    const isEmpty = item === null || item === undefined || typeof item === 'string';
    const said = isEmpty ? { text: '' } : toldAsKind(item);
    const index = values === value ? at : undefined;
    dropped.push({ field, index, rule: isEmpty ? 'empty' : 'wrong_type', ...said });
  });
  return { items, dropped };
}

function readEssential(value: unknown, key: EssentialKey, field: string): EssentialsRead {
  const fault = faultOf(value);
  if (fault) {
    const item = { field, index: undefined, rule: FAULT_RULES[fault], ...toldAsIs(value, fault) };
    return { context: {}, dropped: [item] };
  }
  const { items, dropped } = readTexts(value, field);
  // An empty list says that there are none; one of blanks says nothing.
  const isNone = isListEssential(key) && Array.isArray(value) && value.length === 0;
  if (items.length === 0 && !isNone) return { context: {}, dropped };
  return { context: { [key]: isListEssential(key) ? items : items.join(PART_SEPARATOR) }, dropped };
}

/**
 * The five essentials of `record`, normalised: trimmed, empty items dropped, other keys dropped. `place` names the
 * record in what was dropped. A list of texts is taken for a text, one a line, and a text for a list of one.
 */
export function readEssentials(record: JsonRecord, place: string): EssentialsRead {
  const reads = ESSENTIALS.filter((key) => Object.hasOwn(record, key)).map((key) =>
    readEssential(record[key], key, `${place}.${key}`),
  );
  const known = new Set<string>(ESSENTIALS);
  const others = Object.keys(record)
    .filter((key) => !known.has(key))
    .map((key): DroppedItem => {
      const value = ownValue(record, key);
      return { field: `${place}.${key}`, index: undefined, rule: 'unknown_key', ...toldAsIs(value, faultOf(value)) };
    });
  return {
    context: Object.assign({}, ...reads.map(({ context }) => context)),
    dropped: [...reads.flatMap(({ dropped }) => dropped), ...others],
  };
}

/** Essentials where a whole value should hold them: `undefined` is none, anything but an object is dropped. */
export function readEssentialsOf(value: unknown, place: string): EssentialsRead {
  if (value === undefined || value === null) return { context: {}, dropped: [] };
  if (isRecord(value)) return readEssentials(value, place);
  const fault = faultOf(value);
  const said = fault ? toldAsIs(value, fault) : toldAsKind(value);
  return { context: {}, dropped: [{ field: place, index: undefined, rule: 'wrong_type', ...said }] };
}

/**
 * The relay context's own essentials; those that it lacks are the ledgers', the first one's first. Where one of them
 * has items, an empty list elsewhere does not count.
 */
export function mergeEssentials(
  own: RelayContext,
  ledgers: readonly RelayContext[],
): { readonly context: RelayContext; readonly sources: Readonly<Record<EssentialKey, EssentialSource>> } {
  const all = [own, ...ledgers];
  const context: Record<string, unknown> = {};
  const sources: Record<string, EssentialSource> = {};
  for (const key of ESSENTIALS) {
    const found = all.find((one) => (one[key]?.length ?? 0) > 0) ?? all.find((one) => one[key] !== undefined);
    sources[key] = found === undefined ? 'missing' : found === own ? 'relay_context' : 'ledger';
    if (found) context[key] = found[key];
  }
  return { context, sources: sources as Record<EssentialKey, EssentialSource> };
}
