/**
 * Rendering (DESIGN §3.5): the formats a payload is handed out in, all from the same `PayloadReport`. It decides how a
 * payload is written; what is in it was decided by the fit stage. No clock, no random order, no absolute path.
 */

import type { PayloadMode } from '../model/disclosure';
import type { ContextReport } from '../model/report';
import { toJsonPayload } from './json';
import { renderMarkdown } from './markdown';
import { renderXml } from './xml';

/** `text` is what agents get and what `budget.tokens` counts. */
export type PayloadFormat = 'text' | 'markdown' | 'xml' | 'json';

/** Forms of everything else that is printed. */
export type TableFormat = Exclude<PayloadFormat, 'xml'>;

export const PAYLOAD_FORMATS: readonly PayloadFormat[] = ['text', 'markdown', 'xml', 'json'];

/** One payload of the report in one format; ends with `\n` unless it is empty. */
export function renderPayload(report: ContextReport, mode: PayloadMode, format: PayloadFormat): string {
  switch (format) {
    case 'text':
      return report.payloads[mode].text;
    case 'markdown':
      return renderMarkdown(report, mode);
    case 'xml':
      return renderXml(report, mode);
    case 'json':
      return `${JSON.stringify(toJsonPayload(report, mode), null, 2)}\n`;
  }
}
