/** The platform's code of an error, such as `ENOENT`; `undefined` when it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The code of an error for a message. */
export function codeOrUnknown(error: unknown): string {
  return errorCode(error) ?? 'unknown reason';
}

/** For `catch`: a file that is not there is no failure. */
export function ignoreMissing(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  return undefined;
}
