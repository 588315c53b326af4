/** What changed in a folder, as maps of changes are made of: git's files and lines, and definitions that are gone. */
import type { FileParser } from '../engine/parser';
import { type GitChanges, readChanges, readOldFile } from '../pipeline/collect/gitChanges';
import { openFacts } from '../repomap/facts/factsCodec';
import { hasGrammar, languageOf } from '../repomap/facts/languages';
import type { Definition } from '../repomap/facts/types';
import { qualifiedNames } from '../repomap/index/indexedFile';
import type { ChangeSet, RemovedDefinition } from '../repomap/ranking/changedOrder';
import { hashText } from '../text/hash';
import { Limiter } from '../text/limiter';
import type { WorkspacePorts } from './workspaceState';

/** A change, read for a map. */
export interface ReadChangeSet extends Pick<GitChanges, 'base' | 'commit' | 'isCut'> {
  readonly changes: ChangeSet;
}

/** Files whose old text is looked at for definitions that are gone: each costs a git process and a parse. */
const MAX_OLD_FILES = 40;
const CONCURRENCY = 4;

async function definitionsOf(parser: FileParser, path: string, text: string): Promise<readonly Definition[]> {
  const [encoded] = await parser.parse([{ path, contentHash: hashText(text), bytes: new TextEncoder().encode(text) }]);
  return encoded ? openFacts(encoded).definitions : [];
}

/** Definitions of the old text whose qualified names the new one does not have. */
function removedFrom(before: readonly Definition[], after: readonly Definition[]): readonly RemovedDefinition[] {
  const kept = new Set(qualifiedNames(after));
  const names = qualifiedNames(before);
  return before.flatMap(({ name, kind }, at) => (kept.has(names[at] ?? '') ? [] : [{ name, kind }]));
}

/**
 * What changed since the working tree left `base` (the default: see `readChanges`).
 * @param textNow the text of a file as it is; undefined where it has none
 * @throws ChangesError
 */
export async function readChangeSet(
  { processes, parser }: Pick<WorkspacePorts, 'processes' | 'parser'>,
  isTrusted: boolean,
  base: string | undefined,
  textNow: (path: string) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<ReadChangeSet> {
  const { files, ...read } = await readChanges(processes, isTrusted, base, signal);
  const mayHaveLost = ({ kind, hunks = [] }: (typeof files)[number]): boolean =>
    kind === 'deleted' || (kind === 'changed' && hunks.some(({ removed }) => removed > 0));
  const hasDefinitions = ({ oldPath }: (typeof files)[number]): boolean => hasGrammar(languageOf(oldPath) ?? '');
  const looked = new Set(files.filter((file) => mayHaveLost(file) && hasDefinitions(file)).slice(0, MAX_OLD_FILES));
  const limiter = new Limiter(CONCURRENCY);
  const removedOf = async ({ path, oldPath, kind }: (typeof files)[number]): Promise<readonly RemovedDefinition[]> => {
    const [before, after] = await Promise.all([
      processes && readOldFile(processes, read.commit, oldPath, signal),
      kind === 'deleted' ? '' : textNow(path),
    ]);
    if (before === undefined || after === undefined) return [];
    const now = after === '' ? [] : await definitionsOf(parser, path, after);
    return removedFrom(await definitionsOf(parser, oldPath, before), now);
  };
  const changed = await Promise.all(
    files.map(async (file) => ({
      path: file.path,
      isNew: file.kind === 'added',
      ...(file.oldPath === file.path ? {} : { from: file.oldPath }),
      hunks: file.hunks,
      removed: looked.has(file) ? await limiter.run(() => removedOf(file)) : [],
    })),
  );
  return { ...read, changes: { files: changed } };
}
