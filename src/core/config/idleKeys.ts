/** Keys of the config that do nothing for the section that they name. */
import type { Problem } from '../model/problem';
import { BUILTIN_IDS, type SectionDefinition } from '../model/section';
import { phrase } from '../text/phrase';
import { type Config, toProblems } from './config';
import { formatPath, type KeyPath, parseConfigTree, valueAt } from './configTree';

/** Sections that a key of the config names. `at`: where each one stands below the key. */
interface NamedSections {
  readonly key: KeyPath;
  readonly named: readonly { readonly id: string; readonly at: string | number }[];
  /** The key changes nothing for `P0`. */
  readonly isIdleForP0?: true;
}

const inList = (ids: readonly string[]): NamedSections['named'] => ids.map((id, at) => ({ id, at }));
const inTable = (limits: Readonly<Record<string, number>>): NamedSections['named'] =>
  Object.keys(limits).map((id) => ({ id, at: id }));

function namedSections({ pinned, excluded, onDemand, profiles, check }: Config): readonly NamedSections[] {
  return [
    { key: ['pinned'], named: inList(pinned) },
    { key: ['excluded'], named: inList(excluded) },
    { key: ['on_demand'], named: inList(onDemand), isIdleForP0: true },
    ...profiles.map(({ name, maxPerSourceTokens }): NamedSections => {
      const key = ['profiles', name, 'max_per_source_tokens'];
      return { key, named: inTable(maxPerSourceTokens), isIdleForP0: true };
    }),
    { key: ['check', 'limits', 'section'], named: inTable(check.limits.section) },
  ];
}

/**
 * A hint for each key of the file that does nothing for the section that it names. Built-in sections may exist in another
 * host, and built-in profiles name some of them.
 * @param text the file, valid
 */
export function idleKeys(
  text: string,
  config: Config,
  sections: readonly Pick<SectionDefinition, 'id' | 'priority'>[],
): readonly Problem[] {
  const ids = new Set<string>([...sections, ...config.sections].map(({ id }) => id).concat(BUILTIN_IDS));
  const whole = new Set(sections.filter(({ priority }) => priority === 'P0').map(({ id }) => id));
  const idle = namedSections(config).flatMap(({ key, named, isIdleForP0 }) =>
    named.flatMap(({ id, at }) => {
      const isIdle = isIdleForP0 && whole.has(id);
      if (ids.has(id) && !isIdle) return [];
      const why = isIdle ? phrase('P0 is always shown in full') : phrase('there is no such section');
      return [{ path: [...key, at], words: phrase('{0} names "{1}", but {2}', formatPath(key), id, why) }];
    }),
  );
  if (idle.length === 0) return [];
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const { root } = parseConfigTree(source);
  const findings = idle.flatMap(({ path, words }) => {
    // Of what the file does not set, such as limits of a built-in profile, nothing is said.
    const offset = root && valueAt(root, path)?.offset;
    return offset === undefined ? [] : [{ severity: 'warning' as const, words, offset }];
  });
  return toProblems(source, findings).map((problem) => ({ ...problem, severity: 'hint' }));
}
