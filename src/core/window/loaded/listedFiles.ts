/** Skills, subagents and commands: files of which a line is in the window and the body is read on demand. */
import type { WindowRules } from '../../agents/windowRules';
import { isRecord, ownValue } from '../../text/jsonRecord';
import { nameOf } from '../../text/safePath';
import type { WindowFiles } from './homeFiles';
import { bodyText, headOf, headText, isWrongYaml } from './listedHead';
import { settingKeys } from './mcpServers';
import { readOffLists } from './offLists';
import { firstSetting } from './settingValue';
import type { WindowEdits, WindowFate, WindowKind } from './windowReport';

/** A row whose texts are not counted yet. */
export interface ListedRow {
  readonly kind: WindowKind;
  readonly id: string;
  readonly source: string;
  /** 1-based, of the description; null where the file has none. */
  readonly line: number | null;
  readonly fate: WindowFate;
  /** What is in the window. */
  readonly text: string;
  /** All of the file. */
  readonly full: string;
  readonly certain: boolean;
  readonly reason: string;
  readonly edits: WindowEdits;
}

interface Listed {
  readonly kind: 'skills' | 'subagents' | 'commands';
  readonly name: string;
  readonly path: string;
  /** As it stands in a list: absolute. */
  readonly shownPath: string;
  readonly full: string;
  readonly description: string;
  readonly line: number | null;
  readonly tools: string;
  /** Why it is not listed at all. */
  readonly out: { readonly fate: WindowFate; readonly reason: string } | undefined;
  /** Settings leave its description out of the list. */
  readonly isNameOnly: boolean;
}

function fill(line: string, { name, path, shownPath, description, tools }: Listed): string {
  const values: Readonly<Record<string, string>> = {
    name,
    path: shownPath,
    folder:
      path
        .split('/skills/')
        .at(-1)
        ?.replace(/\/SKILL\.md$/, '') ?? '',
    description,
    scope: path.startsWith('~/') ? 'user' : 'project',
    tools: tools || 'All tools',
  };
  return line.replace(/\{(name|path|folder|description|scope|tools)\}/g, (_, key: string) => values[key] ?? '');
}

const MISNAMED = { fate: 'dropped', reason: "its name is not its folder's" } as const;

/** Files of skills in a folder: `NAME/SKILL.md`, or deeper. */
async function skillFiles(folder: string, isDeep: boolean, files: WindowFiles): Promise<readonly string[]> {
  return (await files.below(folder, 'SKILL.md', isDeep ? undefined : 2)).filter(
    (path) => nameOf(path) === 'SKILL.md' && path !== `${folder}/SKILL.md`,
  );
}

async function readListed(
  kind: Listed['kind'],
  rules: WindowRules,
  files: WindowFiles,
  { root, home }: { readonly root: string; readonly home: string },
): Promise<readonly Listed[]> {
  const taken = new Map<string, string>();
  const found: Listed[] = [];
  const overrideOf = await readOverrides(rules, kind, root, files);
  const offBy = await readOffLists(rules[kind]?.offLists, root, files);
  for (const folder of rules[kind]?.folders ?? []) {
    const paths =
      kind === 'skills'
        ? await skillFiles(folder, rules.skills?.isDeep === true, files)
        : await files.below(folder, '.md', rules[kind]?.isFlat ? 1 : undefined);
    for (const path of paths) {
      const full = await files.text(path);
      if (full === undefined) continue;
      const head = headOf(full);
      const below = path.slice(folder.length + 1);
      const ownName = kind === 'skills' ? below.split('/').at(-2) : below.replace(/\.md$/, '').replaceAll('/', ':');
      const isNamed = kind !== 'commands' && !(kind === 'skills' && rules.skills?.isNamedByFolder);
      const name = (isNamed ? headText(head, 'name') : '') || (ownName ?? '');
      const shownPath = path.startsWith('~/') ? `${home}/${path.slice(2)}` : `${root}/${path}`;
      const isMisnamed = kind === 'skills' && rules.skills?.needsFolderName === true && name !== ownName;
      const described = isMisnamed
        ? { ...describe(kind, rules, full, name, taken), out: MISNAMED }
        : describe(kind, rules, full, name, taken);
      const { out, isNameOnly } = overrideOf(name);
      const by = offBy({ name, path: shownPath, permission: `Agent(${name})` });
      const off = by === undefined ? undefined : { fate: 'disabled' as const, reason: `turned off by ${by}` };
      const item = { kind, name, path, shownPath, full, ...described, out: off ?? described.out ?? out, isNameOnly };
      found.push(item);
      if (!taken.has(name) && !isMisnamed) taken.set(name, path);
    }
  }
  return found;
}

/** What settings say of a skill, which its own file does not. */
async function readOverrides(
  { skills }: WindowRules,
  kind: Listed['kind'],
  root: string,
  files: WindowFiles,
): Promise<(name: string) => Pick<Listed, 'out' | 'isNameOnly'>> {
  const { overrides } = skills ?? {};
  if (kind !== 'skills' || !overrides) return () => ({ out: undefined, isNameOnly: false });
  const found = await Promise.all(
    overrides.paths.map((path) => firstSetting({ paths: [path], keys: overrides.keys }, root, files)),
  );
  const records = found.flatMap((each) =>
    each && isRecord(each.value) ? [{ path: each.path, value: each.value }] : [],
  );
  return (name) => {
    const by = records.find(({ value }) => ownValue(value, name) !== undefined);
    const said = by && ownValue(by.value, name);
    const reason = `${overrides.keys.at(-1)} in ${by?.path}`;
    if (said === 'off') return { out: { fate: 'disabled', reason: `turned off by ${reason}` }, isNameOnly: false };
    if (said === 'user-invocable-only')
      return { out: { fate: 'deferred', reason: `${reason} keeps it out of the list` }, isNameOnly: false };
    return { out: undefined, isNameOnly: said === 'name-only' };
  };
}

function describe(
  kind: Listed['kind'],
  rules: WindowRules,
  full: string,
  name: string,
  taken: ReadonlyMap<string, string>,
): Pick<Listed, 'description' | 'line' | 'tools' | 'out'> {
  const { skills, [kind]: own } = rules;
  const head = headOf(full);
  const at = head.split(/\r?\n/).findIndex((line) => line.startsWith('description:'));
  // The frontmatter begins on the second line.
  const line = at < 0 ? null : at + 2;
  const isSkill = kind === 'skills';
  const whenToUse = isSkill && skills?.whenToUse ? headText(head, skills.whenToUse) : '';
  const said = headText(head, 'description') || bodyText(full, own?.fallback);
  const description = [said, whenToUse].filter((text) => text !== '').join(' - ');
  const tools = headText(head, 'tools');
  const hidden = kind === 'subagents' ? undefined : skills?.hidden;
  const limit = isSkill ? (skills?.descriptionCharacters ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const by = taken.get(name);
  let out: Listed['out'];
  if (by !== undefined && !(isSkill && skills?.sameName === 'all'))
    out = { fate: 'shadowed', reason: `${by} has the same name` };
  else if (own?.yaml && isWrongYaml(head, own.yaml)) out = { fate: 'dropped', reason: 'its head is not valid YAML' };
  else if (kind !== 'commands' && rules[kind]?.needsName && headText(head, 'name') === '')
    out = { fate: 'dropped', reason: 'without a name it is not listed' };
  else if (hidden && headText(head, hidden.key) === hidden.value)
    out = { fate: 'deferred', reason: `${hidden.key} keeps it out of the list` };
  else if (description === '' || (isSkill && head === '' && skills?.fallback === 'text'))
    out = { fate: isSkill ? 'dropped' : 'deferred', reason: 'without a description it is not listed' };
  else if (skills?.tooLong === 'dropped' && description.length > limit)
    out = { fate: 'dropped', reason: `its description has more than ${limit} characters` };
  return { description, line, tools, out };
}

/** Room for the list in characters; undefined where there is no limit. */
function budgetOf(
  { skills }: WindowRules,
  windowTokens: number | null,
  charactersPerToken: number | undefined,
): number | undefined {
  const budget = skills?.budget;
  if (!budget) return undefined;
  if ('characters' in budget) return budget.characters;
  const each = budget.charactersPerToken ?? charactersPerToken;
  if (windowTokens === null || each === undefined) return budget.charactersUnknown;
  return Math.floor(windowTokens * budget.share * each);
}

/** How many characters of each description fit; all where the list is within its room. */
function fittingCharacters(
  listed: readonly Listed[],
  lineOf: (each: Listed, keep: number) => string,
  room: number,
): number {
  const size = (keep: number): number => listed.reduce((sum, each) => sum + lineOf(each, keep).length, 0);
  let [low, high] = [0, Math.max(0, ...listed.map(({ description }) => description.length))];
  if (size(high) <= room) return Number.POSITIVE_INFINITY;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (size(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lines of skills and commands under the agent's rule, and those of subagents. */
export async function listedRows(
  rules: WindowRules,
  files: WindowFiles,
  model: { readonly windowTokens: number | null; readonly charactersPerToken: number | undefined },
  places: { readonly root: string; readonly home: string },
): Promise<readonly ListedRow[]> {
  const [skills, commands, subagents] = await Promise.all([
    readListed('skills', rules, files, places),
    readListed('commands', rules, files, places),
    readListed('subagents', rules, files, places),
  ]);
  const listing = [...skills, ...commands].filter(({ out }) => !out).sort((a, b) => (a.name < b.name ? -1 : 1));
  const room = budgetOf(rules, model.windowTokens, model.charactersPerToken);
  const fitted = fitListing(rules, listing, room);
  const rowOf = (each: Listed): ListedRow => {
    const isByChance =
      each.kind === 'skills' &&
      rules.skills?.sameName === 'any' &&
      skills.some((other) => other !== each && other.name === each.name);
    const certain = rules[each.kind]?.isDoubtful !== true && !isByChance;
    const base = {
      kind: each.kind,
      id: `${each.kind.slice(0, -1)}:${each.name}`,
      source: each.path,
      line: each.line,
      full: each.full,
      certain,
      edits: editsOf(rules, each, places.root),
    };
    if (each.out) return { ...base, ...each.out, text: '' };
    const own = fitted.get(each);
    if (own) return { ...base, ...own };
    const text = fill(rules[each.kind]?.line ?? '', each);
    return { ...base, fate: 'listed', text, reason: 'name and description are listed' };
  };
  return [...skills, ...commands, ...subagents].map(rowOf);
}

/** A skill that is listed can be turned off, and one whose file has a head be left to the user's call. */
function editsOf({ skills }: WindowRules, { kind, name, path, full, out }: Listed, root: string): WindowEdits {
  if (out || kind === 'subagents' || !skills) return {};
  const { hidden, off } = skills;
  const isHeaded = /^\ufeff?---[ \t]*\r?\n/.test(full);
  return {
    ...(hidden && isHeaded
      ? { onDemand: { path, format: 'frontmatter', keys: [hidden.key], value: hidden.value } }
      : {}),
    ...(off?.path !== undefined && kind === 'skills'
      ? {
          disable: {
            ...{ path: off.path, format: 'json', keys: settingKeys(off.keys, { root, name }) },
            ...(off.value === undefined ? { item: name } : { value: off.value }),
          },
        }
      : {}),
  };
}

type Fitted = Pick<ListedRow, 'fate' | 'text' | 'reason'>;

function fitListing(
  rules: WindowRules,
  listing: readonly Listed[],
  room: number | undefined,
): ReadonlyMap<Listed, Fitted> {
  const { skills } = rules;
  const fitted = new Map<Listed, Fitted>();
  if (!skills) return fitted;
  const limit = skills.descriptionCharacters ?? Number.POSITIVE_INFINITY;
  const lineOf = (each: Listed, keep: number): string => {
    const description = each.isNameOnly ? '' : each.description.slice(0, Math.min(limit, keep));
    const line = description === '' && skills.short !== 'none' ? skills.short : (rules[each.kind]?.line ?? '');
    return fill(line, { ...each, description });
  };
  const whole = (each: Listed): Fitted =>
    !each.isNameOnly && each.description.length > limit
      ? { fate: 'cut', text: lineOf(each, limit), reason: `its description is cut at ${limit} characters` }
      : { fate: 'listed', text: lineOf(each, limit), reason: 'name and description are listed' };
  for (const each of listing) fitted.set(each, whole(each));
  if (room === undefined) return fitted;
  const own = skills.bundledCharacters === undefined ? '' : `, ${skills.bundledCharacters} of them for its own skills`;
  const over = `the list has room for ${room} characters${own}`;
  if (skills.over === 'evenly') {
    const keep = fittingCharacters(listing, lineOf, room);
    let left = room;
    for (const each of listing) {
      const text = lineOf(each, keep);
      left -= text.length;
      if (left < 0) fitted.set(each, { fate: 'dropped', text: '', reason: `${over}: it is left out` });
      else if (each.description.length > keep && keep < limit)
        fitted.set(each, { fate: 'cut', text, reason: `${over}: ${keep} characters of each description stay` });
    }
    return fitted;
  }
  const isGone = skills.short === 'none';
  const shortOf = (each: Listed): string => (isGone ? '' : lineOf(each, 0));
  const names = skills.over === 'stop' ? 0 : listing.reduce((sum, each) => sum + shortOf(each).length, 0);
  let left = room - (skills.bundledCharacters ?? 0) - names;
  let isFull = false;
  for (const each of listing) {
    const [before, text] = [fitted.get(each)?.text ?? '', shortOf(each)];
    const cost = before.length - (skills.over === 'stop' ? 0 : text.length);
    if (cost <= left && !isFull) left -= cost;
    else {
      isFull = skills.over === 'stop';
      if (text !== before)
        fitted.set(each, { fate: isGone ? 'dropped' : 'cut', text, reason: `${over}: its description is left out` });
    }
  }
  return fitted;
}
