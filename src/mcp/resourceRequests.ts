import type { ContextReport } from '../core/model/report';
import { renderBudgetTable } from '../core/print/budgetTable';
import { toJsonFile } from '../core/render/json';
import { renderPayload } from '../core/render/renderPayload';
import { isRecord } from '../core/text/jsonRecord';
import { formatCount } from '../core/text/numbers';
import { unknownName } from '../core/tools/rows';
import { runTool } from '../core/tools/runTool';
import { ToolError, type ToolHost } from '../core/tools/tool';
import { type Extra, RPC, RpcError, withProgress } from './request';
import type { ServedFolder } from './servedFolder';

/** Scheme of all our resources; what follows is a name of ours, never a path. */
const SCHEME = 'context-budget://';

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

/** A payload that is more than this alone exceeds any model's window: its parts are asked for instead. UTF-16 code units. */
const MAX_RESOURCE_CHARS = 400_000;

const SECTION = `${SCHEME}section/`;
const SECTION_ID = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}$/u;

/** The id that a section's URI names; common clients encode what is not ASCII. */
function sectionId(uri: string): string | undefined {
  if (!uri.startsWith(SECTION)) return undefined;
  try {
    const id = decodeURIComponent(uri.slice(SECTION.length));
    return SECTION_ID.test(id) ? id : undefined;
  } catch {
    // A malformed escape names nothing.
    return undefined;
  }
}

const WHOLE = [
  { name: 'index', title: 'Context index', what: 'one row for each section, then events and the repo map' },
  { name: 'map', title: 'Repo map', what: 'the most important files and signatures' },
  { name: 'report', title: 'Budget report', what: 'what each section costs, against the limits' },
] as const;

type WholeName = (typeof WHOLE)[number]['name'];

function resourceUri(name: string): string {
  return SCHEME + name;
}

function wholeResource(name: string, title: string, description: string, mimeType: string) {
  return { uri: resourceUri(name), name, title, description, mimeType };
}

const WHOLE_RESOURCES = WHOLE.flatMap(({ name, title, what }) => [
  wholeResource(name, title, `Markdown: ${what}`, MARKDOWN),
  wholeResource(`${name}.json`, title, `JSON: ${what}`, JSON_TYPE),
]);

/** All resources; sections, in the order of the payload, only once something has read the folder. */
export function resourcesList(report: ContextReport | undefined) {
  const ids = (report?.payloads.expanded.sections ?? []).filter(({ isExcluded }) => !isExcluded).map(({ id }) => id);
  const sections = ids.map((id) => ({ uri: resourceUri(`section/${id}`), name: id, mimeType: 'text/plain' }));
  return { resources: [...WHOLE_RESOURCES, ...sections] };
}

/** The form of a section's URI. */
export function resourceTemplates() {
  const uriTemplate = resourceUri('section/{id}');
  return { resourceTemplates: [{ uriTemplate, name: 'section', description: 'one section', mimeType: 'text/plain' }] };
}

/** The resource that params name. @throws RpcError for anything else, whatever it is */
function uriOf(params: unknown): string {
  const uri = isRecord(params) ? params.uri : undefined;
  const isOurs = WHOLE_RESOURCES.some((resource) => resource.uri === uri);
  if (typeof uri === 'string' && (isOurs || sectionId(uri) !== undefined)) return uri;
  const known = [...WHOLE_RESOURCES.map((resource) => resource.uri), `${SECTION}ID`];
  throw new RpcError(RPC.resourceNotFound, unknownName('resource', uri, known));
}

async function reportOf({ workspace }: ToolHost, extra: Extra): Promise<ContextReport> {
  const { report } = await workspace.whenReady(extra.signal);
  if (!report) throw new ToolError('failed', 'The folder could not be read.');
  return report;
}

async function mapValue({ workspace }: ToolHost) {
  const { view, tokens, budgetTokens } = await workspace.map({});
  const { filesTotal, filesShown, items, packages } = view;
  const sizes = { tokens, budget_tokens: budgetTokens };
  return {
    version: 'map.v1',
    ...sizes,
    files_total: filesTotal,
    files_shown: filesShown,
    ...(packages ? { packages } : {}),
    items: items.map(toJsonFile),
  };
}

async function jsonOf(name: WholeName, host: ToolHost, extra: Extra): Promise<unknown> {
  if (name === 'map') return mapValue(host);
  const report = await reportOf(host, extra);
  const text = name === 'index' ? renderPayload(report, name, 'json') : renderBudgetTable(report, 'expanded', 'json');
  return JSON.parse(text);
}

async function markdownOf(name: WholeName, host: ToolHost, extra: Extra): Promise<string> {
  if (name === 'map') return (await host.workspace.map({})).text.replace(/^/gm, '    ').trimEnd();
  const report = await reportOf(host, extra);
  return name === 'index' ? renderPayload(report, name, 'markdown') : renderBudgetTable(report, 'expanded', 'markdown');
}

async function sectionText(id: string, host: ToolHost, extra: Extra): Promise<string> {
  const handles = [`section:${id}`];
  return (await runTool('context_detail', { handles }, host, { signal: extra.signal })) ?? '';
}

async function contentOf(uri: string, host: ToolHost, extra: Extra) {
  const id = sectionId(uri);
  if (id !== undefined) return { uri, mimeType: 'text/plain', text: await sectionText(id, host, extra) };
  const named = uri.slice(SCHEME.length);
  const name = named.replace(/\.json$/, '') as WholeName;
  if (name !== named) {
    const value = await jsonOf(name, host, extra);
    return { uri, mimeType: JSON_TYPE, text: `${JSON.stringify(value, null, 2)}\n` };
  }
  return { uri, mimeType: MARKDOWN, text: await markdownOf(name, host, extra) };
}

/** The content of a resource. */
export async function resourcesRead(folder: ServedFolder, params: unknown, extra: Extra) {
  const uri = uriOf(params);
  const host = await folder.fresh();
  const content = await withProgress(extra, host.workspace, () => contentOf(uri, host, extra));
  if (content.text.length > MAX_RESOURCE_CHARS) {
    const most = formatCount(MAX_RESOURCE_CHARS);
    throw new ToolError('budget', `The resource has more than ${most} characters: ask the tools for its parts.`);
  }
  return { contents: [content] };
}
