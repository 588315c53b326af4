import { profileOf } from '../core/config/config';
import type { ContextEngine } from '../core/engine/engine';
import type { Profile } from '../core/model/profile';
import type { LayerAnswer } from '../core/observations/layers';
import { repairText } from '../core/observations/observationLog';
import type { ObservationService } from '../core/observations/observationService';
import { readBlameDays } from '../core/pipeline/collect/gitSource';
import type { LogRepair } from '../core/records/recordLog';
import { toJsonObservation } from '../core/render/json';
import { sectionHandle } from '../core/text/elements';
import { formatCount, plural } from '../core/text/numbers';
import { createNodeObservations } from '../node/createObservations';
import { NodeProcessRunner } from '../node/process/processRunner';
import { CLI_TOKENIZER, type CliContext, type ExitCode } from './context';
import { printRequested } from './masking';
import { checkProfile, isTrusted, openWorkFolder, readFolderConfig, type WorkFolder } from './workspace';

/** Observations of the folder, ready to be asked. */
interface OpenObservations {
  readonly folder: WorkFolder;
  readonly service: ObservationService;
  readonly engine: ContextEngine;
  readonly profile: Profile;
  /** Workspace-relative path of the log. */
  readonly path: string;
  /** The handle of their section. */
  readonly handle: string;
  /** For a command without a reason of its own. */
  readonly exitCode: ExitCode;
}

/**
 * Opens the folder's observations and runs `work`; the rest of the folder is not read, so that a hook may call it often.
 * Throws a usage error for an unknown profile.
 */
export async function withObservations(
  context: CliContext,
  work: (open: OpenObservations) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { product, options, logger, life } = context;
  const folder = await openWorkFolder(context);
  const { config, exitCode } = await readFolderConfig(context, folder.files);
  checkProfile(context, config);
  const profile = profileOf(config, options.profile);
  const { path, sources } = config.observations;
  const { service, engine } = life.own(
    createNodeObservations({
      realRoot: folder.realRoot,
      files: folder.files,
      path,
      settings: { profile, tokenizer: CLI_TOKENIZER, sources, usageLog: config.usageLog },
      productRoot: product.root,
      logger,
      createEngines: product.createEngines,
      readBlame: async (file, signal) => {
        if (!(await isTrusted(context, folder.realRoot))) return new Map();
        const processes = new NodeProcessRunner(folder.realRoot, context.io.env);
        try {
          return await readBlameDays(processes, file, signal);
        } finally {
          processes.dispose();
        }
      },
    }),
  );
  const section = config.sections.find(({ source }) => source.kind === 'builtin' && source.builtin === 'observations');
  const handle = sectionHandle(section?.id ?? 'observations');
  return work({ folder, service, engine, profile, path, handle, exitCode });
}

/** Says on stderr what the log had to be repaired of. */
export function tellRepairs({ logger }: CliContext, path: string, repairs: readonly LogRepair[]): void {
  for (const repair of repairs) logger.warn(repairText(path, repair));
}

/** Says on stderr which lines of the log are no observations. */
async function tellBadLines({ logger }: CliContext, { path, service }: OpenObservations): Promise<void> {
  const { problems, problemCount, unreadBytes } = await service.store.stats();
  if (unreadBytes > 0)
    logger.warn(`${path}: only the newest observations were read; ${plural(unreadBytes, 'byte')} were not.`);
  const from = unreadBytes > 0 ? 'the part that was read, line ' : '';
  for (const { line, why } of problems) logger.warn(`${path}:${from}${line}: not an observation: ${why}.`);
  if (problemCount > problems.length) logger.warn(`${path}: ${formatCount(problemCount - problems.length)} more.`);
}

/** `34 of 60 observations`; of a query or a task, `15 of 95 observations match`. */
function shareOf({ rows, total, all = total }: LayerAnswer): string {
  if (total === all) return `${formatCount(rows.length)} of ${plural(total, 'observation')}`;
  const found = `${formatCount(total)} of ${plural(all, 'observation')} match`;
  return rows.length === total ? found : `${formatCount(rows.length)} shown; ${found}`;
}

/** Prints an index or a timeline; says on stderr what was wrong with the log, masked, or left out for the cap. */
export async function printLayer(
  context: CliContext,
  open: OpenObservations,
  mode: 'index' | 'timeline',
  layer: LayerAnswer,
): Promise<ExitCode> {
  const { profile } = open;
  await tellBadLines(context, open);
  const shown = shareOf(layer);
  printRequested(context, profile, {
    ...layer,
    mode,
    profile: profile.name,
    match: layer.match,
    observations: layer.rows.map((row) => toJsonObservation(row)),
    notes: [`${mode === 'index' ? 'index-only; ' : ''}${shown}; ask for detail by id`],
  });
  for (const step of layer.downgradeApplied) context.logger.warn(`over the limit: ${step}`);
  return open.exitCode;
}

/** Says on stderr how many rows an index leaves out, and how to get them. `isOfAll`: it is of no query and no task. */
export function tellMoreRows(
  { logger }: CliContext,
  { handle }: OpenObservations,
  layer: LayerAnswer,
  isOfAll: boolean,
): void {
  const { rows, total, downgradeApplied } = layer;
  if (rows.length === total) return;
  const limit =
    downgradeApplied.length > 0
      ? "narrow the query, or raise the profile's index_tokens"
      : 'narrow the query, or raise --limit';
  const how = isOfAll ? `context-budget detail --ids ${handle}#L${rows.length + 1}` : limit;
  logger.warn(`${shareOf(layer)}; ${formatCount(total - rows.length)} more: ${how}`);
}
