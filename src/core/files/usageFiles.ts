import { nameOf } from '../text/safePath';

/** What a compaction keeps of an agent's session; see `hooks/sessionRelay.ts`. */
const RELAY_KEPT_NAME = 'relay.compacted.json';

/** The log's path without its extension, and the extension with its dot. */
function split(log: string): readonly [stem: string, extension: string] {
  const slash = log.lastIndexOf('/');
  const dot = log.lastIndexOf('.');
  return dot > slash + 1 ? [log.slice(0, dot), log.slice(dot)] : [log, ''];
}

/** Whether `path` is of the usage log `log`: it, what lies beside it (`.lock`, `.mark`, `.torn`), its older files. */
export function isUsageFile(log: string, path: string): boolean {
  const [stem, extension] = split(log);
  if (!path.startsWith(stem)) return false;
  if (path === log || path.startsWith(`${log}.`)) return true;
  return path.endsWith(extension) && /^\.\d{6,15}$/.test(path.slice(stem.length, path.length - extension.length));
}

/** Lines of a `.gitignore` beside the log. It names itself, so that recording usage leaves no changed file in git. */
export function usageIgnoreText(log: string): string {
  const name = (path: string): string => nameOf(path).replace(/[\\*?[\]!# ]/g, '\\$&');
  const [stem, extension] = split(log);
  const lines = [
    '# Made by Context Budget, once: how context is used is recorded for you alone.',
    '# To share this file or the log, change the lines; nothing here is written again.',
    '.gitignore',
    name(log),
    `${name(stem)}.[0-9]*${extension}`,
    '*.lock',
    '*.lock.*',
    '*.mark',
    '*.mark.tmp',
    '*.torn',
    RELAY_KEPT_NAME,
  ];
  return lines.map((line) => `${line}\n`).join('');
}
