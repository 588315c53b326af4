import type { JsonRecord } from '../text/jsonRecord';
import { plainUserText } from './jsonFields';
import type { SessionEvent, SessionFormat, SessionReader } from './sessions/sessionLog';
import type { CallStart, RecordPlace, TurnBuilder } from './turnBuilder';

/** What a tool call does and names, by the agent's own tools; undefined for what the provider does by itself. */
type ReadCall = (name: string, given: JsonRecord, sink: TurnBuilder) => Omit<CallStart, 'id'> | undefined;

interface TurnFormat {
  readonly session: SessionFormat;
  readonly readCall: ReadCall;
  /** Another log in the same file has most messages too. */
  readonly isTwofold?: boolean;
}

/** Turns out of the events of a session's log: what citations and relays read is what the window is made of. */
export class SessionTurns {
  readonly #reader: SessionReader;
  #place: RecordPlace | undefined;
  #hasSaid = false;

  constructor(
    private readonly format: TurnFormat,
    fileName: string,
    private readonly sink: TurnBuilder,
  ) {
    this.#reader = format.session.open({ head: {}, emit: (event) => this.#take(event) }, { name: fileName });
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
    const { isTwofold = false, readCall } = this.format;
    if (event.kind === 'prompt') {
      if (this.#place && !(isTwofold && isAsked(sink)))
        sink.begin({ place: this.#place, id: event.id, userText: '', startedAt: event.time });
    } else if (event.kind === 'answered') {
      sink.tookMs(event.durationMs);
      sink.answered();
    } else if (event.kind === 'request') {
      sink.model = event.model ?? sink.model;
      return;
    } else if (event.kind === 'usage') {
      sink.counted(event.key, event.usage);
      sink.activeAt(event.time);
    } else if (event.kind !== 'block' || event.from === 'agent') return;
    else if (event.from === 'user') {
      const said = plainUserText(event.text);
      if (said.kind === 'message' && !(isTwofold && sink.userText.includes(said.text))) sink.addUserText(said.text);
    } else {
      const { call } = event;
      const isReply = event.from === 'model' && event.part === 'assistant';
      if (isReply && !(isTwofold && sink.hasSaid(event.text))) sink.say(event.text);
      const start = event.from === 'call' && call?.tool ? readCall(call.tool, event.given ?? {}, sink) : undefined;
      if (start) sink.call({ id: call?.id, ...start });
      else if (event.from === 'call') return;
      if (event.from === 'result') sink.result(call?.id, { output: event.text, isError: event.isError });
      sink.activeAt(event.time);
    }
    this.#hasSaid = true;
  }
}

/** The agent has not begun to answer: another message is answered together with the one before, or is the same again. */
export function isAsked(sink: TurnBuilder): boolean {
  return sink.isOpen && !sink.hasActivity;
}
