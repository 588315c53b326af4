/**
 * Arguments of tools: the pieces their schemas are made of, and how a wrong argument is told. Each `error` is the
 * expectation in words, as it reads after "must be". What was given is never repeated: it may be long, or a path.
 */
import * as z from 'zod/mini';
import { formatCount } from '../text/numbers';
import { type ContextTool, type JsonSchema, type ToolCall, ToolError, type ToolHost } from './tool';

/** What makes a tool. The schema is made when first asked for, since making it costs milliseconds. */
interface ToolDefinition<In extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  input(): In;
  answer(input: z.output<In>, host: ToolHost, call: ToolCall): Promise<string | undefined>;
}

/** Bounds are told by the error of a call that breaks them; each would cost every agent tokens in every session. */
const BOUNDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'];

function inputJsonSchema(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      for (const bound of BOUNDS) delete jsonSchema[bound as keyof typeof jsonSchema];
    },
  });
  return rest;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A tool whose arguments are checked by one schema, of which its JSON Schema is made as well. Every tool only reads. */
export function defineTool<In extends z.ZodMiniType>(definition: ToolDefinition<In>): ContextTool {
  const { name, description } = definition;
  const input = once(() => definition.input());
  return {
    name,
    description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: once(() => inputJsonSchema(input())),
    run: async (given, host, call) => definition.answer(parseToolInput(input(), given), host, call),
  };
}

/** A task may be a whole issue with its stack trace; more is a file. UTF-16 code units. */
export const MAX_QUERY_CHARS = 100_000;

/** Handles, ids of tasks and paths are no longer than a path may be. UTF-16 code units. */
const MAX_NAME_CHARS = 4096;

/** Problems that one answer names. */
const MAX_PROBLEMS = 5;

function bounded(words: string, maxChars: number) {
  const error = { error: words };
  return z.string(error).check(z.minLength(1, error), z.maxLength(maxChars, error));
}

/** A task or a search in words. */
export function queryText() {
  return bounded(`a string of 1 to ${formatCount(MAX_QUERY_CHARS)} characters`, MAX_QUERY_CHARS);
}

/** A handle, a path, the id of a task. */
export function nameText() {
  const words = `a string of 1 to ${formatCount(MAX_NAME_CHARS)} characters, not only blanks`;
  return bounded(words, MAX_NAME_CHARS).check(z.refine((text) => text.trim() !== '', { error: words }));
}

/** The name of a branch or commit; empty for the default one. */
export function baseText() {
  const error = { error: `a string of at most ${formatCount(MAX_NAME_CHARS)} characters` };
  return z.string(error).check(z.maxLength(MAX_NAME_CHARS, error));
}

/** A whole number within bounds, both inclusive. */
export function wholeNumber(minimum: number, maximum: number) {
  const error = { error: `a whole number from ${formatCount(minimum)} to ${formatCount(maximum)}` };
  return z.int(error).check(z.minimum(minimum, error), z.maximum(maximum, error));
}

/** A list with bounds on its length, both inclusive. */
export function listOf<T extends z.ZodMiniType>(element: T, minimum: number, maximum: number) {
  const error = { error: `a list of ${formatCount(minimum)} to ${formatCount(maximum)} texts` };
  return z.array(element, error).check(z.minLength(minimum, error), z.maxLength(maximum, error));
}

/** The arguments of a tool: no others are taken. */
export function argumentsOf<T extends Record<string, z.ZodMiniType>>(shape: T) {
  return z.strictObject(shape, { error: 'an object' });
}

/** Says of a schema what a model needs to know to fill it. */
export function described<T extends z.ZodMiniType>(schema: T, description: string): T {
  z.globalRegistry.add(schema, { description });
  return schema;
}

function problemText(issue: z.core.$ZodIssue, known: string): string {
  if (issue.code === 'unrecognized_keys') return `there are arguments that it does not have; it has ${known}`;
  const [name, at] = issue.path;
  const place = typeof at === 'number' ? `${String(name)}[${at}]` : String(name ?? 'the arguments');
  return `${place} must be ${issue.message}`;
}

/** Checks arguments. @throws ToolError `input` that says which must be what */
function parseToolInput<T extends z.ZodMiniType>(schema: T, given: unknown): z.output<T> {
  const parsed = z.safeParse(schema, given ?? {});
  if (parsed.success) return parsed.data;
  const { shape } = schema._zod.def as { readonly shape?: Readonly<Record<string, unknown>> };
  const names = Object.keys(shape ?? {}).join(', ') || 'none';
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map((issue) => problemText(issue, names));
  throw new ToolError('input', `The call was not understood: ${[...new Set(problems)].join('; ')}.`);
}
