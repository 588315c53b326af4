/**
 * Aider's `.aider.chat.history.md`: `# aider chat started at …` opens a session, `#### ` is the user, `> ` is Aider
 * itself, all else the model. Aider ends lines of the first two kinds with two spaces (`io.py`, `append_chat_history`),
 * which tells them from headings and quotations in an answer.
 */
import { type RecordParser, RecordReader, type RecordVerdict, transcriptLines } from './recordReader';
import type { TranscriptAdapter, TranscriptContext } from './transcriptAdapter';
import { type RecordPlace, TurnBuilder } from './turnBuilder';
import type { WorkspacePaths } from './workspacePaths';

const AGENT = 'aider';
const SESSION = /^# aider chat started at (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\s*$/;
const USER = /^####(?: (.*))? {2}$/;
const NOTICE = /^> (.*?) {2}$/;
const ADDED = /^Added (.{1,500}?) to the chat\.?$/;
const APPLIED = /^Applied edit to (.{1,500})$/;
/** Commands whose rest is a message to the model; others only move files and settings. */
const ASKING = /^\/(?:ask|code|architect|context|help)\s+(?=\S)/;
const TOKENS = /^Tokens: ([\d.,]+)(k|M)? sent\b/;

/** A session's start as its name; times are local ones. */
function sessionTime(session: string | undefined): number | undefined {
  const [year, month, day, hour, minute, second] = (session ?? '').split(/\D/).map(Number);
  if (!year || !month || !day) return undefined;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}

class AiderParser implements RecordParser {
  readonly sink: TurnBuilder;
  readonly #paths: WorkspacePaths;
  /** The line before was the user's: the next one may go on with it. */
  #isUser = false;

  constructor(context: TranscriptContext) {
    this.sink = new TurnBuilder(AGENT, context);
    this.#paths = context.paths;
  }

  read(line: string, place: RecordPlace): RecordVerdict {
    const user = USER.exec(line);
    if (user) return this.#readUser(user[1] ?? '', place);
    this.#isUser = false;
    const session = SESSION.exec(line);
    if (session) {
      this.sink.finish();
      this.sink.session = session.slice(1, 7).join('-');
      return undefined;
    }
    if (!this.sink.isOpen) return { skipped: 'before a message' };
    const notice = NOTICE.exec(line)?.[1];
    if (notice === undefined) this.sink.sayLine(line);
    return notice === undefined ? undefined : this.#readNotice(notice);
  }

  #readUser(text: string, place: RecordPlace): RecordVerdict {
    if (this.#isUser) {
      this.sink.addUserLine(text);
      return undefined;
    }
    this.sink.finish();
    this.#isUser = !text.startsWith('/') || ASKING.test(text);
    if (!this.#isUser) return { skipped: 'command' };
    this.sink.begin({ place, userText: text.replace(ASKING, ''), startedAt: sessionTime(this.sink.session) });
    return undefined;
  }

  #readNotice(notice: string): RecordVerdict {
    const added = ADDED.exec(notice)?.[1];
    const applied = APPLIED.exec(notice)?.[1];
    const tokens = TOKENS.exec(notice);
    const path = this.#paths.relative(added ?? applied ?? '');
    if (path !== undefined) {
      this.sink.call({
        name: added === undefined ? 'edit' : 'add',
        kind: added === undefined ? 'edit' : 'read',
        paths: [path],
      });
    } else if (tokens) {
      const scale = tokens[2] === 'k' ? 1_000 : tokens[2] === 'M' ? 1_000_000 : 1;
      this.sink.usage(Math.round(Number(tokens[1]?.replaceAll(',', '')) * scale));
    } else return { skipped: 'notice' };
    return undefined;
  }
}

export const aider: TranscriptAdapter = {
  agent: AGENT,
  isAppendOnly: true,
  isTranscript: (path, head) => /\.md$/i.test(path) && /^(?:\uFEFF)?\s*# aider chat started at \d{4}-/.test(head),
  folderOf: () => undefined,
  open: (context) => new RecordReader(transcriptLines(context), new AiderParser(context)),
};
