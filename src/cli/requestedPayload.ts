import { budgetStatus } from '../core/config/profile';
import type { MapFile, RepoMapView } from '../core/model/repoMap';
import type { TokenizerName } from '../core/ports/ports';
import { type JsonMapFile, type JsonObservation, PAYLOAD_VERSION, toJsonFile } from '../core/render/json';
import type { PayloadFormat } from '../core/render/renderPayload';
import type { MapExplanation } from '../core/repomap/facts/types';
import { escapeXml, xmlTag } from '../core/text/elements';
import { inEnglish } from '../core/text/phrase';
import { jsonText } from './io';

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

/** The fields of a section in JSON (DESIGN §5.2). */
export type RequestedSection = Readonly<Record<string, unknown>> & {
  readonly text: string;
  readonly chars: number;
  readonly tokens: number;
};

/** A map, an index, a timeline or details: a payload that answers one request, with a cap of its own. */
interface RequestedPayload {
  readonly mode: 'map' | 'detail' | 'index' | 'timeline';
  readonly profile: string;
  readonly budgetTokens: number;
  readonly hardCapChars: number;
  readonly tokenizer: TokenizerName;
  /** The text form; `tokens` counts exactly this. */
  readonly text: string;
  readonly tokens: number;
  readonly sections: readonly RequestedSection[];
  /** Undefined where the request was about something else. */
  readonly observations?: readonly JsonObservation[];
  /** Ladder steps taken. */
  readonly downgradeApplied?: readonly string[];
  readonly repoMap: RepoMapView | undefined;
  /** Why the map shows what it shows, when that was asked for. */
  readonly explanation?: MapExplanation | undefined;
  readonly notes: readonly string[];
}

/** `why`: reasons, strongest first; only with `--explain`. */
type ExplainedFile = JsonMapFile & { readonly why?: readonly string[] };

function fileJson(file: MapFile, reasons: MapExplanation['files'][number] | undefined): ExplainedFile {
  const plain = toJsonFile(file);
  if (!reasons) return plain;
  const symbols = plain.symbols.map((symbol, at) => ({
    ...symbol,
    why: reasons.symbols[at]?.because.map(inEnglish) ?? [],
  }));
  return { ...plain, why: reasons.because.map(inEnglish), symbols };
}

function budgetJson(payload: RequestedPayload): Readonly<Record<string, string | number | boolean>> {
  return {
    budget_tokens: payload.budgetTokens,
    tokens: payload.tokens,
    tokenizer: payload.tokenizer,
    hard_cap_chars: payload.hardCapChars,
    chars: payload.text.length,
    status: budgetStatus({ tokens: payload.tokens, chars: payload.text.length }, payload),
    truncated: false,
  };
}

function json(payload: RequestedPayload): string {
  const { profile, mode, sections, repoMap, explanation, notes } = payload;
  return jsonText({
    version: PAYLOAD_VERSION,
    profile,
    mode,
    budget: { ...budgetJson(payload), downgrade_applied: payload.downgradeApplied ?? [] },
    sections,
    observations: { source: payload.observations ? 'jsonl' : 'none', items: payload.observations ?? [] },
    repo_map: {
      files_total: repoMap?.filesTotal ?? 0,
      files_shown: repoMap?.filesShown ?? 0,
      items: repoMap?.items.map((file, at) => fileJson(file, explanation?.files[at])) ?? [],
    },
    notes,
  });
}

/** A fence longer than any run of backticks in the text, so that no line of it can close it (CommonMark 4.5). */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

function xml(payload: RequestedPayload): string {
  const { profile, mode, text, notes } = payload;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    xmlTag('context-payload', { version: PAYLOAD_VERSION, profile, mode }, 'open'),
    `  ${xmlTag('budget', budgetJson(payload), 'empty')}`,
    `  <text xml:space="preserve">${escapeXml(text)}</text>`,
    ...notes.map((note) => `  <note>${escapeXml(note)}</note>`),
    '</context-payload>',
  ].join('\n')}\n`;
}

/**
 * Renders a map or a detail. `text` is the payload as counted; the other forms carry the same content. With an
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
      return xml(payload);
    case 'json':
      return json(payload);
  }
}
