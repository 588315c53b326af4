import { RelayError } from './relayError';

/** Where JSON breaks off, from the engine's own words; undefined when these do not say. */
function placeOf(text: string, words: string): string | undefined {
  const position = Number(/at position (\d+)/.exec(words)?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return /end of JSON/i.test(words) ? 'it ends in the middle' : undefined;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `line ${line}, column ${position - before.lastIndexOf('\n')}`;
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
    const place = placeOf(text, cause instanceof Error ? cause.message : '');
    throw new RelayError('notJson', `${name} is not valid JSON${place === undefined ? '' : `: ${place}`}.`, { cause });
  }
}
