import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GroupNode, ObservationNode, ObservationTreeNode } from '../../src/vscode/observations/observationModel';
import type { ObservationTree } from '../../src/vscode/observations/observationTree';
import { host, testWith } from './host';
import {
  clipboardAfter,
  closeEditors,
  expanded,
  extensionApi,
  ready,
  remove,
  root,
  section,
  until,
  write,
} from './support';

const LOG = '.context-budget/observations.jsonl';

/** Two tasks on two days, as agents write them. */
const PROGRESS = `# Progress

| Time | Task ID | Actor | Phase | Event | Result |
| --- | --- | --- | --- | --- | --- |
| 2026-02-03 09:00:00 | TASK-1 | planner | plan | split the order report | three steps |
| 2026-02-03 10:00:00 | TASK-1 | implementer | implement | wrote summarize() | tests failed: totals are off by one |
| 2026-02-04 11:00:00 | TASK-1 | verifier | verify | ran the suite | all 12 tests passed |
| 2026-02-04 12:00:00 | TASK-2 | planner | plan | looked at discounts | 折扣计算方案 |
`;

async function tree(): Promise<ObservationTree> {
  return (await extensionApi()).observations();
}

async function roots(): Promise<readonly ObservationTreeNode[]> {
  return (await tree()).getChildren();
}

async function groups(): Promise<readonly GroupNode[]> {
  return (await roots()).filter((node) => node.kind === 'observationGroup');
}

async function rowsOf(node?: GroupNode): Promise<readonly ObservationNode[]> {
  return (await (await tree()).getChildren(node)).filter((child) => child.kind === 'observation');
}

async function allRows(): Promise<readonly ObservationNode[]> {
  return (await Promise.all((await groups()).map(rowsOf))).flat();
}

async function row(summary: RegExp): Promise<ObservationNode> {
  const { value } = await until(`a row ${summary}`, async () =>
    (await allRows()).find((node) => summary.test(node.row.summary)),
  );
  return value;
}

/** Ids go on from test to test, since none is used twice: the id of the k-th row of `PROGRESS`. */
async function nth(k: number): Promise<number> {
  const ids = (await allRows()).map(({ row: { id } }) => id);
  return Math.min(...ids) + k - 1;
}

async function setCapture(name: string, isOn: boolean | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('contextBudget');
  await configuration.update(`capture.${name}`, isOn, vscode.ConfigurationTarget.Workspace);
}

/** The Observations view: rows, groups, search, what is copied, what is added, and what is recorded by itself. */
export function observationTests(): void {
  suite('the Observations view', () => {
    suiteSetup(async () => {
      await ready();
      await vscode.commands.executeCommand('contextBudget.observations.focus');
    });
    setup(async () => {
      await write('PROGRESS.md', PROGRESS);
      await vscode.commands.executeCommand('contextBudget.ingestRunLogs', ['PROGRESS.md']);
      await until('the rows are there', async () => (await groups()).length > 0);
    });
    teardown(async () => {
      await vscode.commands.executeCommand('contextBudget.clearObservationSearch');
      await vscode.commands.executeCommand('contextBudget.groupObservationsByTime');
      await closeEditors();
      await remove('PROGRESS.md');
      await remove(LOG);
      await until('the view is empty', async () => (await roots()).length === 0);
    });

    test('lists days, newest first, with the rows of each', async () => {
      const [newest, older] = await groups();
      assert.deepEqual([newest?.group.key, older?.group.key], ['2026-02-04', '2026-02-03']);
      const ids = (await rowsOf(newest)).map(({ row: { id } }) => id);
      assert.deepEqual(ids, [await nth(4), await nth(3)]);
      const item = (await tree()).getTreeItem(newest as GroupNode);
      assert.deepEqual([item.label, item.description], ['2026-02-04', '2']);
    });

    test('groups by task on demand', async () => {
      await vscode.commands.executeCommand('contextBudget.groupObservationsByTask');
      const { value } = await until('tasks are shown', async () => {
        const found = await groups();
        return found[0]?.by === 'task' && found;
      });
      assert.deepEqual(
        value.map(({ group }) => [group.key, group.count]),
        [
          ['TASK-2', 1],
          ['TASK-1', 3],
        ],
      );
      assert.equal(
        await clipboardAfter('contextBudget.observation.copyTimeline', value[1]).then(
          (text) => text.split('\n').length,
        ),
        4,
      );
    });

    test('a row has an icon of its outcome, its id and cost, and a tooltip with everything', async () => {
      const provider = await tree();
      const failed = await row(/summarize/);
      const item = provider.getTreeItem(failed);
      assert.equal((item.iconPath as vscode.ThemeIcon).id, 'error');
      assert.match(String(item.description), new RegExp(`^${await nth(2)} · ~\\d+ tok$`));
      const { tooltip } = provider.resolveTreeItem(item, failed);
      const { value, isTrusted } = tooltip as vscode.MarkdownString;
      const spoken = value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
      for (const part of ['TASK-1', 'implementer', 'implement', 'PROGRESS.md', 'tokens'])
        assert.ok(spoken.includes(part), `${part} in ${spoken}`);
      assert.equal(isTrusted, undefined);
      assert.equal((provider.getTreeItem(await row(/ran the suite/)).iconPath as vscode.ThemeIcon).id, 'check');
    });

    test('a click opens the detail as a document that cannot be edited', async () => {
      const { command } = (await tree()).getTreeItem(await row(/summarize/));
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document?.isUntitled === false && document.uri.scheme === 'context-budget-observation');
      assert.match(document.getText(), /2026-02-03 10:00:00 · TASK-1 · implementer · implement\n[\s\S]*off by one/);
    });

    test('row, timeline and detail are what the command line gives, within the caps', async () => {
      const node = await row(/summarize/);
      const copiedRow = await clipboardAfter('contextBudget.observation.copyRow', node);
      assert.match(copiedRow, /^\d+ \| 2026-02-03 10:00 \| TASK-1 \| implement \| wrote summarize\(\).*\| ~\d+ tok\n$/);
      const timeline = await clipboardAfter('contextBudget.observation.copyTimeline', node);
      assert.deepEqual(
        timeline
          .trimEnd()
          .split('\n')
          .map((line) => line.split(' | ')[0]),
        (await Promise.all([1, 2, 3, 4].map(nth))).map(String),
      );
      const detail = await clipboardAfter('contextBudget.observation.copyDetail', node);
      assert.match(detail, /^`{3} \d+ [\s\S]*off by one[\s\S]*\n`{3}\n$/);
    });

    test('a search shows the best matches, Chinese too, and says how many', async () => {
      const [second, fourth] = [await nth(2), await nth(4)];
      const found = async (query: string) => {
        await vscode.commands.executeCommand('contextBudget.searchObservations', query);
        const { value } = await until(`“${query}” is searched`, async () =>
          (await tree()).words.message.includes(`“${query}”,`) ? rowsOf() : undefined,
        );
        return value.map(({ row: { id } }) => id);
      };
      assert.deepEqual(await found('summarize'), [second]);
      assert.deepEqual(await found('折扣'), [fourth]);
      assert.deepEqual(await found('nothing like it'), []);
      assert.match((await tree()).words.message, /0 found/);
      await vscode.commands.executeCommand('contextBudget.clearObservationSearch');
      await until('the days are back', async () => (await groups()).length === 2);
    });

    test('an observation that is added has the next id and is in the payload’s section', async () => {
      const input = { summary: 'decided to keep cents as integers', taskId: 'TASK-2', phase: 'plan' };
      await vscode.commands.executeCommand('contextBudget.addObservation', input);
      const added = await row(/keep cents/);
      assert.deepEqual([added.row.id, added.row.actor, added.row.taskId], [(await nth(4)) + 1, 'user', 'TASK-2']);
      const { value } = await until('the section has it', async () => {
        const { text } = section(await ready(), 'observations');
        return text.includes('keep cents') && text;
      });
      assert.ok(value.split('\n').length >= 5);
      assert.ok(expanded(await ready()).budget.tokens <= 7500);
    });

    test('what another process appends is followed', async () => {
      const line = {
        schema_version: 'obs.v1',
        id: 900,
        ts: '2026-02-05 08:00:00',
        task_id: 'TASK-9',
        actor: 'agent',
        phase: 'verify',
        type: 'event',
        summary: 'came from elsewhere',
        detail: '',
        refs: { files: [], commands: [], urls: [] },
      };
      await host().append(LOG, `${JSON.stringify(line)}\n`);
      assert.equal((await row(/came from elsewhere/)).row.id, 900);
    });

    test('ingesting again adds nothing', async () => {
      const before = (await allRows()).length;
      await vscode.commands.executeCommand('contextBudget.ingestRunLogs', ['PROGRESS.md']);
      await ready();
      assert.equal((await allRows()).length, before);
    });

    testWith('processes', 'nothing is recorded by itself unless it is switched on', async () => {
      await runTask('quiet', 'exit 3');
      await ready();
      assert.equal((await allRows()).length, 4);
    });

    testWith('processes', 'a failed task is recorded once, if that is switched on', async () => {
      await setCapture('failedTasks', true);
      try {
        await runTask('unit', 'echo token=hunter2; exit 3', vscode.TaskGroup.Test);
        const { row: seen } = await row(/^Test task unit failed with exit code 3$/);
        assert.equal(seen.actor, 'editor');
        assert.ok(!JSON.stringify(seen).includes('hunter2'), 'no secret');
        await runTask('unit', 'echo token=hunter2; exit 3', vscode.TaskGroup.Test);
        await runTask('fine', 'exit 0');
        await ready();
        assert.equal((await allRows()).filter(({ row: { actor } }) => actor === 'editor').length, 1);
      } finally {
        await setCapture('failedTasks', undefined);
      }
    });

    testWith(
      'processes',
      'a failed command of a terminal is recorded with its key lines, without secrets',
      async () => {
        await setCapture('failedCommands', true);
        const terminal = vscode.window.createTerminal({ name: 'capture', cwd: root(), shellPath: '/bin/bash' });
        try {
          terminal.show();
          const { value: shell } = await until('shell integration is there', () => terminal.shellIntegration);
          shell.executeCommand('ls ./no-such-file --password=hunter2 || (echo "Error: broken build"; false)');
          const node = await row(/failed with exit code 1/);
          const detail = await clipboardAfter('contextBudget.observation.copyDetail', node);
          assert.match(detail, /Error: broken build/);
          assert.ok(!detail.includes('hunter2'), detail);
          assert.ok(!detail.includes('\u001b'), detail);
        } finally {
          terminal.dispose();
          await setCapture('failedCommands', undefined);
        }
      },
    );

    test('errors that stay are recorded, those that were there before are not', async () => {
      const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), 'src/prices.ts');
      const collection = vscode.languages.createDiagnosticCollection('capture');
      const error = (message: string) => new vscode.Diagnostic(new vscode.Range(3, 0, 3, 1), message);
      collection.set(uri, [error('stood before')]);
      await setCapture('newErrors', true);
      try {
        collection.set(uri, [error('stood before'), error('Cannot find name Cents')]);
        const { row: seen } = await row(/^1 new error in src\/prices\.ts: Cannot find name Cents$/);
        assert.deepEqual(seen.refs.files, ['src/prices.ts#L4']);
      } finally {
        collection.dispose();
        await setCapture('newErrors', undefined);
      }
    });
  });
}

/** Runs a shell task to its end. */
async function runTask(name: string, command: string, group?: vscode.TaskGroup): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0] ?? assert.fail();
  const execution = new vscode.ShellExecution(command);
  const task = new vscode.Task({ type: 'shell', name }, folder, name, 'test', execution);
  if (group) task.group = group;
  // Nobody looks: a terminal that is shown is drawn.
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Never };
  const ended = new Promise<void>((resolve) => {
    const listener = vscode.tasks.onDidEndTaskProcess((event) => {
      if (event.execution.task.name !== name) return;
      listener.dispose();
      resolve();
    });
  });
  await vscode.tasks.executeTask(task);
  await ended;
}
