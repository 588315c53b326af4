import type { Command } from 'commander';
import type { PayloadMode } from '../../core/model/disclosure';
import { renderPayload } from '../../core/render/renderPayload';
import { type MaskOptions, tellMasked, unmaskedOption } from '../masking';
import { failOverOption } from '../options';
import type { RunCommand } from '../runCommand';
import { budgetExitCode, requireReport, tellNotRun, withSession } from '../withSession';

interface PayloadOptions extends MaskOptions {
  readonly expanded?: true;
  readonly failOver?: number;
  readonly query?: string;
  readonly trigger?: string;
  readonly record?: true;
}

/** `context-budget payload`: what is handed to an agent. */
export function addPayloadCommand(program: Command, run: RunCommand): void {
  program
    .command('payload')
    .summary('the payload for an agent; index-only unless --expanded')
    .description(
      'The payload for an agent, within both caps of the profile: index-only (names, summaries and handles), or expanded.',
    )
    .option('--expanded', 'sections with their text, as far as the budget goes')
    .option('--query <text>', 'what the agent is about to do: ranks the repo map, and sections that fit it are kept')
    .option(
      '--trigger <text>',
      'what makes somebody use the payload, such as the words of a heartbeat: sections that fit it are kept',
    )
    .option('--record', 'record the use in the usage log')
    .addOption(failOverOption())
    .addOption(unmaskedOption())
    .addHelpText('after', '\nExample:\n  context-budget payload --expanded --profile planner --json > context.json\n')
    .action((own: PayloadOptions, command: Command) =>
      run(command, (context) =>
        withSession(
          context,
          async ({ session, snapshot, exitCode }) => {
            const report = own.unmasked ? await session.unmasked() : requireReport(snapshot);
            const mode: PayloadMode = own.expanded ? 'expanded' : 'index';
            tellNotRun(context, report.payloads[mode]);
            tellMasked(context, report.payloads[mode].secrets);
            context.io.stdout.write(renderPayload(report, mode, context.options.format));
            // Who reads a pipe is a program, unless the caller has its own word for it.
            if (own.record) await session.usage?.record(report, { payload: mode, trigger: own.trigger ?? 'tool' });
            return budgetExitCode(report.payloads[mode], own.failOver, exitCode);
          },
          { task: own.query, trigger: own.trigger },
        ),
      ),
    );
}
