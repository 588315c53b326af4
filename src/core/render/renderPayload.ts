/**
 * Rendering (DESIGN §3.5): the formats a payload is handed out in, all from the same `PayloadReport`. It decides how a
 * payload is written; what is in it was decided by the fit stage. No clock, no random order, no absolute path.
 */

import type { ContextReport, CutRecord } from '../model/report';
import type { PayloadMode } from '../model/section';
import type { MapExplanation } from '../repomap/facts/types';
import { escapeXml, xmlTag } from '../text/elements';
import { inEnglish } from '../text/phrase';
import {
  type JsonMapFile,
  type JsonObservation,
  type JsonSection,
  type RequestedPayload,
  toJsonPayload,
  toRequestedJson,
} from './json';
import { fenced, renderMarkdown } from './markdown';

function renderSection({ text, summary, reason, files = [], ...attributes }: JsonSection): string {
  return (
    `    ${xmlTag('section', attributes, 'open')}\n` +
    `      <summary>${escapeXml(summary)}</summary>\n` +
    `      <reason>${escapeXml(reason)}</reason>\n` +
    files.map((file) => `      ${xmlTag('file', file, 'empty')}\n`).join('') +
    `      <text xml:space="preserve">${escapeXml(text)}</text>\n` +
    `    </section>\n`
  );
}

function renderFile({ symbols, ...attributes }: JsonMapFile): string {
  const lines = symbols.map((symbol) => `      ${xmlTag('symbol', { ...symbol }, 'empty')}\n`).join('');
  return `    ${xmlTag('file', attributes, 'open')}\n${lines}    </file>\n`;
}

/** Elements with a text each, on one line. */
function renderTexts(name: string, texts: readonly string[]): string {
  return texts.map((text) => `<${name}>${escapeXml(text)}</${name}>`).join('');
}

function renderObservation({ summary, refs, detail, ...attributes }: JsonObservation): string {
  const { files, commands, urls } = refs;
  return (
    `    ${xmlTag('observation', attributes, 'open')}\n` +
    `      <summary>${escapeXml(summary)}</summary>\n` +
    `      <refs>${renderTexts('file', files)}${renderTexts('command', commands)}${renderTexts('url', urls)}</refs>\n` +
    (detail === undefined ? '' : `      <detail xml:space="preserve">${escapeXml(detail)}</detail>\n`) +
    `    </observation>\n`
  );
}

/** What JSON payloads have of observations, and of a task's words. */
function renderFound({ observations, match }: ReturnType<typeof toRequestedJson>): string {
  const { known = [], unknown = [], nearest = {} } = match ?? {};
  const near = Object.entries(nearest).map(
    ([word, words]) => `${xmlTag('nearest', { word }, 'open')}${renderTexts('word', words)}</nearest>`,
  );
  const words = renderTexts('known', known) + renderTexts('unknown', unknown) + near.join('');
  return (
    `  ${xmlTag('observations', { source: observations.source }, 'open')}\n` +
    `${observations.items.map(renderObservation).join('')}  </observations>\n` +
    (match ? `  <match>${words}</match>\n` : '')
  );
}

/** Attributes of what a cut left out. */
function leftOut({ entries, files, lines }: CutRecord['leftOut']) {
  return { entries_left_out: entries, files_left_out: files, lines_left_out: lines };
}

/** A payload as a well-formed XML 1.0 document, fully escaped; the names are those of the JSON payload. */
function renderXml(report: ContextReport, mode: PayloadMode): string {
  const payload = toJsonPayload(report, mode);
  const { version, profile, budget, sections, repo_map, notes } = payload;
  const { downgrade_applied, grants = [], cuts = [], ...totals } = budget;
  const { items, packages = [], ...files } = repo_map;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `${xmlTag('context-payload', { version, profile, mode }, 'open')}\n` +
    `  ${xmlTag('budget', totals, 'open')}\n` +
    downgrade_applied.map((step) => `    <downgrade>${escapeXml(step)}</downgrade>\n`).join('') +
    grants.map((grant) => `    ${xmlTag('grant', { ...grant }, 'empty')}\n`).join('') +
    cuts.map(({ left_out, ...cut }) => `    ${xmlTag('cut', { ...cut, ...leftOut(left_out) }, 'empty')}\n`).join('') +
    `  </budget>\n` +
    `  <sections>\n${sections.map(renderSection).join('')}  </sections>\n` +
    renderFound(payload) +
    `  ${xmlTag('repo-map', files, 'open')}\n` +
    packages.map((each) => `    ${xmlTag('package', { ...each }, 'empty')}\n`).join('') +
    `${items.map(renderFile).join('')}  </repo-map>\n` +
    `  <notes>\n${notes.map((note) => `    <note>${escapeXml(note)}</note>\n`).join('')}  </notes>\n` +
    `</context-payload>\n`
  );
}

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

/** A map with the reasons of each file and symbol: the text that `map --explain` prints. */
function renderExplanation({ files }: MapExplanation): string {
  return files
    .flatMap(({ path, because, symbols }) => [
      `${path}: ${because.map(inEnglish).join('; ')}`,
      ...symbols.map(
        ({ lineStart, qualifiedName, because: reasons }) =>
          `  ${lineStart} ${qualifiedName}: ${reasons.map(inEnglish).join('; ')}`,
      ),
    ])
    .map((line) => `${line.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}\n`)
    .join('');
}

function requestedXml(payload: RequestedPayload): string {
  const json = toRequestedJson(payload);
  const { version, profile, mode, budget, notes } = json;
  const { downgrade_applied: _, grants: _grants, cuts: _cuts, ...totals } = budget;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    xmlTag('context-payload', { version, profile, mode }, 'open'),
    `  ${xmlTag('budget', totals, 'empty')}`,
    `  <text xml:space="preserve">${escapeXml(payload.text)}</text>`,
    `${renderFound(json)}${notes.map((note) => `  <note>${escapeXml(note)}</note>\n`).join('')}</context-payload>`,
  ].join('\n')}\n`;
}

/**
 * A payload that answers one request. `text` is the payload as counted; the other forms carry the same content. With an
 * explanation, text and Markdown show that instead.
 */
export function renderRequested(payload: RequestedPayload, format: PayloadFormat): string {
  const text = payload.explanation ? renderExplanation(payload.explanation) : payload.text;
  switch (format) {
    case 'text':
      return text;
    case 'markdown':
      return fenced(text);
    case 'xml':
      return requestedXml(payload);
    case 'json':
      return `${JSON.stringify(toRequestedJson(payload), null, 2)}\n`;
  }
}
