/**
 * Changes to the config's text that a click asks for: a section put on or taken off a list, how scoring works, a profile's
 * limit and agent. All else stays byte for byte (`jsoncEdit.ts`); a text that is not a valid config before or after is never changed.
 */

import { getNodeValue, type Node } from 'jsonc-parser';
import type { AgentId } from '../model/agent';
import type { Profile } from '../model/profile';
import type { ScoringMode } from '../model/relevance';
import { inEnglish, type Phrase, phrase, wordedErrorClass } from '../text/phrase';
import { CONFIG_PATH, type Config, DEFAULT_CONFIG, parseConfig } from './config';
import { type KeyPath, parseConfigTree, valueAt } from './configTree';
import { appendChild, lineEndOf, removeItem, replaceValue, setAtPath } from './jsoncEdit';
import { DEFAULT_PROFILE } from './profile';
import { configHead } from './starterConfig';

/** The config's lists of section ids, by their keys. */
export type SectionList = 'pinned' | 'excluded' | 'on_demand';

/** One change. */
export type ConfigChange =
  | {
      readonly kind: 'list';
      readonly list: SectionList;
      readonly sectionId: string;
      readonly isListed: boolean;
    }
  | {
      readonly kind: 'scoring';
      readonly mode?: ScoringMode | undefined;
      /** 0…1. */
      readonly threshold?: number | undefined;
    }
  | {
      readonly kind: 'profile';
      /** Of the profile in use; one that the config does not name yet is written with the caps that it has. */
      readonly name: string;
      readonly budgetTokens?: number | undefined;
      readonly agent?: AgentId | undefined;
    }
  /** Several at once, in their order: all of them or none. */
  | { readonly kind: 'all'; readonly changes: readonly ConfigChange[] };

/** `broken`: the text is no valid config as it is. `refused`: it would not be one afterwards, or would not say the change. */
type ConfigEditErrorReason = 'broken' | 'refused';

/** Why a config was left as it is; the message names the place and what to do. */
export class ConfigEditError extends wordedErrorClass<ConfigEditErrorReason>('ConfigEditError') {}

const BYTE_ORDER_MARK = '\uFEFF';

/** The root of a file that has none, on lines of its own. */
const EMPTY_ROOT = `{
  "version": 1
}
`;

/**
 * The text after `change`. The same text comes back where the config says so already. A missing file is the empty text
 * and becomes a small commented one, whose comments `say` puts into the reader's language. Of doubled keys the last one
 * is changed: it is the one that counts.
 * @throws ConfigEditError when the text is not a valid config before or after
 */
export function editConfig(text: string, change: ConfigChange, say: (words: Phrase) => string = inEnglish): string {
  if (holds(parsed(text, 'broken'), change)) return text;
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const edited = mark + apply(withRoot(text.slice(mark.length), say), change);
  if (!holds(parsed(edited, 'refused'), change)) {
    throw new ConfigEditError('refused', phrase('{0} could not be changed. Open it and edit it.', CONFIG_PATH));
  }
  return edited;
}

function parsed(text: string, reason: ConfigEditErrorReason): Config {
  const { config, problems } = parseConfig(text);
  const error = problems.find(({ severity }) => severity === 'error');
  if (config && !error) return config;
  const words = error?.words ?? phrase('{0} is not valid', CONFIG_PATH);
  const todo = reason === 'broken' ? phrase('Fix it first; nothing was changed.') : phrase('Nothing was changed.');
  throw new ConfigEditError(reason, phrase('{0}. {1}', words, todo));
}

/** Whether the config says what the change wants, whichever of doubled keys counts. */
function holds(config: Config, change: ConfigChange): boolean {
  if (change.kind === 'all') return change.changes.every((each) => holds(config, each));
  if (change.kind === 'scoring') {
    const { mode = config.scoring.mode, threshold = config.scoring.threshold } = change;
    return config.scoring.mode === mode && config.scoring.threshold === threshold;
  }
  if (change.kind === 'profile') {
    const profile = config.profiles.find(({ name }) => name === change.name);
    const { budgetTokens = profile?.budgetTokens, agent = profile?.agent } = change;
    return profile !== undefined && profile.budgetTokens === budgetTokens && profile.agent === agent;
  }
  const { list, sectionId, isListed } = change;
  const lists = { pinned: config.pinned, excluded: config.excluded, on_demand: config.onDemand };
  const isOwnRule = list === 'on_demand' && config.sections.some(({ id, onDemand }) => id === sectionId && onDemand);
  return isListed ? lists[list].includes(sectionId) : !lists[list].includes(sectionId) && !isOwnRule;
}

function apply(source: string, change: ConfigChange): string {
  if (change.kind === 'all') return change.changes.reduce(apply, source);
  if (change.kind === 'scoring') {
    const withMode = change.mode === undefined ? source : setValue(source, ['scoring', 'mode'], change.mode);
    return change.threshold === undefined ? withMode : setValue(withMode, ['scoring', 'threshold'], change.threshold);
  }
  if (change.kind === 'profile') {
    const { name, budgetTokens, agent } = change;
    const whole = ownCaps(source, name).reduce(
      (text, [key, value]) => setValue(text, ['profiles', name, key], value),
      source,
    );
    const limited =
      budgetTokens === undefined ? whole : setValue(whole, ['profiles', name, 'budget_tokens'], budgetTokens);
    return agent === undefined ? limited : setValue(limited, ['profiles', name, 'agent'], agent);
  }
  const { list, sectionId, isListed } = change;
  if (isListed) return addToList(source, list, sectionId);
  const without = removeFromList(source, list, sectionId);
  return list === 'on_demand' ? clearOwnRule(without, sectionId) : without;
}

/** The text with an object in it: an empty one, or one with nothing but comments, gets a first one. */
function withRoot(source: string, say: (words: Phrase) => string): string {
  const { root, findings } = parseConfigTree(source);
  if (root || findings.length > 0) return source;
  const lineEnd = lineEndOf(source);
  const comments = source.trimEnd();
  const fresh = comments === '' ? `${configHead(say)}${EMPTY_ROOT}` : EMPTY_ROOT;
  return (comments === '' ? '' : comments + lineEnd) + fresh.replaceAll('\n', lineEnd);
}

/** The root of a text that is valid and has one. */
function rootOf(source: string): Node {
  const { root } = parseConfigTree(source);
  if (root) return root;
  throw new ConfigEditError('broken', phrase('{0} is empty.', CONFIG_PATH));
}

/** Caps of a built-in profile by their keys: a profile that the config names has the default's where it says nothing. */
function ownCaps(source: string, name: string): readonly (readonly [key: string, value: unknown])[] {
  const builtin = DEFAULT_CONFIG.profiles.find((each) => each.name === name);
  if (!builtin || valueAt(rootOf(source), ['profiles', name])) return [];
  const [own, usual] = [capsOf(builtin), new Map(capsOf(DEFAULT_PROFILE))];
  return own.filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(usual.get(key)));
}

function capsOf(profile: Profile): readonly (readonly [key: string, value: unknown])[] {
  return [
    ['budget_tokens', profile.budgetTokens],
    ['hard_cap_chars', profile.hardCapChars],
    ['index_tokens', profile.indexTokens],
    ['timeline_tokens', profile.timelineTokens],
    ['detail_tokens', profile.detailTokens],
    ['map_tokens', profile.mapTokens],
    ['max_per_source_tokens', profile.maxPerSourceTokens],
    ['top_k', profile.topK],
    ['downgrade_order', profile.downgradeOrder],
  ];
}

/** The text with `value` at `path`; the same text where it is there already. */
function setValue(source: string, path: KeyPath, value: unknown): string {
  const root = rootOf(source);
  const old = valueAt(root, path);
  if (old && getNodeValue(old) === value) return source;
  return setAtPath(source, root, path, JSON.stringify(value)) ?? source;
}

function addToList(source: string, list: SectionList, sectionId: string): string {
  const root = rootOf(source);
  const node = valueAt(root, [list]);
  const item = JSON.stringify(sectionId);
  if (!node) return appendChild(source, root, root, `"${list}": [${item}]`);
  return node.children?.some(({ value }) => value === sectionId) ? source : appendChild(source, root, node, item);
}

/** Every time that it is written. */
function removeFromList(source: string, list: SectionList, sectionId: string): string {
  const node = valueAt(rootOf(source), [list]);
  const item = node?.children?.find(({ value }) => value === sectionId);
  if (!node || !item) return source;
  const without = removeItem(source, node, item);
  return node.children?.length === 1 ? withoutEmptyList(without, list) : removeFromList(without, list, sectionId);
}

/** Takes an emptied list away with its key. One with a comment stays, and one of two: the other would count. */
function withoutEmptyList(source: string, list: SectionList): string {
  const root = rootOf(source);
  const named = (root.children ?? []).filter(({ children }) => children?.[0]?.value === list);
  const [property] = named;
  const isBare = property && !source.slice(property.offset, property.offset + property.length).includes('/');
  return isBare && named.length === 1 ? removeItem(source, root, property) : source;
}

/** Turns the section's own `on_demand` off, which would outlive the list's. */
function clearOwnRule(source: string, sectionId: string): string {
  const root = rootOf(source);
  const sections = valueAt(root, ['sections'])?.children ?? [];
  const index = sections.findIndex((section) => valueAt(section, ['id'])?.value === sectionId);
  const rule = index < 0 ? undefined : valueAt(root, ['sections', index, 'on_demand']);
  return rule?.value === true ? replaceValue(source, rule, 'false') : source;
}
