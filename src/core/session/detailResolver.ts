/**
 * Finds the text behind a handle: `section:id`, `sym:…`, `file:path#L10-L40`. It decides where a text comes from;
 * `payload/detail.ts` decides how much of it is shown.
 */
import { isSafePath, normalizePath } from '../config/safePath';
import type { ContextEngine, DetailSource } from '../engine';
import type { FileSource } from '../ports';
import type { MapSymbol } from '../repomap/types';
import { decodeText } from '../text/decode';

/** What the resolver reads from. */
export interface DetailWorld {
  readonly files: FileSource;
  readonly engine: ContextEngine;
  readonly maxFileBytes: number;
  /** A section's full text, or undefined when there is no such section. */
  sectionText(id: string): Promise<{ readonly title: string; readonly text: string } | undefined>;
}

/** Found texts in the order asked for, and the handles that lead nowhere. */
export interface ResolvedHandles {
  readonly items: readonly DetailSource[];
  readonly unknown: readonly string[];
}

const FILE_HANDLE = /^file:(?<path>.+?)(?:#L(?<start>\d+)(?:-L?(?<end>\d+))?)?$/;

/** Lines `start`…`end` of `text`, 1-based and inclusive; `end` may lie beyond the last line. */
function sliceLines(text: string, start: number, end: number): string {
  return text
    .split('\n')
    .slice(start - 1, end)
    .join('\n');
}

async function readText(world: DetailWorld, path: string): Promise<string | undefined> {
  const read = await world.files.read(path, world.maxFileBytes);
  if (read.kind !== 'ok') return undefined;
  const decoded = decodeText(read.bytes);
  return decoded.kind === 'text' ? decoded.text : undefined;
}

async function resolveFile(world: DetailWorld, handle: string): Promise<readonly DetailSource[]> {
  const groups = FILE_HANDLE.exec(handle)?.groups;
  const path = groups?.path && isSafePath(groups.path) ? normalizePath(groups.path) : undefined;
  if (!path) return [];
  const text = await readText(world, path);
  if (text === undefined) return [];
  if (groups?.start === undefined) return [{ handle, title: path, text }];
  const start = Math.max(1, Number(groups.start));
  const end = groups.end === undefined ? start : Number(groups.end);
  const slice = end < start ? '' : sliceLines(text, start, end);
  return slice === '' ? [] : [{ handle, title: `${path}:${start}`, text: slice }];
}

async function resolveSymbol(world: DetailWorld, symbol: MapSymbol): Promise<DetailSource | undefined> {
  const text = await readText(world, symbol.path);
  if (text === undefined) return undefined;
  return {
    handle: `file:${symbol.path}#L${symbol.lineStart}-L${symbol.lineEnd}`,
    title: `${symbol.kind} ${symbol.qualifiedName}`,
    text: sliceLines(text, symbol.lineStart, symbol.lineEnd),
  };
}

async function resolveOne(world: DetailWorld, handle: string): Promise<readonly DetailSource[]> {
  if (handle.startsWith('section:')) {
    const section = await world.sectionText(handle.slice('section:'.length));
    return section ? [{ handle, ...section }] : [];
  }
  if (handle.startsWith('file:')) return resolveFile(world, handle);
  if (!handle.startsWith('sym:')) return [];
  const [symbols = []] = await world.engine.findSymbols([handle]);
  const found = await Promise.all(symbols.map((symbol) => resolveSymbol(world, symbol)));
  return found.filter((item) => item !== undefined);
}

/** Resolves each handle once, in the order given. Unknown handles are named; the others are still served. */
export async function resolveHandles(world: DetailWorld, handles: readonly string[]): Promise<ResolvedHandles> {
  const items: DetailSource[] = [];
  const unknown: string[] = [];
  for (const handle of new Set(handles.map((handle) => handle.trim()).filter((handle) => handle !== ''))) {
    const found = await resolveOne(world, handle);
    if (found.length === 0) unknown.push(handle);
    items.push(...found);
  }
  return { items, unknown };
}
