import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { testWith } from './host';
import {
  closeEditors,
  expanded,
  extensionApi,
  readText,
  ready,
  remove,
  showPanel,
  until,
  uriOf,
  write,
} from './support';

const SOURCE = 'Context Budget';
/**
 * Files that a test edits and saves are its own, written once: the editor may read a file that is written again between
 * its date and its text, and then refuses to save over it.
 */
const FIXED = 'notices/fixed/AGENTS.md';
const IGNORED = 'notices/ignored/AGENTS.md';
const STALE = '# Notices\n\nPrices are in `src/lib/prices.ts`.\n';

function ours(relative: string): readonly vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uriOf(relative)).filter(({ source }) => source === SOURCE);
}

function withCode(relative: string, code: string): readonly vscode.Diagnostic[] {
  return ours(relative).filter((diagnostic) => diagnostic.code === code);
}

async function fixesAt(relative: string, range: vscode.Range): Promise<readonly vscode.CodeAction[]> {
  await vscode.workspace.openTextDocument(uriOf(relative));
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uriOf(relative),
    range,
  );
}

/** The setting is off by default. */
async function setLevel(level: 'off' | 'information' | 'warning' | undefined): Promise<void> {
  await vscode.workspace
    .getConfiguration('contextBudget')
    .update('staleInstructions.paths', level, vscode.ConfigurationTarget.Workspace);
}

/** What the editor says of places in instruction files. */
export function fileNoticeTests(): void {
  suite('file notices', () => {
    let agents = '';
    setup(async () => {
      await showPanel();
      await ready();
      agents = await readText('AGENTS.md');
      await setLevel('warning');
    });
    teardown(async () => {
      await closeEditors();
      await write('AGENTS.md', agents);
      await setLevel(undefined);
      await until('nothing is stale', () => withCode('AGENTS.md', 'stale-path').length === 0);
    });

    suiteTeardown(async () => {
      for (const file of [FIXED, IGNORED]) await remove(file);
    });

    testWith('processes', 'a stale path is a warning on its words, fixed by its quick fix, and gone then', async () => {
      await write(FIXED, STALE);
      const { value: found } = await until('the path is marked', () => withCode(FIXED, 'stale-path')[0]);
      assert.equal(found.severity, vscode.DiagnosticSeverity.Warning);
      assert.match(found.message, /^“src\/lib\/prices\.ts” was renamed to “src\/prices\.ts” \(commit [0-9a-f]{10}, /);
      const document = await vscode.workspace.openTextDocument(uriOf(FIXED));
      assert.equal(document.getText(found.range), 'src/lib/prices.ts');
      assert.equal(found.range.start.line, 2);

      const { value: fixes } = await until('fixes are offered', async () => {
        const offered = await fixesAt(FIXED, found.range);
        return offered.length > 0 && offered;
      });
      const titles = fixes.map(({ title }) => title);
      assert.deepEqual(
        ['Change to “src/prices.ts”', 'Do not check this line', 'Do not check this file'].filter(
          (title) => !titles.includes(title),
        ),
        [],
      );
      const fix = fixes.find(({ title }) => title.startsWith('Change to'));
      assert.ok(fix?.edit && (await vscode.workspace.applyEdit(fix.edit)));
      assert.ok(await document.save());
      await until('the mark is gone', () => withCode(FIXED, 'stale-path').length === 0);
      assert.match(await readText(FIXED), /Prices are in `src\/prices\.ts`\./);
    });

    testWith('processes', 'a line that is not to be checked is not marked, and says so in the file', async () => {
      await write(IGNORED, STALE);
      const { value: found } = await until('the path is marked', () => withCode(IGNORED, 'stale-path')[0]);
      // The editor hears of the mark a moment after the extension.
      const { value: fix } = await until('the fix is offered', async () =>
        (await fixesAt(IGNORED, found.range)).find(({ title }) => title === 'Do not check this line'),
      );
      assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
      const document = await vscode.workspace.openTextDocument(uriOf(IGNORED));
      assert.ok(await document.save());
      await until('the mark is gone', () => withCode(IGNORED, 'stale-path').length === 0);
      assert.match(await readText(IGNORED), /`src\/lib\/prices\.ts`\. <!-- context-budget-ignore -->/);
    });

    testWith(
      'processes',
      'a file that appears is found, the setting hides the rest, and no mark is in the context',
      async () => {
        await write('AGENTS.md', `${agents}\n- \`src/added.ts\`\n- \`src/absent.ts\`\n`);
        await until('both are marked', () => withCode('AGENTS.md', 'stale-path').length === 2);
        const problems = expanded(await ready()).sections.find(({ id }) => id === 'diagnostics')?.text ?? '';
        assert.doesNotMatch(problems, /was deleted in commit/);
        try {
          await write('src/added.ts', 'export const added = 1;\n');
          await until('one is left', () => withCode('AGENTS.md', 'stale-path').length === 1);
          await setLevel('off');
          await until('none is shown', () => withCode('AGENTS.md', 'stale-path').length === 0);
          await setLevel('information');
          const { value } = await until('it is shown again', () => withCode('AGENTS.md', 'stale-path')[0]);
          assert.equal(value.severity, vscode.DiagnosticSeverity.Information);
        } finally {
          await remove('src/added.ts');
        }
      },
    );

    test('the line at which an agent of the user stops reading is marked and decorated', async () => {
      const api = await extensionApi();
      const choose = (ids: readonly string[] | undefined) =>
        vscode.workspace.getConfiguration('contextBudget').update('agents', ids, vscode.ConfigurationTarget.Global);
      await choose(['codex']);
      await vscode.window.showTextDocument(uriOf('AGENTS.md'));
      // Codex reads 32 KiB of the chain.
      const filler = 'A sentence that an agent reads, and then another one.\n'.repeat(1000);
      await write('AGENTS.md', `${agents}\n${filler}`);
      const { value: cut } = await until('the cut is marked', () =>
        withCode('AGENTS.md', 'agent-cut').find(({ message }) => message.includes('Codex')),
      );
      const bytes = new TextEncoder().encode(
        `${agents}\n${filler}`.split('\n').slice(0, cut.range.start.line).join('\n'),
      ).length;
      assert.ok(bytes <= 32 * 1024 && bytes > 32 * 1024 - 200, `${bytes} bytes are above the cut`);
      const marks = api.cutsIn(uriOf('AGENTS.md'));
      const mark = marks.find(({ line }) => line === cut.range.start.line);
      assert.match(mark?.text ?? '', /^← .*Codex/);
      assert.deepEqual(api.snapshot()?.agentsInUse, ['codex']);
      await choose(['gemini-cli']);
      await until('the marks of an agent that is not used are gone', () => api.cutsIn(uriOf('AGENTS.md')).length === 0);
      await choose(['codex']);
      await until('they are back', () => api.cutsIn(uriOf('AGENTS.md')).length > 0);
      await write('AGENTS.md', agents);
      await until('the marks are gone', () => api.cutsIn(uriOf('AGENTS.md')).length === 0);
      await choose(undefined);
    });
  });
}
