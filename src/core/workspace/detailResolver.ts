/**
 * Finds the text behind a handle: `12`, `section:id`, `section:id/key` (a file of a folder), `sym:…`,
 * `file:path#L10-L40`; `section:id#L41` is all from that line on. What rows show leads there too: a path, `path:12`, a
 * name, a whole row. It decides where a text comes from; `render/detail.ts` decides how much of it is shown.
 */

import type { ContextEngine } from '../engine/engine';
import type { DetailResult, DetailSource } from '../model/detail';
import { isObservationHandle, type ObservationRow } from '../model/observation';
import type { Profile } from '../model/profile';
import type { FoundSymbol, MapSymbol } from '../model/repoMap';
import type { ContextReport, SecretFinding } from '../model/report';
import type { CollectedSection } from '../model/section';
import type { ObservationDetail } from '../observations/observationStore';
import { renderFileRow } from '../pipeline/fit/folderForms';
import { type FileQuery, rankFiles } from '../pipeline/score/rankFiles';
import type { FileSource, TokenizerName } from '../ports/ports';
import { countLines, linesHandle, textOfLines, whyNoLines } from '../render/detail';
import { readLimitOf } from '../repomap/facts/languages';
import { foldLines } from '../repomap/facts/signature';
import { FUNCTION_KINDS } from '../repomap/index/indexedFile';
import { MAX_FOUND, MAX_NAMESAKES } from '../repomap/index/nameLookup';
import { decodeText } from '../text/decode';
import { type LineRange, sectionHandle, splitFileLines, splitLines } from '../text/elements';
import { formatCount, plural } from '../text/numbers';
import { isSafePath, normalizePath } from '../text/safePath';
import { cleanText, ellipsize, toOneLine, toSentence } from '../text/sentence';
import { type Found, type FoundText, type MaskedFinding, maskFound, scanningOnce } from './detailMasks';
import { usesLine } from './usePlaces';

/** What the resolver reads from. */
export interface DetailWorld {
  readonly files: FileSource;
  readonly engine: ContextEngine;
  readonly maxFileBytes: number;
  /** Whether all files are in the symbol index: before, who uses a definition is not known. */
  readonly isIndexReady: boolean;
  /** Whether a file may be opened by its name; one that may not is as unknown as one that is not there. */
  isOpenable(path: string): Promise<boolean>;
  /** The observation of that id, or undefined when there is none. */
  observation(id: number): Promise<ObservationDetail | undefined>;
  /** The full text behind `section:NAME`: a section's, or of a file of one; undefined when there is none. */
  sectionText(name: string): Promise<TitledText | undefined>;
}

interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** Found texts in the order asked for, and the handles that lead nowhere. */
export interface ResolvedHandles {
  readonly items: readonly DetailSource[];
  /** What was masked in them, with what stands for it. */
  readonly secrets: readonly MaskedFinding[];
  /** Of those items that are observations. */
  readonly rows: readonly ObservationRow[];
  readonly unknown: readonly string[];
  /** Of those among `unknown` that name lines which their text does not have: what is wrong with them. */
  readonly noLines: ReadonlyMap<string, string>;
}

/** Where a section's text comes from that it has not read. */
interface SectionTexts {
  readonly report: ContextReport | undefined;
  readonly mapText: () => Promise<string>;
  /** Rows of all observations, newest first; undefined where they cannot be read. */
  readonly observationRows: () => Promise<string | undefined>;
  /** Tokens of texts, as they are shown. */
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>;
  /** What a folder's rows are ranked for. */
  readonly query: FileQuery;
}

/** A row for each file of a folder, best first. */
async function folderRowsText(
  id: string,
  { files, leftOut }: Extract<CollectedSection['body'], { readonly kind: 'folder' }>,
  { countTokens, query }: SectionTexts,
): Promise<string> {
  const ranked = rankFiles(files, query).files;
  const tokens = await countTokens(ranked.map(({ text }) => text));
  const rows = ranked.map((file, at) =>
    renderFileRow(file, tokens[at] ?? 0, `${sectionHandle(id)}/${file.key}`, (text) => text),
  );
  return [...rows, leftOut > 0 ? `… ${plural(leftOut, 'more file')} not read\n` : ''].join('');
}

/**
 * The whole text of a section, of a folder its rows, and by a key one of its files; what payloads show of it where it
 * has no text of its own. Undefined when it has no such file.
 */
export async function sectionText(
  { id, title, body }: CollectedSection,
  key: string | undefined,
  texts: SectionTexts,
): Promise<TitledText | undefined> {
  const { report, mapText, observationRows } = texts;
  if (key !== undefined) {
    // Rows show a key on one line.
    const isKey = (own: string): boolean => own === key || toOneLine(own) === key;
    const file = body.kind === 'folder' ? body.files.find((each) => isKey(each.key)) : undefined;
    return file && { title: file.path, text: file.text };
  }
  if (body.kind === 'folder') return { title, text: await folderRowsText(id, body, texts) };
  if (body.kind === 'text') return { title, text: body.text };
  if (body.kind === 'observations')
    return { title, text: (await observationRows()) ?? body.rows.map((row) => row.text).join('') };
  if (body.kind === 'repoMap') return { title, text: await mapText() };
  const fitted = report?.payloads.expanded.sections.find((candidate) => candidate.id === id);
  return { title, text: fitted?.text || fitted?.explanation || '' };
}

/** Share of a function's lines from which on the definitions inside of it are its outline. */
const MOSTLY = 0.5;

/** Of a signature in an outline; the definition's own detail has it whole. */
const MAX_OUTLINE_CHARS = 120;

const PLACE = /^(?<path>.+?):(?<start>[1-9]\d{0,8})(?:-(?<end>\d{1,9})|:\d{1,9})?$/u;

/** Says above the rows of many definitions of one name how to choose one. */
function namesakesTitle(rows: number): string {
  const which = rows === MAX_FOUND ? `the first ${rows} of this name` : `${rows} have this name`;
  return `${which}: ask for the handle of a row, or for path:name`;
}

/** Lines that a place stands for where no symbol is around it, or one of many more lines. */
const PLACE_LINES = 40;
/** Of these, the lines above the place where a long symbol is around it. */
const LINES_ABOVE = 15;
/** A symbol of so many lines is shown whole, whichever of its lines was asked for. */
const WHOLE_LINES = 80;

/** Lines `start`…`end` of `text`, 1-based and inclusive; `end` may lie beyond the last line. */
function sliceLines(text: string, start: number, end: number): string {
  return text
    .split('\n')
    .slice(start - 1, end)
    .join('\n');
}

export async function readText(
  world: Pick<DetailWorld, 'isOpenable' | 'files' | 'maxFileBytes'>,
  path: string,
): Promise<string | undefined> {
  if (!(await world.isOpenable(path))) return undefined;
  // Asked again of what was opened: a folder on the way may be another since.
  const read = await world.files.read(path, readLimitOf(path, world.maxFileBytes), (realPath) =>
    world.isOpenable(realPath),
  );
  if (read.kind !== 'ok') return undefined;
  const decoded = decodeText(read.bytes);
  return decoded.kind === 'text' ? decoded.text : undefined;
}

async function resolveFile(world: DetailWorld, handle: string): Promise<readonly FoundText[]> {
  const { base, ...lines } = splitFileLines(handle);
  const named = base.slice('file:'.length);
  const path = isSafePath(named) ? normalizePath(named) : undefined;
  if (!path) return [];
  const text = await readText(world, path);
  if (text === undefined) return [];
  if (base === handle) return [{ handle, title: path, text }];
  return [{ handle, title: `${path}:${lines.line}`, text, lines }];
}

/** A definition, and how many more have the same lines: those of a minified file, or of `var a, b`. */
interface OnLines {
  readonly symbol: FoundSymbol;
  readonly others: number;
}

/** One of those that have the same lines, and so the same text. */
function byLines(symbols: readonly FoundSymbol[]): readonly OnLines[] {
  const onLines = new Map<string, OnLines>();
  for (const symbol of symbols) {
    const lines = `${symbol.path}\0${symbol.lineStart}-${symbol.lineEnd}`;
    const known = onLines.get(lines);
    onLines.set(lines, known ? { ...known, others: known.others + 1 } : { symbol, others: 0 });
  }
  return [...onLines.values()];
}

async function resolveSymbol(world: DetailWorld, { symbol, others }: OnLines): Promise<DetailSource | undefined> {
  const text = await readText(world, symbol.path);
  if (text === undefined) return undefined;
  const lines = symbol.lineEnd - symbol.lineStart + 1;
  const inside = symbol.parts?.reduce((sum, { lineStart, lineEnd }) => sum + lineEnd - lineStart + 1, 0) ?? 0;
  const known = world.isIndexReady ? symbol.uses : undefined;
  const uses = known && (await usesLine({ ...symbol, uses: known }, (path) => readText(world, path)));
  const isTold = symbol.parts !== undefined && (!FUNCTION_KINDS.has(symbol.kind) || inside >= lines * MOSTLY);
  return {
    handle: `file:${symbol.path}#L${symbol.lineStart}-L${symbol.lineEnd}`,
    title: `${symbol.kind} ${symbol.qualifiedName}${others > 0 ? ` and ${formatCount(others)} more` : ''}`,
    text: sliceLines(text, symbol.lineStart, symbol.lineEnd),
    ...(symbol.parts ? { outline: symbol.parts.map(outlineRow) } : {}),
    // A class, and what is mostly definitions, is told by these.
    ...(isTold ? {} : { foldsFrom: symbol.lineStart }),
    ...(uses === undefined ? {} : { uses }),
  };
}

/** `sym:1f3a9c02 | L41-L60 | function patch(a, b)` */
function outlineRow(symbol: MapSymbol): string {
  return `${symbol.handle} | L${symbol.lineStart}-L${symbol.lineEnd} | ${aboutOf(symbol)}\n`;
}

/** `sym:1f3a9c02 | src/a.ts:41 | Store.patch | function patch(a, b)` */
function namesakeRow(symbol: MapSymbol): string {
  const { handle, path, lineStart, qualifiedName } = symbol;
  return `${handle} | ${toOneLine(path)}:${lineStart} | ${toOneLine(qualifiedName)} | ${aboutOf(symbol)}\n`;
}

function aboutOf({ signature, kind, name }: MapSymbol): string {
  return ellipsize(foldLines(signature === '' ? `${kind} ${name}` : signature), MAX_OUTLINE_CHARS);
}

/** Finds the lines around one inside a long symbol: a caller that names a line wants that place, not the whole symbol. */
async function resolveInside(world: DetailWorld, symbol: FoundSymbol, line: number): Promise<FoundText | undefined> {
  const start = Math.max(symbol.lineStart, Math.min(line - LINES_ABOVE, symbol.lineEnd - PLACE_LINES + 1));
  const end = Math.min(symbol.lineEnd, start + PLACE_LINES - 1);
  const [found] = await resolveFile(world, `file:${symbol.path}#L${start}-L${end}`);
  const { kind, qualifiedName, lineStart, lineEnd } = symbol;
  return found && { ...found, title: `in ${kind} ${qualifiedName}, ${lineStart}-${lineEnd}` };
}

async function resolveSymbols(world: DetailWorld, handle: string): Promise<readonly FoundText[]> {
  const [symbols = []] = await world.engine.findSymbols([handle]);
  const { start, end } = PLACE.exec(handle)?.groups ?? {};
  const line = end === undefined && start !== undefined ? Number(start) : 0;
  const isInside = ({ lineStart, lineEnd }: FoundSymbol): boolean =>
    lineStart < line && line <= lineEnd && lineEnd - lineStart >= WHOLE_LINES;
  const different = byLines(symbols);
  if (different.length > MAX_NAMESAKES)
    return [{ handle, title: namesakesTitle(symbols.length), text: symbols.map(namesakeRow).join('') }];
  const found = await Promise.all(
    different.map((each) =>
      isInside(each.symbol) ? resolveInside(world, each.symbol, line) : resolveSymbol(world, each),
    ),
  );
  return found.filter((item) => item !== undefined);
}

/** `path:12-40` is these lines; `path:12`, where no symbol is, that line and what follows. */
async function resolvePlace(world: DetailWorld, handle: string): Promise<readonly FoundText[]> {
  const groups = PLACE.exec(handle)?.groups;
  if (!groups) return [];
  const end = groups.end ?? Number(groups.start) + PLACE_LINES - 1;
  return resolveFile(world, `file:${groups.path}#L${groups.start}-L${end}`);
}

async function resolveOne(world: DetailWorld, handle: string): Promise<readonly FoundText[]> {
  if (handle.startsWith('section:')) {
    const section = await world.sectionText(handle.slice('section:'.length));
    return section ? [{ handle, ...section }] : [];
  }
  if (handle.startsWith('file:')) return resolveFile(world, handle);
  if (handle.startsWith('sym:')) return resolveSymbols(world, handle);
  for (const resolve of [() => resolveFile(world, `file:${handle}`), () => resolveSymbols(world, handle)]) {
    const found = await resolve();
    if (found.length > 0) return found;
  }
  return resolvePlace(world, handle);
}

/** What the cells of rows look like that lead to a text; the first of a row is its handle. */
const HANDLE_CELL = /^(?:(?:section|sym|file):\S.*|\d{1,15}|[^\s:]+:\d+(?:-\d+)?)$/u;

/** The handle of a row as it was printed: of `sym:1f3a9c02 | src/a.ts:12 | main()` the first cell that is one. */
export function handleOfRow(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.includes(' | ')) return trimmed;
  const cells = trimmed.split(' | ').map((cell) => cell.trim());
  return cells.find((cell) => HANDLE_CELL.test(cell)) ?? trimmed;
}

/** The lines of a text that are meant; none where it has none of them. */
function meantLines({ lines, ...item }: FoundText): readonly DetailSource[] {
  const text = lines ? textOfLines(item.text, lines) : item.text;
  return text === undefined ? [] : [{ ...item, text }];
}

/** Of these the lines that were asked for. */
function onlyLines(item: DetailSource, asked: LineRange): readonly DetailSource[] {
  const text = textOfLines(item.text, asked);
  if (text === undefined) return [];
  if (asked.line === 1 && asked.column === undefined && asked.end === undefined) return [item];
  const { outline: _, uses: __, foldsFrom: ___, ...rest } = item;
  return [{ ...rest, text, handle: linesHandle(item.handle, asked, countLines(item.text)) }];
}

async function findOne(world: DetailWorld, base: string): Promise<Found> {
  const observation = isObservationHandle(base) ? await world.observation(Number(base)) : undefined;
  const { source, row } = observation ?? {};
  const found = source && row ? [{ ...source, row: row.text }] : await resolveOne(world, base);
  // Colours between the characters of a secret would hide it, and lines are counted without them.
  const items = found.map((item) => ({ ...item, text: cleanText(item.text) }));
  return { items, ...(row ? { row } : {}), secrets: [] };
}

/** Resolves each handle once, in the order given. Unknown handles are named; the others are still served. */
export async function resolveHandles(
  world: DetailWorld,
  handles: readonly string[],
  { isUnmasked = false }: { readonly isUnmasked?: boolean } = {},
): Promise<ResolvedHandles> {
  const items: DetailSource[] = [];
  const rows: ObservationRow[] = [];
  const unknown: string[] = [];
  const noLines = new Map<string, string>();
  const secrets: MaskedFinding[] = [];
  const engine = scanningOnce(world.engine);
  for (const handle of new Set(handles.map((handle) => handle.trim()).filter((handle) => handle !== ''))) {
    const { base, ...lines } = splitLines(handleOfRow(handle));
    const plain = await findOne(world, base);
    const whole = isUnmasked || plain.items.length === 0 ? plain : await maskFound(engine, base, plain, lines);
    const found = whole.items.flatMap(meantLines).flatMap((item) => onlyLines(item, lines));
    if (found.length === 0) {
      const [first] = whole.items;
      unknown.push(handle);
      if (first) noLines.set(handle, whyNoLines(first.text, first.lines ?? lines));
    } else if (whole.row) rows.push(whole.row);
    items.push(...found.map((item) => ({ ...item, asked: handle })));
    secrets.push(...whole.secrets);
  }
  return { items, rows, unknown, noLines, secrets };
}

/**
 * Tokens that the detail of each symbol costs, parallel to `symbols`; undefined where its file cannot be read. Reads each
 * file once.
 */
export async function symbolTokens(
  world: DetailWorld,
  symbols: readonly MapSymbol[],
  countTokens: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<readonly (number | undefined)[]> {
  const paths = [...new Set(symbols.map(({ path }) => path))];
  const texts = new Map(await Promise.all(paths.map(async (path) => [path, await readText(world, path)] as const)));
  const sources = symbols.map(({ path, lineStart, lineEnd }) => {
    const text = texts.get(path);
    return text === undefined ? undefined : cleanText(sliceLines(text, lineStart, lineEnd));
  });
  const counts = await countTokens(sources.map((text) => text ?? ''));
  return sources.map((text, at) => (text === undefined ? undefined : counts[at]));
}

/** A handle that leads nowhere, cut to one short line, and what is wrong with the lines that it names. */
export function unknownWords(handle: string, { noLines }: Pick<ResolvedHandles, 'noLines'>): string {
  const why = noLines.get(handle);
  return `${toSentence(handle)}${why === undefined ? '' : ` (${why})`}`;
}

/** How a request for details is answered. */
export interface DetailOptions {
  readonly isUnmasked?: boolean;
  /** Each handle was written down by the caller: each is served that the budget has room for, whatever the profile's `topK`. */
  readonly isNamed?: boolean;
  /** The first lines of a long definition in place of its outline, for readers that cannot ask for the rest. */
  readonly asLines?: boolean;
  /** Less than the profile's cap of the whole, where the caller has less. */
  readonly budgetTokens?: number;
}

/** Resolves handles and holds their texts to the profile's caps. */
export async function answerDetail(
  world: DetailWorld,
  handles: readonly string[],
  profile: Profile,
  tokenizer: TokenizerName,
  options: DetailOptions,
): Promise<DetailAnswer> {
  const { items: found, rows, unknown, noLines, secrets } = await resolveHandles(world, handles, options);
  const items = options.asLines ? found.map(({ foldsFrom: _, ...item }) => item) : found;
  const { detailTokens, hardCapChars, topK } = profile;
  const budgetTokens = Math.min(profile.budgetTokens, options.budgetTokens ?? Number.POSITIVE_INFINITY);
  // One handle may lead to many texts, as the name of a symbol does: those are held to the limit all the same.
  const maxItems = options.isNamed ? Math.max(topK.detail, handles.length) : topK.detail;
  const caps = { detailTokens, budgetTokens, hardCapChars, maxItems };
  const result = await world.engine.buildDetail({ tokenizer, ...caps, items });
  const shown = secrets.flatMap(({ mask, ...finding }) => (result.text.includes(mask) ? [finding] : []));
  return { ...result, maxItems, observations: rows, unknown, noLines, secrets: shown };
}

/** A request that names handles; unknown ones are named, the others served. */
export interface DetailAnswer extends DetailResult {
  /** Rows of the asked observations. */
  readonly observations: readonly ObservationRow[];
  readonly unknown: readonly string[];
  readonly noLines: ReadonlyMap<string, string>;
  /** The limit that `pastLimit` speaks of. */
  readonly maxItems: number;
  /** What was masked in `text`. */
  readonly secrets: readonly SecretFinding[];
}
