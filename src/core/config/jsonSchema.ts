import * as z from 'zod/mini';
import { formatCount } from '../text/numbers';
import { type Phrase, type PhraseBundle, sayPhrase } from '../text/phrase';
import { configSchema } from './schema';
import { schemaWords } from './schemaParts';

interface SchemaNode {
  [key: string]: unknown;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  description?: string;
  additionalProperties?: SchemaNode | boolean;
}

/**
 * The JSON Schema (draft-07) of `.context-budget/config.json`, for `contributes.jsonValidation`, from the schema that
 * validates at run time. `bundle` has the language of the descriptions, which the editor shows; English without one.
 */
export function configJsonSchema(bundle: PhraseBundle = {}): object {
  const say = (words: Phrase): string => sayPhrase(words, bundle, formatCount);
  const made = z.toJSONSchema(configSchema(), { target: 'draft-7', io: 'input', reused: 'inline' }) as SchemaNode;
  const section = made.properties?.sections?.items;
  if (section) {
    // The rule between keys that `configRules.ts` checks at run time.
    section.oneOf = ['file', 'files', 'command', 'builtin'].map((key) => ({ required: [key] }));
  }
  return { ...closed(made, say), allowComments: true, allowTrailingCommas: true };
}

/**
 * Marks objects closed, so that the editor underlines a mistyped key as `parseConfig` warns about it, and says every
 * description.
 */
function closed(node: SchemaNode, say: (words: Phrase) => string): SchemaNode {
  const result: SchemaNode = { ...node };
  if (node.description !== undefined) result.description = say(schemaWords(node.description));
  if (node.properties) {
    result.properties = Object.fromEntries(
      Object.entries(node.properties).map(([key, child]) => [key, closed(child, say)] as const),
    );
    result.additionalProperties = false;
  } else if (typeof node.additionalProperties === 'object') {
    result.additionalProperties = closed(node.additionalProperties, say);
  }
  if (node.items) result.items = closed(node.items, say);
  return result;
}
