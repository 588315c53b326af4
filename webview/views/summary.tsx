import type { JSX } from 'preact';
import type { PayloadMode } from '../../src/core/model/section';
import type { MaskedKeys, PanelPayload, PanelSnapshot } from '../../src/protocol/panel';
import { copyNote } from '../copyNote';
import { cssPercent } from '../format';
import { charactersView } from '../gauge';
import { headlineView } from '../model';
import type { PanelActions } from '../panelActions';
import { prefixSentence, sectionNames } from '../relevance';
import { Button } from '../ui/button';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';
import { Gauge } from './gauge';

function Tool(props: { readonly icon: IconName; readonly label: string; readonly onClick: () => void }): JSX.Element {
  const { icon, label, onClick } = props;
  return (
    <button type="button" class="tool" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/**
 * What the work is about: typed here, Enter applies and Escape restores; or chosen in the host's list, which also offers
 * whole texts. A task that does not fit on one line is shown, and changed there alone.
 */
function TaskField(props: {
  readonly snapshot: PanelSnapshot;
  readonly draft: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, draft, actions } = props;
  const { task, isTaskCut } = snapshot;
  const ask = (): void => actions.run('setTask');
  const restore = (): void => actions.dispatch({ type: 'draftTask', text: undefined });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (isTaskCut) ask();
      else if (draft?.trim() === task) restore();
      else if (draft !== undefined) actions.post({ type: 'setTask', task: draft });
    } else if (event.key === 'Escape' && draft !== undefined) {
      event.preventDefault();
      restore();
    }
  };
  return (
    <>
      <label for="task">{WORDS.form.task}</label>
      <span class={task === '' ? 'cb-task' : 'cb-task set'}>
        <input
          id="task"
          class="cb-input"
          type="text"
          spellcheck={false}
          autocomplete="off"
          readOnly={isTaskCut}
          placeholder={WORDS.form.taskPlaceholder}
          title={task === '' ? WORDS.form.taskTitle : `${WORDS.form.taskTitle}: ${task}`}
          value={draft ?? task}
          onInput={(event) => actions.dispatch({ type: 'draftTask', text: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        <Tool icon="edit" label={task === '' ? WORDS.form.setTask : WORDS.form.editTask} onClick={ask} />
        {task !== '' && <Tool icon="close" label={WORDS.form.clearTask} onClick={() => actions.run('clearTask')} />}
      </span>
    </>
  );
}

const OPTIONS: readonly { readonly mode: PayloadMode; readonly label: string; readonly title: string }[] = [
  { mode: 'index', label: WORDS.form.index, title: WORDS.form.indexTitle },
  { mode: 'expanded', label: WORDS.form.expanded, title: WORDS.form.expandedTitle },
];

/** Which of the two payloads is shown and copied: a radio group with one Tab stop. */
function PayloadModeChoice(props: { readonly mode: PayloadMode; readonly actions: PanelActions }): JSX.Element {
  const choose = (mode: PayloadMode): void => {
    if (mode !== props.mode) props.actions.post({ type: 'setMode', mode });
  };
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLButtonElement>): void => {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    const button = event.currentTarget;
    const other = button.nextElementSibling ?? button.previousElementSibling;
    if (!(other instanceof HTMLButtonElement)) return;
    other.focus();
    other.click();
  };
  return (
    <>
      <span class="label" id="payload-label">
        {WORDS.form.payload}
      </span>
      <div class="cb-radio" role="radiogroup" aria-labelledby="payload-label">
        {OPTIONS.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: an <input> cannot be drawn as a segmented control
          <button
            key={option.mode}
            type="button"
            role="radio"
            aria-checked={option.mode === props.mode}
            tabIndex={option.mode === props.mode ? 0 : -1}
            title={option.title}
            onClick={() => choose(option.mode)}
            onKeyDown={onKeyDown}
          >
            {option.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** The one line that says how it stands; its alert part filters the rows. */
function Headline(props: { readonly snapshot: PanelSnapshot; readonly actions: PanelActions }): JSX.Element {
  const view = headlineView(props.snapshot);
  const { dispatch } = props.actions;
  return (
    <h2 class="cb-headline">
      <span>
        {view.total && <strong>{view.total}</strong>}
        {view.over && <span class="is-alert">{view.over}</span>}
        {view.counting && <span class="muted long">{view.counting}</span>}
        {view.countingShort && <span class="muted short">{view.countingShort}</span>}
        {view.alerts && (
          <button
            type="button"
            title={WORDS.headline.alertsTitle}
            onClick={() => dispatch({ type: 'showOnly', kind: 'alerts' })}
          >
            {view.alerts}
          </button>
        )}
        {view.earnNothing && (
          <button
            type="button"
            title={WORDS.headline.earnNothingTitle(props.snapshot.scoring.window)}
            onClick={() => dispatch({ type: 'showOnly', kind: 'earnNothing' })}
          >
            {view.earnNothing}
          </button>
        )}
      </span>
    </h2>
  );
}

/** The primary action, split: copy the shown payload, or choose another from the host's list. */
function CopyButton(props: {
  readonly payload: PanelPayload | undefined;
  readonly masked: MaskedKeys | undefined;
  readonly isPending: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { payload, masked, isPending, actions } = props;
  const note = payload && copyNote(payload, masked);
  return (
    <div class="cb-actions">
      <div class="cb-split">
        <Button onClick={actions.copyPayload}>{isPending ? WORDS.form.copyPending : WORDS.form.copy}</Button>
        <Button
          class="more"
          label={WORDS.form.moreCopy}
          title={WORDS.form.moreCopyTitle}
          hasPopup
          onClick={() => actions.run('moreCopyActions')}
        >
          <Icon name="chevron-down" />
        </Button>
      </div>
      {note && (
        <span class="cb-note" title={note}>
          {note}
        </span>
      )}
    </div>
  );
}

/** Whose caps apply. */
function ProfileSelect(props: { readonly snapshot: PanelSnapshot; readonly actions: PanelActions }): JSX.Element {
  const { profile, profiles } = props.snapshot;
  const names = profiles.includes(profile) ? profiles : [profile, ...profiles];
  return (
    <>
      <label for="profile">{WORDS.form.profile}</label>
      <span class="cb-selectbox">
        <select
          id="profile"
          class="cb-select"
          title={WORDS.form.profileTitle}
          value={profile}
          onChange={(event) => props.actions.post({ type: 'setProfile', profile: event.currentTarget.value })}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </>
  );
}

/** Characters against the hard cap, as a thin rail. */
function CharactersMeter({ payload }: { readonly payload: PanelPayload | undefined }): JSX.Element {
  if (!payload) return <div class="cb-chars" />;
  const view = charactersView(payload);
  return (
    <div class={`cb-chars${view.isOver ? ' over' : view.isNear ? ' near' : ''}`}>
      <span>{view.label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot be drawn the same in all themes */}
      <span
        class="thin"
        role="meter"
        aria-label={WORDS.characters.label}
        aria-valuemin={0}
        aria-valuemax={view.valueMax}
        aria-valuenow={view.valueNow}
        aria-valuetext={view.valueText}
      >
        <i style={{ width: cssPercent(view.share), '--cap': cssPercent(view.capAt) }} />
        {view.isOver && <span class="mark" style={{ left: cssPercent(view.capAt) }} />}
      </span>
    </div>
  );
}

/** The line's words; none until the log is read. */
function sentenceOf(snapshot: PanelSnapshot): string {
  const { usage } = snapshot;
  if (!usage) return '';
  return usage.prefix ? prefixSentence(usage.prefix, sectionNames(snapshot)) : WORDS.prefix.none;
}

/**
 * How much of the payload a provider's prompt cache still holds. Absent where nothing was recorded; where something was,
 * it keeps its place, so that nothing below moves with profile and payload.
 */
function PrefixLine(props: { readonly snapshot: PanelSnapshot; readonly hasHistory: boolean }): JSX.Element | null {
  if (!props.hasHistory) return null;
  const sentence = sentenceOf(props.snapshot);
  return (
    <p class="cb-prefix" title={sentence === '' ? undefined : `${sentence}. ${WORDS.prefix.title}.`}>
      {sentence}
    </p>
  );
}

/** Headline, gauge, what can be chosen and the primary action. */
export function Summary(props: {
  readonly snapshot: PanelSnapshot;
  readonly isCopyPending: boolean;
  readonly hasHistory: boolean;
  readonly taskDraft: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, isCopyPending, hasHistory, taskDraft, actions } = props;
  return (
    <section class="cb-summary" aria-label={WORDS.summary}>
      <Headline snapshot={snapshot} actions={actions} />
      <Gauge payload={snapshot.payload} actions={actions} />
      <CharactersMeter payload={snapshot.payload} />
      <PrefixLine snapshot={snapshot} hasHistory={hasHistory} />
      <div class="cb-form">
        <ProfileSelect snapshot={snapshot} actions={actions} />
        <PayloadModeChoice mode={snapshot.mode} actions={actions} />
        <TaskField snapshot={snapshot} draft={taskDraft} actions={actions} />
      </div>
      <CopyButton payload={snapshot.payload} masked={snapshot.masked} isPending={isCopyPending} actions={actions} />
    </section>
  );
}
