/** Where an `@path` leads. */
export type ImportPlace =
  | { readonly kind: 'inside'; readonly path: string }
  /** Absolute, of the user's home, or above the folder. */
  | { readonly kind: 'outside' };

/** Punctuation that ends a sentence rather than a path. */
const TRAILING = /[.,;:!?)\]}'"*_>]+$/;

/** Ends like a file's name, so that somebody meant a file: `docs/a.md`, not `user` or `types/node`. */
const FILE_NAME = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;

/** What a word after `@` may stand for, most literal first: as it is, without a fragment, without closing punctuation. */
export function spellings(target: string): readonly string[] {
  const plain = target.replace(/#.*$/, '');
  return [...new Set([target, plain, plain.replace(TRAILING, '')])].filter((word) => word !== '');
}

/** Whether a word was meant as a path, even if nothing is there. */
export function looksLikeFile(target: string): boolean {
  const plain = spellings(target).at(-1) ?? '';
  return /^(?:\.{1,2}|~)?\//.test(plain) || FILE_NAME.test(plain);
}

/** Resolves a path relative to the file that names it. */
export function resolveImport(importer: string, target: string): ImportPlace {
  if (/^(?:~|\/|[A-Za-z]:[\\/])/.test(target)) return { kind: 'outside' };
  const names = importer.split('/').slice(0, -1);
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return { kind: 'outside' };
  }
  return { kind: 'inside', path: names.join('/') };
}

/** Files inside the folder that a word may name. */
export function importCandidates(importer: string, target: string): readonly string[] {
  return spellings(target).flatMap((word) => {
    const place = resolveImport(importer, word);
    return place.kind === 'inside' && place.path !== '' ? [place.path] : [];
  });
}
