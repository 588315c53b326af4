/** What MCP servers told of themselves, kept between runs: one file a configured server in the user's cache. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../core/text/hash';
import { isRecord, ownValue, parseJson } from '../core/text/jsonRecord';
import { phrase } from '../core/text/phrase';
import type { ServerState } from '../core/window/loaded/buildWindow';
import type { ConfiguredServer } from '../core/window/loaded/mcpServers';
import type { ServerMeasurement } from '../core/window/loaded/toolForm';
import { writeFileAtomic } from './atomicFile';

/** Below the folder of caches, whose other folders have names of 16 digits. */
const FOLDER = 'mcp-servers';
/** A larger file is not ours. */
const MAX_CHARS = 20_000_000;

/** Where a server is configured; two folders may each have one of a name. */
export interface ServerPlace {
  /** Real path of the workspace. */
  readonly root: string;
  readonly source: string;
  readonly name: string;
}

export class ServerMeasurements {
  /** @param caches absolute; see `userFolders` */
  constructor(private readonly caches: string) {}

  /** The last measurement, whatever command it was taken with; undefined where there is none that can be read. */
  async read(place: ServerPlace): Promise<ServerMeasurement | undefined> {
    const text = await readFile(this.#file(place), 'utf8').catch(() => '');
    const value = text.length > MAX_CHARS ? undefined : parseJson(text);
    if (!isRecord(value) || ownValue(value, 'version') !== 1) return undefined;
    const { commandHash, server, instructions, tools } = value;
    const isWhole = typeof commandHash === 'string' && typeof server === 'string' && typeof instructions === 'string';
    if (!isWhole || !Array.isArray(tools) || !tools.every(isRecord)) return undefined;
    return { commandHash, server, instructions, tools };
  }

  /** Rejects with the platform's error. */
  async save(place: ServerPlace, measurement: ServerMeasurement): Promise<void> {
    await writeFileAtomic(this.#file(place), JSON.stringify({ version: 1, ...measurement }), false);
  }

  #file({ root, source, name }: ServerPlace): string {
    // A server of the home folder is the same for every workspace.
    const where = source.startsWith('~/') ? '' : root;
    return path.join(this.caches, FOLDER, `${hashText([where, source, name].join('\0'))}.json`);
  }
}

/** What a kept measurement says of a server as it is configured now. */
export function measuredState(
  measurement: ServerMeasurement | undefined,
  { commandHash }: Pick<ConfiguredServer, 'commandHash'>,
): ServerState {
  if (!measurement) return { kind: 'unmeasured', reason: phrase('not measured') };
  if (measurement.commandHash === commandHash) return { kind: 'measured', measurement };
  return { kind: 'unmeasured', reason: phrase('measured with another version ({0})', measurement.server) };
}
