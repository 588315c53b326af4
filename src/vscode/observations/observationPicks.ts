/** The boxes that ask for observations: one to add, one to stand around, several to copy, and run logs to read. */

import * as vscode from 'vscode';
import { type ObservationRow, shownTime } from '../../core/model/observation';
import type { Profile } from '../../core/model/profile';
import type { ObservationInput } from '../../core/observations/observation';
import type { ObservationService, TimelineOptions } from '../../core/observations/observationService';
import type { Logger } from '../../core/ports/ports';
import { formatCount } from '../../core/text/numbers';
import { EditorError } from '../base/editorError';
import { folderOfActiveEditor, relativePath } from '../base/folders';
import { sayError } from '../base/language';
import { answerOf } from '../base/treeItems';
import { detailSum, observationIcon } from './observationModel';

/** Rows that a box offers; what is typed searches all of them. */
const OFFERED_ROWS = 100;
const OFFERED_TASKS = 30;

interface RowItem extends vscode.QuickPickItem {
  readonly row: ObservationRow;
}

function rowItem(row: ObservationRow): RowItem {
  return {
    row,
    label: `$(${observationIcon(row).icon}) ${row.summary}`,
    description: vscode.l10n.t('{0} · ~{1} tok', String(row.id), formatCount(row.detailTokens)),
    detail: [shownTime(row), row.taskId, row.phase].filter((text) => text !== '').join(' · '),
    // The search has found it already, by other words than the label's perhaps.
    alwaysShow: true,
  };
}

async function rowItems(service: ObservationService, query: string): Promise<readonly RowItem[]> {
  return (await service.list({ query, limit: OFFERED_ROWS, isUnmasked: true })).rows.map(rowItem);
}

/** Follows what is typed with what a search finds; an answer that is late is dropped. */
function searchAsTyped(
  pick: vscode.QuickPick<RowItem>,
  service: ObservationService,
  logger: Logger,
  show: (found: readonly RowItem[]) => void,
): void {
  let asked = 0;
  const search = async (query: string): Promise<void> => {
    const turn = ++asked;
    pick.busy = true;
    try {
      const found = await rowItems(service, query);
      if (turn === asked) show(found);
    } finally {
      if (turn === asked) pick.busy = false;
    }
  };
  const start = (query: string): void => {
    // Shown where the items would be: a box that stays empty says nothing.
    search(query).catch((error: unknown) => {
      logger.error('Observations could not be searched', error);
      pick.placeholder = sayError(error);
    });
  };
  pick.onDidChangeValue(start);
  start('');
}

/** Several rows to copy the details of; the title has their sum against the caps. `undefined` when it was closed. */
export async function pickDetails(
  service: ObservationService,
  profile: Profile,
  logger: Logger,
): Promise<readonly ObservationRow[] | undefined> {
  const pick = vscode.window.createQuickPick<RowItem>();
  const chosen = new Map<number, RowItem>();
  let isFilling = false;
  pick.canSelectMany = true;
  pick.placeholder = vscode.l10n.t('Select observations to copy with their detail; type to search');
  const describe = (): void => {
    pick.title = detailTitle(
      [...chosen.values()].map(({ row }) => row),
      profile,
    );
  };
  describe();
  searchAsTyped(pick, service, logger, (found) => {
    isFilling = true;
    const others = found.filter(({ row }) => !chosen.has(row.id));
    pick.items = [...chosen.values(), ...others];
    pick.selectedItems = [...chosen.values()];
    isFilling = false;
  });
  pick.onDidChangeSelection((items) => {
    if (isFilling) return;
    chosen.clear();
    for (const item of items) chosen.set(item.row.id, item);
    describe();
  });
  return answerOf(pick, () => [...chosen.values()].map(({ row }) => row));
}

/** `Copy Detail: 2 of 5, 310 of 7,500 tokens`. */
function detailTitle(rows: readonly ObservationRow[], profile: Profile): string {
  const { tokens, isOver } = detailSum(rows, profile);
  const sum = vscode.l10n.t(
    'Copy Detail: {0} of {1}, {2} of {3} tokens',
    formatCount(rows.length),
    formatCount(profile.topK.detail),
    formatCount(tokens),
    formatCount(profile.budgetTokens),
  );
  return isOver ? vscode.l10n.t('{0} (over the limit: the last ones are copied as one line each)', sum) : sum;
}

/** A task, or a row to stand around. `undefined` when it was closed. */
export async function pickTimeline(service: ObservationService): Promise<TimelineOptions['around'] | undefined> {
  type Item = vscode.QuickPickItem & { readonly around?: TimelineOptions['around'] };
  const [{ groups }, rows] = await Promise.all([service.store.groups('task', OFFERED_TASKS), rowItems(service, '')]);
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const tasks = groups
    .filter(({ key }) => key !== '')
    .map(
      ({ key, count, newest }): Item => ({
        label: `$(tasklist) ${key}`,
        description: `${newest.summary} · ${formatCount(count)}`,
        around: { taskId: key },
      }),
    );
  const items: readonly Item[] = [
    separator(vscode.l10n.t('Tasks')),
    ...tasks,
    separator(vscode.l10n.t('Around an observation')),
    ...rows.map(({ row, alwaysShow: _always, ...item }): Item => ({ ...item, around: { id: row.id } })),
  ];
  const title = vscode.l10n.t('Copy Timeline');
  const placeHolder = vscode.l10n.t('Pick a task or observation');
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  return picked?.around;
}

/** Which of the run logs that the config names. @throws EditorError `noRunLogs` when there is none */
export async function pickRunLogs(paths: readonly string[]): Promise<readonly string[] | undefined> {
  if (paths.length === 0)
    throw new EditorError(
      'noRunLogs',
      vscode.l10n.t(
        'No run log was found. The config key observations.sources lists them (default: PROGRESS.md, SUMMARY.md, runs/**/*.json and runs/**/*.jsonl).',
      ),
    );
  const picked = await vscode.window.showQuickPick(
    paths.map((label) => ({ label, picked: true })),
    { title: vscode.l10n.t('Ingest Run Logs'), placeHolder: vscode.l10n.t('Run logs to read'), canPickMany: true },
  );
  return picked?.map(({ label }) => label);
}

/** One observation, step by step: what happened, for which task, and what more there is. `undefined` when it was closed. */
export async function askObservation(service: ObservationService): Promise<Omit<ObservationInput, 'ts'> | undefined> {
  const title = vscode.l10n.t('Add Observation');
  const summary = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('What happened, in one line. Text after 120 characters becomes the detail.'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Describe in one line what happened.') : undefined),
  });
  if (summary === undefined) return undefined;
  const taskId = await askTask(service, title);
  if (taskId === undefined) return undefined;
  const more = selectedLines();
  if (!more) return { summary, taskId };
  const use = { label: vscode.l10n.t('$(selection) Use Selection as Detail'), description: more.file };
  const leave = { label: vscode.l10n.t('$(close) No Detail') };
  const picked = await vscode.window.showQuickPick([use, leave], { title });
  if (!picked) return undefined;
  return picked === use ? { summary, taskId, detail: more.text, files: [more.file] } : { summary, taskId };
}

/** A task that was used before, or what is typed; empty for none. */
async function askTask(service: ObservationService, title: string): Promise<string | undefined> {
  const { groups } = await service.store.groups('task', OFFERED_TASKS);
  const known = groups.filter(({ key }) => key !== '');
  const none = { label: vscode.l10n.t('$(close) No Task'), taskId: '' };
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly taskId: string }>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t('The task that it belongs to');
  const show = (): void => {
    const typed = pick.value.trim();
    const isNew = typed !== '' && !known.some(({ key }) => key === typed);
    pick.items = [
      ...(isNew ? [{ label: `$(add) ${typed}`, taskId: typed, alwaysShow: true }] : [none]),
      ...known.map(({ key, newest }) => ({ label: `$(tasklist) ${key}`, description: newest.summary, taskId: key })),
    ];
  };
  show();
  pick.onDidChangeValue(show);
  return answerOf(pick, () => pick.activeItems[0]?.taskId ?? pick.value.trim());
}

function selectedLines(): { readonly text: string; readonly file: string } | undefined {
  const editor = vscode.window.activeTextEditor;
  const folder = folderOfActiveEditor();
  const path = editor && folder && relativePath(folder, editor.document.uri);
  if (!editor || path === undefined || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  return { text: editor.document.getText(editor.selection), file: `${path}#L${start.line + 1}-L${end.line + 1}` };
}
