import { type ParseError, parse } from 'jsonc-parser';
import { type Phrase, phrase } from '../text/phrase';
import { RelayError } from './relayError';

/** Where JSON breaks off: engines do not always say. `undefined` for what is nested too deep for this parser. */
function placeOf(text: string): Phrase | undefined {
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
  if (text.slice(first.offset).trim() === '') return phrase('it ends in the middle');
  const [line, column] = [before.split('\n').length, first.offset - before.lastIndexOf('\n')];
  return phrase('line {0}, column {1}', String(line), String(column));
}

/**
 * Parses the text of a relay log or a ledger. `name` says in messages which one it is. Throws `RelayError` (`notJson`)
 * with the place where it breaks off.
 */
export function parseRelay(text: string, name: string | Phrase): unknown {
  if (text.trim() === '') throw new RelayError('notJson', phrase('{0} is empty; it must be a JSON object.', name));
  try {
    return JSON.parse(text);
  } catch (cause) {
    const place = placeOf(text);
    const words =
      place === undefined ? phrase('{0} is not valid JSON.', name) : phrase('{0} is not valid JSON: {1}.', name, place);
    throw new RelayError('notJson', words, { cause });
  }
}
