/** Every word that the page of a session shows or speaks, besides those of its findings. */
import type { SessionPage, SessionStep } from '../../src/core/window/sessions/sessionPage';
import type { FindingAction, SessionSnapshot } from '../../src/protocol/sessionPanel';
import { formatMoment, formatShare, formatTokens } from '../format';
import { formatCount, t } from '../language';
import type { Band, KeyRow, PlainPart } from './bands';

type Unit = SessionPage['unit'];

const PART_WORDS: Readonly<Record<PlainPart, string>> = {
  residual: t('Agent’s prompt and tools'),
  instructions: t('Instructions'),
  read: t('Files read'),
  edit: t('Edits'),
  command: t('Command output'),
  search: t('Searches'),
  user: t('Your messages'),
  assistant: t('Answers'),
  thinking: t('Thinking'),
  summary: t('Summary'),
  subagent: t('Subagents'),
  web: t('Web'),
};

export function partName(part: KeyRow['part']): string {
  return typeof part === 'string' ? PART_WORDS[part] : t('MCP server {0}', part.server);
}

export const BAND_WORDS: Readonly<Record<Band, { readonly head: string; readonly title: string }>> = {
  before: { head: t('Before'), title: t('Before the first word: the agent’s prompt, tools and instructions') },
  files: { head: t('Files'), title: t('Files read and edits') },
  commands: { head: t('Commands'), title: t('Command output and searches') },
  mcp: { head: 'MCP', title: t('Calls of MCP servers and their results') },
  talk: { head: t('Conversation'), title: t('Your messages, answers and thinking') },
  other: { head: t('Other'), title: t('Summary of a compaction, subagents, web') },
};

export const ACTION_WORDS: Readonly<Record<FindingAction, { readonly label: string; readonly title: string }>> = {
  onDemand: { label: t('On Demand'), title: t('Show one line of it; the agent asks for the rest') },
  exclude: { label: t('Exclude'), title: t('Leave out of every payload') },
  copyMap: {
    label: t('Copy Repo Map'),
    title: t('Copy the signatures around this file, to give to the agent instead of whole files'),
  },
  openFile: { label: t('Open'), title: t('Open the file at these lines') },
};

function stepName(unit: Unit, { number, turn }: Pick<SessionStep, 'number' | 'turn'>): string {
  return unit === 'turn' ? t('Turn {0}', number) : t('Request {0}, turn {1}', number, turn);
}

function events({ isCompacted, cacheBreaks }: Pick<SessionStep, 'isCompacted' | 'cacheBreaks'>): readonly string[] {
  return [
    ...(isCompacted ? [t('compacted')] : []),
    ...(cacheBreaks === 0 ? [] : [cacheBreaks === 1 ? t('cache break') : t('{0} cache breaks', cacheBreaks)]),
  ];
}

/** `2026-11-22 10:12 to 11:03`; the second day is named only where it is another one. */
function time({ started, ended }: Pick<SessionPage, 'started' | 'ended'>): string {
  if (started === undefined) return '';
  const from = formatMoment(started);
  if (ended === undefined) return from;
  const to = formatMoment(ended);
  const day = from.slice(0, from.lastIndexOf(' ') + 1);
  return t('{0} to {1}', from, day !== '' && to.startsWith(day) ? to.slice(day.length) : to);
}

export const WORDS = {
  showLog: t('Show Log'),
  undo: t('Undo'),
  parts: {
    findings: t('Findings'),
    chart: (unit: Unit) => (unit === 'turn' ? t('The window, turn by turn') : t('The window, request by request')),
    table: (unit: Unit) => (unit === 'turn' ? t('Turns') : t('Requests')),
  },
  states: {
    loading: t('Reading the session'),
    gone: t('The log of this session is not there any more. Agents delete old logs.'),
    failedTitle: t('The session was not read.'),
    noRequests: t('The session has no request to a model yet.'),
  },
  meta: (
    { agent, folder }: Pick<SessionSnapshot, 'agent' | 'folder'>,
    { model, windowTokens, started, ended }: SessionPage,
  ): string =>
    [
      folder,
      agent,
      model,
      windowTokens === undefined ? undefined : formatTokens(windowTokens),
      time({ started, ended }),
    ]
      .filter(Boolean)
      .join(' · '),
  facts: {
    peak: t('Peak'),
    peakOf: (unit: Unit, step: SessionStep, windowTokens: number | undefined): string => {
      const where = unit === 'turn' ? t('turn {0}', step.number) : t('request {0}', step.number);
      return windowTokens === undefined
        ? t('{0} tokens, {1}', formatCount(step.tokens), where)
        : t('{0} of the window, {1}', formatShare(step.tokens / windowTokens), where);
    },
    requests: t('Requests'),
    inTurns: (requests: number, turns: number): string =>
      turns === 1 ? t('{0} in 1 turn', requests) : t('{0} in {1} turns', requests, turns),
    compactions: t('Compactions'),
    breaks: t('Cache breaks'),
    read: t('Read in all'),
    readOf: (tokens: number, cached: number): string =>
      tokens === 0 ? '0' : t('{0} tokens, {1} from the cache', formatTokens(tokens), formatShare(cached / tokens)),
    subagents: t('Subagents'),
    tokens: (tokens: number) => t('{0} tokens', formatTokens(tokens)),
    figures: t('Figures'),
    counted: t('counted here; the log has none of the provider'),
  },
  findings: {
    none: t('Nothing to change was found.'),
    tokens: (tokens: number) => (tokens === 0 ? '' : t('{0} tokens', formatTokens(tokens))),
    tokensTitle: t('Tokens that requests read because of it'),
    more: (count: number) => t('Show {0} More', count),
    show: (unit: Unit) => (unit === 'turn' ? t('Show Turn') : t('Show Request')),
    showTitle: t('Moves the chart there'),
    /** The name of a button is more than its label where several have the same. */
    about: (label: string, sentence: string) => t('{0}: {1}', label, sentence),
  },
  chart: {
    label: (unit: Unit) => (unit === 'turn' ? t('Turn') : t('Request')),
    value: (unit: Unit, step: SessionStep, windowTokens: number | undefined): string => {
      const tokens = formatCount(step.tokens);
      const name = stepName(unit, step);
      const size =
        windowTokens === undefined
          ? t('{0}: {1} tokens', name, tokens)
          : t(
              '{0}: {1} of {2} tokens, {3}',
              name,
              tokens,
              formatCount(windowTokens),
              formatShare(step.tokens / windowTokens),
            );
      return [size, ...events(step)].join(t(', '));
    },
    compacted: (count: number) => (count === 1 ? t('compacted') : t('compacted {0} times', count)),
    break: (count: number) => (count === 1 ? t('cache break') : t('{0} cache breaks', count)),
    of: (share: number) => t('{0} of the window', formatShare(share)),
    step: stepName,
    total: t('Total'),
  },
  table: {
    turn: t('Turn'),
    request: t('Request'),
    window: t('Window'),
    event: t('Event'),
    events: (step: SessionStep) => events(step).join(t(', ')),
    scroll: (part: string) => t('{0}, table', part),
  },
  updated: t('Session updated'),
} as const;
