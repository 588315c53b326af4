import type { JSX } from 'preact';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

/** What the work is about, with ways to change and to clear it; without one a link to set it. */
export function TaskLine(props: { readonly task: string; readonly actions: PanelActions }): JSX.Element {
  const { task, actions } = props;
  const { form } = WORDS;
  const set = (): void => actions.run('setTask');
  if (task === '') {
    return (
      <div class="cb-task">
        <button type="button" class="link" title={form.setTaskTitle} onClick={set}>
          {form.setTask}
        </button>
      </div>
    );
  }
  return (
    <div class="cb-task">
      <span class="label">{form.task}</span>
      <span class="text" title={`${form.taskTitle}: ${task}`}>
        {task}
      </span>
      <button type="button" class="tool" aria-label={form.editTask} title={form.editTask} onClick={set}>
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="tool"
        aria-label={form.clearTask}
        title={form.clearTask}
        onClick={() => actions.run('clearTask')}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
