import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Workspace } from '../../../src/core/workspace/workspace';
import { ServedFolder } from '../../../src/mcp/servedFolder';
import { MemoryFiles } from '../../support/memoryFiles';
import { until } from '../../support/until.mjs';

describe('ServedFolder', () => {
  // The first answer waited 60 ms for a scanner that a text without a character had not started.
  it('has the engine start with the folder and the scanner once files are listed, which it asks something', async () => {
    const countTokens = vi.fn(async () => []);
    const maskText = vi.fn(async (texts: readonly string[]) => texts);
    const workspace = {
      whenListed: async () => ({ profiles: [] }),
      countTokens,
    } as unknown as Workspace;
    const folder = new ServedFolder({
      version: '1',
      realRoot: '/repo',
      files: new MemoryFiles({}),
      openWorkspace: () => ({ session: workspace, dispose: () => undefined }),
      profile: undefined,
      maskText,
      logger: { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() },
      input: new PassThrough(),
      output: new PassThrough(),
    });
    await folder.fresh();
    expect(countTokens).toHaveBeenCalledExactlyOnceWith([]);
    await until('a text is masked', () => maskText.mock.calls.length > 0);
    expect(maskText).toHaveBeenCalledOnce();
    expect(maskText.mock.calls[0]?.[0].join('')).not.toBe('');
    folder.dispose();
  });
});
