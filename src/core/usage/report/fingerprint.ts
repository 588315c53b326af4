import type { EvidenceKind } from '../usageRecord';

/** Tells whether two texts are equal without keeping them: two lanes of FNV-1a with different primes, 64 bits. */
export const FINGERPRINT_START = 0x811c9dc5 | 0;
export const FINGERPRINT_A = 0x01000193;
/** xxHash32's first prime (public domain). */
export const FINGERPRINT_B = 0x9e3779b1;

/** Both lanes of a text, as the scanner makes them of its bytes. */
export function fingerprintOf(text: string, start: number = FINGERPRINT_START): readonly [a: number, b: number] {
  let a = start;
  let b = start;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, FINGERPRINT_A);
    b = Math.imul(b ^ unit, FINGERPRINT_B);
  }
  return [a, b];
}

export const EVIDENCE_KINDS: readonly EvidenceKind[] = ['handle', 'id', 'path', 'keyword', 'tag'];

/** Where the fingerprint of a citation begins, so that the kind of evidence is in it. */
export function evidenceStart(kind: EvidenceKind): number {
  return EVIDENCE_STARTS[EVIDENCE_KINDS.indexOf(kind)] ?? FINGERPRINT_START;
}

export const EVIDENCE_STARTS = EVIDENCE_KINDS.map((_, at) => Math.imul(FINGERPRINT_START ^ (at + 1), FINGERPRINT_A));
