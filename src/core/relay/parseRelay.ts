import { type ParseError, parse } from 'jsonc-parser';
import { RelayError } from './relayError';

/** Where JSON breaks off: engines do not always say. `undefined` for what is nested too deep for this parser. */
function placeOf(text: string): string | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
  const [first] = errors;
  if (!first) return undefined;
  const before = text.slice(0, first.offset);
  if (text.slice(first.offset).trim() === '') return 'it ends in the middle';
  return `line ${before.split('\n').length}, column ${first.offset - before.lastIndexOf('\n')}`;
}

/**
 * Parses the text of a relay log or a ledger. `name` says in messages which one it is. Throws `RelayError` (`notJson`)
 * with the place where it breaks off.
 */
export function parseRelay(text: string, name: string): unknown {
  if (text.trim() === '') throw new RelayError('notJson', `${name} is empty; it must be a JSON object.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const place = placeOf(text);
    throw new RelayError('notJson', `${name} is not valid JSON${place === undefined ? '' : `: ${place}`}.`, { cause });
  }
}
