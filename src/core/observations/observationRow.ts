import type { DetailSource } from '../model/detail';
import { escapeReserved } from '../text/escape';
import { toOneLine } from '../text/sentence';
import { toSummary } from '../text/summary';
import type { Observation } from './observation';

/** A cell of a row: one line without the row's separator; `-` when there is nothing to say. */
function toCell(text: string): string {
  return escapeReserved(toSummary(text).replaceAll('|', '¦')) || '-';
}

/** `12 | 2026-02-03 21:23 | TASK-1 | verify | <summary> | ~85 tok` (DESIGN §5.3), with its `\n`. */
export function renderObservationRow(
  { id, ts, taskId, phase, summary }: Pick<Observation, 'id' | 'ts' | 'taskId' | 'phase' | 'summary'>,
  detailTokens: number,
): string {
  const cells = [String(id), ts.slice(0, 16), toCell(taskId), toCell(phase), toCell(summary), `~${detailTokens} tok`];
  return `${cells.join(' | ')}\n`;
}

/** An observation as the text behind its handle: summary, detail, what it points at. */
export function observationDetail(observation: Observation): DetailSource {
  const { id, ts, taskId, actor, phase, summary, detail, refs } = observation;
  const title = [ts, taskId, actor, phase].filter((part) => part !== '').join(' · ');
  const pointers = [
    ...(refs.files.length > 0 ? [`files: ${refs.files.join(', ')}`] : []),
    ...refs.commands.map((command) => `command: ${command}`),
    ...refs.urls.map((url) => `url: ${url}`),
  ];
  const isSaid = toOneLine(detail.slice(0, 1000)).startsWith(summary.replace(/…$/, ''));
  const head = isSaid ? [] : [summary];
  const body = detail === '' ? [] : [detail];
  return { handle: String(id), title, text: [...head, ...body, ...pointers].join('\n') };
}
