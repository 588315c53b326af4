import type { DirectoryEntry, DirectoryRead, FileRead, FileSource } from '../../src/core/ports/ports';
import { asGiven } from '../../src/core/text/phrase';

/** What lies at a path of a {@link MemoryFiles}. */
export type MemoryNode =
  | string
  | Uint8Array
  /** A file of that size whose bytes nobody may ask for. */
  | { readonly sizeBytes: number }
  | { readonly linkTo: string }
  | { readonly unreadable: string };

/** A folder in memory, with links, unreadable folders and a count of what was asked of it. */
export class MemoryFiles implements FileSource {
  readonly rootName = 'memory';
  readonly reads: string[] = [];
  readonly lists: string[] = [];
  listing = 0;
  mostListing = 0;
  readonly nodes: Map<string, MemoryNode>;

  constructor(nodes: Readonly<Record<string, MemoryNode>> = {}) {
    this.nodes = new Map(Object.entries(nodes));
  }

  async list(folder: string): Promise<DirectoryRead> {
    this.lists.push(folder);
    this.mostListing = Math.max(this.mostListing, ++this.listing);
    await Promise.resolve();
    this.listing--;
    const own = this.nodes.get(folder);
    if (typeof own === 'object' && 'unreadable' in own) return { kind: 'unreadable', message: asGiven(own.unreadable) };
    const prefix = folder === '' ? '' : `${folder}/`;
    const entries = new Map<string, DirectoryEntry>();
    for (const [path, node] of this.nodes) {
      if (!path.startsWith(prefix)) continue;
      const [name = '', ...rest] = path.slice(prefix.length).split('/');
      const isUnreadable = typeof node === 'object' && 'unreadable' in node;
      const isLink = typeof node === 'object' && 'linkTo' in node;
      const kind = rest.length > 0 || isUnreadable ? 'folder' : isLink ? 'link' : 'file';
      entries.set(name, { name, kind });
    }
    // Backwards, so that nobody relies on an order.
    return entries.size > 0 || folder === ''
      ? { kind: 'ok', entries: [...entries.values()].reverse() }
      : { kind: 'missing' };
  }

  async read(path: string, maxBytes: number): Promise<FileRead> {
    this.reads.push(path);
    await Promise.resolve();
    const node = this.nodes.get(this.behindFolders(path));
    if (node === undefined) return { kind: 'missing' };
    if (typeof node === 'string') return this.bytes(new TextEncoder().encode(node), maxBytes);
    if (node instanceof Uint8Array) return this.bytes(node, maxBytes);
    if ('sizeBytes' in node) return { kind: 'tooLarge', sizeBytes: node.sizeBytes };
    if ('unreadable' in node) return { kind: 'unreadable', message: asGiven(node.unreadable) };
    return this.read(node.linkTo, maxBytes);
  }

  async resolveLink(path: string): ReturnType<FileSource['resolveLink']> {
    const seen = new Set<string>();
    for (let at = path; ; ) {
      const node = this.nodes.get(at);
      if (seen.has(at)) return { kind: 'missing' };
      seen.add(at);
      if (typeof node === 'object' && 'linkTo' in node) {
        if (node.linkTo.startsWith('/')) return { kind: 'outside' };
        at = node.linkTo;
      } else if (node !== undefined) return { kind: 'file', realPath: at };
      else if (at === '' || [...this.nodes.keys()].some((key) => key.startsWith(`${at}/`))) {
        return { kind: 'folder', realPath: at };
      } else return { kind: 'missing' };
    }
  }

  /** The path without links to folders on its way. */
  private behindFolders(path: string): string {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const node = this.nodes.get(path.slice(0, end));
      if (typeof node === 'object' && 'linkTo' in node) return this.behindFolders(node.linkTo + path.slice(end));
    }
    return path;
  }

  private bytes(bytes: Uint8Array, maxBytes: number): FileRead {
    return bytes.length > maxBytes ? { kind: 'tooLarge', sizeBytes: bytes.length } : { kind: 'ok', bytes };
  }
}
