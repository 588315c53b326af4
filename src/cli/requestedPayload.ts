import { WARN_SHARE } from '../core/budget/profile';
import { type JsonMapFile, PAYLOAD_VERSION } from '../core/payload/json';
import type { PayloadFormat } from '../core/payload/renderPayload';
import type { TokenizerName } from '../core/ports';
import type { MapFile, RepoMapView } from '../core/repomap/types';
import { escapeXml, xmlTag } from '../core/report/xmlText';

/** A map or a detail: a payload that answers one request, with a cap of its own. */
export interface RequestedPayload {
  readonly mode: 'map' | 'detail';
  readonly profile: string;
  readonly budgetTokens: number;
  readonly hardCapChars: number;
  readonly tokenizer: TokenizerName;
  /** The text form; `tokens` counts exactly this. */
  readonly text: string;
  readonly tokens: number;
  readonly sections: readonly Readonly<Record<string, unknown>>[];
  readonly repoMap: RepoMapView | undefined;
  readonly notes: readonly string[];
}

function fileJson({ path, rank, symbols }: MapFile): JsonMapFile {
  return {
    path,
    rank,
    symbols: symbols.map(({ handle, kind, name, signature, lineStart, lineEnd }) => ({
      handle,
      kind,
      name,
      signature,
      line_start: lineStart,
      line_end: lineEnd,
    })),
  };
}

function statusOf({ tokens, budgetTokens, text, hardCapChars }: RequestedPayload): 'OK' | 'WARN' | 'ALERT' {
  const share = Math.max(tokens / budgetTokens, text.length / hardCapChars);
  if (share > 1) return 'ALERT';
  return share >= WARN_SHARE ? 'WARN' : 'OK';
}

function budgetJson(payload: RequestedPayload): Readonly<Record<string, string | number | boolean>> {
  return {
    budget_tokens: payload.budgetTokens,
    tokens: payload.tokens,
    tokenizer: payload.tokenizer,
    hard_cap_chars: payload.hardCapChars,
    chars: payload.text.length,
    status: statusOf(payload),
    truncated: false,
  };
}

function json(payload: RequestedPayload): string {
  const { profile, mode, sections, repoMap, notes } = payload;
  const value = {
    version: PAYLOAD_VERSION,
    profile,
    mode,
    budget: { ...budgetJson(payload), downgrade_applied: [] },
    sections,
    observations: { source: 'none', items: [] },
    repo_map: {
      files_total: repoMap?.filesTotal ?? 0,
      files_shown: repoMap?.filesShown ?? 0,
      items: repoMap?.items.map(fileJson) ?? [],
    },
    notes,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
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

/** Renders a map or a detail. `text` is the payload as counted; the other forms carry the same content. */
export function renderRequested(payload: RequestedPayload, format: PayloadFormat): string {
  switch (format) {
    case 'text':
      return payload.text;
    case 'markdown':
      return fenced(payload.text);
    case 'xml':
      return xml(payload);
    case 'json':
      return json(payload);
  }
}
