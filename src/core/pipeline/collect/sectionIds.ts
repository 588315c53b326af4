import { hashText } from '../../text/hash';

/** Longer ids would not fit a row of the panel; the config's limit is the same. */
const MAX_ID_CHARS = 80;

/** Lower-case letters, digits and single hyphens; other characters become hyphens. May be empty. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function shortHash(text: string): string {
  return hashText(text).slice(0, 6);
}

/**
 * A readable id: the first of `wishes` that is free in `taken`, else the last one with a hash of `path`. An id depends
 * on the path and on shorter wishes being taken, never on an order of events. Matches `^[a-z][a-z0-9-]*$`.
 */
export function uniqueId(wishes: readonly string[], path: string, taken: ReadonlySet<string>): string {
  const ids = wishes.map((wish) => readableId(wish, path));
  const free = ids.find((id) => !taken.has(id));
  if (free !== undefined) return free;
  const last = ids.at(-1) ?? 'section';
  return `${last.slice(0, MAX_ID_CHARS - 7)}-${shortHash(path)}`;
}

function readableId(wish: string, path: string): string {
  const plain = slug(wish);
  const lettered = /^[a-z]/.test(plain) ? plain : `s-${plain}`;
  // Letters outside a–z are lost in a slug; the hash keeps two such names apart, and their ids stable.
  const hasLost = /[^\p{ASCII}]/u.test(wish);
  if (!hasLost && lettered.length <= MAX_ID_CHARS) return lettered;
  const stem = lettered.slice(0, MAX_ID_CHARS - 7).replace(/-+$/, '');
  return `${stem}-${shortHash(path)}`;
}
