/** Lists in an agent's settings that turn off skills, subagents or tools. */
import type { OffList } from '../../agents/windowRules';
import { globMatcher } from '../../files/glob';
import { isRecord, type JsonRecord, ownValue } from '../../text/jsonRecord';
import type { WindowFiles } from './homeFiles';
import { firstSetting } from './settingValue';

/** What a list may know a skill, a subagent or a tool by. */
export interface Listable {
  readonly name: string;
  /** Absolute. */
  readonly path?: string;
  /** As permissions write it, such as `Agent(name)`. */
  readonly permission?: string;
}

/** Longer patterns mean no name. */
const MAX_PATTERN = 200;

function isListed(value: unknown, form: OffList['form'], { name, path, permission }: Listable): boolean {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (form) {
    case 'names':
      return list.includes(name);
    case 'permissions':
      return list.some((each) => typeof each === 'string' && isDenied(each, permission ?? name));
    case 'entries':
      return list.some(
        (each) =>
          isRecord(each) &&
          ownValue(each, 'enabled') === false &&
          (ownValue(each, 'name') === name || (path !== undefined && ownValue(each, 'path') === path)),
      );
    case 'records': {
      const own = isRecord(value) ? ownValue(value, name) : undefined;
      return isRecord(own) && ownValue(own, 'disable') === true;
    }
    case 'patterns':
      return isRecord(value) && isOffByPattern(value, name);
  }
}

/** `mcp__server` is all of a server's tools. */
function isDenied(permission: string, name: string): boolean {
  return permission === name || name.startsWith(`${permission.replace(/__\*$/, '')}__`);
}

function isOffByPattern(patterns: JsonRecord, name: string): boolean {
  const last = Object.entries(patterns)
    .filter(([pattern]) => pattern.length <= MAX_PATTERN && globMatcher(pattern)(name))
    .at(-1);
  return last?.[1] === 'deny' || last?.[1] === false;
}

/** Reads the lists; the result says which of them turns something off, or undefined. */
export async function readOffLists(
  lists: readonly OffList[] | undefined,
  root: string,
  files: WindowFiles,
): Promise<(item: Listable) => string | undefined> {
  const found = await Promise.all(
    (lists ?? []).map(async ({ path, format, keys, form }) => {
      const setting = await firstSetting({ paths: [path], keys, ...(format ? { format } : {}) }, root, files);
      return { form, value: setting?.value, by: `${keys.join('.')} in ${path}` };
    }),
  );
  return (item) => found.find(({ form, value }) => isListed(value, form, item))?.by;
}
