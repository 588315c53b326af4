/** Words of the part *Truncated by Agents*. */
import type { FileFate, UnreadImport } from '../../src/core/agents/agentCoverage';
import { t } from '../language';

/** What becomes of an agent's files on the whole: the worst fate among them, or `none` where it finds no file. */
export type AgentState = FileFate | 'none';

export const AGENT_STATE_WORDS: Readonly<Record<AgentState, string>> = {
  truncated: t('truncated'),
  dropped: t('left out'),
  shadowed: t('ignored'),
  onDemand: t('on demand'),
  loaded: t('loaded'),
  none: t('no file'),
};

/** Why the text of an import does not reach the agent. */
export const IMPORT_WORDS: Readonly<Record<UnreadImport['reason'], (target: string) => string>> = {
  missing: (target) => t('imports {0}, which does not exist', target),
  outside: (target) => t('imports {0} from outside the folder', target),
  tooDeep: (target) => t('imports {0}, beyond its import depth', target),
};

/** All other words of the part. */
export const AGENT_WORDS = {
  title: t('Truncated by Agents'),
  nothing: t('nothing'),
  truncated: (agents: number) => t('{0} truncated', agents),
  dropped: (agents: number) => t('{0} left out', agents),
  shadowed: (agents: number) => t('{0} ignored', agents),
  cutAt: (line: number, lines: number) => t('line {0} of {1}', line, lines),
  cutBefore: t('cut before'),
  notRead: t('not read'),
  whenAsked: t('when asked for'),
  lines: (count: number) => t(count === 1 ? '{0} line' : '{0} lines', count),
  bytesLost: (count: number) => t(count === 1 ? '{0} byte lost' : '{0} bytes lost', count),
  importedBy: (path: string) => t('Imported by {0}', path),
  openAtCut: (path: string) => t('Open at the Cut: {0}', path),
  open: (path: string) => t('Open: {0}', path),
  openAtLine: (path: string, line: number) => t('Open: {0}, line {1}', path, line),
  more: (files: number) => t(files === 1 ? '{0} more file' : '{0} more files', files),
  fewer: t('Fewer files'),
  others: (count: number) => t(count === 1 ? '{0} other agent' : '{0} other agents', count),
  whole: (names: string) => t('Nothing lost for {0}', names),
  unsure: t('unconfirmed'),
  unsureTitle: t('The agent’s documentation does not confirm this'),
  noFile: (names: string) => t('No file here for {0}', names),
  live: (agent: string, path: string) => t('{0} cuts {1}', agent, path),
} as const;
