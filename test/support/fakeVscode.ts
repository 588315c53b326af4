/** What of VS Code's API the panel's host side needs, in memory: give it to `vi.mock('vscode', …)`. */

/** The files of the editor, by path. */
export const FILES = new Map<string, string>();

export class FileSystemError extends Error {
  readonly code = 'FileNotFound';
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

interface Place {
  readonly path: string;
}

export const Uri = {
  joinPath: (base: Place, ...parts: readonly string[]) => ({ path: [base.path, ...parts].join('/') }),
};

export const env = { language: 'en' };

/** Context keys go this way; nothing here asks for one. */
export const commands = { executeCommand: async (): Promise<void> => undefined };

export const l10n = {
  t: (text: string, ...args: readonly unknown[]) => text.replace(/\{(\d)\}/g, (_, at) => String(args[Number(at)])),
};

export const workspace = {
  isTrusted: true,
  textDocuments: [],
  workspaceFolders: [],
  onDidGrantWorkspaceTrust: new EventEmitter<void>().event,
  fs: {
    readFile: async ({ path }: Place) => {
      const text = FILES.get(path);
      if (text === undefined) throw new FileSystemError();
      return new TextEncoder().encode(text);
    },
    writeFile: async ({ path }: Place, bytes: Uint8Array) => {
      FILES.set(path, new TextDecoder().decode(bytes));
    },
    delete: async ({ path }: Place) => {
      FILES.delete(path);
    },
  },
};
