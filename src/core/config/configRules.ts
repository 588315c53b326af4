import { elementName, RESERVED_ELEMENTS } from '../text/elements';
import { asGiven, type Phrase, phrase } from '../text/phrase';
import { isInGit, isSafePath, normalizePath } from '../text/safePath';
import { didYouMean, type KeyPath, nearestKey } from './configTree';
import { BUILTIN_PROFILES, DEFAULTS } from './profile';
import type { ConfigFile } from './schema';

/** A broken rule between values; `words` follow the key path. */
export interface RuleFinding {
  readonly path: KeyPath;
  readonly words: Phrase;
}

type SectionEntry = ConfigFile['sections'][number];

/** Keys of a section's source; each section has one of them. */
export const SOURCE_KEYS = ['file', 'files', 'command', 'builtin'] as const;

/**
 * Checks what single values cannot: unique ids, one source a section, known profiles, lists without repeats, a file a log.
 * @param places where each section stands in the file
 */
export function checkRules(file: ConfigFile, places: readonly number[]): RuleFinding[] {
  const sections = file.sections.map((section, at) => ({ section, place: places[at] ?? at }));
  return [
    ...sections.flatMap(({ section, place }) => checkSection(section, ['sections', place])),
    ...checkUnique(sections, 'id', (section) => elementName(section.id)),
    ...checkUnique(sections, 'file', (section) => section.file && normalizePath(section.file)),
    ...checkUnique(sections, 'builtin', (section) => section.builtin),
    ...checkProfiles(file),
    ...checkRoiThresholds(file),
    ...checkLogs(file),
  ];
}

function checkRoiThresholds({ scoring }: ConfigFile): RuleFinding[] {
  const { waste, med } = scoring.roi_thresholds;
  if (waste <= med) return [];
  const words = phrase('must not exceed "med" ({0}), but is {1}', String(med), String(waste));
  return [{ path: ['scoring', 'roi_thresholds', 'waste'], words }];
}

/** Each log goes by its own records: in one file they would take each other's numbers. Git's own files are never written. */
function checkLogs({ usage_log: usageLog, observations }: ConfigFile): RuleFinding[] {
  const logs: readonly (readonly [string, KeyPath])[] = [
    [usageLog, ['usage_log']],
    [observations.path, ['observations', 'path']],
  ];
  const inGit = logs
    .filter(([file]) => isInGit(normalizePath(file)))
    .map(([file, path]) => ({ path, words: phrase('must not be in a Git folder, but is "{0}"', file) }));
  if (normalizePath(usageLog) !== normalizePath(observations.path)) return inGit;
  // Named is the one that the file sets, since that can fall back to its default.
  if (usageLog !== DEFAULTS.usageLog) {
    const words = phrase('must differ from observations.path, but both are "{0}"', usageLog);
    return [...inGit, { path: ['usage_log'], words }];
  }
  const words = phrase('must differ from usage_log, but both are "{0}"', observations.path);
  return [...inGit, { path: ['observations', 'path'], words }];
}

function checkSection(section: SectionEntry, path: KeyPath): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const present = SOURCE_KEYS.filter((key) => section[key] !== undefined);
  if (present.length !== 1) {
    const named = present.map((key) => asGiven(`"${key}"`));
    const has = named
      .slice(1)
      .reduce((before, next) => phrase('{0} and {1}', before, next), named[0] ?? phrase('none'));
    const words = phrase('must have exactly one of "file", "files", "command" and "builtin", but has {0}', has);
    findings.push({ path, words });
  }
  if (RESERVED_ELEMENTS.includes(elementName(section.id))) {
    const reserved = RESERVED_ELEMENTS.map((id) => `"${id}"`).join(', ');
    const words = phrase('must not be {0}, which payloads use, but is "{1}"', reserved, section.id);
    findings.push({ path: [...path, 'id'], words });
  }
  if (section.command && section.command[0] === '') {
    const words = phrase('must name a program, but is ""');
    findings.push({ path: [...path, 'command', 0], words });
  }
  return findings;
}

function checkUnique(
  sections: readonly { readonly section: SectionEntry; readonly place: number }[],
  key: 'id' | 'file' | 'builtin',
  pick: (section: SectionEntry) => string | undefined,
): RuleFinding[] {
  const first = new Map<string, number>();
  return sections.flatMap(({ section, place }) => {
    const value = pick(section);
    if (value === undefined) return [];
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, place);
      return [];
    }
    const words = phrase('must be unique, but "{0}" is already used by {1}', value, `sections[${earlier}]`);
    return [{ path: ['sections', place, key], words }];
  });
}

function checkProfiles(file: ConfigFile): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const names = Object.keys(file.profiles);
  const all = [...new Set([...BUILTIN_PROFILES.map(({ name }) => name), ...names])];
  if (!all.includes(file.default_profile)) {
    const known = all.map((name) => `"${name}"`).join(', ');
    const words = phrase('must be the name of a profile ({0}), but is "{1}"', known, file.default_profile);
    const meant = nearestKey(file.default_profile, all);
    findings.push({ path: ['default_profile'], words: didYouMean(words, meant && `"${meant}"`) });
  }
  for (const [name, profile] of Object.entries(file.profiles)) {
    for (const [at, step] of profile.downgrade_order.entries()) {
      if (profile.downgrade_order.indexOf(step) === at) continue;
      const words = phrase('must not repeat a step, but repeats "{0}"', step);
      findings.push({ path: ['profiles', name, 'downgrade_order', at], words });
    }
  }
  return findings;
}

/** True when a discovered path can be written into a config and read back the same. */
export function isConfigurablePath(path: string): boolean {
  return isSafePath(path) && normalizePath(path) === path;
}
