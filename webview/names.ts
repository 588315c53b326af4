/** How a section is named in its row: short, yet never the same as another one's. Pure. */
import type { ReportSection } from '../src/core/model/report';

type Titled = Pick<ReportSection, 'title' | 'path'>;

/** The two parts of a row's name. */
export interface RowName {
  readonly main: string;
  /** Shown muted behind `main`, as far as there is room; may be empty. */
  readonly rest: string;
  /** True when `main` is a folder, whose end says more than its start. */
  readonly isFolder: boolean;
}

function split(section: Titled): { readonly file: string; readonly folder: string } {
  const slash = section.path === undefined ? -1 : section.title.lastIndexOf('/');
  if (slash <= 0 || slash === section.title.length - 1) return { file: section.title, folder: '' };
  return { file: section.title.slice(slash + 1), folder: section.title.slice(0, slash) };
}

/** File names that more than one section has, such as `AGENTS.md` in a repository with nested ones. */
export function repeatedFileNames(sections: readonly Titled[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const section of sections) {
    const { file } = split(section);
    if (seen.has(file)) repeated.add(file);
    seen.add(file);
  }
  return repeated;
}

/**
 * The file's own name with its folder behind it; the other way round where several sections share the file name,
 * since then the folder tells them apart. Ids and patterns stay whole.
 */
export function rowName(section: Titled, repeated: ReadonlySet<string>): RowName {
  const { file, folder } = split(section);
  const isFolder = folder !== '' && repeated.has(file);
  return isFolder ? { main: folder, rest: file, isFolder } : { main: file, rest: folder, isFolder };
}
