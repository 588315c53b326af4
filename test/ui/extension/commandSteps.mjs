// A walk through the commands that the other steps do not reach, by their titles in the palette or from a row's menu.
// Each step looks at what the command did: the clipboard, the editor that opened, the file that was written.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { onlyLong } from '../../support/extent.mjs';
import { until } from '../../support/until.mjs';

const CONFIG = '.context-budget/config.json';
const HOOKS = '.claude/settings.local.json';
/** One more than the view shows of a day at once. */
const MANY_ROWS = 101;
/** More than the view lists of what was left out at once. */
const MANY_FILES = 130;
/** In the form of a key that a forge gives out, made here so that none stands in the repository. */
const KEY = `ghp_${Array.from({ length: 36 }, (_, at) => 'aZ3kQ9xB7mL2'[(at * 5 + (at >> 2)) % 12]).join('')}`;

const RELAY_LOG = {
  relay_context: {
    goal: 'Totals of the order report are right',
    constraints: ['Prices stay integers in cents'],
    latest_instruction: 'find out why a discount rounds up',
    current_blockers: [],
    controller_route_summary: 'planner → implementer',
  },
  execution_logs: [{ task_id: 'T1', status: 'done', summary: 'read src/prices.ts' }],
};

/**
 * @param {{ workbench: import('./workbench.mjs').Workbench, inFolder: (file: string) => string,
 *   cli: (...args: string[]) => string, pluginRuns: () => number, forgetObservations: () => Promise<void> }} context
 * @returns {readonly (readonly [string, () => Promise<void>])[]}
 */
export function commandSteps({ workbench, inFolder, cli, pluginRuns, forgetObservations }) {
  const { page, panel } = workbench;
  const box = page.locator('.quick-input-widget');
  const run = (title) => workbench.run(`Context Budget: ${title}`);
  const other = async (title) => {
    await run('Copy Other…');
    await workbench.pick(title);
  };
  const read = (file) => readFileSync(inFolder(file), 'utf8');
  const copiedBy = async (act) => {
    await workbench.clearClipboard();
    await act();
    return workbench.clipboard();
  };
  const editorOf = (name) => page.locator('.tab.active').filter({ hasText: name });
  const closeEditors = () => workbench.run('View: Close All Editors');
  /** Goes through *Connect an Agent…*: the agent, then the one row that names `place`. */
  const connect = async (agent, place) => {
    await run('Connect an Agent…');
    await workbench.pick(agent);
    await box
      .locator('.monaco-list-row')
      .filter({ hasText: place })
      .locator('input[type=checkbox], .monaco-checkbox')
      .first()
      .click();
    await box.getByRole('button', { name: 'OK' }).click();
  };
  const noted = (text) => workbench.noted(text);
  /** Removes what a step has just made. An editor's watcher may take the two for nothing and tell neither. */
  const removeFolder = async (name) => {
    rmSync(inFolder(name), { recursive: true });
    await run('Refresh');
  };

  return [
    [
      'Copy Payload copies what it says, and Copy Other… the map, for a task too',
      async () => {
        // What the other two copy was compared with the command line.
        const payload = await copiedBy(() => run('Copy Payload'));
        assert.equal(payload, await copiedBy(() => run('Copy Expanded Payload')));
        assert.match(await copiedBy(() => other('Copy Repo Map')), /applyDiscount/);
        const forTask = await copiedBy(async () => {
          await other('Copy Repo Map for Task…');
          await workbench.answer('summarize the report');
        });
        assert.match(forTask.split('\n')[0], /report\.py/);
      },
    ],
    [
      'the menu beside the panel’s copy button offers the other payload',
      async () => {
        const index = await copiedBy(() => run('Copy Index Payload'));
        const button = panel.getByRole('button', { name: 'More copy actions' });
        const copied = await copiedBy(async () => {
          await button.click();
          await workbench.pick('Copy Index Payload');
        });
        assert.equal(copied, index);
      },
    ],
    // The integration suite has the same commands, in a real VS Code too.
    ...onlyLong([
      [
        'a key is masked; Show Masked Secrets… opens its line, Copy Unmasked… asks first',
        async () => {
          const memory = read('MEMORY.md');
          const used = await workbench.settledTokens();
          writeFileSync(inFolder('MEMORY.md'), `${memory}- 2026-02-07 The bot's token is ${KEY}.\n`);
          await until('the line is counted', async () => (await workbench.panelTokens())?.used > used);
          const masked = await copiedBy(() => run('Copy Expanded Payload'));
          assert.ok(!masked.includes(KEY) && masked.includes('[masked: GitHub token]'));
          await noted('1 key masked');
          await run('Show Masked Secrets…');
          await box.locator('.monaco-list-row').filter({ hasText: 'GitHub token' }).click();
          await editorOf('MEMORY.md').waitFor();
          const line = memory.split('\n').length;
          await page
            .locator('.statusbar-item')
            .filter({ hasText: `Ln ${line}, Col` })
            .waitFor();
          await closeEditors();
          await workbench.clearClipboard();
          await run('Copy Unmasked…');
          await workbench.choose('Copy Unmasked');
          assert.equal(await workbench.clipboard(), masked.replace('[masked: GitHub token]', KEY));
          writeFileSync(inFolder('MEMORY.md'), memory);
          await until('the line is gone', async () => (await workbench.panelTokens())?.used === used);
        },
      ],
    ]),
    [
      'Record Agent Reply… in the panel takes the clipboard and names the sections that it cites',
      async () => {
        await workbench.writeClipboard('As MEMORY.md says, section:ports is OK.');
        await panel.getByRole('button', { name: 'More copy actions' }).click();
        await workbench.pick('Record Agent Reply…');
        await workbench.pick('Use Clipboard');
        await noted(/sections? cited: /);
      },
    ],
    [
      'Refresh runs the plug-in again',
      async () => {
        const runs = pluginRuns();
        await run('Refresh');
        await until('the plug-in ran again', () => pluginRuns() > runs);
        await workbench.exactTokens();
      },
    ],
    [
      'Sort Sections… orders the rows',
      async () => {
        const names = () => panel.locator('.name').evaluateAll((all) => all.map((name) => name.title));
        await panel.getByRole('button', { name: 'Sort: Size within Priority' }).click();
        await workbench.pick('Name');
        await panel.getByRole('button', { name: 'Sort: Name' }).waitFor();
        const byName = await names();
        assert.ok(byName.length > 3);
        assert.deepEqual(
          byName,
          [...byName].sort((a, b) => a.localeCompare(b)),
        );
        await panel.getByRole('button', { name: 'Sort: Name' }).click();
        await workbench.pick('Size within Priority');
        await panel.getByRole('button', { name: 'Sort: Size within Priority' }).waitFor();
        assert.notDeepEqual(await names(), byName);
      },
    ],
    [
      'Tune Relevance… writes mode and threshold into the config',
      async () => {
        const config = read(CONFIG);
        await run('Tune Relevance…');
        await workbench.pick('Automatic');
        await workbench.answer('0.4');
        await until('the mode is written', () => /"mode": "dynamic"/.test(read(CONFIG)));
        assert.match(read(CONFIG), /"threshold": 0\.4\b/);
        writeFileSync(inFolder(CONFIG), config);
      },
    ],
    [
      'Open Config and Show Log open what they name; Copy Diagnostics copies the log’s end',
      async () => {
        await run('Open Config');
        await editorOf('config.json').waitFor();
        await closeEditors();
        await run('Show Log');
        const log = page.locator('.part.panel');
        await log.getByText('done: contextBudget.openConfig').first().waitFor();
        const diagnostics = await copiedBy(() => run('Copy Diagnostics'));
        assert.match(diagnostics, /^## Context Budget\n- Extension: \d/);
        assert.match(diagnostics, /\[info\] done: contextBudget\.openConfig/);
        await page.keyboard.press('Control+J');
        await log.waitFor({ state: 'hidden' });
      },
    ],
    ...onlyLong([
      [
        'Add Observation… records what is typed; row, detail and timeline are copied; a long day has Show More',
        async () => {
          const before = await workbench.settledTokens();
          const rows = Array.from(
            { length: MANY_ROWS },
            (_, at) => `| 2026-02-03 09:00:00 | TASK-9 | tester | verify | ran case ${at} | passed |`,
          );
          const head =
            '# Progress\n\n| Time | Task ID | Actor | Phase | Event | Result |\n| --- | --- | --- | --- | --- | --- |';
          writeFileSync(inFolder('PROGRESS.md'), `${head}\n${rows.join('\n')}\n`);
          await workbench.run('Context Budget: Focus on Observations View');
          await run('Ingest Run Logs…');
          await box.getByText('PROGRESS.md').waitFor();
          await page.keyboard.press('Enter');
          await workbench.observationRow(/^ran case 100/).waitFor();
          const more = workbench.observationRow(/^Show More/);
          await workbench.clickLast(workbench.observations, more);
          await workbench.scrollTo(workbench.observations, workbench.observationRow(/^ran case 0\b/));
          await workbench.row('observations').waitFor();
          await run('Add Observation…');
          await workbench.answer('looked at every total');
          await workbench.pick('No Task');
          const row = workbench.observationRow(/^looked at every total/);
          // A tree that had the focus takes it back when VS Code has drawn it anew, and a box that loses it closes.
          await workbench.scrollTo(workbench.observations, row, -2000);
          // Alone in the view: among many rows a day that sticks to its top may cover it.
          await run('Search Observations…');
          await workbench.answer('looked at every total');
          await workbench.observations.getByText('Search: “looked at every total”, 1 found.').waitFor();
          const id = String(MANY_ROWS + 1);
          const index = new RegExp(`^${id} \\| .*looked at every total`);
          assert.match(await copiedBy(() => workbench.chooseFor(row, 'Copy Row')), index);
          assert.match(await copiedBy(() => workbench.chooseFor(row, 'Copy Detail')), /looked at every total/);
          const timeline = await copiedBy(async () => {
            await other('Copy Timeline…');
            await box.locator('.monaco-list-row').filter({ hasText: 'looked at every total' }).first().click();
          });
          assert.equal(timeline, cli('timeline', '--id', id));
          await run('Clear Observation Search');
          await forgetObservations();
          await workbench.row('observations').waitFor({ state: 'hidden' });
          await until(
            'the numbers are those from before',
            async () => (await workbench.panelTokens())?.used === before,
          );
        },
      ],
    ]),
    [
      'what was left out of the Repo Map is shown by the page',
      async () => {
        mkdirSync(inFolder('src/extra'));
        for (let at = 0; at < MANY_FILES; at++) {
          const functions = Array.from(
            { length: 2 },
            (_, n) =>
              `export function extra${at}Step${n}(amount: number, percent: number): number {\n  return amount * percent;\n}\n`,
          );
          writeFileSync(inFolder(`src/extra/extra${at}.ts`), functions.join('\n'));
        }
        const leftOut = workbench.mapRow(/^Left out: [3-9]\d files/);
        const more = workbench.mapRow(/^Show More/);
        try {
          await workbench.clickLast(workbench.map, more, leftOut);
          await more.waitFor({ state: 'detached' });
        } finally {
          rmSync(inFolder('src/extra'), { recursive: true });
        }
        await until('the index forgets them', async () => (await leftOut.count()) === 0);
        await workbench.wheel(workbench.map, -20_000);
      },
    ],
    [
      'Choose Agents… lists the agents, those that were found ticked, and keeps them as they are',
      async () => {
        await run('Choose Agents…');
        await box.getByText('Claude Code', { exact: true }).waitFor();
        await box.getByRole('button', { name: 'OK' }).click();
        await noted('My agents: ');
      },
    ],
    [
      'Connect an Agent… says what hooks cost, shows the change, writes and checks it; Remove Agent Hooks takes it back',
      async () => {
        await connect('Claude Code', HOOKS);
        await page.locator('.monaco-diff-editor').first().waitFor();
        await workbench.choose('Connect');
        await until('the hooks are written', () => existsSync(inFolder(HOOKS)) && read(HOOKS).includes('hook'));
        await noted(`Hooks work: ${HOOKS} adds `);
        await run('Remove Agent Hooks');
        await workbench.choose('Remove');
        await noted(`Hooks removed: ${HOOKS}`);
        await removeFolder('.claude');
        await closeEditors();
      },
    ],
    ...onlyLong([
      [
        'Connect an Agent… copies the server for any other agent, and writes and checks it and the skill for others',
        async () => {
          const server = await copiedBy(async () => {
            await connect('Any other agent', 'mcp.json');
            await noted('the server answers with ');
          });
          assert.match(server, /"mcpServers"[\s\S]*context-budget/);
          const skill = await copiedBy(async () => {
            await connect('Any other agent', 'clipboard');
            await noted('Copied the agent skill');
          });
          assert.match(skill, /^---\nname: /);
          await connect('Cursor', '.cursor/mcp.json');
          await workbench.choose('Connect');
          await noted('Connected: .cursor/mcp.json; the server answers with ');
          assert.match(read('.cursor/mcp.json'), /"mcpServers"[\s\S]*context-budget/);
          await removeFolder('.cursor');
          await connect('Codex', '.agents/skills');
          await workbench.choose('Connect');
          const [, file] = /Skill installed: (\S+)/.exec(await noted('Skill installed: '));
          assert.equal(read(file), skill);
          await removeFolder(file.split('/')[0]);
          await closeEditors();
        },
      ],
      [
        'in a remote window the panel counts, the local clipboard gets the copy, and the connection starts where the files are',
        async () => {
          // VS Code's own server has the files and the extension host; the page and its clipboard are the local side.
          await page
            .locator('#status\\.host')
            .filter({ has: page.locator('.codicon-remote') })
            .waitFor();
          await workbench.sameAsCli(cli);
          assert.equal(await copiedBy(() => run('Copy Payload')), cli('payload', '--expanded'));
          const text = await copiedBy(async () => {
            await connect('Any other agent', 'mcp.json');
            await noted('the server answers with ');
          });
          const { command, args } = JSON.parse(text).mcpServers['context-budget'];
          const [launcher, ...rest] = args;
          assert.ok(existsSync(launcher), launcher);
          assert.deepEqual([command, ...rest], ['node', 'mcp', '--root', inFolder('.')]);
          const call = { name: 'repo_map', arguments: { query: 'summarize the report' } };
          const client = {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'test', version: '1' },
          };
          const messages = [
            { id: 1, method: 'initialize', params: client },
            { method: 'notifications/initialized' },
            { id: 2, method: 'tools/call', params: call },
          ];
          const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
          // It ends with its input, so that stays open until the answer is there.
          const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
          try {
            let printed = '';
            server.stdout.setEncoding('utf8').on('data', (chunk) => {
              printed += chunk;
            });
            server.stdin.write(input);
            const { value: answer } = await until('the server answers with the map', () =>
              printed.split('\n').find((line) => line.includes('"id":2')),
            );
            assert.match(JSON.parse(answer).result.content[0].text, /report\.py/);
          } finally {
            server.stdin.end();
          }
        },
      ],
    ]),
    [
      'Read Agent Transcripts… says what it reads and asks whose, before it looks',
      async () => {
        await run('Read Agent Transcripts…');
        await workbench.choose('Choose Agents…');
        await box.getByText('Select agents whose transcripts may be read').waitFor();
        await box.getByRole('button', { name: 'OK' }).click();
        await noted('No new turns in transcripts');
      },
    ],
    ...onlyLong([
      [
        'the relay commands of the palette take the log in the active editor',
        async () => {
          writeFileSync(inFolder('window.json'), JSON.stringify(RELAY_LOG, null, 2));
          await workbench.openFile('window.json');
          await run('Compact Relay Context');
          await page.locator('.editor-instance').filter({ hasText: 'self_check' }).waitFor();
          await workbench.run('View: Revert and Close Editor');
          await workbench.openFile('window.json');
          const summary = await copiedBy(() => run('Copy Relay Summary'));
          assert.match(summary, /^Goal: Totals of the order report are right\n/);
          assert.match(await copiedBy(() => run('Copy Observer Relay Prompt')), /observ/i);
          await closeEditors();
          rmSync(inFolder('window.json'));
        },
      ],
      [
        'the menu of a row pins, leaves out, folds, opens and copies; each can be taken back',
        async () => {
          const config = read(CONFIG);
          const row = workbench.row('MEMORY.md');
          for (const [list, flag, on, off] of [
            ['pinned', 'isPinned', 'Pin', 'Unpin'],
            ['excluded', 'isExcluded', 'Exclude', 'Include'],
            ['on_demand', 'isOnDemand', 'On Demand', 'Stop On Demand'],
          ]) {
            const isListed = () => new RegExp(`"${list}": \\["memory"\\]`).test(read(CONFIG));
            const item = panel.locator(`li[data-vscode-context*='"sectionId":"memory"']`);
            const isFlag = (is) =>
              until(`${flag} is ${is}`, async () => {
                return JSON.parse(await item.getAttribute('data-vscode-context'))[flag] === is;
              });
            await workbench.chooseFor(row, on);
            await until(`${on} is written`, isListed);
            await isFlag(true);
            await workbench.chooseFor(row, off);
            await until(`${off} is written`, () => !isListed());
            await isFlag(false);
          }
          writeFileSync(inFolder(CONFIG), config);
          await workbench.chooseFor(row, 'Open');
          await editorOf('MEMORY.md').waitFor();
          await closeEditors();
          assert.ok((await copiedBy(() => workbench.chooseFor(row, 'Copy'))).includes(read('MEMORY.md').trim()));
        },
      ],
    ]),
  ];
}
