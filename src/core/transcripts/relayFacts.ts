/**
 * What a relay needs to know of a conversation: the latest instruction, what failed and still does, what is said again
 * and again. Facts of the transcript alone: whether a task is done is the ledger's to say.
 */
import { FENCE } from '../text/markdown';
import { ellipsize } from '../text/sentence';
import type { AgentTurn, ToolCall } from './transcriptAdapter';

/** A call that failed, with no later success of the same command or file. */
export interface OpenFailure {
  /** The tool and the first telling line of what it said. */
  readonly what: string;
  /** The command line, or the file. */
  readonly where: string;
  /** `AgentTurn.key`. */
  readonly turn: string;
}

/** A line that the agent wrote more than once. */
interface RepeatedStatus {
  /** As it was written last. */
  readonly text: string;
  readonly times: number;
}

export interface RelayFacts {
  /** The last message of a person that is more than a slash command; undefined when there is none. */
  readonly latestInstruction: string | undefined;
  /** Oldest first, at most 20: the newest ones. */
  readonly openFailures: readonly OpenFailure[];
  /** Most often first, at most 20. */
  readonly repeatedStatuses: readonly RepeatedStatus[];
}

/** Facts of a kind, at most. */
export const MAX_FACTS = 20;
const MAX_WHAT_CHARS = 200;
/** A status is a line of its own; longer ones are explanations. UTF-16 code units. */
const MAX_STATUS_CHARS = 160;
const MIN_STATUS_CHARS = 6;

/** What agents write of a call that a person declined or stopped, or that still runs: neither a failure nor a success. */
const NOT_ENDED =
  /^(?:The user doesn't want to (?:proceed|take this action)|\[Request interrupted by user|aborted by user|(?:exec[_ ]command|patch)\b.{0,300}rejected by user|Process running with session ID|Command .{0,200}\bbackground(?:ed by user)? with ID|.{0,300}\brunning in terminal (?:with )?ID)/im;

/** Codex' number of a command that still runs: in its output, and in the `write_stdin` call that reads on. */
const SESSION_STARTED = /^Process running with session ID (\d+)/m;
const SESSION_READ = /"session_id"\s*:\s*(\d+)/;

/** Lines of an output that say how it was run, not what is wrong. */
const PREAMBLE =
  /^(?:Chunk ID:|Wall time|Process exited with code|Exit code:?|Output:|Script failed|Total output lines)/;

function oneLine(text: string, limit: number): string {
  return ellipsize(text.replace(/\s+/g, ' ').trim(), limit);
}

/** What two calls must share for a success of one to settle the other. */
function subjectOf({ kind, name, paths, input }: ToolCall): string {
  if (kind === 'run') return `run ${oneLine(input, 2_000)}`;
  const [path] = paths;
  return path === undefined ? `${name} ${oneLine(input, 2_000)}` : `file ${path}`;
}

function firstTellingLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => line !== '' && !PREAMBLE.test(line));
  return (
    telling.find((line) => /error|fail|exception|cannot|denied|not found/i.test(line)) ?? telling[0] ?? lines[0] ?? ''
  );
}

function toFailure(call: ToolCall, turn: string): OpenFailure {
  const said = firstTellingLine(call.output);
  const what = said === '' ? `${call.name} failed` : `${call.name}: ${said}`;
  const where = call.kind === 'run' ? call.input : (call.paths[0] ?? call.input);
  return { what: oneLine(what, MAX_WHAT_CHARS), where: oneLine(where, MAX_WHAT_CHARS), turn };
}

function openFailuresOf(turns: readonly AgentTurn[]): readonly OpenFailure[] {
  const open = new Map<string, OpenFailure>();
  const running = new Map<string | undefined, ToolCall>();
  for (const { key, toolCalls } of turns) {
    for (const call of toolCalls) {
      const { isError, output } = call;
      const command = (call.name === 'write_stdin' && running.get(SESSION_READ.exec(call.input)?.[1])) || call;
      const [, session] = SESSION_STARTED.exec(output) ?? [];
      if (session !== undefined) running.set(session, command);
      if (isError === undefined || NOT_ENDED.test(output)) continue;
      const subject = subjectOf(command);
      // The newest failure of a subject stands last.
      open.delete(subject);
      if (isError) open.set(subject, toFailure({ ...command, output }, key));
    }
  }
  return [...open.values()].slice(-MAX_FACTS);
}

/** Lines of prose: code blocks are no statuses. */
function statusLines(reply: string): readonly string[] {
  let isCode = false;
  return reply.split('\n').filter((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    const { length } = line.trim();
    return !isCode && length >= MIN_STATUS_CHARS && length <= MAX_STATUS_CHARS && /\p{L}/u.test(line);
  });
}

/** Texts that occur more than once by their keys, most often first. */
export function repeatedOf(
  texts: Iterable<{ readonly key: string; readonly text: string }>,
): readonly RepeatedStatus[] {
  const counts = new Map<string, RepeatedStatus>();
  for (const { key, text } of texts) counts.set(key, { text, times: (counts.get(key)?.times ?? 0) + 1 });
  return [...counts.values()]
    .filter(({ times }) => times > 1)
    .sort((left, right) => right.times - left.times)
    .slice(0, MAX_FACTS);
}

function repeatedStatusesOf(turns: readonly AgentTurn[]): readonly RepeatedStatus[] {
  const lines = turns.flatMap(({ replyText }) => statusLines(replyText));
  return repeatedOf(
    lines.map((line) => {
      const text = oneLine(line, MAX_STATUS_CHARS);
      return { text, key: text.toLowerCase().replace(/^[-*+>#\s]+|[.!…\s]+$/gu, '') };
    }),
  );
}

/** The facts of a conversation, its turns in order. Linear in their text. */
export function relayFacts(turns: readonly AgentTurn[]): RelayFacts {
  const asked = turns.map(({ userText }) => userText.trim()).filter((text) => text !== '' && !/^\/[\w:-]+$/.test(text));
  return {
    latestInstruction: asked.at(-1),
    openFailures: openFailuresOf(turns),
    repeatedStatuses: repeatedStatusesOf(turns),
  };
}
