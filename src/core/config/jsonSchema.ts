import * as z from 'zod/mini';
import { configSchema } from './schema';

interface SchemaNode {
  [key: string]: unknown;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  additionalProperties?: SchemaNode | boolean;
}

/**
 * The JSON Schema (draft-07) of `.context-budget/config.json`, for `contributes.jsonValidation`. Made from the schema
 * that validates at run time; comments and trailing commas are allowed, as VS Code's extension keywords say.
 */
export function configJsonSchema(): object {
  const made = z.toJSONSchema(configSchema(), { target: 'draft-7', io: 'input', reused: 'inline' }) as SchemaNode;
  const section = made.properties?.sections?.items;
  if (section) {
    // The rule between keys that `configRules.ts` checks at run time.
    section.oneOf = ['file', 'files', 'command', 'builtin'].map((key) => ({ required: [key] }));
  }
  return { ...closed(made), allowComments: true, allowTrailingCommas: true };
}

/** Marks objects closed, so that the editor underlines a mistyped key as `parseConfig` warns about it. */
function closed(node: SchemaNode): SchemaNode {
  const result: SchemaNode = { ...node };
  if (node.properties) {
    result.properties = Object.fromEntries(
      Object.entries(node.properties).map(([key, child]) => [key, closed(child)] as const),
    );
    result.additionalProperties = false;
  } else if (typeof node.additionalProperties === 'object') {
    result.additionalProperties = closed(node.additionalProperties);
  }
  if (node.items) result.items = closed(node.items);
  return result;
}
