/** Why a file or a folder could not be read, in words that follow a colon; a host knows which of them it is. */
import { type Phrase, phrase } from './phrase';

/** What a platform may say against reading, whatever it calls it. */
export type UnreadableReason =
  | 'noPermission'
  | 'isFolder'
  /** Links that lead to each other. */
  | 'circle'
  /** A pipe, a device. */
  | 'notRegular'
  | 'tooManyOpen'
  | 'heldByOther'
  /** A link, or a path, that leads out of the workspace folder. */
  | 'outside'
  /** Of the folder that git keeps for itself. */
  | 'ofGit';

const WORDS: Readonly<Record<UnreadableReason, Phrase>> = {
  noPermission: phrase('no permission to read it'),
  isFolder: phrase('it is a folder'),
  circle: phrase('its links lead in a circle'),
  notRegular: phrase('it is not a regular file'),
  tooManyOpen: phrase('too many files are open on this machine'),
  heldByOther: phrase('another program holds it'),
  outside: phrase('it leads out of the folder'),
  ofGit: phrase('it is in the .git folder'),
};

/** The reason in words. */
export function unreadable(reason: UnreadableReason): Phrase {
  return WORDS[reason];
}

/** A reason that is none of the known ones. `code` is the platform's name for it, never a message with a path in it. */
export function unreadableFor(code: string | undefined): Phrase {
  return code === undefined ? phrase('it cannot be read') : phrase('it cannot be read ({0})', code);
}
