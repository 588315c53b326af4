import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { Receiver, valuesOf } from '../support/otlpReceiver';
import { clipboardAfter, EXTENSION_ID, extensionApi, readText, ready, remove, root, until, write } from './support';

const CYCLES = 'context_budget.usage.cycles';

async function set(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('contextBudget.openTelemetry');
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

/** A report of the command line of the installed extension. */
function report(): { readonly cycles: number; readonly sections: readonly { id: string; loaded: number }[] } {
  const cli = `${vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath}/dist/cli.js`;
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return JSON.parse(execFileSync(process.execPath, [cli, 'report', '--json', '--root', root()], { env }).toString());
}

/** Numbers for an OpenTelemetry receiver, sent by the editor; on hosts with processes. */
export function metricTests(): void {
  suite('OpenTelemetry', () => {
    let own: Receiver;
    let trap: Receiver;
    suiteSetup(async () => {
      own = await Receiver.start(200);
      trap = await Receiver.start(200);
    });
    suiteTeardown(async () => {
      for (const name of ['enabled', 'endpoint', 'interval', 'names']) await set(name, undefined);
      await Promise.all([own.stop(), trap.stop()]);
    });

    test('sends nothing by default, nor where a workspace says so, and then what report --json says', async () => {
      await extensionApi();
      await ready();
      // A copy is a cycle of the usage log.
      await clipboardAfter('contextBudget.copyExpandedPayload');
      await until('the copy is recorded', () => report().cycles > 0);
      const had = await readText('.vscode/settings.json').catch(() => undefined);
      const trapped = { 'contextBudget.openTelemetry.enabled': true, 'contextBudget.openTelemetry.endpoint': trap.url };
      await write('.vscode/settings.json', JSON.stringify({ ...JSON.parse(had ?? '{}'), ...trapped }));
      try {
        // The workspace's own settings have arrived when this one has.
        const settings = () => vscode.workspace.getConfiguration('contextBudget.openTelemetry');
        assert.equal(settings().get('enabled'), false);
        await set('endpoint', own.url);
        await set('enabled', true);
        await until('the editor sends its numbers', () => own.requests.length > 0);
        assert.equal(settings().get('endpoint'), own.url);
      } finally {
        await (had === undefined ? remove('.vscode/settings.json') : write('.vscode/settings.json', had));
      }
      const { byName } = valuesOf(own.decoded());
      const { cycles, sections } = report();
      assert.equal(
        (byName.get(CYCLES) ?? []).reduce((sum, { value }) => sum + value, 0),
        cycles,
      );
      const loads = byName.get('context_budget.usage.section.loads') ?? [];
      assert.equal(
        loads.reduce((sum, { value }) => sum + value, 0),
        sections.reduce((sum, { loaded }) => sum + loaded, 0),
      );
      assert.ok((byName.get('context_budget.payload.tokens') ?? []).length > 0);
      assert.deepEqual(trap.requests, []);
    });
  });
}
