import { Component, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { RoiThresholds } from '../../src/core/model/usage';
import { formatThousands } from '../../src/protocol/panel';
import { cssPercent } from '../format';
import { formatRowTokens, type RowNote, rowNote } from '../model';
import type { RowName } from '../names';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';
import { RowActions } from './rowActions';
import { SectionDetail } from './sectionDetail';

const NOTE_ICONS: Readonly<Record<RowNote['kind'], IconName | undefined>> = {
  plain: undefined,
  warn: 'warning',
  alert: 'error',
  notRun: 'circle-slash',
  leftOut: undefined,
};

interface SectionRowState {
  /** The row was pointed at or focused: before that it needs none of its buttons. */
  readonly hasActions: boolean;
}

interface SectionRowProps {
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOpen: boolean;
  /** The config wants it on demand. */
  readonly isOnDemand: boolean;
  /** The one row of the list that Tab reaches. */
  readonly isTabStop: boolean;
  /** The same, where it is a file of this opened folder. */
  readonly fileTabStop: string | undefined;
  readonly name: RowName;
  /** Tokens relative to the largest section. */
  readonly barShare: number;
  /** The row says that its section is never used. */
  readonly isUnused: boolean;
  /** By what the last recorded reply cited the section; undefined where it did not. */
  readonly citedBy: string | undefined;
  readonly isDetailed: boolean;
  /** Where the classes of return begin. */
  readonly borders: RoiThresholds;
  /** All entries are listed, not the first few. */
  readonly hasAllEntries: boolean;
  /** The text is folded where it is open at first, or open where it is folded. */
  readonly isTextToggled: boolean;
  readonly actions: PanelActions;
}

/** What the host's context menu needs to know about the row under it (`webview/context` in the manifest). */
function menuContext(section: ReportSection, isOnDemand: boolean): string {
  return JSON.stringify({
    webviewSection: 'section',
    sectionId: section.id,
    isPinned: section.isPinned,
    isExcluded: section.isExcluded,
    isOnDemand,
    isAlwaysFull: section.priority === 'P0',
    hasSource: section.path !== undefined,
    preventDefaultContextMenuItems: true,
  });
}

function rowClass({ disclosure, isPending }: ReportSection, note: RowNote | undefined, isOpen: boolean): string {
  const isLeftOut = note?.kind === 'leftOut';
  const isOff = (disclosure === 'omitted' && !isPending) || isLeftOut;
  const isBad = note !== undefined && note.kind !== 'plain';
  const states = { bad: isBad, left: isLeftOut, off: isOff, open: isOpen };
  const names = Object.entries(states).flatMap(([name, isSo]) => (isSo ? [name] : []));
  return ['cb-row', ...names].join(' ');
}

/** What the row says besides: whole, or shorter where a narrow panel has no room for it. */
function Note({ note, section }: { readonly note: RowNote; readonly section: ReportSection }): JSX.Element {
  const { kind, text, short } = note;
  const icon = NOTE_ICONS[kind];
  const isAlarm = kind !== 'plain' && kind !== 'notRun' && section.status !== 'OK';
  return (
    <span class={`why ${kind}`} title={text}>
      {icon && <Icon name={icon} />}
      <span class="words">
        {isAlarm && <span class="sr">{WORDS.row.status(section.status)} </span>}
        {short === text ? (
          text
        ) : (
          <>
            <span class="short">{short}</span>
            <span class="long">{text}</span>
          </>
        )}
        <span class="sr">,</span>
      </span>
    </span>
  );
}

/** That a reply cited the section: the mark always, its words where there is room for them. */
function Cited({ by }: { readonly by: string }): JSX.Element {
  const words = WORDS.row.citedBy(by);
  return (
    <>
      <Icon name="check" />
      <span class="why" title={words}>
        <span class="short">{WORDS.row.cited}</span>
        <span class="long">{words}</span>
        <span class="sr">,</span>
      </span>
    </>
  );
}

function Name(props: {
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly name: RowName;
  readonly note: RowNote | undefined;
  readonly citedBy: string | undefined;
}): JSX.Element {
  const { section, name, note, citedBy } = props;
  const marks = { pinned: section.isPinned, cited: citedBy !== undefined, cut: section.isCut === true };
  const shown = Object.entries(marks).flatMap(([mark, isSo]) => (isSo ? [mark] : []));
  return (
    <span class={['name', ...shown].join(' ')} title={section.title}>
      <span class={name.isFolder ? 'base folder-first' : 'base'}>
        <bdi>{name.main}</bdi>
      </span>
      <span class="sr">,</span>
      {section.isPinned && (
        <>
          <Icon name="pinned" />
          <span class="sr">{WORDS.row.pinned},</span>
        </>
      )}
      {citedBy !== undefined && <Cited by={citedBy} />}
      {section.isCut && props.isExact && (
        <span class="why of">
          {WORDS.row.ofFull(formatThousands(section.tokensFull))}
          <span class="sr">,</span>
        </span>
      )}
      {name.isFolder && (
        <span class="why">
          {name.rest}
          <span class="sr">,</span>
        </span>
      )}
      {note?.kind === 'plain' && <Note note={note} section={section} />}
    </span>
  );
}

function Tokens({ section, isExact }: { readonly section: ReportSection; readonly isExact: boolean }): JSX.Element {
  const isKnown = (isExact || section.tokens > 0) && !section.isNotRun;
  const { isCut, tokens, tokensFull } = section;
  return (
    <span class="tok" title={isCut && isExact ? WORDS.row.cutTitle(tokens, tokensFull) : undefined}>
      <span aria-hidden={!isKnown}>{formatRowTokens(section, isExact)}</span>
      <span class="sr">{isKnown ? ` ${WORDS.row.tokens}` : WORDS.row.notCounted}</span>
    </span>
  );
}

/** One section as a disclosure button and, opened, its detail. Drawn again only when one of its props changed. */
export class SectionRow extends Component<SectionRowProps, SectionRowState> {
  override state: SectionRowState = { hasActions: false };

  readonly #showActions = (): void => this.setState({ hasActions: true });

  override shouldComponentUpdate(next: SectionRowProps, nextState: SectionRowState): boolean {
    const now = this.props;
    return (
      nextState.hasActions !== this.state.hasActions ||
      next.section !== now.section ||
      next.isExact !== now.isExact ||
      next.isOpen !== now.isOpen ||
      next.isOnDemand !== now.isOnDemand ||
      next.isTabStop !== now.isTabStop ||
      next.fileTabStop !== now.fileTabStop ||
      next.name.main !== now.name.main ||
      next.name.rest !== now.name.rest ||
      next.barShare !== now.barShare ||
      next.isUnused !== now.isUnused ||
      next.citedBy !== now.citedBy ||
      next.isDetailed !== now.isDetailed ||
      next.borders.waste !== now.borders.waste ||
      next.borders.med !== now.borders.med ||
      next.hasAllEntries !== now.hasAllEntries ||
      next.isTextToggled !== now.isTextToggled ||
      next.actions !== now.actions
    );
  }

  override render(props: SectionRowProps, { hasActions }: SectionRowState): JSX.Element {
    const { section, isExact, isOpen, isOnDemand, isTabStop, name, barShare, actions } = props;
    const { id } = section;
    const detailId = `detail-${id}`;
    const note = rowNote(section, props.isUnused);
    return (
      <li
        class={rowClass(section, note, isOpen)}
        data-vscode-context={menuContext(section, isOnDemand)}
        onPointerEnter={this.#showActions}
      >
        <button
          type="button"
          data-row={id}
          data-key={`row ${id}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailId : undefined}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => actions.dispatch({ type: 'setOpen', sectionId: id, isOpen: !isOpen })}
          onFocus={() => {
            this.#showActions();
            actions.dispatch({ type: 'focusRow', sectionId: id });
          }}
          onKeyDown={(event) => actions.onRowKey(id, event)}
        >
          <span class="tw">
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          </span>
          <Name section={section} isExact={isExact} name={name} note={note} citedBy={props.citedBy} />
          {note && note.kind !== 'plain' && <Note note={note} section={section} />}
          {note?.kind !== 'leftOut' && (
            <>
              <span class="size">{section.tokens > 0 && <i style={{ width: cssPercent(barShare) }} />}</span>
              <Tokens section={section} isExact={isExact} />
            </>
          )}
        </button>
        {hasActions && !isOpen && (
          <RowActions section={section} isOnDemand={isOnDemand} look="hover" actions={actions} />
        )}
        {isOpen && (
          <SectionDetail
            id={detailId}
            section={section}
            isExact={isExact}
            isOnDemand={isOnDemand}
            citedBy={props.citedBy}
            isDetailed={props.isDetailed}
            hasAllEntries={props.hasAllEntries}
            isTextToggled={props.isTextToggled}
            fileTabStop={props.fileTabStop}
            borders={props.borders}
            actions={actions}
          />
        )}
      </li>
    );
  }
}
