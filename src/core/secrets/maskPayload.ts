/**
 * A report without secrets, for the forms that are made of its parts. Its text form is masked by `maskText`; this is for
 * JSON, XML and Markdown, whose numbers must be those of the masked text.
 */
import { budgetStatus } from '../config/profile';
import type { PayloadMode } from '../model/disclosure';
import type { ContextReport, PayloadReport, ReportSection } from '../model/report';
import { RESERVED_ELEMENTS } from '../text/escape';
import { type CountingTools, maskStrings, maskText } from './maskText';
import type { SecretFinding } from './secretFinding';

/** A report whose payload of one mode has no secrets, and what was masked in the payload's text. */
export interface MaskedReport {
  readonly report: ContextReport;
  readonly findings: readonly SecretFinding[];
}

/** Elements that the text form of a payload is made of. */
export function payloadElements(sections: readonly Pick<ReportSection, 'id'>[]): readonly string[] {
  return [...RESERVED_ELEMENTS, ...sections.map(({ id }) => id)];
}

/** What has a text, and numbers that describe it. */
interface Counted {
  readonly text: string;
  readonly tokens: number;
  readonly chars: number;
}

/** `after` with the numbers of its own texts: those of `before`, parallel to it, by as much as masking changed them. */
export async function recountMasked<T extends Counted>(
  before: readonly T[],
  after: readonly T[],
  countTokens: CountingTools['countTokens'],
): Promise<readonly T[]> {
  const [old, now] = await Promise.all([before, after].map((each) => countTokens(each.map(({ text }) => text))));
  return after.map((section, at) => {
    const was = before[at]?.text ?? section.text;
    if (was === section.text) return section;
    const tokens = Math.max(0, section.tokens + (now?.[at] ?? 0) - (old?.[at] ?? 0));
    return { ...section, tokens, chars: section.chars + section.text.length - was.length };
  });
}

/** Masks the payload of `mode` and corrects its numbers. Counts are exact for the whole; sections' add up to it with `overheadTokens`. */
export async function maskReport(
  report: ContextReport,
  mode: PayloadMode,
  tools: CountingTools,
): Promise<MaskedReport> {
  const payload = report.payloads[mode];
  const elements = payloadElements(payload.sections);
  const { text, findings, tokens } = await maskText({ text: payload.text, elements, fallbackId: mode }, tools);
  const { text: _, ...rest } = payload;
  const { value, secrets } = await maskStrings(rest, tools.scanner);
  if (findings.length === 0 && secrets.length === 0) return { report, findings };
  const sections = await recountMasked(payload.sections, value.sections, tools.countTokens);
  const size = { tokens: tokens ?? payload.budget.tokens, chars: text.length };
  const budget = { ...payload.budget, ...size, status: budgetStatus(size, payload.budget) };
  const overheadTokens = size.tokens - sections.reduce((sum, section) => sum + section.tokens, 0);
  const masked: PayloadReport = { ...value, text, sections, budget, overheadTokens };
  return { report: { ...report, payloads: { ...report.payloads, [mode]: masked } }, findings };
}
