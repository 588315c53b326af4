import type { UnreadImport } from './agentCoverage';
import type { AgentFile } from './agentFile';
import type { ImportRule } from './agentRules';
import { importCandidates, looksLikeFile, resolveImport, spellings } from './importPath';
import type { Mention } from './mentions';

/** A file that an import leads to. */
export interface Imported {
  readonly file: AgentFile;
  readonly importedBy: string;
}

export type UnreadImports = UnreadImport[];

/** An agent that misses more than this is not reading a path. */
const MAX_UNREAD = 100;

/**
 * Follows the imports of a file that is read by itself, and theirs, depth first, to the rule's depth.
 * @param take is given each file found; false when it was read already or is not read, so that it is not followed (which
 * also ends cycles)
 * @param unread gets what comes to nothing
 */
export function expandImports(
  root: AgentFile,
  rule: ImportRule,
  files: ReadonlyMap<string, AgentFile>,
  take: (imported: Imported) => boolean,
  unread: UnreadImports,
): void {
  const follow = (file: AgentFile, depth: number): void => {
    for (const mention of file.mentions) {
      if (!rule.start.test(mention.target)) continue;
      const target = importCandidates(file.path, mention.target)
        .map((path) => files.get(path))
        .find((found) => found !== undefined);
      if (target && depth <= rule.depth) {
        if (take({ file: target, importedBy: file.path })) follow(target, depth + 1);
      } else {
        const reason = target ? 'tooDeep' : whyUnread(file, mention, rule);
        if (reason && unread.length < MAX_UNREAD)
          unread.push({ path: file.path, line: mention.line, target: spellings(mention.target).at(-1) ?? '', reason });
      }
    }
  };
  follow(root, 1);
}

/** Undefined for a word that was never meant as a path, such as a person's name. */
function whyUnread(file: AgentFile, { target }: Mention, rule: ImportRule): UnreadImport['reason'] | undefined {
  if (rule.missing === 'paths' && !looksLikeFile(target)) return undefined;
  const places = spellings(target).map((word) => resolveImport(file.path, word));
  return places.some(({ kind }) => kind === 'inside') ? 'missing' : 'outside';
}
