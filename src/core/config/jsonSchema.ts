import * as z from 'zod/mini';
import { formatCount } from '../text/numbers';
import { type Phrase, type PhraseBundle, phrase, sayPhrase } from '../text/phrase';
import { configSchema } from './schema';
import { schemaWords } from './schemaParts';

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

interface SchemaNode {
  [key: string]: unknown;
  properties?: Record<string, SchemaNode>;
  propertyNames?: SchemaNode;
  items?: SchemaNode;
  description?: string;
  /** VS Code's own key: said where a value is of another type, or does not match. */
  errorMessage?: string;
  additionalProperties?: SchemaNode | boolean;
}

/**
 * The JSON Schema (draft-07) of `.context-budget/config.json`, for `contributes.jsonValidation`, from the schema that
 * validates at run time. `bundle` has the language of the descriptions, which the editor shows; English without one.
 */
export function configJsonSchema(bundle: PhraseBundle = {}): object {
  const say = (words: Phrase): string => sayPhrase(words, bundle, formatCount);
  const options = { target: 'draft-7', io: 'input', reused: 'inline', override: withExpectation } as const;
  const made = z.toJSONSchema(configSchema(), options) as SchemaNode;
  const section = made.properties?.sections?.items;
  if (section) {
    // The rule between keys that `configRules.ts` checks at run time.
    section.oneOf = ['file', 'files', 'command', 'builtin'].map((key) => ({ required: [key] }));
  }
  return { ...closed(made, say), allowComments: true, allowTrailingCommas: true };
}

/** Keeps what a value should be in words. Not of an object, of which the editor would say it at each unknown key. */
function withExpectation({ zodSchema, jsonSchema }: Parameters<Override>[0]): void {
  const { error, type } = zodSchema._zod.def;
  const words = type === 'object' || type === 'record' ? undefined : error?.({ code: 'custom' } as never);
  if (typeof words === 'string') jsonSchema.errorMessage = words;
}

/**
 * Marks objects closed, so that the editor underlines a mistyped key as `parseConfig` warns about it, and says every
 * description and expectation.
 */
function closed(node: SchemaNode, say: (words: Phrase) => string): SchemaNode {
  const result: SchemaNode = { ...node };
  if (node.description !== undefined) result.description = say(schemaWords(node.description));
  if (node.errorMessage !== undefined)
    result.errorMessage = say(phrase('Expected {0}.', schemaWords(node.errorMessage)));
  if (node.propertyNames) result.propertyNames = closed(node.propertyNames, say);
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
