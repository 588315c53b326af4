/** What is used of `sql.js`. Its own types declare Emscripten's globals, which clash with those of web-tree-sitter. */
declare module 'sql.js' {
  export type SqlValue = number | string | Uint8Array | null;

  export interface Statement {
    step(): boolean;
    get(): SqlValue[];
    free(): void;
  }

  export interface Database {
    run(query: string, values?: readonly SqlValue[]): void;
    prepare(query: string, values: readonly SqlValue[]): Statement;
    export(): Uint8Array;
  }

  // biome-ignore lint/style/noDefaultExport: this is how the package exports it.
  export default function initSqlJs(options?: { readonly wasmBinary: ArrayBuffer }): Promise<{
    readonly Database: new (bytes?: Uint8Array) => Database;
  }>;
}
