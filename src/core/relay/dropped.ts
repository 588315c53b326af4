import { isRecord } from '../text/jsonRecord';
import { asGiven, inEnglish, type Phrase, phrase } from '../text/phrase';
import { toSentence } from '../text/sentence';
import { DROP_RULES } from './dropRules';
import { leafText } from './exactNumbers';
import { firstText, type JsonFault, kindWords, textsIn } from './jsonValue';

/** Words for what is dropped outside of the table of rules. */
const OTHER_RULES: Readonly<Record<string, Phrase>> = {
  empty: phrase('has no content'),
  wrong_type: phrase('wrong type'),
  unknown_key: phrase('not one of the five essentials'),
  overruled: phrase('relay_context has another value'),
  replaced: phrase('rewritten by every compaction'),
  cycle: phrase('contains itself'),
  too_deep: phrase('nested more than 200 deep'),
  too_large: phrase('too large to write'),
  not_json: phrase('not a JSON value'),
};

/** Why something was dropped, in words; the rule's id for one that is not known. */
export function dropWords(field: string, rule: string): Phrase {
  return (
    DROP_RULES.find((known) => known.field === field && known.rule === rule)?.words ??
    OTHER_RULES[rule] ??
    asGiven(rule)
  );
}

/** One thing that was dropped. */
export interface DroppedItem {
  /** Where it stood: `execution_logs`, `relay_context.goal`. */
  readonly field: string;
  /** Position in the list, from 0; undefined for a whole field or a key. */
  readonly index: number | undefined;
  /** Id of the rule, such as `completed` or `duplicate_key`; see `dropRules.ts` and `essentials.ts`. */
  readonly rule: string;
  /** What it was, in one line of at most 120 characters. */
  readonly text: string;
  /** The same for interfaces in other languages, where the kind of a value stands in `text`. */
  readonly words?: Phrase;
}

/** Words for what is wrong with a value that cannot be written as JSON. */
export const FAULT_RULES: Readonly<Record<JsonFault, string>> = {
  cycle: 'cycle',
  tooDeep: 'too_deep',
  tooLarge: 'too_large',
  notJson: 'not_json',
};

/** What people wrote an entry for; the first of these that it has stands for it. */
export const TELLING_KEYS: readonly string[] = [
  ...['summary', 'message', 'title', 'text', 'description', 'detail', 'error', 'reason', 'note', 'path', 'dedup_key'],
  ...['reason_code', 'cause'],
];

/** Beyond this the text of a long value says no more in one line. */
const MAX_SOURCE_CHARS = 400;

/** One line that tells which value it was. */
function droppedText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return toSentence(leafText(value).slice(0, MAX_SOURCE_CHARS));
  const text = (isRecord(value) && firstText(value, TELLING_KEYS)) || (textsIn(value)[0] ?? '');
  return toSentence(text.slice(0, MAX_SOURCE_CHARS));
}

type Told = Pick<DroppedItem, 'text' | 'words'>;

function told(words: Phrase): Told {
  return { text: inEnglish(words), words };
}

/** A value that does not belong where it was: its kind and what it says. */
export function toldAsKind(value: unknown): Told {
  return told(phrase('{0}: {1}', kindWords(value), droppedText(value)));
}

/** A value that a rule dropped: what it says; its kind alone where it cannot be written as JSON. */
export function toldAsIs(value: unknown, fault: JsonFault | undefined): Told {
  return fault ? told(kindWords(value)) : { text: droppedText(value) };
}

/** What one rule dropped of one field. */
interface DroppedByRule {
  readonly field: string;
  readonly rule: string;
  readonly items: readonly DroppedItem[];
}

/** What was dropped by each rule of each field, in the order in which they were first met. */
export function groupDropped(dropped: readonly DroppedItem[]): readonly DroppedByRule[] {
  const groups = new Map<string, DroppedItem[]>();
  for (const item of dropped) {
    const key = `${item.field}\n${item.rule}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()].flatMap((items) => items.slice(0, 1).map(({ field, rule }) => ({ field, rule, items })));
}

/** The same, counted. */
export function countDropped(
  dropped: readonly DroppedItem[],
): readonly { readonly field: string; readonly rule: string; readonly count: number }[] {
  return groupDropped(dropped).map(({ field, rule, items }) => ({ field, rule, count: items.length }));
}
