import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Config, DEFAULT_CONFIG, profileOf } from '../../core/config/config';
import type { ScoringConfig, ScoringMode } from '../../core/model/relevance';
import type { ContextReport, PayloadReport } from '../../core/model/report';
import type { UsageWindow } from '../../core/model/usage';
import { type GivenSections, readGivenSections, renameUsage } from '../../core/pipeline/collect/givenSections';
import { toJsonPayload } from '../../core/render/json';
import { renderPayload } from '../../core/render/renderPayload';
import { formatCount } from '../../core/text/numbers';
import { inEnglish } from '../../core/text/phrase';
import { usageHistory } from '../../core/usage/usageHistory';
import { readForWindow, usageProblemWords } from '../../core/usage/usageLog';
import { UsageLogFile } from '../../node/records/fileLogs';
import { CLI_TOKENIZER, type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { givenFile, readGivenText } from '../givenText';
import { jsonText } from '../io';
import { type MaskOptions, openEngines, tellMasked, unmaskedOption } from '../masking';
import { modeOption, parseCount, thresholdOption } from '../options';
import { budgetExitCode, checkProfile, openWorkFolder, readFolderConfig } from '../workspace';

/** The newest cycles of a usage log that is named on the command line; what is wrong with it goes to stderr. */
async function readGivenUsage(context: CliContext, given: string, scoring: ScoringConfig): Promise<UsageWindow> {
  const file = await realpath(await givenFile(context, given, '--log'));
  // A pipe or a device: what is read from its end has to have one.
  if (!(await stat(file)).isFile()) throw new CliError('usage', `--log ${given}: not a regular file.`);
  const name = path.basename(file);
  const log = new UsageLogFile({ realRoot: path.dirname(file), path: name });
  const { records, problems } = await readForWindow(log, scoring.window);
  const { window, facts } = usageHistory(records, scoring.window, scoring.roiThresholds);
  for (const problem of problems) context.logger.warn(inEnglish(usageProblemWords(problem)));
  for (const why of facts) context.logger.warn(inEnglish(usageProblemWords({ path: name, line: undefined, why })));
  return window;
}

interface OptimizeOptions extends MaskOptions {
  readonly sections: string;
  readonly log: string;
  readonly threshold?: number;
  readonly mode?: ScoringMode;
  readonly query?: string;
  readonly budget?: number;
}

const HELP = `
Sections are a list of objects, or one object of ids and texts:
  [ { "id": "soul", "text": "…", "priority": "P1", "keywords": ["tone"] },
    { "id": "ports", "text": "…", "status": "WARN", "summary": "1 of 4 ports is down" } ]
Optional keys: title, priority (P0 always full … P4 cut first; default P2), status (OK, WARN, ALERT), summary, keywords,
keep_recent, on_demand, pinned.

Example:
  context-budget optimize --sections sections.json --log usage.jsonl --query "fix the login" > context.txt
  context-budget optimize --sections - --log usage.jsonl --budget 4000 --json < sections.json
`;

async function readSections(
  context: CliContext,
  given: string,
): Promise<Extract<GivenSections, { readonly kind: 'ok' }>> {
  const file = given === '-' ? given : await givenFile(context, given, '--sections');
  const read = readGivenSections(await readGivenText(context.io, file, `--sections ${given}`));
  if (read.kind === 'wrong') throw new CliError('usage', `--sections ${given}: ${read.why}.`);
  for (const [id, name] of read.names) {
    if (id !== name) context.logger.warn(`the section ${JSON.stringify(id)} gets the id ${name}`);
  }
  return read;
}

/** The config of `--root`, and without one the defaults: no folder is read that was not named. */
async function readConfig(context: CliContext): Promise<{ readonly config: Config; readonly exitCode: ExitCode }> {
  if (context.options.root === undefined) return { config: DEFAULT_CONFIG, exitCode: EXIT.done };
  const { files } = await openWorkFolder(context);
  return readFolderConfig(context, files);
}

/** A log of other sections would look like one that says nothing. */
function tellUnknown(
  { logger }: CliContext,
  { sections: known }: UsageWindow,
  sections: readonly { id: string }[],
): void {
  const ids = new Set(known.map(({ id }) => id));
  if (sections.some(({ id }) => ids.has(id))) return;
  const what = ids.size === 0 ? 'has no usage records' : 'knows none of these sections';
  logger.warn(`the log ${what}: nothing is cut for it`);
}

async function optimize(
  context: CliContext,
  own: OptimizeOptions,
): Promise<{ readonly report: ContextReport; readonly exitCode: ExitCode }> {
  const { options, life } = context;
  const { config, exitCode } = await readConfig(context);
  checkProfile(context, config);
  const { sections, names } = await readSections(context, own.sections);
  const { threshold = config.scoring.threshold, mode = 'dynamic', query, budget } = own;
  const scoring = { ...config.scoring, mode, threshold };
  const usage = renameUsage(await readGivenUsage(context, own.log, scoring), names);
  tellUnknown(context, usage, sections);
  const profile = profileOf(config, options.profile);
  const report = await openEngines(context).engine.buildReport(
    {
      profile: { ...profile, budgetTokens: budget ?? profile.budgetTokens },
      tokenizer: CLI_TOKENIZER,
      sections,
      focusPaths: [],
      ...(query === undefined ? {} : { query }),
      scoring,
      usage,
      isIndexReady: true,
      problems: [],
      isUnmasked: own.unmasked === true,
    },
    life.signal,
  );
  return { report, exitCode };
}

/** `31,000 → 18,240 characters`. */
function change(before: number, after: number, unit: string): string {
  const saved = before === 0 ? 0 : Math.round((1 - after / before) * 100);
  return `${formatCount(before)} → ${formatCount(after)} ${unit}${saved > 0 ? ` (−${saved}%)` : ''}`;
}

function sizeBefore({ sections }: PayloadReport): { readonly chars: number; readonly tokens: number } {
  return {
    chars: sections.reduce((sum, { charsFull }) => sum + charsFull, 0),
    tokens: sections.reduce((sum, { tokensFull }) => sum + tokensFull, 0),
  };
}

/** What was cut and why, a line each. */
function cutLines(payload: PayloadReport): readonly string[] {
  const before = sizeBefore(payload);
  const { chars, tokens } = payload.budget;
  return [
    `${change(before.chars, chars, 'characters')}, ${change(before.tokens, tokens, 'tokens')}`,
    ...payload.cuts.map(
      (cut) => `${cut.id}: ${cut.reason}, ${change(cut.charsFull, cut.chars, 'characters')}; left out: ${cut.dropped}`,
    ),
  ];
}

/** `context_payload.v2` of the expanded payload, with what was cut. */
function optimizedJson(report: ContextReport): string {
  const payload = report.payloads.expanded;
  const before = sizeBefore(payload);
  const cuts = payload.cuts.map((cut) => ({
    id: cut.id,
    reason: cut.reason,
    dropped: cut.dropped,
    chars_before: cut.charsFull,
    chars_after: cut.chars,
    tokens_before: cut.tokensFull,
    tokens_after: cut.tokens,
  }));
  const saved = { chars_before: before.chars, tokens_before: before.tokens, cuts };
  return jsonText({ ...toJsonPayload(report, 'expanded'), ...saved });
}

/** `context-budget optimize`: from sections and a usage log to an optimized context, without a workspace. */
export function addOptimizeCommand(program: CliCommand): void {
  program
    .command('optimize')
    .summary('optimize sections (JSON) by a usage log; needs no workspace')
    .description(
      'Scores sections by a usage log, shows one line of those below the threshold, fits the rest into the budget and ' +
        'prints the context. stderr and the JSON format say what was cut and why.',
    )
    .requiredOption('--sections <file>', 'the sections as JSON; - for stdin')
    .requiredOption('--log <file>', 'file of usage records')
    .addOption(modeOption())
    .addOption(thresholdOption())
    .option('--query <text>', 'the task: keeps matching sections')
    .option('--budget <tokens>', "maximum tokens (default: the profile's)", parseCount)
    .addOption(unmaskedOption())
    .addHelpText('after', HELP)
    .does(async (context, own: OptimizeOptions) => {
      const { report, exitCode } = await optimize(context, own);
      const payload = report.payloads.expanded;
      const { format, quiet } = context.options;
      for (const { message } of report.problems) context.logger.warn(message);
      tellMasked(context, payload.secrets);
      context.io.stdout.write(format === 'json' ? optimizedJson(report) : renderPayload(report, 'expanded', format));
      if (!quiet && format !== 'json') for (const line of cutLines(payload)) context.io.stderr.write(`${line}\n`);
      return budgetExitCode(payload, undefined, exitCode);
    });
}
