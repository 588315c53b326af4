import { describe, expect, it } from 'vitest';
import { NEVER_ABORTED, neverRan, type ProcessOutcome, type ProcessRequest } from '../../../../src/core/ports/ports';
import { checkHook, checkServer, skillListing } from '../../../../src/vscode/agents/connectionCheck';

const EXITED: ProcessOutcome = { ...neverRan('cancelled'), kind: 'exited', exitCode: 0 };

function programs(outcome: Partial<ProcessOutcome>) {
  const asked: ProcessRequest[] = [];
  const run = (request: ProcessRequest): Promise<ProcessOutcome> => {
    asked.push(request);
    return Promise.resolve({ ...EXITED, ...outcome });
  };
  return { run, asked };
}

const TOOLS = '{"id":1,"result":{}}\n{"id":2,"result":{"tools":[{"name":"a"},{"name":"b"}]}}\n';
const hook = (outcome: Partial<ProcessOutcome>, agent = 'vscode') =>
  checkHook(programs(outcome), ['/bin/sh', '-c', 'line'], { agent, root: '/w' }, NEVER_ABORTED);
const server = (outcome: Partial<ProcessOutcome>) =>
  checkServer(programs(outcome), ['node', 'x.cjs', 'mcp'], '1.0.0', NEVER_ABORTED);

describe('checkServer', () => {
  it('starts the command, asks on stdin, and gives what the list of tools costs as text', async () => {
    const runner = programs({ stdout: TOOLS });
    expect(await checkServer(runner, ['node', 'x.cjs', 'mcp'], '1.0.0', NEVER_ABORTED)).toEqual({
      isWorking: true,
      text: '[{"name":"a"},{"name":"b"}]',
      tools: 2,
    });
    expect(runner.asked.map(({ argv }) => argv)).toEqual([['node', 'x.cjs', 'mcp']]);
    expect(runner.asked[0]?.input).toContain('"tools/list"');
  });

  it.each([
    [neverRan('notStarted', 'ENOENT'), { kind: 'program', name: 'node' }],
    [{ kind: 'timedOut' as const }, { kind: 'late', seconds: 30 }],
    [
      { exitCode: 1, stderr: 'a\n  No such folder \n' },
      { kind: 'answer', exitCode: 1, said: 'No such folder' },
    ],
    [{ stdout: '{"id":1,"result":{}}\n{"id":2,"result":{"tools":[]}}' }, { kind: 'answer', exitCode: 0, said: '' }],
  ])('%j is a failure', async (outcome, why) => {
    expect(await server(outcome)).toEqual({ isWorking: false, why });
  });
});

describe('a cancelled check', () => {
  it('says nothing', async () => {
    expect(await server({ kind: 'cancelled' })).toBeUndefined();
    expect(await hook({ kind: 'cancelled' })).toBeUndefined();
  });
});

describe('checkHook', () => {
  it('takes what its agent would take, and nothing of a line that failed', async () => {
    const stdout = '{"hookSpecificOutput":{"additionalContext":"index"}}';
    expect(await hook({ stdout })).toEqual({ isWorking: true, text: 'index', tools: 0 });
    expect(await hook({ stdout: 'index' }, 'claude-code')).toEqual({ isWorking: true, text: 'index', tools: 0 });
    expect(await hook({ stdout: 'index' })).toMatchObject({ isWorking: false });
    expect(await hook({ stdout, exitCode: 127, stderr: 'node: not found' })).toEqual({
      isWorking: false,
      why: { kind: 'answer', exitCode: 127, said: 'node: not found' },
    });
  });
});

describe('skillListing', () => {
  it('is what an agent is told of a skill without opening it', () => {
    expect(skillListing('---\nname: x\ndescription: Finds it.\n---\nbody\n')).toBe('x: Finds it.');
    expect(skillListing('body')).toBe('');
  });
});
