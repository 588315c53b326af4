/** Our own tools in transcripts: which calls are theirs, and what handles they asked for. */
import type { JsonRecord } from '../text/jsonRecord';
import { asObject } from './jsonFields';
import type { ToolKind } from './transcriptAdapter';

/** The five tools of DESIGN §8, whatever a host puts before them: `mcp__context-budget__context_detail`. */
const OWN_TOOL = /(?:^|[_./:-])(?:context_(?:index|timeline|detail|budget)|repo_map)$/;
/** A handle of DESIGN §2; paths and keys of files may hold blanks. */
const HANDLE =
  /^(?:\d{1,15}|section:[\p{L}\p{N}_.-]{1,200}(?:[/#]\P{Cc}{1,400})?|sym:[\da-f]{4,40}|file:\P{Cc}{1,400})$/u;
/** A comma between handles: paths in handles may hold others. */
const HANDLE_COMMA = /,(?=\s*(?:[a-z]+:|\d+\s*(?:,|$)|,|$))/;
const HANDLE_KEYS = ['ids', 'id', 'handles', 'handle'];
/** More in one call are no request but a mistake. */
const MAX_HANDLES = 200;

export function isOwnTool(name: string): boolean {
  return OWN_TOOL.test(name);
}

/** The kind of a tool by its name. `names` lists the names of each kind, separated by spaces; all others are `other`. */
export function toolKinds(names: Partial<Record<ToolKind, string>>): (name: string) => ToolKind {
  const kinds = new Map<string, ToolKind>();
  for (const [kind, list] of Object.entries(names))
    for (const name of list.split(' ')) kinds.set(name, kind as ToolKind);
  return (name) => (isOwnTool(name) ? 'context' : (kinds.get(name) ?? 'other'));
}

/** The handles in a list such as `12,section:soul`; what is none is left out. */
export function splitHandles(list: string): readonly string[] {
  return list
    .split(HANDLE_COMMA)
    .map((item) => item.trim())
    .filter((item) => HANDLE.test(item))
    .slice(0, MAX_HANDLES);
}

/** The handles that arguments of one of our tools ask for. */
export function handlesOfArguments(given: JsonRecord): readonly string[] {
  const values = HANDLE_KEYS.flatMap((key) => given[key] ?? []).flat();
  const found = values.flatMap((value) => {
    const id = asObject(value)?.id ?? value;
    return typeof id === 'string' || typeof id === 'number' ? splitHandles(String(id)) : [];
  });
  return [...new Set(found)].slice(0, MAX_HANDLES);
}
