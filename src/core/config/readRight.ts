/**
 * Reads what is right of a config file. What is wrong becomes an error and costs itself alone: one item of a list, else
 * the value, which falls back to its default. Only a section without a right id and source is left out as a whole.
 */

import { getNodeValue, type Node } from 'jsonc-parser';
import type * as z from 'zod/mini';
import { readableName, slug } from '../text/elements';
import { parseNumber } from '../text/numbers';
import { phrase } from '../text/phrase';
import { checkRules, type RuleFinding, SOURCE_KEYS } from './configRules';
import {
  didYouMean,
  formatPath,
  type KeyPath,
  locate,
  nearestKey,
  pathWords,
  type TreeFinding,
  valueAt,
  valueWords,
} from './configTree';
import { BUILTIN_PROFILES } from './profile';
import { type ConfigFile, configSchema } from './schema';
import { ID_WORDS, schemaWords } from './schemaParts';

/** A value that is wrong, with its place in the file. */
interface Wrong {
  readonly path: KeyPath;
  readonly finding: TreeFinding;
  /** The key itself is wrong, not its value. */
  readonly isKey?: true;
}

/** A value of the file, by what holds it. */
interface Target {
  readonly parent: object;
  readonly key: string | number;
  /** Its name stays, with the defaults: other places may use a profile's name. */
  readonly isEmptied: boolean;
}

/** Taking values out may show what is wrong between the others, such as two sections of one id. */
const MAX_ROUNDS = 10;

/** The file without what is wrong in it; undefined where nothing is left. */
export function readRight(root: Node): {
  readonly file: ConfigFile | undefined;
  readonly errors: readonly TreeFinding[];
} {
  const value: unknown = getNodeValue(root);
  const errors: TreeFinding[] = [];
  const sections = valueAt(root, ['sections'])?.children ?? [];
  let places: readonly number[] = sections.map((_, at) => at);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = configSchema().safeParse(value);
    const wrong = parsed.success
      ? checkRules(parsed.data, places).map((rule) => fromRule(root, rule))
      : parsed.error.issues.map((issue) => fromIssue(root, issue, places));
    if (parsed.success && wrong.length === 0) return { file: parsed.data, errors };
    errors.push(...wrong.map(({ finding }) => finding));
    const units = wrong.map(({ path }) => unitOf(path));
    const bad = new Set(
      units.flatMap(([first, place, ...more]) => (first === 'sections' && more.length === 0 ? [place] : [])),
    );
    const targets = wrong.map((each) => targetOf(value, each, places));
    if (targets.includes(undefined)) return { file: undefined, errors };
    for (const target of targets) if (target) takeOut(target);
    for (const list of listsOf(value)) list.splice(0, list.length, ...list.filter((item) => item !== TAKEN));
    places = places.filter((place) => !bad.has(place));
  }
  return { file: undefined, errors };
}

/** Stands in a list for what was taken out, until all of a round is: the others keep their places. */
const TAKEN = Symbol('taken');

function listsOf(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [value, ...value.flatMap(listsOf)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listsOf) : [];
}

/** What a section cannot do without. */
const VITAL_KEYS: readonly unknown[] = ['id', ...SOURCE_KEYS];

/** What has to go together with a value: of a section's id or source the whole section. */
function unitOf(path: KeyPath): KeyPath {
  return path[0] === 'sections' && VITAL_KEYS.includes(path[2]) ? path.slice(0, 2) : path;
}

/** Where to take out what is wrong: what is above it where it is not there. `undefined`: nothing of the file holds. */
function targetOf(root: unknown, { path, isKey }: Wrong, places: readonly number[]): Target | undefined {
  const unit = unitOf(path);
  const keys = unit.map((key, at) => (at === 1 && unit[0] === 'sections' ? places.indexOf(Number(key)) : key));
  for (let end = path[0] === 'version' ? 0 : keys.length; end > 0; end--) {
    const key = keys[end - 1] ?? '';
    const parent = keys.slice(0, end - 1).reduce<unknown>(childOf, root);
    if (childOf(parent, key) === undefined) continue;
    const isProfile = keys[0] === 'profiles' && end === 2 && isKey !== true;
    return {
      parent: parent as object,
      key,
      isEmptied: isProfile && !BUILTIN_PROFILES.some(({ name }) => name === key),
    };
  }
  return undefined;
}

function takeOut({ parent, key, isEmptied }: Target): void {
  if (Array.isArray(parent)) parent[Number(key)] = TAKEN;
  else if (isEmptied)
    Object.defineProperty(parent, key, { value: {}, enumerable: true, configurable: true, writable: true });
  else Reflect.deleteProperty(parent, key);
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

function fromRule(root: Node, { path, words }: RuleFinding): Wrong {
  const placed = phrase('{0}{1}', `${formatPath(path)} `, words);
  return { path, finding: { severity: 'error', words: placed, offset: locate(root, path).offset } };
}

function fromIssue(root: Node, issue: z.core.$ZodIssue, places: readonly number[]): Wrong {
  const keys = issue.path.filter((key): key is string | number => typeof key !== 'symbol');
  // Sections that were taken out before it moved it up.
  const path = keys.map((key, at) => (at === 1 && keys[0] === 'sections' ? (places[Number(key)] ?? key) : key));
  const node = locate(root, path);
  if (issue.code === 'invalid_key') {
    const own = issue.issues[0]?.message;
    const expectation = own === undefined ? phrase('a valid name') : schemaWords(own);
    const words = phrase('the key {0} must be {1}', pathWords(path), expectation);
    return { path, isKey: true, finding: { severity: 'error', words, offset: node.parent?.offset ?? node.offset } };
  }
  const given = valueAt(root, path);
  const at = pathWords(path);
  const expectation = schemaWords(issue.message);
  const value: unknown = given && getNodeValue(given);
  const words =
    given === undefined
      ? phrase('{0} must be {1}, but is missing', at, expectation)
      : phrase('{0} must be {1}, but is {2}', at, expectation, valueWords(value));
  return { path, finding: { severity: 'error', words: didYouMean(words, meantBy(value, issue)), offset: node.offset } };
}

/** The nearest value that would be right, as the file spells it. */
function meantBy(value: unknown, issue: z.core.$ZodIssue): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (issue.code === 'invalid_value') {
    const meant = nearestKey(value, issue.values.map(String));
    const right = issue.values.find((each) => String(each) === meant);
    return right === undefined ? undefined : JSON.stringify(right);
  }
  if (issue.message === ID_WORDS) return slug(value) === '' ? undefined : JSON.stringify(readableName(value, value));
  if (issue.code !== 'invalid_type') return undefined;
  const plain = value.trim();
  if (issue.expected === 'boolean') return /^(?:true|false)$/i.test(plain) ? plain.toLowerCase() : undefined;
  const number = issue.expected === 'string' ? Number.NaN : parseNumber(plain);
  return Number.isFinite(number) ? String(number) : undefined;
}
