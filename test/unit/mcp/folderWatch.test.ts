import * as fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { FolderWatch } from '../../../src/mcp/folderWatch';
import { RecordingLogger } from '../node/recordingLogger';
import { tempFolder } from '../node/tempFolder';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  return { ...real, watch: vi.fn(real.watch) };
});

it('watches folders of the workspace and those of git, and nothing that a link of the workspace leads to', async () => {
  const [root, outside] = [await tempFolder({ 'src/a.md': '' }), await tempFolder({ 'deep/a.md': '' })];
  fs.symlinkSync(outside, path.join(root, '.context-budget'));
  const logger = new RecordingLogger();
  const watch = new FolderWatch(root, logger, () => undefined);
  try {
    watch.watch(new Set(['', 'src', '.context-budget', '.context-budget/deep', path.join(outside, 'deep')]));
    const watched = vi.mocked(fs.watch).mock.calls.map(([folder]) => folder);
    expect(watched).toEqual([root, path.join(root, 'src'), path.join(outside, 'deep')]);
    expect(logger.lines).toEqual([]);
  } finally {
    watch.dispose();
  }
});
