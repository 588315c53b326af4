import type { Command } from 'commander';
import { formatCount, plural } from '../../core/text/numbers';
import { type MaskOptions, unmaskedOption } from '../masking';
import { parseCount } from '../options';
import type { RunCommand } from '../runCommand';
import { renderLayer, tellBadLines, withObservations } from '../withObservations';

interface IndexCommandOptions extends MaskOptions {
  readonly query?: string;
  readonly taskId?: string;
  readonly limit?: number;
}

const EXAMPLE = `
Example:
  context-budget index --query "worktree isolation" --limit 10
`;

/** `context-budget index`: rows of observations. */
export function addIndexCommand(program: Command, run: RunCommand): void {
  program
    .command('index')
    .summary('what happened: one line an observation, newest first')
    .description(
      'One line for each observation: id, time, task, phase, summary, and what its detail would cost. Newest first, or ' +
        "best match first with --query; within the profile's index_tokens.",
    )
    .option('--query <text>', 'only observations with these words, best match first')
    .option('--task-id <id>', 'only observations of this task')
    .option('--limit <rows>', "at most so many (default: the profile's top_k.index)", parseCount)
    .addOption(unmaskedOption())
    .addHelpText('after', EXAMPLE)
    .action((own: IndexCommandOptions, command: Command) =>
      run(command, (context) =>
        withObservations(context, async (open) => {
          const layer = await open.service.index({ ...own, isUnmasked: own.unmasked });
          await tellBadLines(context, open);
          if (layer.total === 0) {
            const why =
              own.query === undefined && own.taskId === undefined ? 'There is no observation yet' : 'None matches';
            context.logger.warn(`${why}. "context-budget ingest" takes them from run logs, "observe" records one.`);
          }
          const shown = `${formatCount(layer.rows.length)} of ${plural(layer.total, 'observation')}`;
          const notes = [`index-only; ${shown}; ask for detail by id`];
          context.io.stdout.write(renderLayer(context, open, 'index', layer, notes));
          for (const step of layer.downgradeApplied) context.logger.warn(`over the cap: ${step}`);
          return open.exitCode;
        }),
      ),
    );
}
