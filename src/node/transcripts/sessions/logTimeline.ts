import { hashText } from '../../../core/text/hash';
import type { JsonRecord } from '../../../core/text/jsonRecord';
import type { LinePlace } from '../../../core/text/lineSplitter';
import type {
  SessionEvent,
  SessionFormat,
  SessionHead,
  SessionReader,
} from '../../../core/transcripts/sessions/sessionLog';
import type { WorkspacePaths } from '../../../core/transcripts/workspacePaths';
import { standingOrders } from '../../../core/window/sessions/evidence';
import type { SessionFile } from '../../../core/window/sessions/sessions';
import { TimelineBuilder } from '../../../core/window/sessions/timeline';

/** Texts are counted when so many characters have come together. */
const BATCH_CHARS = 1 << 20;

/** Exact counts, parallel to the texts. */
export type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** What one session's records come to, in bounded memory: texts are counted a batch at a time and forgotten. */
export class LogTimeline {
  readonly #builder = new TimelineBuilder();
  readonly #pending: SessionEvent[] = [];
  readonly #reader: SessionReader;
  #chars = 0;
  #place: LinePlace | undefined;

  /**
   * @param head what is known before the first record; the reader adds to it
   * @param file of the format's `open`
   * @param places takes where a person's orders stand, for records with a place
   */
  constructor(
    private readonly format: SessionFormat,
    private readonly file: { readonly name: string; readonly beside?: JsonRecord | undefined },
    readonly head: SessionHead,
    private readonly paths: WorkspacePaths,
    private readonly countTokens: CountTokens,
    private readonly places: Map<string, readonly [offset: number, bytes: number]>,
  ) {
    this.#reader = format.open({ head, emit: (event) => this.#take(event) }, file);
  }

  record(record: JsonRecord, place?: LinePlace): void {
    this.#place = place;
    this.#reader.record(record);
  }

  /** Counts what has come when it is enough. */
  async rest(): Promise<void> {
    if (this.#chars >= BATCH_CHARS) await this.#flush();
  }

  async finish(): Promise<SessionFile> {
    this.#reader.end?.();
    await this.#flush();
    return { agent: this.format.agent, name: this.file.name, head: this.head, timeline: this.#builder.finish() };
  }

  #take(event: SessionEvent): void {
    if (event.kind !== 'block') return void this.#pending.push(event);
    this.#chars += event.text.length;
    if (event.from === 'user' && this.#place) {
      const { offset, endOffset } = this.#place;
      for (const order of standingOrders(event.text)) this.places.set(hashText(order), [offset, endOffset - offset]);
    }
    const { call } = event;
    const relative = call?.path === undefined ? undefined : this.paths.relative(call.path, this.head.cwd);
    this.#pending.push(call && relative !== undefined ? { ...event, call: { ...call, path: relative } } : event);
  }

  async #flush(): Promise<void> {
    const texts = [
      ...new Set(this.#pending.flatMap((event) => (event.kind === 'block' && event.text !== '' ? [event.text] : []))),
    ];
    const counts = texts.length === 0 ? [] : await this.countTokens(texts);
    const known = new Map(texts.map((text, at) => [text, counts[at] ?? 0]));
    for (const event of this.#pending)
      this.#builder.add(event, event.kind === 'block' ? (known.get(event.text) ?? 0) : 0);
    this.#pending.length = 0;
    this.#chars = 0;
  }
}
