/** The task line. */
import assert from 'node:assert/strict';
import { change, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

export const TASK_CHECKS = {
  'shows the task with ways to change and to clear it, and one to set it where there is none': async (panel) => {
    await panel.show('dark', STATES.normal);
    await panel.page.getByRole('button', { name: 'Set Task…' }).click();
    await panel.send(STATES.task.snapshot);
    assert.equal(await panel.page.getByLabel('Task', { exact: true }).inputValue(), 'fix flaky login test');
    assert.equal(await panel.page.getByRole('button', { name: 'Set Task…' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Edit Task' }).click();
    await panel.page.getByRole('button', { name: 'Clear Task' }).click();
    const commands = (await panel.posted('command')).map(({ command }) => command);
    assert.deepEqual(commands, ['setTask', 'setTask', 'clearTask']);
  },

  'applies a typed task with Enter, restores the one in force with Escape, and keeps what is typed over a reload':
    async (panel) => {
      await panel.show('dark', STATES.task);
      const field = panel.page.getByLabel('Task', { exact: true });
      await field.fill('rotate the signing keys');
      await panel.send(snapshotOf(change(NORMAL, 'git', { tokens: 9 }), { task: 'fix flaky login test' }));
      assert.equal(await field.inputValue(), 'rotate the signing keys');
      await panel.page.reload();
      await panel.send(STATES.task.snapshot);
      assert.equal(await field.inputValue(), 'rotate the signing keys');
      await field.press('Escape');
      assert.equal(await field.inputValue(), 'fix flaky login test');
      await field.press('Enter');
      assert.deepEqual(await panel.posted('setTask'), []);
      await field.fill('rotate the keys');
      await field.press('Enter');
      assert.deepEqual(await panel.posted('setTask'), [{ type: 'setTask', task: 'rotate the keys' }]);
      await panel.send(snapshotOf(NORMAL, { task: 'rotate the keys' }));
      await field.press('Escape');
      assert.equal(await field.inputValue(), 'rotate the keys');
    },

  'shows one line of a long task, the rest in its title, and leaves changing it to the host': async (panel) => {
    await panel.show('dark', STATES.taskLong, 248);
    const field = panel.page.getByLabel('Task', { exact: true });
    assert.ok((await field.boundingBox()).height <= 26);
    assert.ok((await field.getAttribute('title')).includes(STATES.taskLong.snapshot.task));
    await field.press('x');
    assert.equal(await field.inputValue(), STATES.taskLong.snapshot.task);
    await field.press('Enter');
    assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'setTask' }]);
  },
};
