import type { Config } from '../../config/config';
import type { ContextEngine } from '../../engine/engine';
import { type RelayRead, readRelay } from '../../pipeline/collect/relaySource';
import { INITIAL_WATCH, type RelayStatus, type RelayWatch, relayStatus } from '../../relay/relayWatch';
import { DEFAULT_REPEATS } from '../../relay/triggers';
import { Limiter } from '../../text/limiter';
import type { WorkspacePorts } from '../workspaceState';

/** What reading the relay context takes. */
interface RelayPorts extends Pick<WorkspacePorts, 'files' | 'clock'> {
  readonly engine: Pick<ContextEngine, 'buildRelay'>;
}

/**
 * The relay context of one folder, look by look: it keeps what triggers saw before, so that none of them flaps. The log
 * itself is only ever held by the engine. Looks wait for each other, since each begins with what the last one saw.
 */
export class RelayReader {
  #watch: RelayWatch = INITIAL_WATCH;
  #status: RelayStatus | undefined;
  /** The files that `#watch` is about. */
  #paths = '';
  readonly #looks = new Limiter(1);

  constructor(private readonly ports: RelayPorts) {}

  /** As it was last read. */
  get status(): RelayStatus | undefined {
    return this.#status;
  }

  /** Looks again. Rejects only when the engine does. */
  read(relay: Config['relay']): Promise<RelayRead> {
    return this.#looks.run(() => this.#look(relay));
  }

  async #look(relay: Config['relay']): Promise<RelayRead> {
    const { files, engine, clock } = this.ports;
    const paths = JSON.stringify([relay.path, relay.ledger]);
    if (paths !== this.#paths) this.#watch = INITIAL_WATCH;
    this.#paths = paths;
    const settings = { maxTokens: relay.maxTokens, repeats: DEFAULT_REPEATS };
    const look = { state: this.#watch.triggers, settings };
    const read = await readRelay(files, relay, (given) => engine.buildRelay(given), look);
    if (!read.section) {
      this.#status = undefined;
      return read;
    }
    const { status, watch } = relayStatus(read.section, read.path ?? relay.path, this.#watch, clock.now());
    this.#status = status;
    this.#watch = watch;
    return read;
  }
}
