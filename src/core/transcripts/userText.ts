/** What of a user record's text a person wrote: programs put reminders, command output and environment facts into it. */

/** What a user record says. A `command` is a slash command: it begins a turn, but is no instruction in words. */
export type UserText =
  | { readonly kind: 'message' | 'command'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: '' };

/** Elements that programs add beside a person's words. */
const ADDED =
  /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|environment_context|permissions instructions|user_instructions|INSTRUCTIONS|turn_aborted|collaboration_mode|skills_instructions|environments_context)\b[^>]*>[\s\S]*?<\/\1>/g;

/** A record that begins so was not written by a person. */
const NOTICE =
  /^\s*(?:<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr)|task-notification|cross-session-message|user-prompt-submit-hook)\b|Caveat: The messages below|\[Request interrupted by user|# AGENTS\.md instructions for |This session is being continued from a previous conversation)/;

const COMMAND = /^\s*<(?:command-name|command-message|command-args)>/;

/** Longer texts are taken as they are: an element that a program adds is never so long. UTF-16 code units. */
const MAX_SCANNED_CHARS = 500_000;

/** Takes what programs added out of a text. */
export function plainUserText(text: string): UserText {
  if (NOTICE.test(text.slice(0, 300))) return { kind: 'notice', text: '' };
  if (COMMAND.test(text.slice(0, 300))) return { kind: 'command', text: '' };
  const rest = text.length > MAX_SCANNED_CHARS || !text.includes('</') ? text : text.replace(ADDED, '');
  const plain = rest.trim();
  return plain === '' ? { kind: 'notice', text: '' } : { kind: 'message', text: plain };
}
