import { toOneLine } from '../text/sentence';
import { MAX_FACTS, type OpenFailure, type RelayFacts, repeatedOf } from '../transcripts/relayFacts';
import type { Observation } from './observation';
import { commandOf, outcomeOf } from './observation';

/** Who gives instructions, as logs call them. */
const PEOPLE = new Set(['user', 'human', 'operator', '用户', '用戶', '使用者']);

/** Kinds of observations that are instructions from any actor. */
const INSTRUCTIONS = new Set(['instruction', 'request', '指令']);

const fold = (label: string): string => label.trim().toLowerCase();

function isInstruction({ actor, type }: Observation): boolean {
  return PEOPLE.has(fold(actor)) || INSTRUCTIONS.has(fold(type));
}

/** What a failure and a later success must share: the command, or task and phase, else nothing settles it. */
function subjectOf({ refs, taskId, phase, id }: Observation): string {
  const [command] = refs.commands;
  if (command !== undefined) return `command ${commandOf(command).command}`;
  return taskId === '' ? `observation ${id}` : `task ${taskId} ${fold(phase)}`;
}

function toFailure({ id, summary, refs, taskId, phase }: Observation): OpenFailure {
  const [command] = refs.commands;
  const where = command ?? [taskId, phase].filter((part) => part !== '').join(' ');
  return { what: summary, where: where === '' ? `observation ${id}` : where, turn: `observation ${id}` };
}

function openFailuresOf(observations: readonly Observation[]): readonly OpenFailure[] {
  const open = new Map<string, OpenFailure>();
  for (const observation of observations) {
    const outcome = outcomeOf(observation);
    if (outcome !== 'failed' && outcome !== 'passed') continue;
    const subject = subjectOf(observation);
    // The newest failure of a subject stands last.
    open.delete(subject);
    if (outcome === 'failed') open.set(subject, toFailure(observation));
  }
  return [...open.values()].slice(-MAX_FACTS);
}

/**
 * What a relay needs to know of a folder's observations, in the order of their ids: the latest instruction of a person,
 * failures that no later success of the same command, or of the same task and phase, has settled, summaries that were
 * recorded more than once. Linear.
 */
export function observationFacts(observations: readonly Observation[]): RelayFacts {
  const last = observations.findLast(isInstruction);
  const instruction = last && [last.summary, last.detail].filter((part) => part.trim() !== '').join('\n');
  const summaries = observations.map(({ summary }) => toOneLine(summary));
  return {
    latestInstruction: instruction,
    openFailures: openFailuresOf(observations),
    repeatedStatuses: repeatedOf(summaries.map((text) => ({ key: text.toLowerCase(), text }))),
  };
}
