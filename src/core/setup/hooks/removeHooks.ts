import { isAddedWith, removeChild } from '../../config/jsoncEdit';
import { HOOK_EVENTS, type HookEventName } from './hookAgent';
import { memberOf, type OwnEntry, ownEntries, parseSettings, type SettingsTree } from './hookEntries';
import type { HookTarget } from './hookTarget';

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
 * A settings file without our hooks: byte for byte what it was before `installHooks`, as far as nobody else changed it;
 * undefined when nothing is left of a file that was made for them. The same text when there are none of ours. Throws
 * `badFile` for a file that cannot be edited.
 */
export function removeHooks(text: string, target: HookTarget): string | undefined {
  return HOOK_EVENTS.reduceRight<string | undefined>(
    (left, event) => (left === undefined ? undefined : removeEvent(left, target, event)),
    text,
  );
}
