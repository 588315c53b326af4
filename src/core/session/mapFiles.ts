import type { Config } from '../config/config';
import { globMatcher } from '../sections/glob';

/** The files that the config lets into the map (`repo_map.include`, `repo_map.exclude`), in the order given. */
export function mapFiles({ include, exclude }: Config['repoMap'], files: Iterable<string>): readonly string[] {
  const included = include.map((glob) => globMatcher(glob));
  const excluded = exclude.map((glob) => globMatcher(glob));
  return [...files].filter(
    (path) =>
      (included.length === 0 || included.some((matches) => matches(path))) &&
      !excluded.some((matches) => matches(path)),
  );
}
