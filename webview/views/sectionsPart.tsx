import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { RoiThresholds } from '../../src/core/model/usage';
import type { PanelCitation, PanelPayload, PanelSnapshot, SectionSort } from '../../src/protocol/panel';
import { detailsItem, entriesItem, fileRows, textItem } from '../entries';
import { formatCount, formatEstimate } from '../format';
import { citedBy, groupSections, isRowExact, isToldUnused, matchesFilter, type SectionGroupView } from '../model';
import { repeatedFileNames, rowName } from '../names';
import type { PanelActions } from '../panelActions';
import type { UiState } from '../state';
import { Icon } from '../ui/icon';
import { PRIORITY_TITLES, SORT_WORDS, WORDS } from '../words';
import { FILTER_TOOL_ID, FilterBar } from './filterBar';
import { Part } from './part';
import { SectionRow } from './sectionRow';

/** What a group costs; its hover says what it was offered where something had to be cut. */
function GroupTokens({ group }: { readonly group: SectionGroupView }): JSX.Element {
  const { subtotal, offered, priority } = group;
  if (offered === undefined || priority === undefined) return <span class="n">{subtotal}</span>;
  return (
    <span class="n" title={WORDS.group.usedTitle(subtotal, offered, priority)}>
      {subtotal}
    </span>
  );
}

/** What a group's priority means; in an index it decides little. */
function titleOfGroup({ priority }: SectionGroupView, { mode }: PanelPayload): string | undefined {
  return priority && (mode === 'index' ? WORDS.group.indexTitle : PRIORITY_TITLES[priority]);
}

/** The rows of one priority under a heading that says what happens to them. */
function SectionGroup(props: {
  readonly group: SectionGroupView;
  readonly payload: PanelPayload;
  readonly openIds: readonly string[];
  readonly onDemand: readonly string[];
  readonly tabStopId: string | undefined;
  readonly largestTokens: number;
  readonly repeatedNames: ReadonlySet<string>;
  readonly citations: ReadonlyMap<string, PanelCitation>;
  readonly openItems: readonly string[];
  readonly borders: RoiThresholds;
  readonly actions: PanelActions;
}): JSX.Element {
  const { group, payload, openIds, tabStopId, largestTokens, actions } = props;
  const headingId = `group-${group.priority ?? 'all'}`;
  const title = titleOfGroup(group, payload);
  return (
    <section class="cb-group" aria-labelledby={headingId}>
      <h3 id={headingId}>
        {group.priority && <b title={title}>{group.priority}</b>}
        {group.label !== '' && (
          <span class="g" title={title}>
            {group.label}
          </span>
        )}
        <GroupTokens group={group} />
      </h3>
      <ul>
        {group.sections.map((section) => (
          <SectionRow
            key={section.id}
            section={section}
            isExact={isRowExact(payload, section)}
            isOpen={openIds.includes(section.id)}
            isOnDemand={props.onDemand.includes(section.id)}
            isTabStop={section.id === tabStopId}
            fileTabStop={rowsOf(section, props).find((row) => row === tabStopId && row !== section.id)}
            name={rowName(section, props.repeatedNames)}
            barShare={Math.round((section.tokens / largestTokens) * 1000) / 1000}
            isUnused={isToldUnused(payload, section)}
            citedBy={citedBy(props.citations.get(section.id))}
            isDetailed={props.openItems.includes(detailsItem(section.id))}
            borders={props.borders}
            hasAllEntries={props.openItems.includes(entriesItem(section.id))}
            isTextToggled={props.openItems.includes(textItem(section.id))}
            actions={actions}
          />
        ))}
      </ul>
    </section>
  );
}

/** What the payload says about itself: with it the rows add up to the headline. */
function Notes({ payload }: { readonly payload: PanelPayload }): JSX.Element | null {
  const { overheadTokens: tokens, budget } = payload;
  if (tokens === 0) return null;
  return (
    <div class="cb-notes" title={WORDS.notesTitle}>
      <span class="g">{WORDS.notes}</span>
      <span class="n">
        <span class="sr">, </span>
        {budget.isExact ? formatCount(tokens) : formatEstimate(tokens)}
        <span class="sr"> {WORDS.row.tokens}</span>
      </span>
    </div>
  );
}

function FilterTool(props: { readonly isOpen: boolean; readonly actions: PanelActions }): JSX.Element {
  const { isOpen, actions } = props;
  return (
    <button
      id={FILTER_TOOL_ID}
      type="button"
      class="tool"
      aria-label={WORDS.filter.button}
      aria-pressed={isOpen}
      title={WORDS.filter.buttonTitle}
      onClick={isOpen ? actions.closeFilter : actions.openFilter}
    >
      <Icon name="filter" />
    </button>
  );
}

function SortTool(props: { readonly sort: SectionSort; readonly actions: PanelActions }): JSX.Element {
  const { title } = SORT_WORDS[props.sort];
  return (
    <button
      type="button"
      class="tool"
      aria-label={title}
      aria-haspopup="menu"
      title={title}
      onClick={() => props.actions.run('sortSections')}
    >
      <Icon name="list-ordered" />
    </button>
  );
}

function NoMatch({ actions }: { readonly actions: PanelActions }): JSX.Element {
  return (
    <p class="cb-none muted">
      {WORDS.filter.none}{' '}
      <button type="button" class="link" onClick={actions.closeFilter}>
        {WORDS.filter.clear}
      </button>
    </p>
  );
}

/** A section's own row and, of an opened folder, those of its files. */
function rowsOf(section: ReportSection, ui: Pick<UiState, 'openIds' | 'openItems'>): readonly string[] {
  const { id, files } = section;
  if (!files || !ui.openIds.includes(id)) return [id];
  return [id, ...fileRows(section, ui.openItems.includes(entriesItem(id)))];
}

/** The row that Tab reaches: the remembered one while it is shown, else the first. */
function tabStopOf(groups: readonly SectionGroupView[], ui: UiState): string | undefined {
  const { focusedId } = ui;
  const ids = groups.flatMap((group) => group.sections.flatMap((section) => rowsOf(section, ui)));
  return focusedId !== undefined && ids.includes(focusedId) ? focusedId : ids[0];
}

/** All sections of the payload, by priority. */
export function SectionsPart(props: {
  readonly snapshot: PanelSnapshot;
  readonly payload: PanelPayload;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, payload, ui, actions } = props;
  const total = payload.sections.length;
  const isFiltered = ui.filterText.trim() !== '' || ui.show.length > 0;
  const shown = payload.sections.filter((section) => matchesFilter(section, ui.filterText, ui.show));
  const groups = groupSections(payload, shown, snapshot.sort);
  const tabStopId = tabStopOf(groups, ui);
  const repeatedNames = repeatedFileNames(payload.sections);
  const citations = new Map(snapshot.cited.map((citation) => [citation.id, citation]));
  const largestTokens = Math.max(1, ...payload.sections.map((section) => section.tokens));
  return (
    <Part
      id="sections"
      title={WORDS.sections}
      summary={isFiltered ? WORDS.filter.count(shown.length, total) : formatCount(total)}
      isFolded={ui.foldedParts.includes('sections')}
      tools={
        <>
          <FilterTool isOpen={ui.isFilterOpen} actions={actions} />
          <SortTool sort={snapshot.sort} actions={actions} />
        </>
      }
      actions={actions}
    >
      {ui.isFilterOpen && (
        <FilterBar text={ui.filterText} show={ui.show} sections={payload.sections} actions={actions} />
      )}
      {groups.map((group) => (
        <SectionGroup
          key={group.priority ?? snapshot.sort}
          group={group}
          payload={payload}
          openIds={ui.openIds}
          onDemand={snapshot.onDemand}
          tabStopId={tabStopId}
          largestTokens={largestTokens}
          repeatedNames={repeatedNames}
          citations={citations}
          openItems={ui.openItems}
          borders={snapshot.scoring.roiThresholds}
          actions={actions}
        />
      ))}
      {!isFiltered && <Notes payload={payload} />}
      {groups.length === 0 && isFiltered && <NoMatch actions={actions} />}
    </Part>
  );
}
