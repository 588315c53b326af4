import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { Icon, type IconName } from '../ui/icon';
import { WORDS } from '../words';

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
export function TaskField(props: {
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
