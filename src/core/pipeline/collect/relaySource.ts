/**
 * The built-in source `relay`: the folder's relay log and ledger, compacted by the engine (DESIGN §7). It decides which
 * files are read and what a file that cannot be read means; what a section says is `relay/relaySection.ts`.
 */
import type { Config } from '../../config/config';
import type { FileSource } from '../../ports/ports';
import type { RelayFile, RelayFiles, RelaySection } from '../../relay/relaySection';
import type { RelayLook } from '../../relay/relayView';
import { bytesOf } from '../../text/counts';
import { type Phrase, phrase } from '../../text/phrase';

/** A log of an hour of agents has a few megabytes; more than this is no log. Bytes. */
const MAX_RELAY_BYTES = 32_000_000;

/** How a collector reads the relay context. */
export interface RelaySource {
  /** Files it is made of, now. */
  readonly paths: () => readonly string[];
  readonly read: () => Promise<RelayRead>;
}

/** What reading the relay context gave. */
export interface RelayRead {
  /** `undefined` where there is neither a log nor a ledger. */
  readonly section: RelaySection | undefined;
  /** What "open source" opens. */
  readonly path: string | undefined;
}

type FileOutcome =
  | { readonly kind: 'file'; readonly file: RelayFile }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly path: string; readonly message: Phrase };

async function readFile(files: FileSource, path: string): Promise<FileOutcome> {
  const read = await files.read(path, MAX_RELAY_BYTES);
  switch (read.kind) {
    case 'ok':
      return { kind: 'file', file: { path, bytes: read.bytes } };
    case 'missing':
      return { kind: 'missing' };
    case 'unreadable':
      return { kind: 'failed', path, message: read.message };
    case 'tooLarge': {
      const message = phrase('it has {0}, the limit is {1}.', bytesOf(read.sizeBytes), MAX_RELAY_BYTES);
      return { kind: 'failed', path, message };
    }
  }
}

/** Whether a changed path is the relay log, the ledger, or a folder around one of them. */
export function isOfRelay(path: string, relay: Config['relay']): boolean {
  return [relay.path, relay.ledger].some((own) => own === path || own.startsWith(`${path}/`));
}

/** Whether there is a relay log or a ledger, without reading them. */
export async function hasRelay(files: FileSource, relay: Config['relay']): Promise<boolean> {
  const found = await Promise.all([relay.path, relay.ledger].map((path) => files.resolveLink(path)));
  return found.some(({ kind }) => kind !== 'missing');
}

/** Reads the relay context of a folder. Rejects only when the engine does. */
export async function readRelay(
  files: FileSource,
  { path, ledger: ledgerPath }: Config['relay'],
  build: (files: RelayFiles) => Promise<RelaySection>,
  look?: RelayLook,
): Promise<RelayRead> {
  const [log, ledger] = await Promise.all([readFile(files, path), readFile(files, ledgerPath)]);
  if (log.kind === 'failed') return { section: log, path };
  if (log.kind === 'missing' && ledger.kind === 'missing') return { section: undefined, path: undefined };
  if (log.kind === 'missing' && ledger.kind === 'failed') return { section: ledger, path: ledgerPath };
  const section = await build({
    log: log.kind === 'file' ? log.file : undefined,
    ledger: ledger.kind === 'file' ? ledger.file : undefined,
    ...(ledger.kind === 'failed'
      ? { ledgerProblem: phrase('{0} could not be read: {1}', ledgerPath, ledger.message) }
      : {}),
    ...(look ? { look } : {}),
  });
  return { section, path: log.kind === 'file' ? path : ledgerPath };
}
