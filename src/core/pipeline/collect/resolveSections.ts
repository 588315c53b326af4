/**
 * All sections of a folder: those of the config, what discovery finds beside them, and the built-ins. It decides which
 * of two that show the same file stays; `discover.ts` finds them, `collector.ts` reads them.
 */

import type { Config, ConfiguredSection } from '../../config/config';
import { globMatcher, MAX_GLOB_STEPS } from '../../files/glob';
import { BUILTIN_IDS, type BuiltinId, type Priority, type SectionDefinition } from '../../model/section';
import { elementName } from '../../text/elements';
import { BUILTIN_SOURCES, type HostAbilities } from './builtins';
import {
  byPriorityThenId,
  DISCOVERED,
  type DiscoverOptions,
  type DiscoverResult,
  discoverSections,
  isWellKnown,
  LOOSE,
  RULES_IDS,
} from './discover';
import { fileRole, isRunLog, rolePriority } from './fileRules';

/** What the host can do, and what the walk found out about links. */
interface ResolveOptions extends DiscoverOptions, HostAbilities {}

/**
 * All sections of a folder: the config's, what discovery finds beside them, and the built-ins. A section of the config
 * replaces discovered ones with the same id or the same file; a glob of it replaces discovered files it matches, and
 * discovered groups of which it matches any file (of the loose memories it takes those alone). A file with a section of
 * its own, or a link to one, is in no folder section. A built-in that the host cannot serve is left out silently, since
 * editor and CLI share one config. In the order of priority, then id.
 */
export function resolveSections(config: Config, files: readonly string[], options: ResolveOptions): DiscoverResult {
  const ids = new Set(config.sections.map(({ id }) => elementName(id)));
  // Apart from `isNamed`, whose steps are for fewer files.
  const hasFile = namedBy(config.sections);
  const discovered = discoverSections(files, {
    ...options,
    agents: { ...options.agents, configured: config.agents },
    isNamed: (title) => ids.has(title) || hasFile(title),
  });
  const isServed = (builtin: BuiltinId): boolean => BUILTIN_SOURCES[builtin].isServed(options);
  const configured = config.sections
    .filter(({ source }) => source.kind !== 'builtin' || isServed(source.builtin))
    .map((section) => complete(section, discovered.definitions));
  const isNamed = namedBy(config.sections);
  const isCovered = coverage(isNamed, files);
  const others = discovered.definitions
    .map((definition) => withoutNamed(definition, config.sections, ids))
    .filter((definition) => !ids.has(definition.id) && !isCovered(definition));
  const defined = new Set(
    config.sections.map(({ source }) => (source.kind === 'builtin' ? source.builtin : undefined)),
  );
  const builtins = BUILTIN_IDS.filter((id) => isServed(id) && !defined.has(id) && !ids.has(id)).map(builtinDefinition);
  const shown = [...configured, ...others];
  const isSingle = namedBy(shown.filter(({ source }) => source.kind === 'file'));
  const hasSection = (path: string): boolean => isSingle(options.links?.get(path) ?? path) || isSingle(path);
  const distinct = shown.map((definition) => {
    const isElsewhere = (path: string): boolean =>
      hasSection(path) || (definition.isDiscovered && (isNamed(path) || isWellKnown(path)));
    return withoutFiles(definition, files, isElsewhere);
  });
  return { ...discovered, definitions: [...distinct, ...builtins].sort(byPriorityThenId) };
}

/** A folder section without the files that are shown elsewhere. */
function withoutFiles(
  definition: SectionDefinition,
  files: readonly string[],
  isElsewhere: (path: string) => boolean,
): SectionDefinition {
  const { source } = definition;
  if (source.kind !== 'files' || source.paths) return definition;
  const matches = globMatcher(source.pattern);
  const except = files.filter((path) => matches(path) && isElsewhere(path));
  return except.length === 0 ? definition : { ...definition, source: { ...source, except } };
}

function builtinDefinition(builtin: BuiltinId): SectionDefinition {
  const { priority } = BUILTIN_SOURCES[builtin];
  const source = { kind: 'builtin', builtin } as const;
  return { id: builtin, title: builtin, priority, source, keepRecent: undefined, ...DISCOVERED };
}

/** Fills in the priority that the config leaves out: that of the same file or group as discovered, else by source. */
function complete(section: ConfiguredSection, discovered: readonly SectionDefinition[]): SectionDefinition {
  const { priority, source } = section;
  const role = priority === undefined && source.kind === 'file' ? fileRole(source.path) : undefined;
  return {
    ...section,
    priority: priority ?? defaultPriority(section, discovered),
    isDiscovered: false,
    ...(role ? { role } : {}),
  };
}

function defaultPriority({ source }: ConfiguredSection, discovered: readonly SectionDefinition[]): Priority {
  switch (source.kind) {
    case 'builtin':
      return BUILTIN_SOURCES[source.builtin].priority;
    case 'command':
      return 'P2';
    case 'file': {
      const same = discovered.find((other) => other.source.kind === 'file' && other.source.path === source.path);
      const role = fileRole(source.path);
      return same?.priority ?? (role ? rolePriority(role) : 'P4');
    }
    case 'files':
      return isRunLog(source) ? 'P3' : 'P4';
  }
}

/**
 * The rules without files that globs of the config match, under an id that the config does not use. Files that it names
 * one by one are taken out by `defaultPriorities.ts`, like all that are sections of their own.
 */
function withoutNamed(
  definition: SectionDefinition,
  sections: readonly ConfiguredSection[],
  ids: ReadonlySet<string>,
): SectionDefinition {
  const { source } = definition;
  if (source.kind !== 'files' || !source.paths) return definition;
  const id = RULES_IDS.find((each) => !ids.has(each)) ?? definition.id;
  const isNamed = namedBy(sections.filter((section) => section.source.kind === 'files'));
  return { ...definition, id, source: { ...source, paths: source.paths.filter((path) => !isNamed(path)) } };
}

/** Whether the config's own sections name a file. */
function namedBy(sections: readonly ConfiguredSection[]): (path: string) => boolean {
  const paths = new Set(sections.flatMap(({ source }) => (source.kind === 'file' ? [source.path] : [])));
  const meter = { steps: 0 };
  const globs = new Set(sections.flatMap(({ source }) => (source.kind === 'files' ? [source.pattern] : [])));
  const matchers = [...globs].map((pattern) => globMatcher(pattern, { meter }));
  return (path) => paths.has(path) || matchers.some((matches) => meter.steps < MAX_GLOB_STEPS && matches(path));
}

/** Tells whether the config's own sections already show what a discovered one would. */
function coverage(
  isNamed: (path: string) => boolean,
  files: readonly string[],
): (definition: SectionDefinition) => boolean {
  return ({ source }) => {
    if (source.kind === 'file') return isNamed(source.path);
    if (source.kind !== 'files') return false;
    if (source.paths) return source.paths.every(isNamed);
    const own = files.filter(globMatcher(source.pattern));
    // Loose memories have nothing in common but their folder.
    return source.pattern === LOOSE.pattern
      ? own.every((path) => isNamed(path) || isWellKnown(path))
      : own.some(isNamed);
  };
}
