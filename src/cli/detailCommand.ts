import type { Command } from 'commander';
import type { DetailItem } from '../core/engine';
import { plural } from '../core/report/words';
import type { DetailAnswer } from '../core/session/session';
import { EXIT } from './exitCode';
import { parseHandles } from './options';
import { renderRequested } from './requestedPayload';
import type { RunCommand } from './runCommand';
import { requireReport, withSession } from './withSession';

interface DetailOptions {
  readonly ids: readonly string[];
}

function itemJson(item: DetailItem): Readonly<Record<string, unknown>> {
  const isWhole = item.linesShown === item.linesTotal;
  return {
    id: item.handle,
    title: item.title,
    disclosure: isWhole ? 'full' : 'summary',
    reason: isWhole ? 'asked for' : `${item.linesShown} of ${plural(item.linesTotal, 'line')}`,
    chars: item.text.length,
    tokens: item.tokens,
    tokens_full: item.tokensFull,
    handle: item.handle,
    text: item.text,
  };
}

function notesOf({ unknown, omitted }: DetailAnswer): readonly string[] {
  return [
    ...(unknown.length > 0 ? [`nothing has the handle ${unknown.join(', ')}`] : []),
    ...(omitted.length > 0 ? [`left out because the payload is full: ${omitted.join(', ')}`] : []),
  ];
}

/** `context-budget detail`: what handles stand for. */
export function addDetailCommand(program: Command, run: RunCommand): void {
  program
    .command('detail')
    .summary('the text behind handles')
    .description(
      'The text behind handles: a section (section:soul), a symbol (sym:1f3a9c02), lines of a file (file:src/a.ts#L10-L40). ' +
        "Each is held to the profile's detail_tokens. Exit code 1 when a handle is unknown; the others are printed.",
    )
    .requiredOption('--ids <handle...>', 'handles, parted by commas or blanks')
    .addHelpText('after', "\nExample:\n  context-budget detail --ids 'section:soul,file:src/a.ts#L10-L40'\n")
    .action((own: DetailOptions, command: Command) =>
      run(command, async (context) => {
        const handles = parseHandles(own.ids, '--ids');
        return withSession(context, async ({ session, snapshot, exitCode }) => {
          const answer = await session.detail(handles);
          const { budget } = requireReport(snapshot).payloads.expanded;
          const notes = notesOf(answer);
          for (const note of notes) context.logger.error(note);
          const payload = {
            mode: 'detail',
            profile: snapshot.profile,
            budgetTokens: budget.budgetTokens,
            hardCapChars: budget.hardCapChars,
            tokenizer: budget.tokenizer,
            text: answer.text,
            tokens: answer.tokens,
            sections: answer.items.map(itemJson),
            repoMap: undefined,
            notes,
          } as const;
          context.io.stdout.write(renderRequested(payload, context.options.format));
          return answer.unknown.length > 0 && exitCode === EXIT.done ? EXIT.failed : exitCode;
        });
      }),
    );
}
