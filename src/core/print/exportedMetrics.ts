/**
 * What `export --otlp` sends: numbers of the usage report, the payloads, the agents' windows and sessions, and findings.
 * Never text: an attribute is a word of ours, an agent or model, or a name that went through `nameOf`.
 */
import type { ContextReport } from '../model/report';
import { BUILTIN_IDS, PAYLOAD_MODES } from '../model/section';
import { FIXED_IDS } from '../pipeline/collect/fileRules';
import type { UsageReport } from '../usage/report/usageReport';
import { type AgentWindow, categoriesOf } from '../window/loaded/windowReport';
import { windowOf } from '../window/sessions/parts';
import type { AgentSession } from '../window/sessions/sessions';

interface Metric {
  /** `sum`: a total since the first record of the usage log. `gauge`: as it is now. */
  readonly kind: 'sum' | 'gauge';
  /** In UCUM, as OpenTelemetry has it. */
  readonly unit: string;
  readonly description: string;
}

const sum = (unit: string, description: string): Metric => ({ kind: 'sum', unit, description });
const gauge = (unit: string, description: string): Metric => ({ kind: 'gauge', unit, description });

/** Every metric by its name. Names are a contract: dashboards use them. */
export const METRICS = {
  'context_budget.usage.cycles': sum('{cycle}', 'Recorded uses of a payload, by scoring mode'),
  'context_budget.usage.tokens': sum('{token}', 'Tokens of the recorded payloads, by scoring mode'),
  'context_budget.usage.section.loads': sum('{cycle}', 'Recorded payloads that held a section'),
  'context_budget.usage.section.tokens': sum('{token}', 'Tokens of a section in the recorded payloads'),
  'context_budget.usage.section.characters': sum('{character}', 'Characters of a section in the recorded payloads'),
  'context_budget.usage.section.citations': sum('{citation}', 'Citations of a section'),
  'context_budget.payload.tokens': gauge('{token}', 'Tokens of a payload now'),
  'context_budget.payload.limit': gauge('{token}', 'Token budget of the profile'),
  'context_budget.payload.utilization': gauge('1', 'Share of the tighter limit that a payload uses'),
  'context_budget.section.tokens': gauge('{token}', 'Tokens of a section in a payload now, by status'),
  'context_budget.map.duration': gauge('s', 'Time from opening the folder until payloads and repo map are ready'),
  'context_budget.map.files': gauge('{file}', 'Files of the folder that the repo map knows, and files that it shows'),
  'context_budget.window.tokens': gauge('{token}', 'Tokens that an agent loads before the first word, by kind'),
  'context_budget.window.limit': gauge('{token}', 'Tokens that the window of an agent takes'),
  'context_budget.session.count': gauge('{session}', "Agents' sessions of the period"),
  'context_budget.session.requests': gauge('{request}', 'Requests of these sessions'),
  'context_budget.session.compactions': gauge('{compaction}', 'Compactions of these sessions'),
  'context_budget.session.usage': gauge('{token}', 'Tokens that models read (input) and wrote (output)'),
  'context_budget.session.tokens': gauge('{token}', 'Tokens that models read, by what they belong to'),
  'context_budget.findings': gauge('{finding}', 'Findings of the checks, the usage log and the sessions'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;

/** One number with what it is of. */
export interface MetricPoint {
  readonly metric: MetricName;
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Where the numbers come from. */
export interface ExportedFacts {
  readonly usage: UsageReport;
  readonly report: ContextReport;
  /** Of the agents in use. */
  readonly windows: readonly AgentWindow[];
  /** Of the period. */
  readonly sessions: readonly AgentSession[];
  /** What `check` finds. */
  readonly checks: readonly { readonly rule: string; readonly level: string }[];
  readonly mapSeconds: number;
}

/** Ids that say nothing about a folder: everyone has them. */
const PUBLIC_IDS: ReadonlySet<string> = new Set([...BUILTIN_IDS, ...FIXED_IDS]);

/** Names of models as providers write them; any other text of a log is not sent. */
const MODEL = /^[\w.:/@[\]-]{1,64}$/;

/** Adds up what has the same name and attributes, which is one series. */
class Points {
  readonly #points = new Map<string, MetricPoint>();

  add(metric: MetricName, value: number, attributes: Readonly<Record<string, string>> = {}): void {
    const key = JSON.stringify([metric, attributes]);
    const before = this.#points.get(key)?.value ?? 0;
    this.#points.set(key, { metric, value: before + value, attributes });
  }

  all(): readonly MetricPoint[] {
    return [...this.#points.values()];
  }
}

type NameOf = (id: string) => string;

function addUsage(points: Points, { phases, sections }: UsageReport, nameOf: NameOf): void {
  for (const { mode, cycles, tokensMean } of phases) {
    const attributes = { 'context_budget.scoring.mode': mode };
    points.add('context_budget.usage.cycles', cycles, attributes);
    points.add('context_budget.usage.tokens', Math.round(cycles * tokensMean), attributes);
  }
  for (const { id, loaded, tokensMean, charsMean, cited } of sections) {
    const attributes = { 'context_budget.section.id': nameOf(id) };
    points.add('context_budget.usage.section.loads', loaded, attributes);
    points.add('context_budget.usage.section.tokens', Math.round(loaded * tokensMean), attributes);
    points.add('context_budget.usage.section.characters', Math.round(loaded * charsMean), attributes);
    points.add('context_budget.usage.section.citations', cited, attributes);
  }
}

function addPayloads(points: Points, { payloads }: ContextReport, nameOf: NameOf): void {
  for (const mode of PAYLOAD_MODES) {
    const { budget, sections } = payloads[mode];
    const ofMode = { 'context_budget.payload.mode': mode };
    points.add('context_budget.payload.tokens', budget.tokens, ofMode);
    points.add('context_budget.payload.limit', budget.budgetTokens, ofMode);
    const share = Math.max(budget.tokens / budget.budgetTokens, budget.chars / budget.hardCapChars);
    points.add('context_budget.payload.utilization', share, ofMode);
    for (const { id, priority, status, disclosure, tokens } of sections)
      points.add('context_budget.section.tokens', tokens, {
        ...ofMode,
        'context_budget.section.id': nameOf(id),
        'context_budget.section.priority': priority,
        'context_budget.section.status': status,
        'context_budget.section.disclosure': disclosure,
      });
  }
  const map = payloads.expanded.repoMap;
  if (!map) return;
  points.add('context_budget.map.files', map.filesTotal, { 'context_budget.map.state': 'known' });
  points.add('context_budget.map.files', map.filesShown, { 'context_budget.map.state': 'shown' });
}

function addWindows(points: Points, windows: readonly AgentWindow[]): void {
  for (const { agent, windowTokens, items } of windows) {
    const ofAgent = { 'gen_ai.agent.name': agent };
    if (windowTokens !== null) points.add('context_budget.window.limit', windowTokens, ofAgent);
    for (const { kind, tokens } of categoriesOf(items))
      points.add('context_budget.window.tokens', tokens, { ...ofAgent, 'context_budget.window.kind': kind });
  }
}

function addSession(points: Points, session: AgentSession): void {
  const { agent, model, requests, compactions, findings } = session;
  const named = model !== undefined && MODEL.test(model) ? { 'gen_ai.response.model': model } : {};
  const attributes = { 'gen_ai.agent.name': agent, ...named };
  points.add('context_budget.session.count', 1, attributes);
  points.add('context_budget.session.requests', requests.length, attributes);
  points.add('context_budget.session.compactions', compactions, attributes);
  for (const { usage, parts } of requests) {
    if (usage) {
      points.add('context_budget.session.usage', windowOf(usage), { ...attributes, 'gen_ai.token.type': 'input' });
      points.add('context_budget.session.usage', usage.output ?? 0, { ...attributes, 'gen_ai.token.type': 'output' });
    }
    for (const [part, amount] of Object.entries(parts)) {
      // Of MCP the names of the servers stay here.
      const tokens = typeof amount === 'number' ? amount : Object.values(amount).reduce((all, each) => all + each, 0);
      points.add('context_budget.session.tokens', tokens, { ...attributes, 'context_budget.session.part': part });
    }
  }
  for (const { rule } of findings) addFinding(points, { source: 'session', rule, level: 'note' });
}

function addFinding(
  points: Points,
  { source, rule, level }: { readonly source: string; readonly rule: string; readonly level: string },
  count = 1,
): void {
  points.add('context_budget.findings', count, {
    'context_budget.finding.source': source,
    'context_budget.finding.rule': rule,
    'context_budget.finding.level': level,
  });
}

/** The points of an export, each series once. `hide` gives what is sent for an id that may tell something. */
export function exportedPoints(facts: ExportedFacts, hide: (id: string) => string): readonly MetricPoint[] {
  const { usage, report, windows, sessions, checks, mapSeconds } = facts;
  const nameOf: NameOf = (id) => (PUBLIC_IDS.has(id) ? id : hide(id));
  const points = new Points();
  addUsage(points, usage, nameOf);
  addPayloads(points, report, nameOf);
  points.add('context_budget.map.duration', mapSeconds);
  addWindows(points, windows);
  for (const session of sessions) addSession(points, session);
  for (const { rule, level } of checks) addFinding(points, { source: 'check', rule, level });
  for (const { kind, count } of usage.findings)
    addFinding(points, { source: 'usage_log', rule: kind, level: 'note' }, count);
  return points.all();
}
