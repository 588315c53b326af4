import { type Phrase, phrase } from '../text/phrase';
import type { AgentCoverage, CoveredFile } from './agentCoverage';
import { byPlace, type FileNotice } from './stale/stalePaths';

interface Cut {
  readonly name: string;
  readonly file: CoveredFile;
}

/** `Codex, Copilot code review`, in words of the interface's language. */
function listed(names: readonly string[]): Phrase | string {
  return names.slice(1).reduce<Phrase | string>((list, name) => phrase('{0}, {1}', list, name), names[0] ?? '');
}

function reasons(cuts: readonly Cut[]): Phrase | string {
  const distinct = new Map(cuts.flatMap(({ file: { why } }) => (why ? [[JSON.stringify(why), why] as const] : [])));
  const [first, ...rest] = [...distinct.values()];
  return rest.reduce<Phrase | string>((list, why) => phrase('{0}; {1}', list, why), first ?? '');
}

/** Less than this share of a file is no loss to warn of. */
const MINOR_SHARE = 0.01;

/** Whether a cut is for information only: it is not certain, or takes less than 1% of the file. */
export function isMinorCut({ isDoubtful, bytesLost, bytes }: CoveredFile): boolean {
  return isDoubtful || bytesLost < bytes * MINOR_SHARE;
}

/** Message for a file that is too large to be read, so that the line of the cut is not known. */
function startMessage(agents: number, isDoubtful: boolean, names: Phrase | string, why: Phrase | string): Phrase {
  if (isDoubtful) return phrase('{0} may read only the start of this file: {1}', names, why);
  return agents > 1
    ? phrase('{0} read only the start of this file: {1}', names, why)
    : phrase('{0} reads only the start of this file: {1}', names, why);
}

function message(cuts: readonly Cut[]): Phrase {
  const names = listed(cuts.map(({ name }) => name));
  const why = reasons(cuts);
  const isDoubtful = cuts.every(({ file }) => file.isDoubtful);
  if (cuts[0]?.file.fate === 'dropped')
    return isDoubtful
      ? phrase('Perhaps not read at all by {0}: {1}', names, why)
      : phrase('Not read at all by {0}: {1}', names, why);
  if (cuts[0]?.file.cutLine === undefined) return startMessage(cuts.length, isDoubtful, names, why);
  if (isDoubtful) return phrase('{0} may stop reading here: {1}', names, why);
  return cuts.length > 1
    ? phrase('{0} stop reading here: {1}', names, why)
    : phrase('{0} stops reading here: {1}', names, why);
}

/**
 * What the editor says at each place where an agent stops reading: one notice a file and line, agents that stop at the
 * same line joined, those that do so for certain apart from those that perhaps do. A file on demand is cut once it is
 * read; one that a limit drops whole, or that is too large to be read, has its notice on line 1. By path, then line.
 */
export function cutNotices(coverage: readonly AgentCoverage[]): readonly FileNotice[] {
  const places = new Map<string, Cut[]>();
  for (const { name, files } of coverage) {
    for (const file of files) {
      const isCut = file.fate === 'truncated' || file.cutLine !== undefined;
      if (!isCut && file.fate !== 'dropped') continue;
      const key = JSON.stringify([file.path, file.cutLine ?? 0, file.fate, file.isDoubtful]);
      places.set(key, [...(places.get(key) ?? []), { name, file }]);
    }
  }
  return [...places.values()]
    .flatMap((cuts): FileNotice[] => {
      const [first] = cuts;
      if (!first) return [];
      const { path, cutLine } = first.file;
      const minor = cuts.every(({ file }) => isMinorCut(file)) ? ({ isMinor: true } as const) : {};
      const line = cutLine ?? 1;
      return [{ kind: 'agentCut', path, line, columns: undefined, message: message(cuts), ...minor }];
    })
    .sort(byPlace);
}
