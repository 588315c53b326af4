/**
 * What an agent tells a hook on stdin. It decides which of the spellings that sources disagree on hold (snake case in
 * Claude Code and in VS Code's source, camel case in VS Code's docs), not what is answered.
 */
import { isRecord, type JsonRecord, ownValue } from '../../text/jsonRecord';
import { asGiven, wordedErrorClass } from '../../text/phrase';
import { HOOK_EVENTS, type HookAgent, type HookEventName, hookForm, MAX_CONTEXT_CHARS } from './hookTarget';

/**
 * What a hook writes to stdout so that its agent adds `context`; empty for nothing to add.
 *
 * SessionStart: Claude Code takes plain text, unless it looks like JSON; the others take JSON alone, with the event
 * named. VS Code ends plain text in its log, so that a hook of Claude Code that VS Code runs too adds nothing twice.
 * Copilot CLI takes the context at the top of the JSON alone, where Codex refuses the whole answer.
 * PreCompact: no agent lets a hook add context, and silence lets all go on.
 *
 * Throws `overLimit` for a context over `MAX_CONTEXT_CHARS`: nothing is cut here.
 */
export function renderHookAnswer(
  agent: HookAgent,
  event: HookEventName,
  context: string,
  form: 'own' | 'copilot-cli' = 'own',
): string {
  if (event === 'PreCompact' || context === '') return '';
  if (context.length > MAX_CONTEXT_CHARS) {
    throw new HookError(
      'overLimit',
      asGiven(`The context has ${context.length} characters, more than ${MAX_CONTEXT_CHARS}.`),
    );
  }
  const looksLikeJson = context.trimStart().startsWith('{');
  if (form === 'copilot-cli') return JSON.stringify({ additionalContext: context });
  if (hookForm(agent).takesText && !looksLikeJson) return context;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: context } });
}

/** Why a hook could not be answered, installed or removed. */
type HookErrorReason =
  /** What came in on stdin is not an event that this hook answers. */
  | 'badEvent'
  /** An answer would be longer than its agent takes; a fault of the caller. */
  | 'overLimit'
  /** The settings file cannot be edited: not JSON, or of another shape. */
  | 'badFile'
  /** A path that no command line can carry safely. */
  | 'badPath';

/** A failure of the agents' hooks, in words for the user: what was wrong, where, what to do; no absolute path. */
export class HookError extends wordedErrorClass<HookErrorReason>('HookError') {}

/** One call of a hook. A field that is missing, empty or no text is undefined: nothing is relied on. */
export interface HookEvent {
  readonly sessionId: string | undefined;
  /** Where the agent keeps its transcript; outside of the folder. */
  readonly transcriptPath: string | undefined;
  /** The agent's folder. VS Code tells it only when the hook's entry sets one. */
  readonly cwd: string | undefined;
  /** Of SessionStart: `startup`, `resume`, `clear`, `compact`, `fork`; `new` in VS Code. */
  readonly source: string | undefined;
}

function textOf(event: JsonRecord, ...names: readonly string[]): string | undefined {
  const values = names.map((name) => ownValue(event, name));
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** An event's name in any case: Copilot's command line says `sessionStart`. */
export function hookEventName(name: string): HookEventName | undefined {
  return HOOK_EVENTS.find((known) => known.toLowerCase() === name.toLowerCase());
}

function parseObject(text: string): JsonRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const words = asGiven('stdin is not JSON: hooks are called by an agent.');
    throw new HookError('badEvent', words, { cause });
  }
  if (isRecord(value)) return value;
  throw new HookError('badEvent', asGiven('stdin is not a JSON object: hooks are called by an agent.'));
}

/**
 * Reads the event that a hook was called with. Nothing on stdin counts as an event without fields, so that a hook can be
 * tried by hand. Throws `badEvent` when it is no JSON object, or another event than `called`.
 */
export function parseHookEvent(text: string, called: HookEventName): HookEvent {
  const plain = text.replace(/^\uFEFF/, '').trim();
  const event = plain === '' ? {} : parseObject(plain);
  const told = textOf(event, 'hook_event_name', 'hookEventName');
  if (told !== undefined && hookEventName(told) !== called) {
    throw new HookError('badEvent', asGiven(`This hook answers ${called}, but the event is ${told.slice(0, 80)}.`));
  }
  return {
    sessionId: textOf(event, 'session_id', 'sessionId'),
    transcriptPath: textOf(event, 'transcript_path', 'transcriptPath'),
    cwd: textOf(event, 'cwd'),
    source: textOf(event, 'source'),
  };
}
