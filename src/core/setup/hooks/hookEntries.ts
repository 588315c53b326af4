import type { Node } from 'jsonc-parser';
import { formatPath, parseConfigTree } from '../../config/configTree';
import { phrase } from '../../text/phrase';
import { lineAt } from '../../text/sentence';
import { parseOwnLine } from './hookCommandLine';
import { HookError } from './hookEvent';
import type { HookAgent, HookEventName } from './hookTarget';

/** A settings text as a tree; `start` is what stands before the JSON (a byte order mark). */
export interface SettingsTree {
  readonly start: string;
  /** The text without `start`; offsets of the tree count from here. */
  readonly text: string;
  readonly root: Node;
}

/** One of our entries and what it lies in. */
export interface OwnEntry {
  /** The list that the entry is a member of. */
  readonly list: Node;
  /** The member of `list` that goes when the entry goes. */
  readonly member: Node;
  /** The text node of the command line. */
  readonly command: Node;
}

/** Parses a settings file. Throws `badFile` with the line where it is no JSON object. */
export function parseSettings(given: string, path: string): SettingsTree {
  const start = given.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = given.slice(start.length);
  const { root, findings } = parseConfigTree(text);
  const [problem] = findings;
  if (problem)
    throw new HookError(
      'badFile',
      phrase('{0}, line {1}: {2}.', path, String(lineAt(text, problem.offset)), problem.words),
    );
  if (root?.type === 'object') return { start, text, root };
  let words = phrase('it is empty');
  if (root?.type === 'array') words = phrase('it must contain an object, but contains a list');
  else if (root) words = phrase('it must contain an object, but contains a {0}', root.type);
  throw new HookError('badFile', phrase('{0}: {1}. Put {} into it, or remove it.', path, words));
}

/** The property of that name; of doubled ones the last, which is the one that counts. */
function propertyOf(object: Node, name: string): { readonly property: Node; readonly value: Node } | undefined {
  const property = (object.children ?? []).findLast(({ children }) => children?.[0]?.value === name);
  const value = property?.children?.[1];
  return property && value ? { property, value } : undefined;
}

/** The value at a key of the tree, which must be of `type` where it exists. Throws `badFile`. */
export function memberOf(
  { text }: SettingsTree,
  object: Node,
  keys: readonly string[],
  type: 'object' | 'array',
  path: string,
): { readonly property: Node; readonly value: Node } | undefined {
  const found = propertyOf(object, keys.at(-1) ?? '');
  if (!found || found.value.type === type) return found;
  const expected = type === 'array' ? phrase('a list') : phrase('an object');
  const line = lineAt(text, found.value.offset);
  const words = phrase('{0}, line {1}: {2} must be {3}. Fix it first.', path, String(line), formatPath(keys), expected);
  throw new HookError('badFile', words);
}

function commandOf(node: Node | undefined): Node | undefined {
  return node?.type === 'object' ? propertyOf(node, 'command')?.value : undefined;
}

/** Our entries in an event's list: commands themselves, or in groups of commands. */
export function ownEntries(list: Node, event: HookEventName, agent: HookAgent): readonly OwnEntry[] {
  const isOwn = (command: Node | undefined): command is Node => {
    const line = parseOwnLine(command?.value);
    return line?.event === event && line.agent === agent;
  };
  return (list.children ?? []).flatMap((member) => {
    const direct = commandOf(member);
    if (isOwn(direct)) return [{ list, member, command: direct }];
    const group = member.type === 'object' ? propertyOf(member, 'hooks')?.value : undefined;
    const inner = group?.type === 'array' ? (group.children ?? []) : [];
    return inner.flatMap((entry) => {
      const command = commandOf(entry);
      if (!group || !isOwn(command)) return [];
      return [inner.length === 1 ? { list, member, command } : { list: group, member: entry, command }];
    });
  });
}
