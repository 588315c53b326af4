import { Component, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { Status } from '../../src/core/model/section';
import type { RoiClass } from '../../src/core/model/usage';
import { cssPercent } from '../format';
import { formatRowTokens } from '../model';
import type { RowName } from '../names';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { DISCLOSURE_WORDS, ROI_WORDS, WORDS } from '../words';
import { SectionDetail } from './sectionDetail';

const CHIP_CLASSES: Readonly<Record<RoiClass, string>> = {
  WASTE: 'chip roi WASTE',
  LOW: 'chip roi',
  'MED+': 'chip roi MED',
  'no data': 'chip roi',
};

/** What a section returned for its size. */
function RoiChip(props: {
  readonly roiClass: RoiClass;
  /** Where the class begins and ends. */
  readonly title: string;
}): JSX.Element {
  const { roiClass, title } = props;
  return (
    <span class={CHIP_CLASSES[roiClass]} title={title}>
      <span class="sr">{WORDS.row.return} </span>
      {ROI_WORDS[roiClass].label}
    </span>
  );
}

const STATUS_ICONS: Readonly<Record<Status, IconName>> = { OK: 'check', WARN: 'warning', ALERT: 'error' };

function badgeOf(section: ReportSection): { readonly kind: string; readonly icon: IconName; readonly word: string } {
  if (section.isNotRun) return { kind: '', icon: 'circle-slash', word: WORDS.row.notRun };
  if (section.isPending) return { kind: '', icon: 'sync', word: WORDS.row.counting };
  return { kind: section.status, icon: STATUS_ICONS[section.status], word: section.status };
}

/** A section's status as icon and word. */
function Badge({ section }: { readonly section: ReportSection }): JSX.Element {
  const { kind, icon, word } = badgeOf(section);
  return (
    <span class={`badge ${kind}`}>
      <Icon name={icon} />
      {word}
      <span class="sr">,</span>
    </span>
  );
}

interface SectionRowProps {
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOpen: boolean;
  /** The config wants it on demand. */
  readonly isOnDemand: boolean;
  /** The one row of the list that Tab reaches. */
  readonly isTabStop: boolean;
  readonly name: RowName;
  /** Tokens relative to the largest section. */
  readonly barShare: number;
  /** What its class of return means under the config in force; undefined where no section has any return yet. */
  readonly roiTitle: string | undefined;
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
    hasSource: section.path !== undefined,
    preventDefaultContextMenuItems: true,
  });
}

function rowClass({ disclosure, isPending }: ReportSection, isOpen: boolean): string {
  const isOff = disclosure === 'omitted' && !isPending;
  return `cb-row${isOff ? ' off' : ''}${isOpen ? ' open' : ''}`;
}

function Name({ section, name }: { readonly section: ReportSection; readonly name: RowName }): JSX.Element {
  return (
    <span class={section.isPinned ? 'name pinned' : 'name'} title={section.title}>
      <span class={name.isFolder ? 'base folder-first' : 'base'}>
        <bdi>{name.main}</bdi>
      </span>
      {section.isPinned && <Icon name="pinned" />}
      <span class="sr">,</span>
      {name.rest !== '' && (
        <span class="rest">
          {name.rest}
          <span class="sr">,</span>
        </span>
      )}
      {section.isPinned && section.reason !== WORDS.row.pinned && <span class="sr">{WORDS.row.pinned},</span>}
    </span>
  );
}

function Tokens({ section, isExact }: { readonly section: ReportSection; readonly isExact: boolean }): JSX.Element {
  const isKnown = isExact || section.tokens > 0;
  return (
    <span class="tok">
      <span aria-hidden={!isKnown}>{formatRowTokens(section, isExact)}</span>
      <span class="sr">{isKnown ? ` ${WORDS.row.tokens},` : `${WORDS.row.notCounted},`}</span>
    </span>
  );
}

function Words({ section }: { readonly section: ReportSection }): JSX.Element {
  return (
    <span class="meta">
      <Badge section={section} />
      {!section.isPending && (
        <span class="text">
          <span class="disc">
            {DISCLOSURE_WORDS[section.disclosure]}
            <span class="sr">,</span>
          </span>
          <span class="why" title={section.reason}>
            {section.reason}
            <span class="sr">,</span>
          </span>
        </span>
      )}
    </span>
  );
}

/** One section as a disclosure button and, opened, its detail. Drawn again only when one of its props changed. */
export class SectionRow extends Component<SectionRowProps> {
  override shouldComponentUpdate(next: SectionRowProps): boolean {
    const now = this.props;
    return (
      next.section !== now.section ||
      next.isExact !== now.isExact ||
      next.isOpen !== now.isOpen ||
      next.isOnDemand !== now.isOnDemand ||
      next.isTabStop !== now.isTabStop ||
      next.name.main !== now.name.main ||
      next.name.rest !== now.name.rest ||
      next.barShare !== now.barShare ||
      next.roiTitle !== now.roiTitle ||
      next.hasAllEntries !== now.hasAllEntries ||
      next.isTextToggled !== now.isTextToggled ||
      next.actions !== now.actions
    );
  }

  override render(props: SectionRowProps): JSX.Element {
    const { section, isExact, isOpen, isOnDemand, isTabStop, name, barShare, roiTitle, actions } = props;
    const { id } = section;
    const detailId = `detail-${id}`;
    return (
      <li class={rowClass(section, isOpen)} data-vscode-context={menuContext(section, isOnDemand)}>
        <button
          type="button"
          data-row={id}
          data-key={`row ${id}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailId : undefined}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => actions.dispatch({ type: 'setOpen', sectionId: id, isOpen: !isOpen })}
          onFocus={() => actions.dispatch({ type: 'focusRow', sectionId: id })}
          onKeyDown={(event) => actions.onRowKey(id, event)}
        >
          <span class="tw">
            <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          </span>
          <Name section={section} name={name} />
          <span class="size">{section.tokens > 0 && <i style={{ width: cssPercent(barShare) }} />}</span>
          <Tokens section={section} isExact={isExact} />
          <Words section={section} />
          {roiTitle !== undefined && <RoiChip roiClass={section.roiClass} title={roiTitle} />}
        </button>
        {isOpen && (
          <SectionDetail
            id={detailId}
            section={section}
            isExact={isExact}
            isOnDemand={isOnDemand}
            hasAllEntries={props.hasAllEntries}
            isTextToggled={props.isTextToggled}
            actions={actions}
          />
        )}
      </li>
    );
  }
}
