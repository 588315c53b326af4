import type { DetailItem } from '../../core/model/detail';
import { isObservationHandle } from '../../core/model/observation';
import type { ReportSection } from '../../core/model/report';
import { toJsonItem, toJsonObservation } from '../../core/render/json';
import { splitLines } from '../../core/text/elements';
import { handleCitations } from '../../core/usage/usageDraft';
import { answerDetail, type DetailAnswer, unknownWords } from '../../core/workspace/detailResolver';
import type { Workspace } from '../../core/workspace/workspace';
import { CLI_TOKENIZER, type CliCommand, type CliContext, CliError, EXIT, type ExitCode } from '../context';
import { type MaskOptions, printRequested, unmaskedOption } from '../masking';
import { parseHandles, splitHandles } from '../options';
import { withObservations } from '../withObservations';
import { requireReport, withWorkspace } from '../workspace';

interface DetailOptions extends MaskOptions {
  readonly ids?: readonly string[];
  readonly record?: true;
}

function notesOf(answer: DetailAnswer): readonly string[] {
  const { unknown, omitted, asRows, pastLimit, maxItems } = answer;
  const past = new Set(pastLimit);
  const noteOf = (what: string, handles: readonly string[]): readonly string[] => {
    const limited = handles.filter((handle) => past.has(handle));
    const full = handles.filter((handle) => !past.has(handle));
    return [
      ...(full.length > 0 ? [`${what} because the payload is full: ${full.join(', ')}`] : []),
      ...(limited.length > 0
        ? [`${what} because of the limit of ${maxItems} (top_k.detail); name them in --ids: ${limited.join(', ')}`]
        : []),
    ];
  };
  return [
    ...noteOf('one row each', asRows),
    ...(unknown.length > 0
      ? [`unknown handle: ${unknown.map((handle) => unknownWords(handle, answer)).join(', ')}`]
      : []),
    ...noteOf('left out', omitted),
  ];
}

/** `context-budget detail`: what handles stand for. */
export function addDetailCommand(program: CliCommand): void {
  program
    .command('detail')
    .summary('print the text behind handles')
    .description(
      'Prints the text behind handles: an observation (12), a section (section:soul), a symbol (sym:1f3a9c02), lines of a ' +
        'file (file:src/a.ts#L10-L40), or the text from a line on (section:soul#L41). Paths, src/a.ts:12, Class.method and ' +
        "whole rows work too. Each is limited by the profile's detail_tokens, and all together by its budget_tokens. " +
        'Exits with code 1 if a handle is unknown, and prints the others.',
    )
    .argument('[handles...]', 'the same as --ids')
    .option('--ids <handle...>', 'handles, separated by commas or spaces')
    .addOption(unmaskedOption())
    .option('--record', 'add the requested sections to the usage log')
    .addHelpText('after', "\nExample:\n  context-budget detail --ids '12,section:soul,file:src/a.ts#L10-L40'\n")
    .does(async (context, given: string[], own: DetailOptions) => {
      const named = [...(own.ids ?? []), ...given];
      if (named.length === 0) throw new CliError('usage', 'Name at least one handle, for example section:agents-md.');
      const handles = parseHandles(named, '--ids');
      const isQuick = handles.every(isOfObservation) && !own.record;
      return isQuick ? detailOfIds(context, handles, own) : detailOfAll(context, named, own);
    });
}

function optionsOf({ unmasked }: MaskOptions) {
  return { isUnmasked: unmasked === true, isNamed: true };
}

/** An observation, or its lines from one on. */
function isOfObservation(handle: string): boolean {
  return isObservationHandle(splitLines(handle).base);
}

/** Ids alone: nothing of the folder but its observations is read. */
function detailOfIds(context: CliContext, handles: readonly string[], own: MaskOptions): Promise<ExitCode> {
  return withObservations(context, async ({ folder, service, engine, profile, exitCode }) => {
    const world = {
      engine,
      files: folder.files,
      maxFileBytes: 0,
      isIndexReady: false,
      isOpenable: async () => false,
      observation: async (id: number) => (await service.details([id])).items[0],
      sectionText: async () => undefined,
    };
    const answer = await answerDetail(world, handles, profile, CLI_TOKENIZER, optionsOf(own));
    return print(context, answer, { profile: profile.name, ...profile }, [], exitCode);
  });
}

/** Handles of lists; a path may hold commas, so a list that is a handle as a whole is not split. */
async function handlesOf(workspace: Workspace, lists: readonly string[]): Promise<readonly string[]> {
  const several = lists.map((list) => list.trim()).filter((list) => splitHandles(list).length > 1);
  const known = several.length === 0 ? undefined : await workspace.resolve(several);
  const isWhole = (list: string) => known?.unknown.includes(list) === false || known?.noLines.has(list) === true;
  const whole = new Set(several.filter(isWhole));
  return [...new Set(lists.flatMap((list) => (whole.has(list.trim()) ? [list.trim()] : splitHandles(list))))];
}

function detailOfAll(context: CliContext, lists: readonly string[], own: DetailOptions): Promise<ExitCode> {
  return withWorkspace(context, async ({ workspace, snapshot, exitCode }) => {
    const handles = await handlesOf(workspace, lists);
    const answer = await workspace.detail(handles, optionsOf(own));
    const report = requireReport(snapshot);
    const { budget, sections } = report.payloads.expanded;
    const code = print(context, answer, { profile: snapshot.profile, ...budget }, sections, exitCode);
    const known = handles.filter((handle) => !answer.unknown.includes(handle));
    const cited = own.record ? handleCitations(report, known) : [];
    if (cited.length > 0) await workspace.usage?.cite(report, cited, { isFollowUp: true });
    return code;
  });
}

interface Caps {
  readonly profile: string;
  readonly budgetTokens: number;
  readonly hardCapChars: number;
}

function print(
  context: CliContext,
  answer: DetailAnswer,
  caps: Caps,
  sections: readonly ReportSection[],
  exitCode: ExitCode,
): ExitCode {
  const notes = notesOf(answer);
  for (const note of notes) context.logger.error(note);
  // The whole of an observation has the last word over some of its lines.
  const whole = answer.items.map(({ handle, text }) => ({ handle, text, base: splitLines(handle).base }));
  const sorted = whole.toSorted((a, b) => Number(a.handle === a.base) - Number(b.handle === b.base));
  const shown = new Map(sorted.map(({ base, text }) => [base, text]));
  const omitted = new Set(answer.omitted.map((handle) => splitLines(handle).base));
  const rows = answer.observations.filter(({ id }) => !omitted.has(String(id)));
  const items = answer.items.filter(({ handle }) => !isOfObservation(handle));
  const sectionOf = (item: DetailItem) => sections.find(({ handle }) => handle === item.handle);
  printRequested(context, caps, {
    ...answer,
    mode: 'detail',
    profile: caps.profile,
    sections: items.map((item) => toJsonItem(item, sectionOf(item))),
    details: answer.items,
    observations: rows.length > 0 ? rows.map((row) => toJsonObservation(row, shown.get(String(row.id)))) : undefined,
    notes,
  });
  return answer.unknown.length > 0 && exitCode === EXIT.done ? EXIT.failed : exitCode;
}
