import type { JSX } from 'preact';
import type { DroppedEntry, DroppedGroup } from '../../src/core/relay/relayView';
import type { RelayStatus } from '../../src/core/relay/relayWatch';
import { formatCount } from '../format';
import { listed, say } from '../language';
import type { PanelActions } from '../panelActions';
import {
  droppedCount,
  dueCaption,
  type EssentialRow,
  essentialRow,
  type RelayRead,
  recoveryWords,
  relayButtons,
  relayHeader,
} from '../relay';
import type { UiState } from '../state';
import { Icon } from '../ui/icon';
import { TRIGGER_WORDS, WORDS } from '../words';
import { Part } from './part';

interface ItemProps {
  readonly isOpen: boolean;
  readonly actions: PanelActions;
}

function Mark({ row }: { readonly row: EssentialRow }): JSX.Element {
  return (
    <>
      <Icon name={row.isMissing ? 'warning' : 'check'} />
      <span class="name">
        {row.title}
        <span class="sr">{row.isMissing ? WORDS.relay.missing : WORDS.relay.present}, </span>
      </span>
      <span class="line">{row.line}</span>
    </>
  );
}

/** The whole of an essential: a list has an item a line. */
function EssentialText({ row, id }: { readonly row: EssentialRow; readonly id: string }): JSX.Element {
  return (
    <div class="whole" id={id}>
      {row.texts.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
      {row.charsLeftOut > 0 && <p class="muted">{WORDS.relay.cut(row.charsLeftOut)}</p>}
    </div>
  );
}

/** One essential. What is missing, and an empty list, have nothing to open. */
function Essential({ row, isOpen, actions }: ItemProps & { readonly row: EssentialRow }): JSX.Element {
  const id = `relay-${row.key}`;
  const look = row.isMissing ? 'essential no' : 'essential ok';
  if (row.texts.length === 0) {
    return (
      <li>
        <div class={look} title={row.tooltip}>
          <Mark row={row} />
        </div>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        class={look}
        title={row.tooltip}
        data-key={`relay ${row.key}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => actions.dispatch({ type: 'toggleRelayItem', item: row.key })}
      >
        <Mark row={row} />
      </button>
      {isOpen && <EssentialText row={row} id={id} />}
    </li>
  );
}

const groupKey = ({ field, rule }: DroppedGroup): string => `${field} ${rule}`;

const entryText = ({ text, words }: DroppedEntry): string => (words ? say(words) : text);

/** What one rule drops; its entries when it is open. */
function Dropped({ group, isOpen, actions }: ItemProps & { readonly group: DroppedGroup }): JSX.Element {
  const { field, count, entries } = group;
  const words = say(group.words);
  const rest = count - entries.length;
  return (
    <li>
      <button
        type="button"
        class="rule"
        title={WORDS.relay.rule(field, words)}
        data-key={`relay ${field}.${group.rule}`}
        aria-expanded={isOpen}
        onClick={() => actions.dispatch({ type: 'toggleRelayItem', item: groupKey(group) })}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="what">
          <span class="field">{field}</span> <span class="why">{words}</span>
        </span>
        <span class="count">
          <span class="sr">, </span>
          {formatCount(count)}
          <span class="sr"> {WORDS.relay.droppedWord}</span>
        </span>
      </button>
      {isOpen && (
        <ul class="entries">
          {entries.map((entry, at) => (
            <li key={at} title={entryText(entry)}>
              {entry.index !== undefined && <span class="muted">{`[${entry.index}] `}</span>}
              {entryText(entry) || WORDS.relay.blank}
            </li>
          ))}
          {rest > 0 && <li class="muted">{WORDS.relay.moreEntries(rest)}</li>}
        </ul>
      )}
    </li>
  );
}

function Recovery({ relay }: { readonly relay: RelayRead }): JSX.Element | null {
  const words = recoveryWords(relay);
  if (!words) return null;
  return (
    <div class="recovery">
      <Icon name="warning" />
      <p>
        <b>{words.state}</b> {WORDS.relay.sentence(words.since)} {words.advice}
      </p>
    </div>
  );
}

/** Health alarms that stand: compaction never drops them. */
function Alarms({ relay: { view } }: { readonly relay: RelayRead }): JSX.Element | null {
  if (view.alarms.length === 0) return null;
  return (
    <>
      <h3>{WORDS.relay.alarms}</h3>
      <ul class="due">
        {view.alarms.map((alarm, at) => (
          <li key={at}>{alarm}</li>
        ))}
        {view.alarmsLeft > 0 && <li class="muted">{WORDS.relay.moreEntries(view.alarmsLeft)}</li>}
      </ul>
    </>
  );
}

function Triggers({ relay }: { readonly relay: RelayRead }): JSX.Element {
  return (
    <>
      <h3>
        {WORDS.relay.triggers} <span>{dueCaption(relay)}</span>
      </h3>
      {relay.due.length > 0 && (
        <ul class="due">
          {relay.due.map(({ kind, why }) => (
            <li key={kind}>
              <b>{WORDS.relay.trigger(TRIGGER_WORDS[kind])}</b> {say(why)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Read({ relay, ui, actions }: PartProps & { readonly relay: RelayRead }): JSX.Element {
  const { view } = relay;
  const isOpen = (item: string): boolean => ui.openRelayItems.includes(item);
  const count = droppedCount(relay);
  return (
    <>
      <Recovery relay={relay} />
      <ul class="essentials">
        {view.essentials.map((essential) => (
          <Essential
            key={essential.key}
            row={essentialRow(essential)}
            isOpen={isOpen(essential.key)}
            actions={actions}
          />
        ))}
      </ul>
      {view.problem !== undefined && <p class="problem">{say(view.problem)}</p>}
      <Alarms relay={relay} />
      <Triggers relay={relay} />
      <h3>
        {WORDS.relay.drops} <span>{count === 0 ? WORDS.relay.dropsNothing : WORDS.relay.dropCount(count)}</span>
      </h3>
      {count > 0 && (
        <ul class="rules">
          {view.dropped.map((group) => (
            <Dropped key={groupKey(group)} group={group} isOpen={isOpen(groupKey(group))} actions={actions} />
          ))}
        </ul>
      )}
      {view.passedThrough.length > 0 && <p class="muted">{WORDS.relay.passed(listed(view.passedThrough))}</p>}
    </>
  );
}

interface PartProps {
  readonly ui: UiState;
  readonly actions: PanelActions;
}

/** The folder's relay context: what is there, what is missing, what compaction would drop, and what a relay may do. */
export function RelayPart({ relay, ui, actions }: PartProps & { readonly relay: RelayStatus }): JSX.Element {
  return (
    <Part
      id="relay"
      title={WORDS.relay.title}
      summary={relayHeader(relay)}
      isFolded={ui.foldedParts.includes('relay')}
      actions={actions}
    >
      <div class="cb-relay">
        {relay.kind === 'read' ? (
          <Read relay={relay} ui={ui} actions={actions} />
        ) : (
          <p class="problem">{WORDS.relay.rule(relay.path, say(relay.message))}</p>
        )}
        <div class="cb-rowacts">
          {relayButtons(relay).map(({ command, icon, label, title }) => (
            <button
              key={command}
              type="button"
              title={title}
              data-key={`relay ${command}`}
              onClick={() => actions.run(command)}
            >
              <Icon name={icon} />
              {label}
            </button>
          ))}
        </div>
      </div>
    </Part>
  );
}
