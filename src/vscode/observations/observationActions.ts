import * as vscode from 'vscode';
import type { ObservationInput } from '../../core/observations/observation';
import { repairText } from '../../core/observations/observationLog';
import type { ObservationService } from '../../core/observations/observationService';
import { formatCount } from '../../core/text/numbers';
import { formatObservationTime } from '../../core/text/time';
import { chosen, EditorError } from '../base/editorError';
import { COMMANDS, type CommandHandlers, UNLISTED_COMMANDS, VIEWS } from '../base/ids';
import { say } from '../base/language';
import { askFilter } from '../base/treeItems';
import type { EditorServices } from '../copy/editorServices';
import type { FolderWorkspace } from '../workspace/workspaceRegistry';
import { isGroupNode, isObservationNode, type MoreObservationsNode, type ObservationNode } from './observationModel';
import { askObservation, pickDetails, pickRunLogs, pickTimeline } from './observationPicks';
import type { ObservationTree } from './observationTree';

/** Scheme of the read-only documents that show an observation's detail. */
export const OBSERVATION_SCHEME = 'context-budget-observation';

/** What findings in rows belong to. */
const OBSERVATIONS = 'observations';

/** Who records what a person types. */
const USER_ACTOR = 'user';

/** What can be done with the Observations view, its rows, and the log behind it. */
export function observationActions(
  { clipboard, log, recorder, registry, statusBar }: EditorServices,
  tree: ObservationTree,
) {
  const commands = {
    /** Records one observation: what a keybinding brings along, or what is asked for. */
    [COMMANDS.addObservation]: async (given) => {
      const { active, service } = await required();
      const input = isGiven(given) ? given : chosen(await askObservation(service));
      const { ids, repairs } = await service.observe([
        {
          ...{ actor: USER_ACTOR, type: 'note', ...input },
          ...{ ts: formatObservationTime(new Date()), precision: 'second', timeFrom: 'clock' },
        },
      ]);
      for (const repair of repairs) log.warn(repairText('observations', repair));
      recorded(active);
      statusBar.done(vscode.l10n.t('Added observation {0}', String(ids[0] ?? '')));
    },
    [COMMANDS.copyTimeline]: () => copyTimeline(undefined),
    [COMMANDS.copyDetail]: () => copyDetail(undefined),
    /** Takes what is new from run logs: the given paths, or those that are picked. What cannot be read is named in the log. */
    [COMMANDS.ingestRunLogs]: async (given) => {
      const { active, service } = await required();
      const paths = isPaths(given) ? given : chosen(await pickRunLogs(await service.sources()));
      if (paths.length === 0) return;
      const { files, ids, problems, unreadable } = await vscode.window.withProgress(
        { location: { viewId: VIEWS.observations } },
        () => service.ingest(paths),
      );
      recorded(active);
      for (const { path, line, why } of problems) log.warn(`${path}:${line}: ${why}`);
      const [first] = unreadable;
      const note = vscode.l10n.t(
        'Added {0} from {1}',
        ids.length === 1 ? vscode.l10n.t('1 observation') : vscode.l10n.t('{0} observations', formatCount(ids.length)),
        files.length === 1 ? vscode.l10n.t('1 run log') : vscode.l10n.t('{0} run logs', formatCount(files.length)),
      );
      const unread = formatCount(problems.length);
      statusBar.done(problems.length === 0 ? note : vscode.l10n.t('{0}; lines not read: {1}', note, unread));
      if (!first) return;
      const why = say(first.why);
      throw new EditorError('unreadableLog', vscode.l10n.t('{0} could not be read: {1}.', first.path, why));
    },
    [COMMANDS.searchObservations]: async (given) => {
      const title = vscode.l10n.t('Search Observations');
      const placeholder = vscode.l10n.t('Words of a summary, task, actor, phase, file or detail');
      await askFilter(tree, given, title, placeholder);
    },
    [COMMANDS.clearObservationSearch]: () => tree.setFilter(''),
    [COMMANDS.toggleObservationGrouping]: () => tree.toggleGrouping(),
    [UNLISTED_COMMANDS.groupObservationsByTime]: () => tree.setGrouping('day'),
    [UNLISTED_COMMANDS.groupObservationsByTask]: () => tree.setGrouping('task'),
    /** Opens the whole detail as a read-only document, as a preview. */
    [COMMANDS.openObservation]: async (node) => {
      const { active } = tree;
      if (!isObservationNode(node) || !active) return;
      const query = active.folder.uri.toString();
      const uri = vscode.Uri.from({ scheme: OBSERVATION_SCHEME, path: `/observation-${node.row.id}.md`, query });
      await vscode.window.showTextDocument(uri, { preview: true });
    },
    /** Copies the selected rows as an index has them. */
    [COMMANDS.copyObservationRow]: async (node) => {
      const rows = rowsMeant(node).map(({ row }) => row);
      const [first] = rows;
      if (!first) return;
      const note =
        rows.length === 1
          ? vscode.l10n.t('Copied observation {0}', String(first.id))
          : vscode.l10n.t('Copied {0} rows', formatCount(rows.length));
      const text = rows.map((row) => row.text).join('');
      await clipboard.write({ text, sectionId: OBSERVATIONS, note: () => note, active: tree.active });
    },
    [COMMANDS.copyObservationTimeline]: (node) => copyTimeline(node),
    [COMMANDS.copyObservationDetail]: (node) => copyDetail(node),
    [COMMANDS.showMoreObservations]: (node) => {
      const isMore = typeof node === 'object' && node !== null && 'kind' in node && node.kind === 'moreObservations';
      if (isMore) tree.showMore(node as MoreObservationsNode);
    },
  } satisfies CommandHandlers;

  async function provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const active = registry.all.find(({ folder }) => folder.uri.toString() === uri.query);
    const id = Number(/(\d+)\.md$/.exec(uri.path)?.[1]);
    const found = await active?.workspace.observations?.details([id]);
    const [item] = found?.items ?? [];
    if (!item) throw new EditorError('noDetail', vscode.l10n.t('Observation {0} was not found.', id));
    return `${item.source.title}\n\n${item.source.text}\n`;
  }

  /** Copies the rows around a row or of a task, within `timeline_tokens`; asks for one where none is given. */
  async function copyTimeline(node: unknown): Promise<void> {
    const { active, service } = await required();
    const around = isGroupNode(node)
      ? { taskId: node.group.key }
      : isObservationNode(node)
        ? { id: node.row.id }
        : chosen(await pickTimeline(service));
    const layer = await service.timeline({ around });
    const { rows, total } = layer;
    const shown = [formatCount(rows.length), formatCount(total)] as const;
    const note = (count: string) => vscode.l10n.t('Copied {0} of {1} rows, {2} tokens', ...shown, count);
    const unmasked = () => service.timeline({ around, isUnmasked: true });
    await clipboard.write({ ...layer, unmasked, note, active });
  }

  /** Copies details within the profile's caps: of the selected rows, else of those that are picked. */
  async function copyDetail(node: unknown): Promise<void> {
    const { active, service } = await required();
    const { profile, profiles } = active.workspace.snapshot;
    const caps = profiles.find(({ name }) => name === profile) ?? profiles[0];
    const meant = rowsMeant(node).map(({ row }) => row);
    const rows = meant.length > 0 || !caps ? meant : chosen(await pickDetails(service, caps, log));
    if (rows.length === 0) return;
    const handles = rows.map(({ id }) => String(id));
    const detail = await active.workspace.detail(handles);
    if (detail.text === '')
      throw new EditorError('noDetail', vscode.l10n.t('No detail fits the limits of the profile.'));
    const shown = formatCount(detail.items.length);
    const asRows = detail.asRows.length + detail.omitted.length;
    const note = (tokens: string) =>
      asRows === 0
        ? vscode.l10n.t('Copied details: {0}, {1} tokens', shown, tokens)
        : vscode.l10n.t('Copied details: {0}, {1} tokens; not in full: {2}', shown, tokens, formatCount(asRows));
    const unmasked = () => active.workspace.detail(handles, { isUnmasked: true });
    await clipboard.write({ ...detail, unmasked, note, active });
    recorder.handles(active, handles);
  }

  /** The rows that a menu is about: the selection when the row is in it, else the row. */
  function rowsMeant(node: unknown): readonly ObservationNode[] {
    if (!isObservationNode(node)) return [];
    const { selection } = tree;
    return selection.some(({ id }) => id === node.id) ? selection : [node];
  }

  function recorded({ workspace }: FolderWorkspace): void {
    workspace.notify({ kind: 'observations' });
    tree.follow();
  }

  /** @throws EditorError `noObservations` in a folder that keeps none */
  async function required(): Promise<{ readonly active: FolderWorkspace; readonly service: ObservationService }> {
    const active = await registry.require();
    await active.workspace.whenCollected();
    const service = active.workspace.observations;
    if (service) return { active, service };
    throw new EditorError('noObservations', vscode.l10n.t('Observations cannot be stored in {0}.', active.folder.name));
  }

  return { commands, provideTextDocumentContent };
}

function isGiven(value: unknown): value is Omit<ObservationInput, 'ts'> {
  return typeof value === 'object' && value !== null && 'summary' in value && typeof value.summary === 'string';
}

function isPaths(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((path) => typeof path === 'string');
}
