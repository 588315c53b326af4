/**
 * Aider's `.aider.chat.history.md`: `# aider chat started at …` opens a session, `#### ` is the user, `> ` is Aider
 * itself, all else the model. Aider ends lines of the first two kinds with two spaces (`io.py`, `append_chat_history`),
 * which tells them from headings and quotations in an answer.
 */
import { lineReader, type RecordVerdict } from './recordReader';
import type { TranscriptAdapter, TranscriptContext, TranscriptReader } from './transcriptAdapter';
import type { TurnBuilder } from './turnBuilder';

const AGENT = 'aider';
const SESSION = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/;
const USER = /^####(?: (.*))? {2}$/;
const NOTICE = /^> (.*?) {2}$/;
const ADDED = /^Added (.{1,500}?) to the chat\.?$/;
const APPLIED = /^Applied edit to (.{1,500})$/;
/** Commands whose rest is a message to the model; others only move files and settings. */
const ASKING = /^\/(?:ask|code|architect|context|help)\s+(?=\S)/;
const MODEL = /^> (?:Main model|Model): (\S{1,200})/;
const TOKENS = /^Tokens: ([\d.,]+)(k|M)? sent\b/;

/** A session's start as its name; times are local ones. */
function sessionTime(session: string | undefined): number | undefined {
  const [year, month, day, hour, minute, second] = (session ?? '').split(/\D/).map(Number);
  if (!year || !month || !day) return undefined;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

function open(context: TranscriptContext): TranscriptReader {
  /** The line before was the user's: the next one may go on with it. */
  let isUser = false;
  return lineReader(AGENT, context, (sink, line, place) => {
    const user = USER.exec(line);
    if (!user) {
      isUser = false;
      return readLine(sink, line);
    }
    const text = user[1] ?? '';
    if (isUser) {
      sink.addUserLine(text);
      return undefined;
    }
    sink.finish();
    isUser = !text.startsWith('/') || ASKING.test(text);
    if (!isUser) return { skipped: 'command' };
    sink.begin({ place, userText: text.replace(ASKING, ''), startedAt: sessionTime(sink.session) });
    return undefined;
  });
}

function readLine(sink: TurnBuilder, line: string): RecordVerdict {
  const session = SESSION.exec(line);
  if (session) {
    sink.finish();
    sink.session = session.slice(1, 7).join('-');
    return undefined;
  }
  sink.model = MODEL.exec(line)?.[1] ?? sink.model;
  if (!sink.isOpen) return { skipped: 'before a message' };
  const notice = NOTICE.exec(line)?.[1];
  if (notice !== undefined) return readNotice(sink, notice);
  sink.sayLine(line);
  return undefined;
}

function readNotice(sink: TurnBuilder, notice: string): RecordVerdict {
  const added = ADDED.exec(notice)?.[1];
  const tokens = TOKENS.exec(notice);
  const path = sink.paths.relative(added ?? APPLIED.exec(notice)?.[1] ?? '');
  if (path !== undefined) {
    sink.call({
      ...(added === undefined ? { name: 'edit', kind: 'edit' } : { name: 'add', kind: 'read' }),
      paths: [path],
    });
  } else if (tokens) {
    const scale = tokens[2] === 'k' ? 1_000 : tokens[2] === 'M' ? 1_000_000 : 1;
    sink.usage(Math.round(Number(tokens[1]?.replaceAll(',', '')) * scale));
  } else return { skipped: 'notice' };
  return undefined;
}

export const aider: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: true,
  isTranscript: (path, head) => /\.md$/i.test(path) && /^(?:\uFEFF)?\s*# aider chat started at \d{4}-/.test(head),
  folderOf: () => undefined,
  open,
};
