/** Tools of MCP servers in the form in which an agent sends them to its model. */
import type { ToolForm, WindowRules } from '../../agents/windowRules';
import { isRecord, type JsonRecord, ownValue } from '../../text/jsonRecord';
import type { ConfiguredServer } from './mcpServers';

/** What a server told of itself when it was started. */
export interface ServerMeasurement {
  readonly commandHash: string;
  /** Name and version as the server tells them. */
  readonly server: string;
  readonly instructions: string;
  /** As the server sent them. */
  readonly tools: readonly JsonRecord[];
}

/** One text of a server as the agent sends it. */
export interface ServerText {
  /** Absent for the server's instructions. */
  readonly tool: string | undefined;
  readonly fate: 'loaded' | 'listed' | 'deferred' | 'cut' | 'disabled';
  /** In the window at the start. */
  readonly text: string;
  readonly full: string;
  readonly reason: string;
}

/** Keywords that Codex CLI 0.169.0 keeps (recorded); `items` is part of every list's schema. */
const REDUCED: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'items',
  'description',
  'enum',
  'anyOf',
  '$ref',
  '$defs',
  'required',
  'additionalProperties',
]);

/** Deeper schemas are sent as they are. */
const MAX_DEPTH = 60;

function reduced(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > MAX_DEPTH) return schema;
  const kept = Object.entries(schema).filter(([key]) => REDUCED.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if ((key === 'properties' || key === '$defs') && isRecord(value)) {
        const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
        return [key, Object.fromEntries(sorted.map(([name, each]) => [name, reduced(each, depth + 1)]))];
      }
      if (key === 'anyOf' && Array.isArray(value)) return [key, value.map((each) => reduced(each, depth + 1))];
      return [key, key === 'items' || key === 'additionalProperties' ? reduced(value, depth + 1) : value];
    }),
  );
}

function schemaOf(tool: JsonRecord, { schema, addedProperty }: ToolForm): unknown {
  const given = ownValue(tool, 'inputSchema') ?? { type: 'object', properties: {} };
  if (!isRecord(given)) return given;
  const properties = ownValue(given, 'properties');
  if (schema === 'reduced') return reduced(properties === undefined ? { ...given, properties: {} } : given);
  if (schema === 'closed') return { ...given, properties: properties ?? {}, additionalProperties: false };
  const { $schema: _schema, ...rest } = given;
  const kept: JsonRecord = schema === 'withoutSchema' ? rest : given;
  if (!addedProperty) return kept;
  return { ...kept, properties: { ...(isRecord(properties) ? properties : {}), [addedProperty[0]]: addedProperty[1] } };
}

/** The name that the model knows a tool by. */
export function toolName(server: string, tool: string, { name, letters, longest }: ToolForm): string {
  const clean = (text: string): string => text.replace(letters, '_');
  const whole = name.replace('{server}', clean(server)).replace('{tool}', clean(tool));
  if (!longest || whole.length <= longest.characters) return whole;
  if (longest.cut === 'end') return whole.slice(0, longest.characters);
  const { characters, mark = '...' } = longest;
  const head = Math.floor((characters - mark.length) / 2);
  return `${whole.slice(0, head)}${mark}${whole.slice(whole.length - (characters - mark.length - head))}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A tool as JSON, as the agent sends it. */
export function toolText(server: string, tool: JsonRecord, form: ToolForm): string {
  const description = textOf(ownValue(tool, 'description'));
  return JSON.stringify({
    ...(form.extra ?? {}),
    name: toolName(server, textOf(ownValue(tool, 'name')), form),
    description: description.slice(0, form.descriptionCharacters ?? description.length),
    [form.schemaKey]: schemaOf(tool, form),
  });
}

function names(value: unknown): ReadonlySet<string> | undefined {
  if (!Array.isArray(value)) return undefined;
  // Gemini CLI allows arguments behind a name: `tool(arg)`.
  return new Set(value.filter((each) => typeof each === 'string').map((each) => each.replace(/\(.*$/, '')));
}

/** Whether the tools of a server load on demand with this model. */
function isDeferred(rules: WindowRules, { entry, loadsAllBy }: ConfiguredServer, model: string | undefined): boolean {
  const { deferral } = rules.mcp ?? {};
  if (!deferral || loadsAllBy || (deferral.unless && ownValue(entry, deferral.unless) === true)) return false;
  if (deferral.when === 'always') return true;
  // Without a model that of the agent's own choice, whose tools load on demand, counts.
  return model === undefined ? rules.windowTokens !== null : deferral.when.test(model);
}

/** Everything of a measured server as the agent sends it, its instructions first. */
export function serverTexts(
  rules: WindowRules,
  server: ConfiguredServer,
  { tools, instructions }: ServerMeasurement,
  model: string | undefined,
): readonly ServerText[] {
  const { mcp } = rules;
  if (!mcp) return [];
  const deferred = isDeferred(rules, server, model);
  const listed = mcp.onlyTools ? names(ownValue(server.entry, mcp.onlyTools)) : undefined;
  const only = listed?.has('*') ? undefined : listed;
  const except = mcp.exceptTools ? names(ownValue(server.entry, mcp.exceptTools)) : undefined;
  const room = (deferred ? mcp.instructionCharactersDeferred : undefined) ?? mcp.instructionCharacters;
  const offBy = (name: string): string | undefined => {
    if (except?.has(name) || (only && !only.has(name))) return 'the entry of its server leaves it out';
    const setting = server.toolOffBy(toolName(server.name, name, mcp.form));
    return setting && `turned off by ${setting}`;
  };
  const isMute = mcp.needsTool && tools.every((tool) => offBy(textOf(ownValue(tool, 'name'))) !== undefined);
  return [
    ...(instructions === '' ? [] : [instructionText(instructions, isMute ? 0 : room)]),
    ...tools.map((tool): ServerText => {
      const name = textOf(ownValue(tool, 'name'));
      const full = toolText(server.name, tool, mcp.form);
      const row = { tool: name, full };
      const off = offBy(name);
      if (off !== undefined) return { ...row, fate: 'disabled', text: '', reason: off };
      const { deferral } = mcp;
      const meta = ownValue(tool, '_meta');
      const isKept = deferral?.unlessMeta && isRecord(meta) && ownValue(meta, deferral.unlessMeta) === true;
      if (!deferred || isKept || !deferral)
        return { ...row, fate: 'loaded', text: full, reason: 'tool lists load at start' };
      if (deferral.stays === 'none') return { ...row, fate: 'deferred', text: '', reason: 'found by tool search' };
      const described = deferral.stays === 'name' ? '' : textOf(ownValue(tool, 'description')).slice(0, deferral.stays);
      const text = `${toolName(server.name, name, mcp.form)}${described === '' ? '' : `: ${described}`}\n`;
      return { ...row, fate: 'listed', text, reason: 'its name is listed; tool search loads the rest' };
    }),
  ];
}

function instructionText(instructions: string, room: number): ServerText {
  const row = { tool: undefined, full: instructions, text: instructions.slice(0, room) };
  if (room === 0) return { ...row, fate: 'deferred', reason: "the server's instructions are not sent" };
  if (row.text.length < instructions.length)
    return { ...row, fate: 'cut', reason: `the first ${room} characters of the server's instructions` };
  return { ...row, fate: 'loaded', reason: "the server's instructions" };
}
