/** Tasks of Cline's extension, in the shape of its command line's sessions. */
import { isRecord, type JsonRecord } from '../../text/jsonRecord';
import {
  countAt,
  instantAt,
  listAt,
  numberAt,
  objectAt,
  objectsAt,
  parseObject,
  textAt,
  textOfContent,
} from '../jsonFields';

/** The folder is only in what is sent. */
const FOLDER = /^# Current Work(?:ing|space) Directory \((.+?)\) Files$/m;
/** How a tool's result begins, as text of the user. */
const RESULT = /^\[(\w+)(?: for '([^']*)')?[^\]]*\] Result:/;

/** What the extension notes of a request, by the place of its answer among the messages. */
interface Note {
  readonly ts: number | undefined;
  readonly metrics: JsonRecord | undefined;
  readonly removed: readonly unknown[];
}

/**
 * @param history messages as they are sent, `items`
 * @param screen what the extension shows, `items`: it has the figures
 */
export function clineTask(history: JsonRecord, screen: JsonRecord | undefined): JsonRecord {
  const notes = notesOf(objectsAt(screen, 'items'));
  const items = objectsAt(history, 'items');
  let removed = '';
  const messages = items.map((message, at): JsonRecord => {
    if (message.role !== 'assistant') {
      const note = notes.get(at + 1);
      return { ...message, ts: note?.ts, content: resultsIn(message, items[at - 1], at) };
    }
    const note = notes.get(at);
    const range = note?.removed ?? [];
    const isNew = range.length === 2 && range.join() !== removed;
    if (isNew) removed = range.join();
    const model = textAt(objectAt(message, 'modelInfo'), 'modelId');
    return {
      ...message,
      id: String(at),
      ts: note?.ts,
      metrics: note?.metrics ?? metricsOf(objectAt(objectAt(message, 'metrics'), 'tokens')),
      modelInfo: { id: model },
      ...(isNew ? { removed: range } : {}),
    };
  });
  return { messages, cwd: FOLDER.exec(textOfContent(items[0]?.content))?.[1] };
}

/** A request that was tried again has more than one note: the last with figures counts. */
function notesOf(shown: readonly JsonRecord[]): ReadonlyMap<number, Note> {
  const notes = new Map<number, Note>();
  for (const each of shown) {
    // The last message before this request's own.
    const index = numberAt(each, 'conversationHistoryIndex');
    const said = each.say === 'api_req_started' ? parseObject(textAt(each, 'text') ?? '') : undefined;
    if (index === undefined || !said) continue;
    const [input, cacheRead, cacheWrite] = ['tokensIn', 'cacheReads', 'cacheWrites'].map((key) => countAt(said, key));
    if (input === undefined) continue;
    const metrics = {
      inputTokens: input + (cacheRead ?? 0) + (cacheWrite ?? 0),
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      outputTokens: countAt(said, 'tokensOut'),
    };
    const removed = listAt(each, 'conversationHistoryDeletedRange');
    notes.set(index + 2, { ts: instantAt(each, 'ts'), metrics, removed });
  }
  return notes;
}

/** Of newer versions, where what the extension shows is gone: what was written to the cache is among `cached`. */
function metricsOf(tokens: JsonRecord | undefined): JsonRecord | undefined {
  if (!tokens) return undefined;
  const cached = countAt(tokens, 'cached') ?? 0;
  const inputTokens = (countAt(tokens, 'prompt') ?? 0) + cached;
  return { inputTokens, cacheReadTokens: cached, outputTokens: countAt(tokens, 'completion') };
}

/** A user's content, in which results that are text have their calls. */
function resultsIn(message: JsonRecord, before: JsonRecord | undefined, at: number): unknown {
  if (!Array.isArray(message.content)) return message.content;
  const calls = objectsAt(before, 'content').filter(({ type }) => type === 'tool_use');
  return message.content.map((block: unknown) => {
    const text = isRecord(block) && block.type === 'text' ? textAt(block, 'text') : undefined;
    const [, tool, path] = RESULT.exec(text ?? '') ?? [];
    if (tool === undefined) return block;
    const call = calls.find(({ name }) => name === tool);
    return { type: 'tool_result', tool_use_id: call?.id ?? `result ${at}`, name: tool, path, content: text };
  });
}
