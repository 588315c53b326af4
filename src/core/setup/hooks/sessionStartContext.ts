/**
 * What an agent gets at the start of a session: the relay summary where a compaction left one, then the index-only
 * payload, together within the hook's limit. It decides who gives way (the index, which can be asked for; never the
 * summary's words in part), not what either says.
 */
import { NOTES_ELEMENT } from '../../text/elements';
import { formatCount } from '../../text/numbers';
import { MAX_CONTEXT_CHARS } from './hookAgent';

/** Kept free for the sentence that stands for an index that does not fit. */
const NOTICE_CHARS = 300;

/** The element that carries the relay summary. */
const RELAY_ELEMENT = 'relay';

function relayNotice(length: number, file: string): string {
  return `<${RELAY_ELEMENT}>\nThe relay summary has ${formatCount(length)} characters, too many for a hook. Read ${file}.\n</${RELAY_ELEMENT}>\n`;
}

/** The relay summary as an element, or a line that names its `file` where it leaves no room. `text` is escaped already. */
export function relayElement(text: string, file: string): string {
  if (text.trim() === '') return '';
  const element = `<${RELAY_ELEMENT}>\n${text.trimEnd()}\n</${RELAY_ELEMENT}>\n`;
  return element.length + NOTICE_CHARS <= MAX_CONTEXT_CHARS ? element : relayNotice(element.length, file);
}

/** Characters that the index payload may have beside `relay`. */
export function indexCapChars(relay: string): number {
  return MAX_CONTEXT_CHARS - relay.length;
}

function indexNotice(length: number, cap: number): string {
  return (
    `<${NOTES_ELEMENT}>\nThe index of this folder has ${formatCount(length)} characters; a hook may give ` +
    `${formatCount(cap)}. Ask for it with "context-budget payload".\n</${NOTES_ELEMENT}>\n`
  );
}

/** Relay element and index, whole, within `MAX_CONTEXT_CHARS`. An index that the ladder could not fit is named instead. */
export function sessionStartContext(relay: string, index: string): string {
  const cap = indexCapChars(relay);
  return relay + (index.length <= cap ? index : indexNotice(index.length, cap));
}
