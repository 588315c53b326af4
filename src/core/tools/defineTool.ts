import * as z from 'zod/mini';
import type { ContextTool, JsonSchema, ToolAnswer, ToolCall, ToolHost } from './tool';
import { parseToolInput } from './toolInput';

/** What makes a tool. The schemas are made when first asked for, since making them costs milliseconds. */
export interface ToolDefinition<In extends z.ZodMiniType, Out extends z.ZodMiniType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  input(): In;
  output(): Out;
  answer(input: z.output<In>, host: ToolHost, call: ToolCall): Promise<ToolAnswer | undefined>;
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

/** Keys and their types alone: what is in lists is in the README, since it would cost every agent as much as all inputs. */
function outputJsonSchema(schema: z.ZodMiniType): JsonSchema {
  const { properties = {} } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output' });
  const types = Object.entries(properties).map(([key, value]) => [key, { type: (value as { type?: unknown }).type }]);
  return { type: 'object', properties: Object.fromEntries(types) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A tool whose arguments are checked by one schema, of which its JSON Schema is made as well. Every tool only reads. */
export function defineTool<In extends z.ZodMiniType, Out extends z.ZodMiniType>(
  definition: ToolDefinition<In, Out>,
): ContextTool {
  const { name, title, description } = definition;
  const input = once(() => definition.input());
  return {
    name,
    title,
    description,
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: once(() => inputJsonSchema(input())),
    outputSchema: once(() => outputJsonSchema(definition.output())),
    run: async (given, host, call) => definition.answer(parseToolInput(input(), given), host, call),
  };
}
