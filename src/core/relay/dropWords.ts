import { DROP_RULES } from './dropRules';

/** Words for what is dropped outside of the table of rules. */
const OTHER_RULES: Readonly<Record<string, string>> = {
  empty: 'says nothing',
  wrong_type: 'not of the type that belongs here',
  unknown_key: 'none of the five essentials',
  replaced: 'written anew by every compaction',
  cycle: 'holds itself',
  too_deep: 'nested more than 200 deep',
  too_large: 'too large to be written',
  not_json: 'no JSON value',
};

/** Why something was dropped, in words; the rule's id for one that is not known. */
export function dropWords(field: string, rule: string): string {
  return DROP_RULES.find((known) => known.field === field && known.rule === rule)?.words ?? OTHER_RULES[rule] ?? rule;
}
