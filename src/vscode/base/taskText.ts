/** A task's text as one line and as a size. Pure. */
import { toSentence } from '../../core/text/sentence';

/** What the panel gets of a long task: more than any width shows. */
const MAX_LINE_CHARS = 300;
/** As much as the map reads of a task. */
const MAX_TASK_CHARS = 200_000;

/** On one line: an input box has no more, and what is pasted into it arrives so. */
export function flattenTask(task: string): string {
  return task.replace(/\s+/gu, ' ').trim();
}

/** A task for a title or a row: on one line, cut at a word where it is long. */
export function taskLine(task: string): string {
  return toSentence(flattenTask(task), MAX_LINE_CHARS);
}

/** The text that is kept of a task, up to a limit; `undefined` when it is blank. */
export function keptTask(text: string): string | undefined {
  const task = text.slice(0, MAX_TASK_CHARS).trim();
  return task === '' ? undefined : task;
}

/** The text to keep after `prefill` was edited on one line: its own lines when nothing was changed. */
export function editedTask(typed: string, prefill: string): string {
  return typed === flattenTask(prefill) ? prefill : typed;
}

/** Lines of a text that is not empty at its ends. */
export function countLines(text: string): number {
  return text.trim().split(/\r\n?|\n/u).length;
}
