import { Component, type JSX } from 'preact';
import { categoryKey, type PanelPayload, type PanelWindow } from '../../src/protocol/panel';
import type { WindowAction } from '../../src/protocol/panelAction';
import { cssPercent } from '../format';
import type { PanelActions } from '../panelActions';
import type { UiState } from '../state';
import { Icon, type IconName } from '../ui/icon';
import { Toolbar } from '../ui/toolbar';
import { type WindowRow, windowBarView, windowPartView } from '../window';
import { WINDOW_ACTION_WORDS, WINDOW_WORDS } from '../words/window';
import { Part } from './part';

/** How full the agent's window is before the first word; a click opens what it is full of. */
export function WindowBar(props: {
  readonly window: PanelWindow;
  readonly payload: PanelPayload | undefined;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element {
  const { actions, ui } = props;
  const { label, note, pieces, spoken } = windowBarView(props.window, props.payload?.budget);
  const open = (event: MouseEvent): void => {
    const kind = event.target instanceof HTMLElement ? event.target.dataset.kind : undefined;
    const category = props.window.categories.find((each) => each.kind === kind);
    const item = category && categoryKey(category.kind);
    if (item !== undefined && !ui.openItems.includes(item)) actions.dispatch({ type: 'toggleItem', item });
    actions.review({ part: 'window' });
  };
  return (
    <section class="cb-window" aria-label={WINDOW_WORDS.bar}>
      <button
        type="button"
        class="cb-pick"
        aria-haspopup="menu"
        data-key="window pick"
        title={WINDOW_WORDS.select}
        onClick={() => actions.run('selectWindow')}
      >
        <span>{label}</span>
        <Icon name="chevron-down" />
      </button>
      <p class="note">{note}</p>
      <button type="button" class="cb-strip" data-key="window strip" title={WINDOW_WORDS.show} onClick={open}>
        <span class="sr">{spoken}</span>
        <span class="segs" aria-hidden="true">
          {pieces.map(({ kind, share, title }) => (
            <span
              key={kind}
              class={`seg of-${kind}`}
              data-kind={kind}
              title={title}
              style={{ width: cssPercent(share) }}
            />
          ))}
          <span class="free" title={WINDOW_WORDS.free} />
        </span>
      </button>
    </section>
  );
}

interface RowProps {
  readonly row: WindowRow;
  readonly depth: number;
  readonly openItems: readonly string[];
  readonly actions: PanelActions;
}

function RowContent({ row, isOpen }: { readonly row: WindowRow; readonly isOpen: boolean | undefined }): JSX.Element {
  return (
    <>
      <span class="tw">{isOpen !== undefined && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />}</span>
      <span class="name">
        <span class="base">
          {row.name}
          <span class="sr">, </span>
        </span>
        {!row.isWarning && row.note !== undefined && (
          <span class="why">
            {row.note}
            <span class="sr">, </span>
          </span>
        )}
      </span>
      {row.isWarning && (
        <span class="why warn">
          <Icon name="warning" />
          <span class="words">{row.note}</span>
          <span class="sr">, </span>
        </span>
      )}
      <span class="size" aria-hidden="true">
        {row.share > 0 && <i style={{ width: cssPercent(row.share) }} />}
      </span>
      <span class="tok">
        {row.tokens}
        <span class="sr"> {WINDOW_WORDS.tokens}</span>
      </span>
    </>
  );
}

const ACTION_ICONS: Readonly<Record<WindowAction, IconName>> = {
  measure: 'play',
  onDemand: 'fold',
  disable: 'circle-slash',
  open: 'go-to-file',
};

function RowToolbar({ row, actions }: Pick<RowProps, 'row' | 'actions'>): JSX.Element {
  const { key, name } = row;
  return (
    <Toolbar
      class="cb-hover"
      label={WINDOW_WORDS.actions(name)}
      buttons={row.actions.map((action) => {
        const { label, title } = WINDOW_ACTION_WORDS[action];
        return {
          ...{ place: action, icon: ACTION_ICONS[action], label, isIcon: true, class: 'tool', key: `${action} ${key}` },
          title: `${label}: ${title}`,
          onClick: () => actions.post({ type: 'window', action, key }),
        };
      })}
    />
  );
}

/** A row that opens to more, leads to its file, or says all there is. */
function Row({ row, depth, openItems, actions }: RowProps): JSX.Element {
  const { key, path, rows } = row;
  const isOpen = rows.length > 0 ? openItems.includes(key) : undefined;
  const classes = `cb-load depth-${depth}${row.isWarning ? ' bad' : ''}${row.isMuted ? ' off' : ''}`;
  const content = <RowContent row={row} isOpen={isOpen} />;
  return (
    <li>
      <div class="cb-loadrow">
        {isOpen !== undefined && (
          <button
            type="button"
            class={classes}
            aria-expanded={isOpen}
            data-key={key}
            onClick={() => actions.dispatch({ type: 'toggleItem', item: key })}
          >
            {content}
          </button>
        )}
        {isOpen === undefined && path !== undefined && (
          <button
            type="button"
            class={classes}
            data-key={key}
            title={WINDOW_WORDS.open(path)}
            onClick={() => actions.post({ type: 'window', action: 'open', key })}
          >
            {content}
          </button>
        )}
        {isOpen === undefined && path === undefined && <div class={classes}>{content}</div>}
        {row.actions.length > 0 && <RowToolbar row={row} actions={actions} />}
      </div>
      {isOpen && (
        <ul>
          {rows.map((each) => (
            <Row key={each.key} row={each} depth={depth + 1} openItems={openItems} actions={actions} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface WindowPartProps {
  readonly window: PanelWindow;
  readonly isFolded: boolean;
  readonly openItems: readonly string[];
  readonly actions: PanelActions;
}

/** What the agent loads by itself, by category down to tool and file. Drawn again only when that changed. */
export class WindowPart extends Component<WindowPartProps> {
  override shouldComponentUpdate(next: WindowPartProps): boolean {
    const now = this.props;
    return (
      next.window !== now.window ||
      next.isFolded !== now.isFolded ||
      next.openItems !== now.openItems ||
      next.actions !== now.actions
    );
  }

  override render({ window, isFolded, openItems, actions }: WindowPartProps): JSX.Element {
    const { summary, rows } = windowPartView(window);
    return (
      <Part id="window" title={WINDOW_WORDS.title} summary={summary} isFolded={isFolded} actions={actions}>
        <ul class="cb-loads">
          {rows.map((row) => (
            <Row key={row.key} row={row} depth={0} openItems={openItems} actions={actions} />
          ))}
        </ul>
        <p class="cb-home small muted">
          {window.hasHome ? WINDOW_WORDS.withHome : WINDOW_WORDS.withoutHome}{' '}
          <button type="button" class="link" data-key="window home" onClick={() => actions.run('toggleHomeFiles')}>
            {window.hasHome ? WINDOW_WORDS.stop : WINDOW_WORDS.include}
          </button>
        </p>
      </Part>
    );
  }
}
