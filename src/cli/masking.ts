/**
 * What commands that print for an agent share: the option to see secrets, and what is said of those that were masked.
 * Payloads, maps, rows and details are masked where they are made; texts that a command makes itself are masked here.
 */
import { Option } from 'commander';
import { budgetStatus } from '../core/config/profile';
import type { SecretFinding } from '../core/model/report';
import { compactRelay, type RelayCompaction } from '../core/relay/compactRelay';
import { countDropped } from '../core/relay/dropped';
import { isExactNumber } from '../core/relay/exactNumbers';
import type { RequestedPayload } from '../core/render/json';
import { renderRequested } from '../core/render/renderPayload';
import { Masking, maskStrings, stringsOf } from '../core/secrets/masking';
import { findingFile, maskedSentence } from '../core/secrets/secretFinding';
import { plural } from '../core/text/numbers';
import { createWorkerEngines } from '../node/engines';
import type { Engines } from '../protocol/engines';
import { CLI_TOKENIZER, type CliContext } from './context';

/** The option of every command that prints for an agent. */
export interface MaskOptions {
  readonly unmasked?: true;
}

/** More places are only counted. */
const PLACES_SHOWN = 20;

/** Declares `--unmasked`. */
export function unmaskedOption(): Option {
  return new Option('--unmasked', 'print keys, tokens and passwords without masking them');
}

/** Engines of the command's own, started when they are first needed. */
export function openEngines({ product, logger, life }: CliContext): Engines {
  return life.own((product.createEngines ?? createWorkerEngines)({ productRoot: product.root, logger }));
}

/** Says on stderr what was masked, and where. */
export function tellMasked({ logger }: CliContext, findings: readonly SecretFinding[]): void {
  if (findings.length === 0) return;
  logger.warn(`${maskedSentence(findings)}; --unmasked prints ${findings.length === 1 ? 'it' : 'them'}:`);
  for (const finding of findings.slice(0, PLACES_SHOWN)) {
    const { sectionId, line, label } = finding;
    logger.warn(`  ${sectionId}, ${findingFile(finding) ?? `line ${line}`}: ${label}`);
  }
  const more = findings.length - PLACES_SHOWN;
  if (more > 0) logger.warn(`  and ${plural(more, 'place')} more`);
}

/** The answer to one request, before it is held against its caps. */
interface RequestedAnswer extends Omit<RequestedPayload, 'budget'> {
  readonly tokens: number;
  readonly secrets: readonly SecretFinding[];
  readonly downgradeApplied?: readonly string[];
}

/** Prints the answer in the form that the options name; says on stderr what was masked. */
export function printRequested(
  context: CliContext,
  { budgetTokens, hardCapChars }: Pick<RequestedPayload['budget'], 'budgetTokens' | 'hardCapChars'>,
  { tokens, secrets, downgradeApplied = [], ...payload }: RequestedAnswer,
): void {
  tellMasked(context, secrets);
  const caps = { budgetTokens, hardCapChars };
  const sizes = { tokens, chars: payload.text.length };
  const status = budgetStatus(sizes, caps);
  const budget = { ...caps, ...sizes, status, tokenizer: CLI_TOKENIZER, downgradeApplied };
  context.io.stdout.write(renderRequested({ ...payload, budget }, context.options.format));
}

/**
 * A text for an agent, or plain data that will be JSON. Findings belong to `sectionId`.
 * @throws NotScanned
 */
export async function maskedData<T>(context: CliContext, own: MaskOptions, value: T, sectionId: string): Promise<T> {
  if (own.unmasked) return value;
  // Numbers of a relay log may be kept as strings; like other numbers they hold no secret.
  const isText = (text: string): boolean => !isExactNumber(text);
  const texts = [...new Set(stringsOf(value, isText))];
  const masks = await new Masking(openEngines(context).secrets).masksFor(texts);
  const masked = maskStrings(value, masks, isText);
  const secrets = texts.flatMap((text) => masks(text)?.secrets ?? []);
  tellMasked(
    context,
    secrets.map(({ label, line }) => ({ sectionId, label, line })),
  );
  return masked;
}

/** Section that findings in a relay context belong to. */
export const RELAY_SECTION = 'relay';

/**
 * A compaction with its output masked. Entries that differed in a secret alone are equal then: the newest of them stays,
 * so that compacting the output again changes nothing.
 * @throws NotScanned
 */
export async function maskedCompaction(
  context: CliContext,
  own: MaskOptions,
  compaction: RelayCompaction,
): Promise<RelayCompaction> {
  if (own.unmasked) return compaction;
  const output = await maskedData(context, own, compaction.output, RELAY_SECTION);
  const again = compactRelay(output);
  const equal = again.findings.dropped.filter(({ index }) => index !== undefined);
  if (equal.length === 0) return { ...compaction, output };
  // Their places are those of the output, not of the log.
  const dropped = [...compaction.findings.dropped, ...equal.map((item) => ({ ...item, index: undefined }))];
  return {
    output: await maskedData(context, own, again.output, RELAY_SECTION),
    findings: { ...compaction.findings, dropped, counts: countDropped(dropped) },
  };
}
