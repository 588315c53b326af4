import { Fragment, type JSX } from 'preact';
import type { ReportSection } from '../../src/core/model/report';
import type { PanelSnapshot } from '../../src/protocol/panel';
import { formatCount } from '../format';
import { type MessageView, messagesOf } from '../messages';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

function ShrinkFirst(props: {
  readonly sections: readonly ReportSection[];
  readonly actions: PanelActions;
}): JSX.Element {
  const open = (sectionId: string): void => props.actions.post({ type: 'section', action: 'open', sectionId });
  return (
    <p>
      {WORDS.messages.shrinkFirst}{' '}
      {props.sections.map((section, index) => (
        <Fragment key={section.id}>
          {index > 0 && WORDS.messages.comma}
          {section.path === undefined ? (
            section.title
          ) : (
            <button type="button" class="link" title={section.path} onClick={() => open(section.id)}>
              {section.title}
            </button>
          )}{' '}
          {formatCount(section.tokens)}
        </Fragment>
      ))}
    </p>
  );
}

function Message(props: { readonly message: MessageView; readonly actions: PanelActions }): JSX.Element {
  const { message, actions } = props;
  return (
    <div class={`cb-msg ${message.kind}`} role={message.kind === 'error' ? 'alert' : 'status'}>
      <Icon name={message.icon} />
      <div class="body">
        {message.paragraphs.map((paragraph, index) => (
          <p key={paragraph}>
            {index === 0 && <b>{message.title} </b>}
            {paragraph}
          </p>
        ))}
        {message.shrinkFirst.length > 0 && <ShrinkFirst sections={message.shrinkFirst} actions={actions} />}
        {message.links.length > 0 && (
          <div class="links">
            {message.links.map((link) => (
              <button key={link.label} type="button" class="link" onClick={() => actions.post(link.message)}>
                {link.label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * What stands above the summary: over budget, a broken config, restricted mode, files that could not be read; and below
 * the parts, what the repo map leaves out.
 */
export function MessageArea(props: {
  readonly snapshot: PanelSnapshot;
  readonly isBelow: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  return (
    <>
      {messagesOf(props.snapshot)
        .filter((message) => message.isBelow === props.isBelow)
        .map((message) => (
          <Message key={message.key} message={message} actions={props.actions} />
        ))}
    </>
  );
}
