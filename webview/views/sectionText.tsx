import type { JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import { textItem } from '../entries';
import { formatRowTokens, previewText } from '../model';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

/** More than this is slow to lay out and of no use in a sidebar; Copy and Open give the rest. */
const PREVIEW_LIMIT_CHARS = 20_000;

function sizeOf(section: ReportSection, isExact: boolean): string {
  const tokens = formatRowTokens(section, isExact);
  const isWhole = !isExact || section.tokensFull <= section.tokens;
  return isWhole ? WORDS.detail.textSize(tokens) : WORDS.detail.textSizeOf(tokens, section.tokensFull);
}

function Preview({ section }: { readonly section: ReportSection }): JSX.Element {
  const shown = previewText(section.text, PREVIEW_LIMIT_CHARS);
  return (
    <>
      {/* biome-ignore-start lint/a11y: a scrolling region must be reachable by keyboard */}
      <pre tabIndex={0} role="group" aria-label={WORDS.detail.textLabel(section.title)} data-key={`text ${section.id}`}>
        {shown}
      </pre>
      {/* biome-ignore-end lint/a11y: as above */}
      {shown.length < section.text.length && (
        <p class="small muted">{WORDS.detail.textCut(shown.length, section.text.length)}</p>
      )}
    </>
  );
}

/** The section's text as the agent gets it, behind a heading that folds it. */
export function SectionText(props: {
  readonly section: ReportSection;
  readonly isExact: boolean;
  readonly isOpen: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { section, isExact, isOpen, actions } = props;
  return (
    <div class="span">
      <h4>
        <button
          type="button"
          class="cb-turn"
          aria-expanded={isOpen}
          data-key={`fold ${section.id}`}
          onClick={() => actions.dispatch({ type: 'toggleItem', item: textItem(section.id) })}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          {WORDS.detail.text}
          <span class="n">{sizeOf(section, isExact)}</span>
        </button>
      </h4>
      {isOpen && <Preview section={section} />}
    </div>
  );
}
