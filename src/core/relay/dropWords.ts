import { asGiven, type Phrase, phrase } from '../text/phrase';
import { DROP_RULES } from './dropRules';

/** Words for what is dropped outside of the table of rules. */
const OTHER_RULES: Readonly<Record<string, Phrase>> = {
  empty: phrase('says nothing'),
  wrong_type: phrase('not of the type that belongs here'),
  unknown_key: phrase('none of the five essentials'),
  replaced: phrase('written anew by every compaction'),
  cycle: phrase('holds itself'),
  too_deep: phrase('nested more than 200 deep'),
  too_large: phrase('too large to be written'),
  not_json: phrase('no JSON value'),
};

/** Why something was dropped, in words; the rule's id for one that is not known. */
export function dropWords(field: string, rule: string): Phrase {
  return (
    DROP_RULES.find((known) => known.field === field && known.rule === rule)?.words ??
    OTHER_RULES[rule] ??
    asGiven(rule)
  );
}
