import { isRecord, ownValue } from '../text/jsonRecord';

/** What a path's name may say that makes it noise. */
export const EVIDENCE_NOISE = ['api_error_dump', 'traceback', 'stacktrace', 'stderr', 'stdout'] as const;

/** One of the names. */
export type EvidenceNoise = (typeof EVIDENCE_NOISE)[number];

/** Names as people write them: `API-Error-Dumps`, `stackTrace`, `stderr2.log`. */
const PATTERNS: Readonly<Record<EvidenceNoise, RegExp>> = {
  api_error_dump: /(?<![a-z])api[ _.-]?error[ _.-]?dumps?(?![a-z])/,
  traceback: /(?<![a-z])trace[ _.-]?backs?(?![a-z])/,
  stacktrace: /(?<![a-z])stack[ _.-]?traces?(?![a-z])/,
  stderr: /(?<![a-z])std[ _.-]?err(?![a-z])/,
  stdout: /(?<![a-z])std[ _.-]?out(?![a-z])/,
};

/** The path of an entry of `evidence_paths`: the entry itself, or its `path`. */
export function evidencePathOf(entry: unknown): string | undefined {
  const path = isRecord(entry) ? ownValue(entry, 'path') : entry;
  return typeof path === 'string' ? path : undefined;
}

/** The same for all spellings of one path: `./a//b`, `a\b` and ` a/b ` are one. */
export function evidenceKey(path: string): string {
  const [head, ...rest] = path.trim().replaceAll('\\', '/').split('/');
  const names = rest.filter((name) => name !== '' && name !== '.');
  return (head === '.' ? names : [head, ...names]).join('/');
}

/** Whether a path's names say that it is noise of that kind; words are told apart at signs and inner capitals. */
export function isEvidenceNoise(path: string, noise: EvidenceNoise): boolean {
  const spelled = path.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return PATTERNS[noise].test(spelled);
}
