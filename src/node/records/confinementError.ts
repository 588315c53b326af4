import { errorClass } from '../../core/text/errorWords';

/** Why a place in a folder is not opened. */
export type ConfinementReason =
  /** The path is not plain: it is absolute, or has `..` or empty names. */
  | 'outside'
  /** It lies in git's own folder. */
  | 'git'
  /** It, or a folder on the way, is a link. */
  | 'link'
  /** A folder on the way is something else. */
  | 'notFolder'
  /** It is a folder, a pipe, a socket or a device. */
  | 'notFile'
  /** The file has another name too, and writing it would change that one. */
  | 'hardLink'
  /** It became something else while it was opened. */
  | 'swapped'
  /** The file has more bytes than one of its kind can have. */
  | 'tooLarge';

/** A refusal of {@link ConfinedFolder}. Its users have the words for people. */
export class ConfinementError extends errorClass<ConfinementReason>('ConfinementError') {
  /** @param path what was refused, workspace-relative */
  constructor(
    reason: ConfinementReason,
    readonly path: string,
    options?: ErrorOptions,
  ) {
    super(reason, `${path} is refused (${reason})`, options);
  }
}
