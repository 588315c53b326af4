/**
 * A log like the one of the study that ROI and its classes come from (issue "What earns its place", DESIGN §5.4): 720
 * cycles over a baseline payload of about 31,000 characters, a fifth of it hardly ever cited, half of it rarely
 * (12 citations over 15,504 characters), the rest well.
 */
import { encodeUsage } from '../../src/core/usage/usageCodec';
import type { UsageDraft } from '../../src/core/usage/usageRecord';

export const STUDY_CYCLES = 720;

/** Id, characters in each cycle, citations in all of them. */
export const STUDY_SECTIONS: readonly (readonly [id: string, chars: number, citations: number])[] = [
  ['heartbeat', 2_480, 0],
  ['topic-memory', 2_300, 1],
  ['run-logs', 1_420, 0],
  ['AGENTS.md', 5_168, 4],
  ['memory', 5_168, 4],
  ['soul', 5_168, 4],
  ['repo-map', 4_900, 42],
  ['diagnostics', 2_396, 31],
  ['observations', 2_000, 19],
];

const SECONDS_A_CYCLE = 90;

function timeOf(cycle: number): string {
  const moment = new Date(Date.UTC(2026, 1, 1) + cycle * SECONDS_A_CYCLE * 1000);
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}

/** Citation n of a section is in cycle ⌊(n + ½) · 720 ÷ citations⌋ + 1: evenly over the whole log. */
function isCited(cycle: number, citations: number): boolean {
  return Array.from({ length: citations }, (_, at) => Math.floor(((at + 0.5) * STUDY_CYCLES) / citations) + 1).includes(
    cycle,
  );
}

export function studyDraft(cycle: number, over: Partial<UsageDraft> = {}): UsageDraft {
  return {
    ts: timeOf(cycle),
    trigger: 'copy',
    profile: 'default',
    sections: STUDY_SECTIONS.map(([id, chars]) => ({ id, chars, tokens: Math.round(chars / 4), disclosure: 'full' })),
    cited: STUDY_SECTIONS.filter(([, , citations]) => isCited(cycle, citations)).map(([id]) => ({
      id,
      evidence: 'path',
      what: `${id}.md`,
    })),
    ...over,
  };
}

/** All lines of the log. */
export function studyLog(): string {
  return Array.from({ length: STUDY_CYCLES }, (_, at) => encodeUsage(at + 1, studyDraft(at + 1))).join('');
}
