import type { JsonRecord } from '../text/jsonRecord';
import { plainUserText } from './jsonFields';
import type { SessionEvent, SessionFormat, SessionReader } from './sessions/sessionLog';
import type { CallStart, RecordPlace, TurnBuilder } from './turnBuilder';

/** What a tool call does and names, by the agent's own tools. */
type ReadCall = (name: string, given: JsonRecord, sink: TurnBuilder) => Omit<CallStart, 'id' | 'name'>;

/** Turns out of the events of a session's log: what citations and relays read is what the window is made of. */
export class SessionTurns {
  readonly #reader: SessionReader;
  #place: RecordPlace | undefined;
  #hasSaid = false;

  constructor(
    format: SessionFormat,
    fileName: string,
    private readonly sink: TurnBuilder,
    private readonly readCall: ReadCall,
  ) {
    this.#reader = format.open({ head: {}, emit: (event) => this.#take(event) }, { name: fileName });
  }

  /** @returns whether the record said something about a turn */
  record(record: JsonRecord, place: RecordPlace): boolean {
    this.#place = place;
    this.#hasSaid = false;
    this.#reader.record(record);
    return this.#hasSaid;
  }

  #take(event: SessionEvent): void {
    const { sink } = this;
    if (event.kind === 'prompt') {
      if (this.#place) sink.begin({ place: this.#place, id: event.id, userText: '', startedAt: event.time });
    } else if (event.kind === 'answered') {
      sink.tookMs(event.durationMs);
      sink.answered();
    } else if (event.kind === 'usage') {
      const { input, cacheRead, cacheWrite } = event.usage;
      sink.usage(input + cacheRead + cacheWrite);
      sink.activeAt(event.time);
    } else if (event.kind !== 'block' || event.from === 'agent') return;
    else if (event.from === 'user') {
      const said = plainUserText(event.text);
      if (said.kind === 'message') sink.addUserText(said.text);
    } else {
      const { call } = event;
      if (event.from === 'model' && event.part === 'assistant') sink.say(event.text);
      if (event.from === 'call' && call && call.tool !== '')
        sink.call({ id: call.id, name: call.tool, ...this.readCall(call.tool, event.given ?? {}, sink) });
      if (event.from === 'result') sink.result(call?.id, { output: event.text, isError: event.isError });
      sink.activeAt(event.time);
    }
    this.#hasSaid = true;
  }
}
