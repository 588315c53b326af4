import * as vscode from 'vscode';

interface Node {
  readonly type: vscode.FileType;
  mtime: number;
  bytes: Uint8Array;
}

/** A file system in memory, as an extension serves a repository that lies on no disk. It tells its changes. */
export class MemoryProvider implements vscode.FileSystemProvider {
  readonly #nodes = new Map<string, Node>([['/', folder()]]);
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  /** Every file by its path. */
  get files(): ReadonlyMap<string, string> {
    const found = [...this.#nodes].filter(([, { type }]) => type === vscode.FileType.File);
    return new Map(found.map(([path, { bytes }]) => [path, new TextDecoder().decode(bytes)]));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { type, mtime, bytes } = this.#find(uri);
    return { type, ctime: 0, mtime, size: bytes.length };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    this.#find(uri);
    const prefix = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
    return [...this.#nodes]
      .filter(([path]) => path.startsWith(prefix) && path !== '/' && !path.slice(prefix.length).includes('/'))
      .map(([path, { type }]) => [path.slice(prefix.length), type]);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#find(uri).bytes;
  }

  createDirectory(uri: vscode.Uri): void {
    this.#nodes.set(uri.path, folder());
    this.#tell(uri, vscode.FileChangeType.Created);
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const isNew = !this.#nodes.has(uri.path);
    this.#nodes.set(uri.path, { type: vscode.FileType.File, mtime: Date.now(), bytes });
    this.#tell(uri, isNew ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed);
  }

  delete(uri: vscode.Uri): void {
    this.#find(uri);
    for (const path of [...this.#nodes.keys()])
      if (path === uri.path || path.startsWith(`${uri.path}/`)) this.#nodes.delete(path);
    this.#tell(uri, vscode.FileChangeType.Deleted);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.writeFile(to, this.readFile(from));
    this.delete(from);
  }

  #find(uri: vscode.Uri): Node {
    const node = this.#nodes.get(uri.path);
    if (!node) throw vscode.FileSystemError.FileNotFound(uri);
    return node;
  }

  #tell(uri: vscode.Uri, type: vscode.FileChangeType): void {
    this.#changed.fire([{ type, uri }]);
  }
}

function folder(): Node {
  return { type: vscode.FileType.Directory, mtime: 0, bytes: new Uint8Array() };
}
