import type { Command } from 'commander';
import type { DetailItem } from '../core/engine';
import type { ReportSection } from '../core/report/contextReport';
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

/** An item with the fields of a section (DESIGN §5.2); those of the section itself when the handle is one. */
function itemJson(item: DetailItem, sections: readonly ReportSection[]): Readonly<Record<string, unknown>> {
  const isWhole = item.linesShown === item.linesTotal;
  const section = sections.find(({ handle }) => handle === item.handle);
  return {
    id: section?.id ?? item.handle,
    title: item.title,
    // Symbols and files belong to the map, which has this priority (DESIGN §3.1).
    priority: section?.priority ?? 'P2',
    status: section?.status ?? 'OK',
    summary: section?.summary ?? item.title,
    disclosure: isWhole ? 'full' : 'summary',
    reason: isWhole ? 'asked for' : `${item.linesShown} of ${plural(item.linesTotal, 'line')}`,
    chars: item.text.length,
    tokens: item.tokens,
    tokens_full: item.tokensFull,
    citations: section?.citations ?? 0,
    roi: section?.roi ?? null,
    roi_class: section?.roiClass ?? 'no data',
    score: section?.score ?? null,
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
          const { budget, sections } = requireReport(snapshot).payloads.expanded;
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
            sections: answer.items.map((item) => itemJson(item, sections)),
            repoMap: undefined,
            notes,
          } as const;
          context.io.stdout.write(renderRequested(payload, context.options.format));
          return answer.unknown.length > 0 && exitCode === EXIT.done ? EXIT.failed : exitCode;
        });
      }),
    );
}
