/** Bytes to text, by byte order mark and content. Without a mark it is UTF-8, with U+FFFD for what is not. */

import { type Phrase, phrase } from './phrase';

// Why a file or a folder could not be read, in words that follow a colon; a host knows which of them it is.

/** What a platform may say against reading, whatever it calls it. */
const WORDS = {
  noPermission: phrase('no permission to read it'),
  isFolder: phrase('it is a folder'),
  /** Links that lead to each other. */
  circle: phrase('its links form a loop'),
  /** A pipe, a device. */
  notRegular: phrase('it is not a regular file'),
  tooManyOpen: phrase('too many files are open on this machine'),
  heldByOther: phrase('another program has locked it'),
  /** A link, or a path, that leads out of the workspace folder. */
  outside: phrase('it is outside the folder'),
  /** Of the folder that git keeps for itself. */
  ofGit: phrase('it is in the .git folder'),
};
export type UnreadableReason = keyof typeof WORDS;

/** The reason in words. */
export function unreadable(reason: UnreadableReason): Phrase {
  return WORDS[reason];
}

/** A reason that is none of the known ones. `code` is the platform's name for it, never a message with a path in it. */
export function unreadableFor(code: string | undefined): Phrase {
  return code === undefined ? phrase('it cannot be read') : phrase('it cannot be read ({0})', code);
}

/** What decoding gave. `text` has no byte order mark. */
type DecodedText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'binary' };

const BINARY: DecodedText = { kind: 'binary' };

/** Above this share of U+FFFD a file is no text: random bytes have more than half, legacy encodings (GBK) less. */
const MAX_REPLACEMENT_SHARE = 0.3;

const REPLACEMENT = 0xfffd;

function replacementShare(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0 && at < text.length; at++) {
    if (text.charCodeAt(at) === REPLACEMENT) count++;
  }
  return text.length === 0 ? 0 : count / text.length;
}

function decodeUtf16(bytes: Uint8Array, label: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = new TextDecoder(label).decode(bytes);
  return text.includes('\0') || replacementShare(text) > MAX_REPLACEMENT_SHARE ? BINARY : { kind: 'text', text };
}

/** Decodes a whole file. A NUL or mostly invalid UTF-8 makes it binary. Linear, never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  if (bytes.indexOf(0) >= 0) return BINARY;
  const text = new TextDecoder('utf-8').decode(bytes);
  return replacementShare(text) > MAX_REPLACEMENT_SHARE ? BINARY : { kind: 'text', text };
}
