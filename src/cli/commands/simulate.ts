import { profileOf } from '../../core/config/config';
import type { ScoringMode } from '../../core/model/relevance';
import { simulatedSections, simulateThresholds } from '../../core/pipeline/score/simulate';
import { renderSimulation, type Simulation } from '../../core/print/simulationTable';
import { inEnglish } from '../../core/text/phrase';
import { usageProblemWords } from '../../core/usage/usageLog';
import { type CliCommand, type CliContext, CliError } from '../context';
import { modeOption, parseCount, tableFormat, thresholdOption } from '../options';
import { type ReadyWorkspace, withWorkspace } from '../workspace';

interface SimulateOptions {
  readonly threshold?: number;
  readonly mode?: ScoringMode;
  readonly cycles?: number;
}

const EXAMPLE = `
Example:
  context-budget simulate --cycles 100
  context-budget simulate --threshold 0.4 --profile planner --json
`;

/** Tried where none is given, besides the config's own. */
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

/** From the least to the most, each once. */
function thresholdsOf(own: SimulateOptions, mode: ScoringMode, configured: number): readonly number[] {
  if (own.threshold !== undefined) return [own.threshold];
  // Other modes do not look at scores.
  if (mode !== 'dynamic') return [configured];
  return [...new Set([...THRESHOLDS, configured])].sort((left, right) => left - right);
}

async function simulation(
  context: CliContext,
  { workspace, snapshot }: ReadyWorkspace,
  own: SimulateOptions,
): Promise<Simulation> {
  const { usage } = workspace;
  if (!usage) throw new CliError('failed', 'This folder has no usage log: nothing can be simulated.');
  const { config, report } = snapshot;
  const { scoring } = config;
  const { mode = 'dynamic', cycles = scoring.window } = own;
  const { profile } = context.options;
  // Those before the simulated ones are the history that they are judged by.
  const { records, problems } = await usage.records(cycles + scoring.window);
  // Of the newest cycles the workspace has told.
  const told = new Set(snapshot.problems.map(({ message }) => message));
  for (const message of problems.map((problem) => inEnglish(usageProblemWords(problem))))
    if (!told.has(message)) context.logger.warn(message);
  const caps = profile === undefined ? {} : { caps: profileOf(config, profile) };
  const settings = { scoring: { ...scoring, mode }, cycles, ...caps };
  const thresholds = thresholdsOf(own, mode, scoring.threshold);
  const sections = report ? simulatedSections(report, config) : [];
  const results = simulateThresholds(records, sections, settings, thresholds);
  return { mode, profile, threshold: scoring.threshold, results };
}

/** `context-budget simulate`: what the last cycles would have cost, and which citations they would have lost. */
export function addSimulateCommand(program: CliCommand): void {
  program
    .command('simulate')
    .summary('replay past cycles under another threshold or profile: cost and lost citations')
    .description(
      'Replays the newest cycles of the usage log under a mode and a threshold, and shows their cost and the citations ' +
        'kept and lost. Each cycle is judged by the cycles before it. Tries several thresholds unless you give one. ' +
        '--profile uses the limits of that profile.',
    )
    .addOption(thresholdOption())
    .addOption(modeOption())
    .option('--cycles <count>', "number of newest cycles to replay (default: the config's scoring.window)", parseCount)
    .addHelpText('after', EXAMPLE)
    .does((context, own: SimulateOptions) =>
      withWorkspace(
        context,
        async (ready) => {
          const result = await simulation(context, ready, own);
          context.io.stdout.write(renderSimulation(result, tableFormat(context.options)));
          return ready.exitCode;
        },
        { waitFor: 'sections' },
      ),
    );
}
