import { Option } from 'commander';
import { ObservationError } from '../../core/observations/observationError';
import { type CliCommand, CliError, EXIT } from '../context';
import { type MaskOptions, unmaskedOption } from '../masking';
import { parseCount } from '../options';
import { printLayer, withObservations } from '../withObservations';

interface TimelineCommandOptions extends MaskOptions {
  readonly taskId?: string;
  readonly id?: number;
  readonly window?: number;
}

const EXAMPLE = `
Example:
  context-budget timeline --id 12 --window 9
  context-budget timeline --task-id TASK-1
`;

function aroundOf({ taskId, id }: TimelineCommandOptions): { readonly id: number } | { readonly taskId: string } {
  if (id !== undefined) return { id };
  if (taskId !== undefined) return { taskId };
  throw new CliError('usage', 'Give --id N or --task-id T.');
}

/** `context-budget timeline`: rows around one, in time order. */
export function addTimelineCommand(program: CliCommand): void {
  program
    .command('timeline')
    .summary('list the observations around one, or of a task')
    .description(
      'Lists rows in time order: around one observation (--id), or the newest of a task (--task-id); limited by the ' +
        "profile's timeline_tokens. Exits with code 1 if there is no such id or task.",
    )
    .addOption(new Option('--task-id <id>', 'the newest observations of this task').conflicts('id'))
    .addOption(new Option('--id <id>', 'the observations around this one').argParser(parseCount))
    .option('--window <rows>', "maximum number of rows (default: the profile's top_k.timeline)", parseCount)
    .addOption(unmaskedOption())
    .addHelpText('after', EXAMPLE)
    .does(async (context, own: TimelineCommandOptions) => {
      const around = aroundOf(own);
      return withObservations(context, async (open) => {
        try {
          const layer = await open.service.timeline({ around, window: own.window, isUnmasked: own.unmasked });
          return await printLayer(context, open, 'timeline', layer);
        } catch (error) {
          if (!ObservationError.is(error, 'unknown')) throw error;
          context.logger.error(error.message);
          return EXIT.failed;
        }
      });
    });
}
