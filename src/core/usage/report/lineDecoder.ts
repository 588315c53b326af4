import { type Phrase, phrase } from '../../text/phrase';
import { decodeUsage } from '../usageCodec';
import type { UsageRecord, UsedSection } from '../usageRecord';
import { evidenceStart, fingerprintOf } from './fingerprint';
import { timeOf } from './lineTime';
import type { SectionNames } from './sectionNames';
import { MAX_AMOUNT, MODES, type UsageLine } from './usageLine';

function isTooLarge({ sections, overheadTokens = 0, responseMs = 0, observabilityScore = 0 }: UsageRecord): boolean {
  const amounts = sections.flatMap(({ chars, tokens }) => [chars, tokens]);
  return Math.max(overheadTokens, responseMs, observabilityScore, ...amounts) > MAX_AMOUNT;
}

/** A stub or an empty element says nothing of what is in it. */
function contentHash({ chars, disclosure, hash }: UsedSection): readonly [a: number, b: number] {
  const tells = hash !== undefined && chars > 0 && (disclosure === 'full' || disclosure === 'summary');
  return tells ? fingerprintOf(hash) : [0, 0];
}

function fill(line: UsageLine, record: UsageRecord, names: SectionNames): void {
  line.clear();
  line.cycle = record.cycle;
  line.time = timeOf(record.ts);
  line.mode = MODES.indexOf(record.mode ?? 'baseline');
  line.hasOrigin = record.origin !== undefined;
  line.overheadTokens = Math.round(record.overheadTokens ?? 0);
  if (record.responseMs !== undefined) line.setResponseMs(record.responseMs);
  if (record.observabilityScore !== undefined) line.setObservability(record.observabilityScore);
  for (const section of record.sections) {
    const { id, chars, tokens, disclosure } = section;
    const isLoaded = disclosure !== 'omitted';
    line.addSection(names.numberOf(id), Math.round(chars), Math.round(tokens), isLoaded, ...contentHash(section));
  }
  for (const { id, evidence, what } of record.cited) {
    line.addCitation(names.numberOf(id), ...fingerprintOf(what, evidenceStart(evidence)));
  }
}

/**
 * Reads a line of any form into `line`.
 * @returns why it is no record, in words that follow a line number; `undefined` when it is one
 */
export function decodeLine(text: string, line: UsageLine, names: SectionNames): Phrase | undefined {
  const decoded = decodeUsage(text);
  if (decoded.kind === 'malformed') return decoded.why;
  if (isTooLarge(decoded.record)) return phrase('a size in it is over a trillion');
  fill(line, decoded.record, names);
  return undefined;
}
