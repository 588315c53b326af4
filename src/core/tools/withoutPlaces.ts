/** What stands for a place of this machine. */
const PLACE = '…';

/** Absolute paths: quoted ones with blanks in them, URIs of files, drives, shares, and from the root on with two names. */
const PLACES: readonly RegExp[] = [
  /(?<=(["'`]))(?:file:\/\/|[A-Za-z]:[\\/]|\\\\|\/)[^"'`\n]{0,4096}(?=\1)/g,
  /\bfile:\/\/[^\s"'`<>]{1,4096}/g,
  /(?<![\w.~:/\\-])(?:[A-Za-z]:[\\/]|\\\\)[^\s"'`<>|]{1,4096}/g,
  /(?<![\w.~:/\\@-])\/(?:[^\s"'`<>|:/]{1,255}\/){1,64}[^\s"'`<>|:]{0,255}/g,
];

/** A message without absolute paths, which say how somebody's machine is laid out. Paths within the folder stay. */
export function withoutPlaces(message: string): string {
  return PLACES.reduce((text, pattern) => text.replace(pattern, PLACE), message);
}
