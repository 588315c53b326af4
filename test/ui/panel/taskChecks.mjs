/** The task. */
import assert from 'node:assert/strict';
import { change, NORMAL, snapshotOf } from './snapshots.mjs';
import { STATES } from './states.mjs';

export const TASK_CHECKS = {
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

  'says that a typed task is not in force yet, by a button that applies it and moves nothing': async (panel) => {
    for (const width of [248, 560]) {
      await panel.show('dark', STATES.task, width);
      const field = panel.page.getByLabel('Task', { exact: true });
      const apply = panel.page.locator('.cb-task').getByRole('button', { name: 'Apply', exact: true });
      const before = await panel.page.locator('.cb-tools').boundingBox();
      assert.equal(await apply.count(), 0);
      await field.fill('fix flaky login test ');
      assert.equal(await apply.count(), 0, 'a blank end is no other task');
      await field.fill('rotate the keys');
      assert.deepEqual(await panel.page.locator('.cb-tools').boundingBox(), before);
      await apply.click();
      assert.deepEqual((await panel.posted('setTask')).at(-1), { type: 'setTask', task: 'rotate the keys' });
      await panel.send(snapshotOf(NORMAL, { task: 'rotate the keys' }));
      await apply.waitFor({ state: 'detached' });
    }
  },

  'copies for what is typed as the task, and by itself where that is in force': async (panel) => {
    await panel.show('dark', STATES.task);
    const copy = () => panel.page.getByRole('button', { name: 'Copy Payload', exact: true }).click();
    await panel.page.getByLabel('Task', { exact: true }).fill('rotate the keys');
    await copy();
    await panel.send(snapshotOf(NORMAL, { task: 'rotate the keys' }));
    await copy();
    const posted = await panel.page.evaluate(() => window.posted.slice(1));
    assert.deepEqual(posted, [
      { type: 'copyFor', task: 'rotate the keys' },
      { type: 'command', command: 'copyPayload' },
    ]);
  },

  'takes several lines with Shift+Enter, and shows them as they were typed': async (panel) => {
    await panel.show('dark', STATES.normal);
    const field = panel.page.getByLabel('Task', { exact: true });
    assert.equal(await field.getAttribute('placeholder'), 'Describe your task');
    await field.pressSequentially('Totals are wrong');
    await field.press('Shift+Enter');
    await field.pressSequentially('since 4.2');
    assert.deepEqual(await panel.posted('setTask'), []);
    await field.press('Enter');
    const task = 'Totals are wrong\nsince 4.2';
    assert.deepEqual(await panel.posted('setTask'), [{ type: 'setTask', task }]);
    await panel.send(snapshotOf(NORMAL, { task }));
    assert.equal(await field.inputValue(), task);
    await field.fill('');
    await field.press('Enter');
    assert.deepEqual((await panel.posted('setTask')).at(-1), { type: 'setTask', task: '' });
  },

  'applies what is typed while an earlier task is not in force yet': async (panel) => {
    await panel.show('dark', STATES.normal);
    const field = panel.page.getByLabel('Task', { exact: true });
    await field.fill('rotate the keys');
    await field.press('Enter');
    await field.fill('');
    await panel.send(snapshotOf(NORMAL, { task: 'rotate the keys' }));
    assert.equal(await field.inputValue(), '');
    await field.press('Enter');
    assert.deepEqual((await panel.posted('setTask')).at(-1), { type: 'setTask', task: '' });
    // So it is where the earlier one is shown only after that.
    await panel.send(snapshotOf(NORMAL));
    await field.fill('rotate the keys');
    await field.press('Enter');
    await field.fill('');
    await field.press('Enter');
    assert.deepEqual((await panel.posted('setTask')).at(-1), { type: 'setTask', task: '' });
  },

  'shows what changed in place of a task by a toggle, says against what, and takes a typed task instead': async (
    panel,
  ) => {
    for (const theme of ['dark', 'hc-light']) {
      await panel.show(theme, STATES.normal, 248);
      const field = panel.page.getByLabel('Task', { exact: true });
      const toggle = panel.page.getByRole('button', { name: 'Changed since main', exact: true });
      assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
      const before = await panel.page.locator('.cb-tools').boundingBox();
      await toggle.click();
      assert.deepEqual(await panel.posted('command'), [{ type: 'command', command: 'toggleChanges' }]);
      await panel.send(snapshotOf(NORMAL, { changes: { base: 'origin/main', files: 3 } }));
      assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
      assert.equal(await toggle.getAttribute('title'), 'Stop showing what changed');
      assert.equal(await field.getAttribute('placeholder'), 'Changed since origin/main: 3 files');
      assert.deepEqual(await panel.page.locator('.cb-tools').boundingBox(), before);
      await panel.send(snapshotOf(NORMAL, { changes: { base: undefined, files: 0 } }));
      assert.equal(await field.getAttribute('placeholder'), 'Changed since main');
      await field.fill('rotate the keys');
      // The two buttons in the field do not cover each other.
      const apply = await panel.page
        .locator('.cb-task')
        .getByRole('button', { name: 'Apply', exact: true })
        .boundingBox();
      const pressed = await toggle.boundingBox();
      assert.ok(pressed.y + pressed.height <= apply.y + 2, JSON.stringify([pressed, apply]));
      await field.press('Enter');
      assert.deepEqual((await panel.posted('setTask')).at(-1), { type: 'setTask', task: 'rotate the keys' });
    }
  },

  'leaves Enter to an input method that is composing': async (panel) => {
    await panel.show('dark', STATES.normal);
    const field = panel.page.getByLabel('Task', { exact: true });
    await field.fill('修复登录');
    const enter = { key: 'Enter', bubbles: true, cancelable: true };
    const dispatch = (init) =>
      field.evaluate((element, given) => element.dispatchEvent(new KeyboardEvent('keydown', given)), init);
    assert.equal(await dispatch({ ...enter, isComposing: true }), true);
    assert.deepEqual(await panel.posted('setTask'), []);
    assert.equal(await dispatch(enter), false);
    assert.deepEqual(await panel.posted('setTask'), [{ type: 'setTask', task: '修复登录' }]);
  },

  'has two lines for a long task, and all of it to scroll to': async (panel) => {
    await panel.show('dark', STATES.taskLong, 248);
    const field = panel.page.getByLabel('Task', { exact: true });
    assert.equal((await field.boundingBox()).height, 46);
    assert.equal(await field.inputValue(), STATES.taskLong.snapshot.task);
  },
};
