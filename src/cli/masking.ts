/**
 * What is printed for an agent goes through here: secrets are masked and named on stderr, unless `--unmasked` says
 * otherwise. The core masks; this says so.
 */
import { Option } from 'commander';
import type { PayloadMode } from '../core/model/disclosure';
import type { ContextReport } from '../core/model/report';
import type { FileSource } from '../core/ports/ports';
import { maskReport, recountMasked } from '../core/secrets/maskPayload';
import { type CountingTools, type Maskable, maskStrings, maskText } from '../core/secrets/maskText';
import { findSourceLine, maskedSentence, type SecretFinding } from '../core/secrets/secretFinding';
import { decodeText } from '../core/text/decode';
import { plural } from '../core/text/numbers';
import { FileAssetSource } from '../node/assets';
import { NodeClock } from '../node/clock';
import { createWorkerEngines } from '../node/engines';
import type { CliContext } from './context';
import type { RequestedPayload } from './requestedPayload';
import { CLI_TOKENIZER } from './tokenizer';

/** The option of every command that prints for an agent. */
export interface MaskOptions {
  readonly unmasked?: true;
}

/** Where a section's text comes from. */
type SectionPlaces = readonly { readonly id: string; readonly path: string | undefined }[];

/** More places are only counted. */
const PLACES_SHOWN = 20;

/** A larger file is not searched for the line. */
const MAX_SOURCE_BYTES = 1024 * 1024;

/** Declares `--unmasked`. */
export function unmaskedOption(): Option {
  return new Option('--unmasked', 'print keys, tokens and passwords as they are instead of masking them');
}

/** A scanner and a counter of their own, each started when it is first needed. */
export function maskTools({ product, logger, life }: CliContext): CountingTools {
  const { engine, secrets } = life.own(
    (product.createEngines ?? createWorkerEngines)({
      productRoot: product.root,
      assets: new FileAssetSource(product.root),
      clock: new NodeClock(),
      logger,
    }),
  );
  return { scanner: secrets, countTokens: (texts) => engine.countTokens({ texts, tokenizer: CLI_TOKENIZER }) };
}

/** Says on stderr what was masked, and where. */
export function tellMasked(
  { logger }: CliContext,
  findings: readonly SecretFinding[],
  sources: SourceLines = {},
): void {
  if (findings.length === 0) return;
  logger.warn(`${maskedSentence(findings)}; --unmasked prints ${findings.length === 1 ? 'it' : 'them'}:`);
  findings.slice(0, PLACES_SHOWN).forEach((finding, at) => {
    const { sectionId, line, label } = finding;
    logger.warn(`  ${sectionId} line ${line}: ${label}${sources[at] === undefined ? '' : ` (${sources[at]})`}`);
  });
  const more = findings.length - PLACES_SHOWN;
  if (more > 0) logger.warn(`  and ${plural(more, 'place')} more`);
}

/** By the finding's position: `path:line`. */
type SourceLines = Readonly<Record<number, string>>;

async function sourceLines(
  findings: readonly SecretFinding[],
  places: SectionPlaces,
  files: FileSource,
): Promise<SourceLines> {
  const lines: Record<number, string> = {};
  for (const [at, finding] of findings.slice(0, PLACES_SHOWN).entries()) {
    const path = places.find(({ id }) => id === finding.sectionId)?.path;
    const read = path === undefined ? undefined : await files.read(path, MAX_SOURCE_BYTES);
    const decoded = read?.kind === 'ok' ? decodeText(read.bytes) : undefined;
    const line = decoded?.kind === 'text' ? findSourceLine(decoded.text, finding) : undefined;
    if (line !== undefined) lines[at] = `${path}:${line}`;
  }
  return lines;
}

/** A text for an agent. */
export async function maskedText(context: CliContext, own: MaskOptions, maskable: Maskable): Promise<string> {
  if (own.unmasked) return maskable.text;
  const { text, findings } = await maskText(maskable, maskTools(context));
  tellMasked(context, findings);
  return text;
}

/** Plain data for an agent, as JSON. Findings have no sections here: all are in `id`. */
export async function maskedData<T>(context: CliContext, own: MaskOptions, value: T, id: string): Promise<T> {
  if (own.unmasked) return value;
  const masked = await maskStrings(value, maskTools(context).scanner);
  tellMasked(
    context,
    masked.secrets.map((secret) => ({ sectionId: id, ...secret })),
  );
  return masked.value;
}

/** A report whose payload of `mode` is for an agent; with `files`, the files' lines are named. */
export async function maskedReport(
  context: CliContext,
  own: MaskOptions,
  report: ContextReport,
  mode: PayloadMode,
  files?: FileSource,
): Promise<ContextReport> {
  if (own.unmasked) return report;
  const masked = await maskReport(report, mode, maskTools(context));
  const { sections } = report.payloads[mode];
  tellMasked(context, masked.findings, files && (await sourceLines(masked.findings, sections, files)));
  return masked.report;
}

/** A payload that answers a request; `maskable` says what its text is made of. */
export async function maskedRequest(
  context: CliContext,
  own: MaskOptions,
  payload: RequestedPayload,
  made: Omit<Maskable, 'text'>,
): Promise<RequestedPayload> {
  if (own.unmasked) return payload;
  const tools = maskTools(context);
  const { text: plain, ...rest } = payload;
  const { text, findings, tokens } = await maskText({ text: plain, ...made }, tools);
  const { value, secrets } = await maskStrings(rest, tools.scanner);
  if (findings.length === 0 && secrets.length === 0) return payload;
  const told = findings.length > 0 ? findings : secrets.map((secret) => ({ sectionId: made.fallbackId, ...secret }));
  tellMasked(context, told);
  const sections = await recountMasked(payload.sections, value.sections, tools.countTokens);
  return { ...value, sections, text, tokens: tokens ?? payload.tokens };
}
