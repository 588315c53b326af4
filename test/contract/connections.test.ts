import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NEVER_ABORTED } from '../../src/core/ports/ports';
import { hookCommandLine } from '../../src/core/setup/hooks/hookCommandLine';
import { mcpArguments } from '../../src/core/setup/mcpConfig/mcpClient';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { NodeProcessRunner } from '../../src/node/process/processRunner';
import { checkHook, checkServer } from '../../src/vscode/agents/connectionCheck';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, 'test/fixtures/workspaces/sample');
const SCRIPT = path.join(ROOT, 'dist/cli.js');

/** The built command line, called as agents call it. */
describe('what is connected to agents', () => {
  const processes = new NodeProcessRunner(FOLDER);
  afterAll(() => processes.dispose());

  it('is a server that answers a check with its tools', async () => {
    const args = mcpArguments({ script: SCRIPT, root: FOLDER, mayWrite: false });
    const result = await checkServer(processes, ['node', ...args], '1.0.0', NEVER_ABORTED);
    expect(result).toMatchObject({ isWorking: true, tools: CONTEXT_TOOLS.length });
  });

  it('is no server where the folder is gone, and the check says why', async () => {
    const args = mcpArguments({ script: SCRIPT, root: path.join(FOLDER, 'gone') });
    const result = await checkServer(processes, ['node', ...args], '1.0.0', NEVER_ABORTED);
    expect(result).toMatchObject({ isWorking: false, why: { kind: 'answer', said: expect.stringMatching(/\S/) } });
  });

  it.each(['claude-code', 'vscode'])("is a line of %s's hooks that starts a session with the index", async (agent) => {
    const line = hookCommandLine({ kind: 'file', path: SCRIPT }, 'SessionStart', agent);
    const result = await checkHook(processes, ['/bin/sh', '-c', line], { agent, root: FOLDER }, NEVER_ABORTED);
    expect(result).toMatchObject({ isWorking: true, text: expect.stringMatching(/^<context-index>/) });
  });
});
