/** The work at hand as a query: which files have focus, what a selection says when no task is named (DESIGN §6). */
import type { EditorDiagnostic, OpenEditor } from '../../ports/ports';
import { STOP_WORDS } from '../../text/terms';
import type { ChangeSet } from './changedOrder';
import type { TaskCorpus } from './taskCorpus';
import type { FileScores } from './taskFiles';
import type { TermHits } from './taskHits';

/** What a host knows of the work at hand; empty lists where it knows nothing. */
interface WorkingFacts {
  readonly openEditors: readonly OpenEditor[];
  readonly diagnostics: readonly EditorDiagnostic[];
  /** Files that git sees as changed, relative to the folder. */
  readonly changedPaths: readonly string[];
}

/** A query made of the work at hand. */
export interface WorkingQuery {
  /** Sorted, so that the same work gives the same map whatever came first. */
  readonly focusPaths: readonly string[];
  /** Empty unless something is selected that says more than a name. */
  readonly query: string;
  /** What changed since the main branch, where the user wants the map of that; the paths above are its files then. */
  readonly changes?: ChangeSet;
}

/** Nothing is known of the work at hand. */
export const NO_WORK: WorkingQuery = { focusPaths: [], query: '' };

/** More files than this are a merge or a generator's work, not a focus. */
export const MAX_FOCUS = 40;
/** Paths named beside a selection. */
const MAX_NAMED = 8;
/** A selected word is a look-up; from two names on it is about something. */
const MIN_NAMES = 2;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** Files with focus: open (the active first), changed, with errors. A selection becomes the query's text. */
export function workingQuery({ openEditors, diagnostics, changedPaths }: WorkingFacts): WorkingQuery {
  const kept = openEditors.filter((editor) => !editor.isPreview || editor.isDirty);
  const ordered = [
    ...kept.toSorted((a, b) => Number(b.isActive) - Number(a.isActive)).map(({ path }) => path),
    ...changedPaths.filter((path) => !path.endsWith('/')),
    ...diagnostics.filter(({ severity }) => severity === 'error').map(({ path }) => path),
  ];
  const focus = [...new Set(ordered)].slice(0, MAX_FOCUS);
  const selected = openEditors.find((editor) => editor.isActive && isTelling(editor.selectedText ?? ''));
  const query = selected ? selectionQuery(selected, focus) : '';
  return { focusPaths: [...focus].sort(), query };
}

function isTelling(text: string): boolean {
  const names = new Set(text.match(NAME)?.filter((name) => !STOP_WORDS.has(name.toLowerCase())));
  return names.size >= MIN_NAMES;
}

/** The selection as code, below the path of its file; fences keep its lines from weighing like a title. */
function selectionQuery({ path, selectedText = '' }: OpenEditor, focus: readonly string[]): string {
  const others = focus.filter((other) => other !== path).slice(0, MAX_NAMED);
  return [path, '```', selectedText.trim(), ...others, '```'].join('\n');
}

/** A name of the task that this many files hold, and no more, says which files it is about. */
const RARE_FILES = 24;

/**
 * Paths of files whose definitions count for a task, from what is known of them, the best first: those among the best
 * `limit` files, and those that hold a rare identifier of the task.
 */
export function candidatePaths(
  {
    corpus,
    files,
    hits,
  }: { readonly corpus: TaskCorpus; readonly files: FileScores; readonly hits: readonly TermHits[] },
  identifiers: ReadonlySet<string>,
  limit: number,
): readonly string[] {
  const wanted = new Set<number>();
  for (const { query, files: holders } of hits) {
    if (!identifiers.has(query.term) || holders.length > RARE_FILES) continue;
    for (const at of holders) wanted.add(at);
  }
  files.ranks.forEach((rank, at) => {
    if (rank < limit) wanted.add(at);
  });
  return [...wanted]
    .sort((a, b) => (files.ranks[a] as number) - (files.ranks[b] as number))
    .flatMap((at) => corpus.files[at]?.file.path ?? []);
}
