/**
 * What an agent is told when its session starts: what changed, where things are, alarms, instructions that it does not
 * load. Each part is a setting (`session_start`); a part that has nothing to say is left out. It gathers nothing.
 */
import type { AgentCoverage } from '../../agents/agentCoverage';
import { isMinorCut } from '../../agents/cutNotices';
import { escapeReserved, INDEX_ELEMENT } from '../../text/elements';
import { formatCount, plural } from '../../text/numbers';
import { inEnglish } from '../../text/phrase';
import { toOneLine } from '../../text/sentence';

/** One changed file with the definitions that changed. */
interface ChangedNames {
  readonly path: string;
  readonly names: readonly string[];
}

/** A section that asks for attention. */
interface Alarm {
  readonly status: string;
  readonly id: string;
  readonly summary: string;
}

/** What each part is made of; undefined for a part that was not asked for, or is not known. */
export interface SessionParts {
  readonly changes?:
    | { readonly base: string; readonly files: number; readonly changed: readonly ChangedNames[] }
    | undefined;
  /** The lines of a small map. */
  readonly orientation?: string | undefined;
  readonly alarms?: readonly Alarm[] | undefined;
  /** Lines of `missedInstructions`. */
  readonly instructions?: readonly string[] | undefined;
}

/** Changed files that are named; a line has 8 to 16 tokens. */
const MAX_CHANGED = 24;
const MAX_NAMES = 4;
const MAX_ALARMS = 10;
const MAX_MISSED = 6;

function changeLines({ base, files, changed }: NonNullable<SessionParts['changes']>): readonly string[] {
  if (changed.length === 0) return [];
  const lines = changed.slice(0, MAX_CHANGED).map(({ path, names }) => {
    const more = names.length - MAX_NAMES;
    const shown = names.slice(0, MAX_NAMES).join(', ');
    return `${path}${shown === '' ? '' : `: ${shown}`}${more > 0 ? ` +${formatCount(more)}` : ''}`;
  });
  const rest = files - lines.length;
  return [`Changed since ${base}:`, ...lines, ...(rest > 0 ? [`… ${plural(rest, 'more file')}`] : [])];
}

/** The parts as one element; empty when there is nothing to say. Paths and names of the folder cannot close it. */
export function sessionPartsText({ changes, orientation = '', alarms = [], instructions = [] }: SessionParts): string {
  const lines = [
    ...alarms.slice(0, MAX_ALARMS).map(({ status, id, summary }) => `${status} ${id}: ${summary}`),
    ...instructions,
    ...(changes ? changeLines(changes) : []),
  ].map((line) => toOneLine(line));
  const map = orientation.trimEnd();
  if (lines.length === 0 && map === '') return '';
  const parts = [...lines, ...(map === '' ? [] : ['Map:', map])];
  return `<${INDEX_ELEMENT}>\n${escapeReserved(parts.join('\n'))}\n</${INDEX_ELEMENT}>\n`;
}

/** Instruction files that the agent cuts, drops or does not know, though another agent loads them. */
export function missedInstructions(agent: string, coverage: readonly AgentCoverage[]): readonly string[] {
  const own = coverage.find((each) => each.agent === agent);
  if (!own) return [];
  const cut = own.files.flatMap((file) => {
    const { path, fate, cutLine, why } = file;
    const reason = why ? ` (${inEnglish(why)})` : '';
    if (fate === 'shadowed') return [`Not loaded: ${path}${reason}`];
    if ((fate !== 'truncated' && fate !== 'dropped') || isMinorCut(file)) return [];
    return [fate === 'dropped' ? `Not loaded: ${path}${reason}` : `Cut: ${path} from line ${cutLine ?? 1}${reason}`];
  });
  const known = new Set(own.files.map(({ path }) => path));
  const others = coverage.flatMap(({ files }) =>
    files.filter(({ fate, path }) => fate === 'loaded' && !known.has(path)),
  );
  // Files of other agents alone are no instructions for this one, unless it has none.
  const isMeant = (path: string): boolean => own.files.length === 0 || path === 'AGENTS.md';
  const missed = [...new Set(others.map(({ path }) => path))].filter(isMeant).map((path) => `Not loaded: ${path}`);
  return [...cut, ...missed].slice(0, MAX_MISSED);
}
