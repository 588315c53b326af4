import type { Command } from 'commander';
import type { PayloadMode } from '../../core/model/disclosure';
import { renderBudgetTable } from '../../core/print/budgetTable';
import { failOverOption, tableFormat } from '../options';
import type { RunCommand } from '../runCommand';
import { budgetExitCode, requireReport, tellNotRun, withSession } from '../withSession';

interface BudgetOptions {
  readonly index?: true;
  readonly failOver?: number;
  readonly explain?: true;
}

/** `context-budget budget`: the report as a table. */
export function addBudgetCommand(program: Command, run: RunCommand): void {
  program
    .command('budget')
    .summary('what the context costs, section by section')
    .description("What an agent's context in this folder costs, section by section, against the caps of the profile.")
    .option('--index', 'numbers of the index-only payload instead of the expanded one')
    .option('--explain', 'how the score of each section came about, factor by factor')
    .addOption(failOverOption())
    .addHelpText('after', '\nExample:\n  context-budget budget --root ~/work/app --fail-over 6000\n')
    .action((own: BudgetOptions, command: Command) =>
      run(command, (context) =>
        withSession(context, async ({ snapshot, exitCode }) => {
          const report = requireReport(snapshot);
          const mode: PayloadMode = own.index ? 'index' : 'expanded';
          tellNotRun(context, report.payloads[mode]);
          context.io.stdout.write(renderBudgetTable(report, mode, tableFormat(context.options), own.explain === true));
          return budgetExitCode(report.payloads[mode], own.failOver, exitCode);
        }),
      ),
    );
}
