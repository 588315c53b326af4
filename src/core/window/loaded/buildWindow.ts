/** Puts together what one agent loads before the first word, from its row of the tables and the files that are there. */
import type { AgentCoverage } from '../../agents/agentCoverage';
import type { AgentRules } from '../../agents/agentRules';
import { modelFacts } from '../../agents/modelTable';
import type { WindowRules } from '../../agents/windowRules';
import { inEnglish, type Phrase } from '../../text/phrase';
import { findDuplicates, type LoadedText } from './duplicates';
import type { WindowFiles } from './homeFiles';
import { instructionRows } from './instructionFiles';
import { type ListedRow, listedRows } from './listedFiles';
import type { ConfiguredServer } from './mcpServers';
import { type ServerMeasurement, serverTexts } from './toolForm';
import type {
  AgentWindow,
  Duplicate,
  MeasuredWith,
  WindowEdits,
  WindowFate,
  WindowItem,
  WindowKind,
} from './windowReport';

/** Exact counts of texts, parallel to them. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>;

/** What is known of a configured server. */
export type ServerState =
  | { readonly kind: 'measured'; readonly measurement: ServerMeasurement }
  /** No figure, and why. */
  | { readonly kind: 'unmeasured'; readonly reason: Phrase };

/** What one agent's window is built from. */
export interface WindowRequest {
  readonly agent: AgentRules;
  readonly rules: WindowRules;
  /** Of the workspace's instruction files. */
  readonly coverage: AgentCoverage | undefined;
  readonly files: WindowFiles;
  /** Absolute paths of the workspace and the home folder, as they stand in lists. */
  readonly root: string;
  readonly home: string;
  readonly model: string | undefined;
  readonly servers: readonly ConfiguredServer[];
  readonly stateOf: (server: ConfiguredServer) => ServerState;
  readonly count: CountTexts;
  /** False to skip the search for passages that are loaded twice, which takes the most time. */
  readonly withDuplicates?: boolean;
}

interface Draft {
  readonly kind: WindowKind;
  readonly id: string;
  readonly source: string;
  readonly line?: number | null;
  readonly fate: WindowFate;
  readonly certain: boolean;
  readonly reason: string;
  readonly text: string;
  readonly full: string;
  readonly why?: Phrase;
  readonly measured?: MeasuredWith;
  readonly server?: string;
  readonly edits?: WindowEdits;
  readonly serverEdits?: WindowEdits;
  /** A published figure in place of a count. */
  readonly published?: number;
}

function ownRows({ rules, model }: WindowRequest): readonly Draft[] {
  const { own } = rules;
  const size = model === undefined ? own?.sizes[0] : own?.sizes.find(({ models }) => models.test(model));
  if (!own || !size) return [];
  const row = (id: string, published: number, reason: string): Draft => ({
    ...{ kind: 'agent', id: `agent:${id}`, source: own.version, fate: 'loaded', certain: false, reason },
    ...{ text: '', full: '', published },
  });
  return [
    row('prompt', size.prompt, `measured with a bare start, ${rules.asOf}`),
    row('tools', size.tools, `its own tools, measured with a bare start, ${rules.asOf}`),
    row('other', size.other, `environment and lists of its own, measured with a bare start, ${rules.asOf}`),
  ];
}

function serverRows(request: WindowRequest): readonly Draft[] {
  const { rules, servers, model, stateOf } = request;
  const certain = rules.mcp?.isDoubtful !== true;
  return servers.flatMap((server): readonly Draft[] => {
    const { disable, disableTool } = server;
    const onDemand = server.onDemand ?? server.loadsAllBy;
    const base = {
      ...{ kind: 'mcp' as const, source: server.source, line: server.line, certain, server: server.name },
      serverEdits: server.off ? {} : { disable, onDemand },
    };
    const whole = { ...base, id: `mcp:${server.name}`, text: '', full: '' };
    if (server.off) return [{ ...whole, ...server.off }];
    const state = stateOf(server);
    if (state.kind === 'unmeasured')
      return [{ ...whole, fate: 'unmeasured', reason: inEnglish(state.reason), why: state.reason }];
    const { measurement } = state;
    const measured = { server: measurement.server, commandHash: measurement.commandHash };
    const texts = serverTexts(rules, server, measurement, model);
    if (texts.length === 0) return [{ ...whole, fate: 'loaded', reason: 'the server has no tools', measured }];
    return texts.map(({ tool, ...text }) => ({
      ...base,
      ...text,
      id: tool === undefined ? `mcp:${server.name}#instructions` : `mcp:${server.name}/${tool}`,
      measured,
      edits: tool === undefined || text.fate === 'disabled' ? {} : { disable: disableTool?.(tool) },
    }));
  });
}

function windowTokensOf({ rules, model }: Pick<WindowRequest, 'rules' | 'model'>): number | null {
  return (model === undefined ? undefined : modelFacts(model)?.windowTokens) ?? rules.windowTokens;
}

/** Skills, subagents and commands as an agent lists them with a model, not counted. */
export function listedIn(
  request: Pick<WindowRequest, 'rules' | 'files' | 'root' | 'home' | 'model'>,
): Promise<readonly ListedRow[]> {
  const { rules, files, model } = request;
  // The room for skills is that of the default model where no other is named.
  const charactersPerToken = model === undefined ? 3 : modelFacts(model)?.charactersPerToken;
  return listedRows(rules, files, { windowTokens: windowTokensOf(request), charactersPerToken }, request);
}

/** One agent's window, and the passages that it loads more than once. Rejects only if counting does. */
export async function buildWindow(
  request: WindowRequest,
): Promise<{ readonly window: AgentWindow; readonly duplicates: readonly Duplicate[] }> {
  const { agent, rules, model, count } = request;
  const facts = model === undefined ? undefined : modelFacts(model);
  const drafts: readonly Draft[] = [
    ...ownRows(request),
    ...(await instructionRows(request)),
    ...serverRows(request),
    ...(await listedIn(request)),
  ];
  const counts = await count(drafts.flatMap(({ text, full }) => [text, full]));
  const factor = facts?.factor;
  const scaled = (tokens: number): number => Math.round(tokens * (factor?.value ?? 1));
  const items = drafts.map((draft, at): WindowItem => {
    const { text: _text, full: _full, published, line = null, ...row } = draft;
    const tokens = scaled(published ?? counts[2 * at] ?? 0);
    const tokensFull = Math.max(tokens, scaled(published ?? counts[2 * at + 1] ?? 0));
    return { ...row, line, tokens, tokensFull, exact: published === undefined && !factor };
  });
  const passages = request.withDuplicates === false ? [] : findDuplicates(loadedTexts(drafts));
  const sizes = passages.length === 0 ? [] : await count(passages.map(({ text }) => text));
  return {
    window: {
      agent: agent.agent,
      name: agent.name,
      asOf: rules.asOf,
      source: rules.source,
      model: model ?? null,
      windowTokens: windowTokensOf(request),
      factor,
      notRead: rules.notRead ?? [],
      items,
    },
    duplicates: passages.map(({ places }, at) => ({ agent: agent.agent, tokens: scaled(sizes[at] ?? 0), places })),
  };
}

/** Texts with lines of their own; each file once, so that an import is no copy of itself. */
function loadedTexts(drafts: readonly Draft[]): readonly LoadedText[] {
  const found = new Map<string, LoadedText>();
  for (const { kind, fate, source, text } of drafts) {
    const isFile = kind === 'instructions' || kind === 'user';
    if (isFile && (fate === 'loaded' || fate === 'cut') && !found.has(source))
      found.set(source, { path: source, text });
  }
  return [...found.values()];
}
