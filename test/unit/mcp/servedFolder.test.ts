import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Workspace } from '../../../src/core/workspace/workspace';
import { ServedFolder } from '../../../src/mcp/servedFolder';
import { MemoryFiles } from '../../support/memoryFiles';

describe('ServedFolder', () => {
  it('has the engine start with the folder', async () => {
    const countTokens = vi.fn(async () => []);
    const workspace = {
      whenListed: async () => ({ profiles: [] }),
      countTokens,
    } as unknown as Workspace;
    const folder = new ServedFolder({
      version: '1',
      realRoot: '/repo',
      files: new MemoryFiles({}),
      openWorkspace: () => ({ workspace, dispose: () => undefined }),
      profile: undefined,
      logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
      input: new PassThrough(),
      output: new PassThrough(),
    });
    await folder.fresh();
    expect(countTokens).toHaveBeenCalledExactlyOnceWith([]);
    folder.dispose();
  });
});
