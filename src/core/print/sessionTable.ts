/** Tables of `sessions` and `session ID`, as text or Markdown. English, since agents read them too. */
import type { TableFormat } from '../render/renderPayload';
import { formatCount, plural } from '../text/numbers';
import {
  markdownCell,
  markdownTable,
  percent,
  printable,
  TABLE_COLUMNS,
  type TableColumn,
  textTable,
  wrap,
} from '../text/textTable';
import type { SessionsWithoutFigures } from '../window/sessions/sessionJson';
import type { AgentSession, SessionRequest } from '../window/sessions/sessions';

type Form = Exclude<TableFormat, 'json'>;

const MIN_ID_CHARS = 6;

/** The shortest beginning of each session's own id that names it alone. */
function shortIds(sessions: readonly AgentSession[]): ReadonlyMap<AgentSession, string> {
  const own = ({ id }: AgentSession): string => id.slice(id.indexOf(':') + 1);
  return new Map(
    sessions.map((session) => {
      const id = own(session);
      let chars = MIN_ID_CHARS;
      while (
        chars < id.length &&
        sessions.some((other) => other !== session && own(other).startsWith(id.slice(0, chars)))
      )
        chars++;
      return [session, id.slice(0, chars)];
    }),
  );
}

function column(head: string, align: TableColumn['align'] = 'right'): TableColumn {
  return { head, align };
}

function table(form: Form, columns: readonly TableColumn[], rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map(printable));
  return form === 'markdown'
    ? markdownTable(columns, shown)
    : textTable(columns, shown, [
        ['Model', 8],
        ['What', 30],
      ]);
}

function heading(form: Form, text: string): string {
  const shown = printable(text);
  return form === 'markdown' ? `## ${markdownCell(shown)}` : shown;
}

function timeCell(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

const NAMES = { cursor: 'Cursor', kiro: 'Kiro' } as const;

export function renderSessions(
  sessions: readonly AgentSession[],
  form: Form,
  withoutFigures: readonly SessionsWithoutFigures[] = [],
): string {
  const others = withoutFigures.map(
    ({ agent, sessions: count }) => `${NAMES[agent]}: ${plural(count, 'session')}, no token figures recorded.`,
  );
  if (sessions.length === 0) return `${['No sessions of this folder were found.', ...others].join('\n')}\n`;
  const ids = shortIds(sessions);
  const rows = sessions.map((session) => [
    ids.get(session) ?? '',
    session.agent,
    session.model ?? '',
    timeCell(session.started),
    formatCount(session.turns),
    formatCount(session.requests.length),
    formatCount(session.peakTokens),
    session.windowTokens === undefined ? '' : percent(session.peakTokens, session.windowTokens),
    session.compactions === 0 ? '' : formatCount(session.compactions),
  ]);
  const columns = [
    column('Session', 'left'),
    column('Agent', 'left'),
    column('Model', 'left'),
    column('Started (UTC)', 'left'),
    column('Turns'),
    column('Requests'),
    column('Peak'),
    column('Of window'),
    column('Compacted'),
  ];
  const oldest = sessions.map(({ started }) => started ?? Number.POSITIVE_INFINITY).reduce((a, b) => Math.min(a, b));
  const notes = [
    ...(Number.isFinite(oldest) ? [`Oldest session found: ${timeCell(oldest)}. Agents delete old logs.`] : []),
    ...(sessions.some(({ usage }) => usage === 'counted')
      ? ['Some logs hold no figures of the provider: those counts are ours.']
      : []),
    ...others,
  ];
  const head = heading(form, `Sessions of this folder: ${formatCount(sessions.length)}`);
  return `${[head, '', ...table(form, columns, rows), '', ...notes].join('\n')}\n`;
}

/** Categories as people read them, in this order. */
const PARTS = {
  residual: "Agent's prompt and tools",
  instructions: 'Instructions',
  user: 'User',
  read: 'Files read',
  search: 'Searches',
  command: 'Commands',
  edit: 'Edits',
  mcp: 'MCP',
  subagent: 'Subagents',
  web: 'Web',
  assistant: 'Assistant',
  thinking: 'Thinking',
  summary: 'Summary',
} as const;

type PartKey = keyof typeof PARTS;

function tokensOf({ parts }: SessionRequest, key: PartKey): number {
  return key === 'mcp' ? Object.values(parts.mcp).reduce((sum, tokens) => sum + tokens, 0) : parts[key];
}

const KEYS = Object.keys(PARTS) as PartKey[];

function total(request: SessionRequest): number {
  return KEYS.reduce((sum, key) => sum + tokensOf(request, key), 0);
}

/** More turns are summed up: the newest are shown. */
const MAX_TURNS = 40;
const MAX_FINDINGS = 15;

export function renderSession(session: AgentSession, form: Form): string {
  const main = session.requests.filter(({ subagent }) => subagent === undefined);
  const peak = main.reduce<SessionRequest | undefined>(
    (best, each) => (best && total(best) >= total(each) ? best : each),
    undefined,
  );
  const all = session.requests.reduce((sum, request) => sum + total(request), 0);
  const partRows = KEYS.map((key) => {
    const sum = session.requests.reduce((tokens, request) => tokens + tokensOf(request, key), 0);
    return { key, sum, atPeak: peak ? tokensOf(peak, key) : 0 };
  })
    .filter(({ sum }) => sum > 0)
    .map(({ key, sum, atPeak }) => [PARTS[key], formatCount(atPeak), formatCount(sum), percent(sum, all)]);
  const lines = [
    heading(form, `${session.id}${session.model === undefined ? '' : `, ${session.model}`}`),
    '',
    ...wrapped(form, lead(session, all)),
    '',
    ...table(form, [column('Part', 'left'), column('At the peak'), column('Read in all'), column('Share')], partRows),
    '',
    heading(form, 'Turns'),
    '',
    ...table(form, TURN_COLUMNS, turnRows(main)),
  ];
  const findings = session.findings
    .slice(0, MAX_FINDINGS)
    .map((finding) => [
      finding.rule,
      finding.turns.join(', '),
      formatCount(finding.tokens),
      finding.what,
      finding.fix === 'none' ? '' : finding.fix,
    ]);
  const columns = [
    column('Finding', 'left'),
    column('Turns'),
    column('Tokens'),
    column('What', 'left'),
    column('Fix', 'left'),
  ];
  const more = session.findings.length - findings.length;
  const found = [
    '',
    heading(form, 'Findings'),
    '',
    ...(findings.length === 0 ? ['None.'] : table(form, columns, findings)),
    ...(more > 0 ? ['', `and ${plural(more, 'finding')} more (--json has all)`] : []),
  ];
  return `${[...lines, ...found].join('\n')}\n`;
}

function wrapped(form: Form, text: string): readonly string[] {
  return form === 'markdown' ? [text] : wrap(text, TABLE_COLUMNS);
}

function lead({ turns, requests, compactions, usage }: AgentSession, all: number): string {
  const subagents = requests.filter(({ subagent }) => subagent !== undefined);
  const read = subagents.reduce((sum, request) => sum + total(request), 0);
  const cached = requests.reduce((sum, { usage: figures }) => sum + (figures?.cacheRead ?? 0), 0);
  return [
    `${plural(turns, 'turn')}, ${plural(requests.length, 'request')}, ${plural(compactions, 'compaction')}.`,
    `${formatCount(all)} tokens were read in all, ${percent(cached, all)} of them from the cache.`,
    ...(read > 0 ? [`Subagents read ${formatCount(read)} of them (${percent(read, all)}).`] : []),
    ...(usage === 'counted' ? ['The log holds no figures of the provider: all counts are ours.'] : []),
  ].join(' ');
}

const TURN_COLUMNS = [
  column('Turn'),
  column('Requests'),
  column('Window'),
  column('New'),
  column('Largest part', 'left'),
];

/** The window at the end of each turn; `New` is what the cache did not have. */
function turnRows(main: readonly SessionRequest[]): readonly (readonly string[])[] {
  const turns = new Map<number, SessionRequest[]>();
  for (const request of main) turns.set(request.turn, [...(turns.get(request.turn) ?? []), request]);
  return [...turns].slice(-MAX_TURNS).map(([turn, requests]) => {
    const last = requests.at(-1) as SessionRequest;
    const fresh = requests.reduce((sum, { usage }) => sum + (usage ? usage.input + usage.cacheWrite : 0), 0);
    const largest = KEYS.reduce((best, key) => (tokensOf(last, key) > tokensOf(last, best) ? key : best));
    const share = percent(tokensOf(last, largest), total(last));
    return [
      formatCount(turn),
      formatCount(requests.length),
      formatCount(total(last)),
      fresh === 0 ? '' : formatCount(fresh),
      `${PARTS[largest]} ${share}`,
    ];
  });
}
