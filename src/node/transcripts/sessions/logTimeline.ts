import { hashText } from '../../../core/text/hash';
import type { JsonRecord } from '../../../core/text/jsonRecord';
import type { LinePlace } from '../../../core/text/lineSplitter';
import { textAt } from '../../../core/transcripts/jsonFields';
import type {
  SessionEvent,
  SessionFormat,
  SessionHead,
  SessionReader,
} from '../../../core/transcripts/sessions/sessionLog';
import type { WorkspacePaths } from '../../../core/transcripts/workspacePaths';
import { standingOrders } from '../../../core/window/sessions/evidence';
import type { SessionFile } from '../../../core/window/sessions/sessions';
import { titleIn } from '../../../core/window/sessions/sessionTitle';
import { TimelineBuilder } from '../../../core/window/sessions/timeline';

/** Texts are counted when so many characters have come together. */
const BATCH_CHARS = 1 << 20;
/** A title is read from its record again at each look: from a larger one it is none. */
const LARGEST_TITLE_BYTES = 64 * 1024;

/** Exact counts, parallel to the texts. */
export type CountTokens = (texts: readonly string[]) => Promise<readonly number[]>;

/** A log that is read as a session. */
interface SessionSource {
  readonly format: SessionFormat;
  /** What its format's `open` takes. */
  readonly file: { readonly name: string; readonly beside?: JsonRecord | undefined };
  /** What is known before the first record; the reader adds to it. */
  readonly head: SessionHead;
}

/** What one session's records come to, in bounded memory: texts are counted a batch at a time and forgotten. */
export class LogTimeline {
  readonly #builder = new TimelineBuilder();
  readonly #pending: SessionEvent[] = [];
  readonly #reader: SessionReader;
  readonly head: SessionHead;
  #chars = 0;
  #title: string | undefined;
  #place: LinePlace | undefined;

  /**
   * @param places takes where a person's orders and the title stand, for records with a place
   */
  constructor(
    private readonly source: SessionSource,
    private readonly paths: WorkspacePaths,
    private readonly countTokens: CountTokens,
    private readonly places: Map<string, readonly [offset: number, bytes: number]>,
  ) {
    const { format, file, head } = source;
    this.head = head;
    this.#title = titleIn(textAt(file.beside, 'prompt') ?? '');
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
    const { format, file, head } = this.source;
    return { agent: format.agent, name: file.name, head, title: this.#title, timeline: this.#builder.finish() };
  }

  #take(event: SessionEvent): void {
    if (event.kind !== 'block') return void this.#pending.push(event);
    this.#chars += event.text.length;
    if (event.from === 'user' && this.#place) {
      const { offset, endOffset } = this.#place;
      const bytes = endOffset - offset;
      for (const order of standingOrders(event.text)) this.places.set(hashText(order), [offset, bytes]);
      if (this.#title === undefined && event.subagent === undefined && bytes <= LARGEST_TITLE_BYTES) {
        this.#title = titleIn(event.text);
        if (this.#title !== undefined) this.places.set(hashText(this.#title), [offset, bytes]);
      }
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
