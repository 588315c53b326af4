/** The Repo Map tree as data: what stands below what, and what a filter leaves. Pure; words and icons are the view's. */
import type { MapResult } from '../../core/engine/map';
import type { MapSymbol } from '../../core/model/repoMap';
import type { LeftOutFiles } from '../../core/repomap/facts/types';
import type { Phrase } from '../../core/text/phrase';

/** A definition; `because` is empty for one that did not fit. */
export interface SymbolNode {
  readonly kind: 'symbol';
  readonly id: string;
  readonly symbol: MapSymbol;
  readonly because: readonly Phrase[];
  /** Definitions inside of it that are shown too. */
  readonly children: readonly SymbolNode[];
}

export interface FileNode {
  readonly kind: 'file';
  readonly id: string;
  readonly path: string;
  readonly rank: number;
  readonly symbolCount: number;
  /** What its lines cost in the map; undefined for a file that is not in it. */
  readonly tokens: number | undefined;
  readonly because: readonly Phrase[];
  readonly children: readonly SymbolNode[];
}

/** Stands for all files that are not in the map. */
export interface LeftOutNode {
  readonly kind: 'leftOut';
  readonly id: string;
  readonly filesTotal: number;
  /** Nothing above it matches the filter, so that it should be open. */
  readonly isOnly: boolean;
}

/** Lists more of what was left out. */
interface MoreNode {
  readonly kind: 'more';
  readonly id: string;
  readonly remaining: number;
}

export type MapNode = FileNode | SymbolNode | LeftOutNode | MoreNode;

/** What a name may go on with. */
const WORD = /[\p{L}\p{N}_$]/u;

/** The tree's first level: files by rank, and last what was left out. Empty when there is nothing to map. */
export function mapRoots(result: MapResult, filter: string): readonly MapNode[] {
  if (result.view.symbolsTotal === 0) return [];
  const files = result.view.items.flatMap((file, at): readonly FileNode[] => {
    const reasons = result.explanation?.files[at];
    const symbols = file.symbols.map((symbol, i) => ({ symbol, because: reasons?.symbols[i]?.because ?? [] }));
    const node = fileNode('file', file, nest(symbols));
    const kept = filtered({ ...node, tokens: reasons?.tokens, because: reasons?.because ?? [] }, filter);
    return kept ? [kept] : [];
  });
  const filesTotal = result.leftOut?.filesTotal ?? 0;
  if (filesTotal === 0) return files;
  const isOnly = filter !== '' && files.length === 0;
  // VS Code remembers by id whether a node is open: the one that starts open needs another id.
  return [...files, { kind: 'leftOut', id: isOnly ? 'leftOut:only' : 'leftOut', filesTotal, isOnly }];
}

/** What stands below the node of left-out files. */
export function leftOutChildren({ filesTotal, items }: LeftOutFiles): readonly MapNode[] {
  const files = items.map((file) => {
    const children = file.symbols.map((symbol) => symbolNode(symbol, [], []));
    return fileNode('left', file, children);
  });
  const remaining = filesTotal - files.length;
  return remaining > 0 ? [...files, { kind: 'more', id: 'more', remaining }] : files;
}

/** A file as one that was left out has it. */
function fileNode(
  place: 'file' | 'left',
  { path, rank, symbols }: LeftOutFiles['items'][number],
  children: readonly SymbolNode[],
): FileNode {
  const id = `${place}:${path}`;
  return { kind: 'file', id, path, rank, symbolCount: symbols.length, tokens: undefined, because: [], children };
}

interface Reasoned {
  readonly symbol: MapSymbol;
  readonly because: readonly Phrase[];
}

function symbolNode(symbol: MapSymbol, because: readonly Phrase[], children: readonly SymbolNode[]): SymbolNode {
  // Two definitions may share a handle; their lines differ.
  const id = `${symbol.path}#${symbol.handle}#${symbol.lineStart}`;
  return { kind: 'symbol', id, symbol, because, children };
}

/** Members below what they are members of: a qualified name goes on from its parent's, inside of its lines. */
function nest(symbols: readonly Reasoned[]): readonly SymbolNode[] {
  const below = (from: number, to: number): readonly SymbolNode[] => {
    const nodes: SymbolNode[] = [];
    for (let at = from; at < to; ) {
      const item = symbols[at];
      if (!item) break;
      let end = at + 1;
      while (end < to && isInside(symbols[end]?.symbol, item.symbol)) end++;
      nodes.push(symbolNode(item.symbol, item.because, below(at + 1, end)));
      at = end;
    }
    return nodes;
  };
  return below(0, symbols.length);
}

function isInside(inner: MapSymbol | undefined, outer: MapSymbol): boolean {
  if (!inner) return false;
  return (
    inner.qualifiedName.startsWith(`${outer.qualifiedName}.`) &&
    inner.lineStart >= outer.lineStart &&
    inner.lineEnd <= outer.lineEnd
  );
}

/** What matches by its path or name stays whole; else what matches inside of it, with what stands around that. */
function filtered<T extends FileNode | SymbolNode>(node: T, filter: string): T | undefined {
  const text = node.kind === 'file' ? node.path : node.symbol.name;
  if (text.toLowerCase().includes(filter.trim().toLowerCase())) return node;
  const children = node.children.flatMap((child) => filtered(child, filter) ?? []);
  return children.length === 0 ? undefined : { ...node, children };
}

/** A signature without the words up to and with its name, which the row says already; empty when nothing follows. */
export function signatureTail({ name, signature }: Pick<MapSymbol, 'name' | 'signature'>): string {
  for (let at = signature.indexOf(name); at >= 0; at = signature.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!WORD.test(signature.charAt(at - 1)) && !WORD.test(signature.charAt(end))) return signature.slice(end).trim();
  }
  return signature;
}

/** `src/vscode/base/ids.ts` → `src/vscode` and `ids.ts`. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) };
}

/** The handle of exactly these lines, which no other symbol shares. */
export function bodyHandle({ path, lineStart, lineEnd }: MapSymbol): string {
  return `file:${path}#L${lineStart}-L${lineEnd}`;
}

/** What an agent asks with for this row. */
export function handleOf(node: FileNode | SymbolNode): string {
  return node.kind === 'file' ? `file:${node.path}` : node.symbol.handle;
}
