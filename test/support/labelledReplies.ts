import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ObservationRow } from '../../src/core/model/observation';
import type { ContextReport, PayloadReport, ReportSection } from '../../src/core/model/report';
import type { BuiltinId, CollectedSection, PayloadMode, Priority } from '../../src/core/model/section';
import { renderObservationRow } from '../../src/core/observations/observationCodec';
import { wholeEntries } from '../../src/core/pipeline/fit/pieces';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import type { Tokenizer } from '../../src/core/ports/ports';
import type { RankedMap } from '../../src/core/repomap/facts/types';
import { commandOf, commandsOfCode } from '../../src/core/transcripts/codexTools';
import { parseObject } from '../../src/core/transcripts/jsonFields';
import type { ToolCall } from '../../src/core/transcripts/transcriptAdapter';
import { type CitablePayload, citablePayload } from '../../src/core/usage/citations/citablePayload';
import type { Citation, EvidenceKind } from '../../src/core/usage/usageRecord';
import { request, section } from './sectionBuilder';

const BUILTINS: readonly BuiltinId[] = ['repo-map', 'observations', 'diagnostics', 'git', 'open-editors', 'relay'];

/** test/fixtures/citations/README.md says what these are. */
const FOLDER = path.resolve(import.meta.dirname, '../fixtures/citations');

interface PayloadFile {
  readonly why: string;
  readonly mode: PayloadMode;
  readonly sections: readonly {
    readonly id: string;
    readonly title: string;
    readonly priority: Priority;
    readonly path?: string;
    readonly builtin?: BuiltinId;
    readonly command?: boolean;
    readonly onDemand?: boolean;
    readonly text?: readonly string[];
  }[];
  readonly map: readonly { readonly path: string; readonly symbols: readonly string[] }[];
  readonly observations?: readonly {
    readonly id: number;
    readonly ts: string;
    readonly taskId: string;
    readonly phase: string;
    readonly summary: string;
  }[];
}

interface ReplyFile {
  readonly id: string;
  readonly payload: string;
  readonly trap?: string;
  readonly reply: readonly string[];
  readonly toolCalls?: readonly (Partial<ToolCall> & Pick<ToolCall, 'name' | 'kind'>)[];
  readonly gold: readonly { readonly id: string; readonly evidence: EvidenceKind }[];
  readonly why: string;
}

/** One labelled reply with the payload that it answers. */
export interface LabelledReply {
  readonly id: string;
  readonly trap: string | undefined;
  readonly payload: CitablePayload;
  readonly replyText: string;
  readonly task?: string;
  readonly toolCalls: readonly ToolCall[];
  readonly gold: ReplyFile['gold'];
  /** Ids of sections that a reader could not decide on: counted neither way. */
  readonly doubtful: readonly string[];
  readonly why: string;
}

/** Sizes do not matter here; caps are never reached. */
const TOKENIZER: Tokenizer = { name: 'o200k_base', count: (text) => Math.ceil(text.length / 4) };

function mapOf(files: PayloadFile['map']): RankedMap {
  const items = files.map(({ path: file, symbols }, rank) => ({
    path: file,
    rank: rank + 1,
    symbols: symbols.map((signature, at) => ({
      handle: `sym:${(rank * 16 + at + 0xa0000000).toString(16)}`,
      path: file,
      kind: 'function' as const,
      name: /^[^(<\s]+/.exec(signature)?.[0] ?? signature,
      qualifiedName: signature,
      signature,
      doc: '',
      lineStart: 10 * at + 10,
      lineEnd: 10 * at + 19,
    })),
  }));
  return {
    size: items.length,
    filesTotal: 400,
    symbolsTotal: 2000,
    render: (count) => ({
      text: items
        .slice(0, count)
        .map(
          (file) => `${file.path}\n${file.symbols.map((each) => `  ${each.lineStart} ${each.signature}\n`).join('')}`,
        )
        .join(''),
      view: { filesTotal: 400, filesShown: count, symbolsTotal: 2000, items: items.slice(0, count) },
    }),
  };
}

function rowsOf(observations: NonNullable<PayloadFile['observations']>): readonly ObservationRow[] {
  return observations.map((each) => ({
    ...each,
    type: 'event',
    actor: 'agent',
    refs: { files: [], commands: [], urls: [] },
    detailTokens: 60,
    text: renderObservationRow({ ...each, type: 'event' }, 60),
  }));
}

function collected(file: PayloadFile): readonly CollectedSection[] {
  return file.sections.map(({ id, title, priority, path: own, builtin, command, onDemand = false, text = [] }) => {
    const rows = rowsOf(file.observations ?? []);
    const body: CollectedSection['body'] =
      builtin === 'repo-map'
        ? { kind: 'repoMap' }
        : builtin === 'observations'
          ? { kind: 'observations', rows, total: rows.length }
          : { kind: 'text', text: `${text.join('\n')}\n` };
    const source: CollectedSection['source'] = builtin
      ? { kind: 'builtin', builtin }
      : command
        ? { kind: 'command', argv: ['bash', `plugins/${id}.sh`], timeoutMs: 5000 }
        : { kind: 'file', path: own ?? `${id}.md` };
    return section(id, '', { title, priority, path: own, source, body, onDemand });
  });
}

/** The report of a payload file, made by the real pipeline. */
export function reportOf(
  name: string,
  folder: string = FOLDER,
): { readonly report: ContextReport; readonly mode: PayloadMode } {
  const file = JSON.parse(readFileSync(path.join(folder, 'payloads', `${name}.json`), 'utf8')) as PayloadFile;
  const wide = { budgetTokens: 100_000, hardCapChars: 1_000_000, mapTokens: 50_000 };
  return { report: buildReport(request(collected(file), wide), mapOf(file.map), TOKENIZER), mode: file.mode };
}

function citableOf(name: string, folder: string): CitablePayload {
  const { report, mode } = reportOf(name, folder);
  return citablePayload(report.payloads[mode], undefined, wholeEntries);
}

/** These labels give a path to one section; that the map which lists it too is cited beside, counts neither way. */
function mapBeside(gold: ReplyFile['gold']): readonly string[] {
  return gold.length > 0 && gold.every(({ id }) => id !== 'repo-map') ? ['repo-map'] : [];
}

function wholeCalls(calls: ReplyFile['toolCalls'] = []): readonly ToolCall[] {
  return calls.map((call) => ({ paths: [], handles: [], input: '', output: '', isError: false, ...call }));
}

/** One part of the labelled set, from the folder of its files. */
export function labelledReplies(part: 'dev' | 'heldOut', folder: string = FOLDER): readonly LabelledReply[] {
  const replies = JSON.parse(readFileSync(path.join(folder, `${part}.json`), 'utf8')) as readonly ReplyFile[];
  const payloads = new Map<string, CitablePayload>();
  return replies.map(({ id, payload: name, trap, reply, toolCalls, gold, why }) => {
    const payload = payloads.get(name) ?? citableOf(name, folder);
    payloads.set(name, payload);
    const [replyText, calls] = [reply.join('\n'), wholeCalls(toolCalls)];
    return { id, trap, payload, replyText, toolCalls: calls, gold, doubtful: mapBeside(gold), why };
  });
}

/** A payload as `payload --expanded --json` prints it, as far as it can be cited. */
interface PrintedPayload {
  readonly sections: readonly (Pick<ReportSection, 'id' | 'title' | 'handle' | 'disclosure' | 'priority' | 'text'> & {
    readonly files?: readonly { readonly path: string }[];
  })[];
  readonly observations?: { readonly items: readonly Pick<ObservationRow, 'id'>[] };
  readonly repo_map?: {
    readonly items: readonly {
      readonly path: string;
      readonly symbols: readonly { readonly handle: string; readonly name: string }[];
    }[];
  };
}

interface Labelled {
  readonly id: string;
  readonly why?: string;
}

/** `task`, `cited` or, as other readers name them, `query`, `gold`; `doubtful` and `neutral` count neither way. */
interface PrintedCase {
  readonly id: string;
  readonly payload: string;
  readonly reply: string | readonly string[];
  readonly task?: string;
  readonly query?: string;
  readonly cited?: readonly Labelled[];
  readonly gold?: readonly Labelled[];
  readonly doubtful?: readonly (Labelled | string)[];
  readonly neutral?: readonly string[];
  readonly toolCalls?: ReplyFile['toolCalls'];
  readonly why?: string;
}

function citableOfPrinted({ sections, observations, repo_map: map }: PrintedPayload): CitablePayload {
  const view = map && { filesTotal: 0, filesShown: 0, symbolsTotal: 0, items: map.items };
  const shown = sections.map((each) => {
    const builtin = BUILTINS.find((id) => id === each.id);
    const isFile = /\.\w+$/u.test(each.title);
    const source = builtin ? { kind: 'builtin', builtin } : { kind: 'file', path: each.title };
    return { ...each, source, path: isFile ? each.title : undefined, isNotRun: false, isPending: false };
  });
  const text = sections.map((each) => `<${each.id}>\n${each.text}</${each.id}>\n`).join('');
  const payload = { mode: 'expanded', sections: shown, repoMap: view, observations: observations?.items, text };
  return citablePayload(payload as unknown as PayloadReport, undefined, wholeEntries);
}

/** A command as readers of transcripts give it, whatever the call of an agent has around it. */
function asRead(call: ToolCall): ToolCall {
  if (call.kind !== 'run') return call;
  const command = commandOf(parseObject(call.input));
  const lines = command === '' ? commandsOfCode(call.input) : [command];
  return lines.length === 0 ? call : { ...call, input: lines.join('\n') };
}

/** Replies over payloads made for a task, labelled in a folder of their own: `cases.json` beside `payloads/NAME.json`. */
export function labelledCases(folder: string): readonly LabelledReply[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  const payloads = new Map<string, CitablePayload>();
  return (read('cases.json') as readonly PrintedCase[]).map((each) => {
    const payload =
      payloads.get(each.payload) ?? citableOfPrinted(read(`payloads/${each.payload}.json`) as PrintedPayload);
    payloads.set(each.payload, payload);
    const cited = each.cited ?? each.gold ?? [];
    return {
      id: each.id,
      trap: undefined,
      payload,
      replyText: typeof each.reply === 'string' ? each.reply : each.reply.join('\n'),
      task: each.task ?? each.query ?? '',
      toolCalls: wholeCalls(each.toolCalls).map(asRead),
      gold: cited.map(({ id }) => ({ id, evidence: 'keyword' as const })),
      doubtful: [...(each.doubtful ?? []), ...(each.neutral ?? [])].map((doubt) =>
        typeof doubt === 'string' ? doubt : doubt.id,
      ),
      why: each.why ?? cited.map(({ id, why = '' }) => `${id}: ${why}`).join('; '),
    };
  });
}

/** Right, wrong and missed citations. */
export interface Counts {
  hits: number;
  wrong: number;
  missed: number;
}

/** Counts of all, and by kind of evidence: of a wrong citation the kind found, of a missed one the kind labelled. */
export interface Measured {
  readonly all: Counts;
  readonly byKind: ReadonlyMap<EvidenceKind, Counts>;
  /** What went wrong, a line each: `shop-04: memory wrongly cited by keyword (…)`. */
  readonly mistakes: readonly string[];
}

function none(): Counts {
  return { hits: 0, wrong: 0, missed: 0 };
}

/** Compares what a detector finds with the labels, section by section. */
export function measure(
  replies: readonly LabelledReply[],
  detect: (reply: LabelledReply) => readonly Citation[],
): Measured {
  const all = none();
  const byKind = new Map<EvidenceKind, Counts>();
  const mistakes: string[] = [];
  const count = (kind: EvidenceKind, what: keyof Counts): void => {
    const counts = byKind.get(kind) ?? none();
    byKind.set(kind, counts);
    counts[what]++;
    all[what]++;
  };
  for (const reply of replies) {
    const found = detect(reply);
    for (const { id, evidence, what } of found) {
      if (reply.doubtful.includes(id)) continue;
      const isRight = reply.gold.some((gold) => gold.id === id);
      count(evidence, isRight ? 'hits' : 'wrong');
      if (!isRight) mistakes.push(`${reply.id}: ${id} wrongly cited by ${evidence} (${what})`);
    }
    for (const { id, evidence } of reply.gold) {
      if (found.some((citation) => citation.id === id)) continue;
      count(evidence, 'missed');
      mistakes.push(`${reply.id}: ${id} not found (${evidence})`);
    }
  }
  return { all, byKind, mistakes };
}

/** 1 where nothing was cited. */
export function precisionOf({ hits, wrong }: Counts): number {
  return hits + wrong === 0 ? 1 : hits / (hits + wrong);
}

/** 1 where there was nothing to find. */
export function recallOf({ hits, missed }: Counts): number {
  return hits + missed === 0 ? 1 : hits / (hits + missed);
}

/** What people do without evidence: a section is cited when its name stands in the reply, as a word. */
export function nameMatch({ payload, replyText }: LabelledReply): readonly Citation[] {
  return payload.sections.flatMap(({ id }) => {
    const name = new RegExp(`\\b${id.replaceAll('-', '[- ]')}\\b`, 'iu');
    return name.test(replyText) ? [{ id, evidence: 'keyword' as const, what: id }] : [];
  });
}
