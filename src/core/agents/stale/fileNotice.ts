import type { Phrase } from '../../text/phrase';

/** Something to say about one place of an instruction or memory file: shown as a diagnostic, listed by the CLI. */
export interface FileNotice {
  /** `agentCut`: an agent reads no further than here. `stalePath`: what is named here does not exist. */
  readonly kind: 'agentCut' | 'stalePath';
  /** Workspace-relative. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 0-based UTF-16 columns of the words meant, end exclusive; undefined for the whole line. */
  readonly columns: { readonly start: number; readonly end: number } | undefined;
  readonly message: Phrase;
  /** What may stand in place of the columns' words; absent where nothing is known. */
  readonly replacement?: string;
}
