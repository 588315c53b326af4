import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { SHOW_ONLY, type ShowOnly } from '../../src/protocol/panel';
import { matchesFilter } from '../model';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

/** The field's id, for those who move the focus there. */
export const FILTER_FIELD_ID = 'filter-field';

/** The header tool's id; the focus returns there when the filter closes. */
export const FILTER_TOOL_ID = 'filter-tool';

/** Whether the budget leaves anything out, or cuts it, that could be shown alone. Other kinds come and go with each save. */
function isOffered(kind: ShowOnly, sections: readonly ReportSection[]): boolean {
  return (kind !== 'leftOut' && kind !== 'cut') || sections.some((section) => matchesFilter(section, '', [kind]));
}

/** Text and toggles that narrow the rows. */
export function FilterBar(props: {
  readonly text: string;
  readonly show: readonly ShowOnly[];
  readonly sections: readonly ReportSection[];
  readonly actions: PanelActions;
}): JSX.Element {
  const { text, show, sections, actions } = props;
  const kinds = SHOW_ONLY.filter((kind) => show.includes(kind) || isOffered(kind, sections));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text === '') actions.closeFilter();
    else actions.dispatch({ type: 'setFilterText', text: '' });
  };
  return (
    <div class="cb-filter">
      <div class="box">
        <input
          id={FILTER_FIELD_ID}
          class="cb-input"
          type="text"
          spellcheck={false}
          autocomplete="off"
          aria-label={WORDS.filter.field}
          placeholder={WORDS.filter.placeholder}
          value={text}
          onInput={(event) => actions.dispatch({ type: 'setFilterText', text: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="tool"
          aria-label={WORDS.filter.close}
          title={WORDS.filter.closeTitle}
          onClick={actions.closeFilter}
        >
          <Icon name="close" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a <fieldset> draws a frame and takes no flex layout everywhere */}
      <div class="opts" role="group" aria-label={WORDS.filter.showOnly}>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            class="seg-btn"
            aria-pressed={show.includes(kind)}
            onClick={() => actions.dispatch({ type: 'toggleShow', kind })}
            onKeyDown={onKeyDown}
          >
            {WORDS.filter[kind]}
          </button>
        ))}
      </div>
    </div>
  );
}
