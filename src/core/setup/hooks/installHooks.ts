/**
 * The exact edit that puts our hooks into an agent's settings: beside what is there, comments and order as they are, and
 * only what is missing. It decides what an entry holds and where it goes; hosts show the change, ask, and write.
 */

import { addLast, isAddedWith, layoutOf, removeChild, renderJson } from '../../config/jsoncEdit';
import { type HookProgram, hookCommandLine } from './hookCommandLine';
import { memberOf, type OwnEntry, ownEntries, parseSettings, type SettingsTree } from './hookEntries';
import {
  HOOK_EVENTS,
  HOOK_TIMEOUT_SECONDS,
  type HookAgent,
  type HookEventName,
  type HookTarget,
  hookForm,
} from './hookTarget';

/** The text without an entry, and without the list and the objects that came with it; undefined without the file. */
function removeEntry({ text, root }: SettingsTree, entry: OwnEntry, event: HookEventName): string | undefined {
  const { list, member } = entry;
  const hooks = list.parent?.parent;
  const isEventList = list.parent?.children?.[0]?.value === event;
  if (!isEventList || !hooks || !list.parent || !isAddedWith(text, list, member))
    return removeChild(text, list, member);
  if (!hooks.parent || !isAddedWith(text, hooks, list.parent)) return removeChild(text, hooks, list.parent);
  if (isAddedWith(text, root, hooks.parent) && text.trim().length === root.length) return undefined;
  return removeChild(text, root, hooks.parent);
}

function removeEvent(given: string, target: HookTarget, event: HookEventName): string | undefined {
  let left: string | undefined = given;
  while (left !== undefined) {
    const settings: SettingsTree = parseSettings(left, target.path);
    const hooks = memberOf(settings, settings.root, ['hooks'], 'object', target.path)?.value;
    const list = hooks && memberOf(settings, hooks, ['hooks', event], 'array', target.path)?.value;
    const entry = list && ownEntries(list, event, target.agent).at(-1);
    if (!entry) return left;
    const removed = removeEntry(settings, entry, event);
    left = removed === undefined ? undefined : settings.start + removed;
  }
  return left;
}

/**
 * A settings file without our hooks: byte for byte what it was before `installHooks`, apart from changes by others;
 * undefined when nothing is left of a file that was made for them. The same text when there are none of ours. Throws
 * `badFile` for a file that cannot be edited.
 */
export function removeHooks(text: string, target: HookTarget): string | undefined {
  return HOOK_EVENTS.reduceRight<string | undefined>(
    (left, event) => (left === undefined ? undefined : removeEvent(left, target, event)),
    text,
  );
}

/** One entry of an event's list. */
function entryOf(agent: HookAgent, event: HookEventName, command: string): unknown {
  const { isGrouped, matcher, timeUnit } = hookForm(agent);
  const timeout = timeUnit === 'seconds' ? HOOK_TIMEOUT_SECONDS : HOOK_TIMEOUT_SECONDS * 1000;
  const hook = { type: 'command', command, timeout };
  // Without a folder of its own a hook of VS Code starts in the home folder.
  if (!isGrouped) return { ...hook, cwd: '.' };
  return { ...(event === 'SessionStart' && matcher !== undefined ? { matcher } : {}), hooks: [hook] };
}

/** The text with the entry of one event. */
function installEvent(given: string, { agent, path }: HookTarget, event: HookEventName, program: HookProgram): string {
  const settings = parseSettings(given, path);
  const { start, text, root } = settings;
  const layout = layoutOf(text, root);
  const command = hookCommandLine(program, event, agent);
  const entry = entryOf(agent, event, command);
  const property = (name: string, value: unknown) => (indent: string) =>
    `${JSON.stringify(name)}: ${renderJson(value, layout, indent)}`;
  const hooks = memberOf(settings, root, ['hooks'], 'object', path)?.value;
  if (!hooks) return start + addLast(text, root, layout, property('hooks', { [event]: [entry] }));
  const list = memberOf(settings, hooks, ['hooks', event], 'array', path)?.value;
  if (!list) return start + addLast(text, hooks, layout, property(event, [entry]));
  const own = ownEntries(list, event, agent);
  if (own.length === 0) return start + addLast(text, list, layout, (indent) => renderJson(entry, layout, indent));
  // From the end, so that offsets before stay right.
  return own.reduceRight(
    (edited, { command: { offset, length } }) =>
      edited.slice(0, start.length + offset) + JSON.stringify(command) + edited.slice(start.length + offset + length),
    given,
  );
}

/**
 * A settings file with our hooks in it; the same text when they are there already. `text` is undefined where there is no
 * file. Entries of ours with another command line get this one. Throws `badFile` for a file that cannot be edited,
 * `badPath` for a program that no shell can call.
 */
export function installHooks(text: string | undefined, target: HookTarget, program: HookProgram): string {
  const { agent } = target;
  const { events } = hookForm(agent);
  if (text !== undefined) {
    return events.reduce((edited, event) => installEvent(edited, target, event, program), text);
  }
  const hooks = Object.fromEntries(
    events.map((event) => [event, [entryOf(agent, event, hookCommandLine(program, event, agent))]]),
  );
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}
