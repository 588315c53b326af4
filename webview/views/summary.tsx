import type { JSX } from 'preact';
import type { PayloadMode } from '../../src/core/model/section';
import type { PanelFinding, PanelPayload, PanelSnapshot } from '../../src/protocol/panel';
import { copyNote } from '../copyNote';
import { bindingCharacters, type HeadlineFlag, headlineView } from '../gauge';
import type { PanelActions } from '../panelActions';
import { taskToApply, type UiState } from '../state';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';
import { Gauge } from './gauge';

/** A text, and a shorter one for a narrow panel where that differs. */
function Fitting({ text, short }: { readonly text: string; readonly short: string }): JSX.Element {
  if (text === short) return <>{text}</>;
  return (
    <>
      <span class="wide">{text}</span>
      <span class="narrow">{short}</span>
    </>
  );
}

/** Shows the sections of one kind alone; pressed again it clears the filter. The focus stays on it. */
function Flag(props: {
  readonly flag: HeadlineFlag;
  readonly isPressed: boolean;
  readonly actions: PanelActions;
}): JSX.Element {
  const { flag, isPressed, actions } = props;
  return (
    <button
      type="button"
      class={`cb-flag is-${flag.tone}`}
      data-key={`flag ${flag.kind}`}
      aria-pressed={isPressed}
      title={flag.title}
      onClick={() => actions.dispatch(isPressed ? { type: 'closeFilter' } : { type: 'showOnly', kind: flag.kind })}
    >
      {flag.tone !== 'plain' && <Icon name={flag.tone === 'alert' ? 'error' : 'warning'} />}
      <Fitting text={flag.text} short={flag.short} />
    </button>
  );
}

/** Group headings stick below the headline, which may wrap: `--head` is where it ends. */
const headObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (!(target instanceof HTMLElement)) continue;
    target.closest<HTMLElement>('.cb')?.style.setProperty('--head', `${target.offsetHeight}px`);
  }
});

function observeHead(head: HTMLElement | null): void {
  headObserver.disconnect();
  if (head) headObserver.observe(head);
}

/** The one line that says how it stands, always in sight. */
export function Headline(props: {
  readonly snapshot: PanelSnapshot;
  readonly ui: UiState;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, ui, actions } = props;
  const { total, over, counting, flags } = headlineView(snapshot);
  return (
    <div class="cb-head" ref={observeHead}>
      <h2>
        {total && (
          <>
            {total.before || null}
            <strong>{total.used}</strong>
            {total.after || null}
          </>
        )}
        {!total && counting?.text}
      </h2>
      {over && <span class="over">{over}</span>}
      {total && counting && (
        <span class="counting" title={counting.title}>
          <Fitting text={counting.text} short={counting.short} />
        </span>
      )}
      {flags.map((flag) => (
        <Flag
          key={flag.kind}
          flag={flag}
          isPressed={ui.show.length === 1 && ui.show[0] === flag.kind}
          actions={actions}
        />
      ))}
    </div>
  );
}

/** The gauge, and what its number is. */
export function PayloadSize(props: { readonly snapshot: PanelSnapshot; readonly actions: PanelActions }): JSX.Element {
  const { snapshot, actions } = props;
  const { payload, mode, profile } = snapshot;
  const characters = payload && bindingCharacters(payload);
  const what = mode === 'index' ? WORDS.gauge.whatIndex : WORDS.gauge.what;
  return (
    <section class="cb-meter" aria-label={WORDS.gauge.region}>
      <Gauge payload={payload} actions={actions} />
      {characters && <p class={characters.isOver ? 'what alert' : 'what binding'}>{characters.text}</p>}
      <p class="what">
        {what(profile)}{' '}
        <button type="button" class="link" onClick={() => actions.run('changeLimit')}>
          {WORDS.gauge.change}
        </button>
      </p>
    </section>
  );
}

/** The one thing to change first. Review changes nothing; the action is the host's. */
export function Finding(props: { readonly finding: PanelFinding; readonly actions: PanelActions }): JSX.Element {
  const { key, title, evidence, review, action } = props.finding;
  const { dispatch, post, review: show, focusTask } = props.actions;
  const apply = (): void => {
    // What was reviewed is done: all rows are of interest again.
    dispatch({ type: 'applyFinding', key });
    post({ type: 'applyFinding', key });
  };
  return (
    <section class="cb-find" aria-label={WORDS.finding.region}>
      <Icon name="lightbulb" />
      <strong title={title}>{title}</strong>
      <span class="why">{evidence}</span>
      <span class="acts">
        {review && (
          <button type="button" class="link" data-key="finding review" onClick={() => show(review, key)}>
            {WORDS.finding.review}
          </button>
        )}
        {action && (
          <button
            type="button"
            class="link"
            data-key="finding apply"
            title={action.title}
            onClick={() => (action.isTask ? focusTask() : apply())}
          >
            {action.label}
          </button>
        )}
      </span>
    </section>
  );
}

/**
 * What the work is about. Enter or the button applies it, Shift+Enter begins another line, Escape restores the one in
 * force; what is typed stays until one of them, and the button says that it is not in force yet.
 */
function TaskField(props: {
  readonly task: string;
  readonly changes: PanelSnapshot['changes'];
  readonly draft: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element {
  const { task, changes, draft, actions } = props;
  const pending = taskToApply(task, draft);
  const restore = (): void => actions.dispatch({ type: 'draftTask', text: undefined });
  const apply = (typed: string): void => {
    // Blank ends are not kept, so a task that differs by them alone is the same.
    if (typed !== task && typed.trim() === task) restore();
    // What is shown as in force may be older than what was applied last, so the host decides whether it is the same.
    else actions.post({ type: 'setTask', task: typed });
  };
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter and Escape of an input method are its own.
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      // What stands in the field: the draft of the last drawing may lack what was typed right before the key.
      const typed = event.currentTarget.value;
      if (draft !== undefined || typed !== task) apply(typed);
    } else if (event.key === 'Escape' && draft !== undefined) {
      event.preventDefault();
      restore();
    }
  };
  return (
    <span class="cb-task">
      <textarea
        id="task"
        rows={2}
        spellcheck={false}
        aria-label={WORDS.form.task}
        placeholder={changes ? changesLine(changes) : WORDS.form.taskPlaceholder}
        title={WORDS.form.taskTitle}
        value={draft ?? task}
        onInput={(event) => actions.dispatch({ type: 'draftTask', text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        class="tool"
        aria-pressed={changes !== undefined}
        aria-label={WORDS.form.changes}
        title={changes ? WORDS.form.changesStopTitle : WORDS.form.changesTitle}
        onClick={() => actions.run('toggleChanges')}
      >
        <Icon name="git-compare" />
      </button>
      {pending !== undefined && (
        <button type="button" class="link" title={WORDS.form.applyTaskTitle} onClick={() => apply(pending)}>
          {WORDS.form.applyTask}
        </button>
      )}
    </span>
  );
}

function changesLine({ base, files }: NonNullable<PanelSnapshot['changes']>): string {
  return base === undefined ? WORDS.form.changes : WORDS.form.changesPlaceholder(base, files);
}

/** Whose limits apply. */
function ProfileSelect(props: { readonly snapshot: PanelSnapshot; readonly actions: PanelActions }): JSX.Element {
  const { profile, profiles } = props.snapshot;
  const names = profiles.includes(profile) ? profiles : [profile, ...profiles];
  return (
    <span class="cb-profile">
      <select
        id="profile"
        aria-label={WORDS.form.profile}
        title={WORDS.form.profile}
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
  );
}

const KINDS: readonly { readonly mode: PayloadMode; readonly label: string; readonly title: string }[] = [
  { mode: 'index', label: WORDS.form.index, title: WORDS.form.indexTitle },
  { mode: 'expanded', label: WORDS.form.expanded, title: WORDS.form.expandedTitle },
];

/** Which of the two payloads is shown and copied: a radio group with one Tab stop. */
function PayloadKind(props: { readonly mode: PayloadMode; readonly actions: PanelActions }): JSX.Element {
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
    <div class="cb-radio" role="radiogroup" aria-label={WORDS.form.kind}>
      {KINDS.map(({ mode, label, title }) => (
        // biome-ignore lint/a11y/useSemanticElements: an <input> cannot be drawn as a segmented control
        <button
          key={mode}
          type="button"
          role="radio"
          aria-checked={mode === props.mode}
          tabIndex={mode === props.mode ? 0 : -1}
          title={title}
          onClick={() => choose(mode)}
          onKeyDown={onKeyDown}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function copyTitle(payload: PanelPayload | undefined, masked: PanelSnapshot['masked']): { title?: string } {
  return payload ? { title: copyNote(payload, masked) } : {};
}

/** What the payload is made for, and the primary action, split: copy the shown payload, or choose another from the host's list. */
export function Toolbar(props: {
  readonly snapshot: PanelSnapshot;
  readonly isCopyPending: boolean;
  readonly taskDraft: string | undefined;
  readonly actions: PanelActions;
}): JSX.Element {
  const { snapshot, isCopyPending, taskDraft, actions } = props;
  return (
    <section class="cb-tools" aria-label={WORDS.form.region}>
      <TaskField task={snapshot.task} changes={snapshot.changes} draft={taskDraft} actions={actions} />
      <ProfileSelect snapshot={snapshot} actions={actions} />
      <PayloadKind mode={snapshot.mode} actions={actions} />
      <div class="cb-split">
        <Button onClick={actions.copyPayload} {...copyTitle(snapshot.payload, snapshot.masked)}>
          {isCopyPending ? WORDS.form.copyPending : WORDS.form.copy}
        </Button>
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
    </section>
  );
}
