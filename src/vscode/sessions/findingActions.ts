/** What can be done about a session's findings with one click. Pure. */
import type { ReportSection } from '../../core/model/report';
import { languageOf, readerOf } from '../../core/repomap/facts/languages';
import type { SessionPageFinding } from '../../core/window/sessions/sessionPage';
import type { FindingAction } from '../../protocol/sessionPanel';

/** What a finding's file is to the folder. */
export interface FolderFacts {
  /** Sections of the payload; none before it was counted. */
  readonly sections: readonly Pick<ReportSection, 'id' | 'path' | 'disclosure' | 'priority'>[];
  /** Files that are there, among those that findings name. */
  readonly files: ReadonlySet<string>;
}

/** A path as a log names it that may be one of the folder's files: relative, and not out of it. */
export function isInFolder(path: string | undefined): path is string {
  return path !== undefined && !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..');
}

function sectionAt(path: string, { sections }: FolderFacts): FolderFacts['sections'][number] | undefined {
  const section = sections.find((each) => each.path === path);
  return section?.disclosure === 'full' || section?.disclosure === 'summary' ? section : undefined;
}

/** The section that is this file, if the agent gets it without asking. */
export function sectionOf(path: string, facts: FolderFacts): string | undefined {
  return sectionAt(path, facts)?.id;
}

/** Whether the map has more of a file than its headings. */
function hasSignatures(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && readerOf(language) !== 'headings';
}

/** The one action of a finding; undefined where there is nothing that we could do. */
export function actionFor(
  { path, fix }: Pick<SessionPageFinding, 'path' | 'fix'>,
  facts: FolderFacts,
): FindingAction | undefined {
  if (!isInFolder(path)) return undefined;
  const section = sectionAt(path, facts);
  if (section && fix === 'exclude') return 'exclude';
  if (section && section.priority !== 'P0') return 'onDemand';
  if (!facts.files.has(path)) return undefined;
  return fix === 'map' && hasSignatures(path) ? 'copyMap' : 'openFile';
}
