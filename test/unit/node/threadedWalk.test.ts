import { mkdtempSync, rmSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walkFiles } from '../../../src/core/files/walk';
import { NEVER_ABORTED } from '../../../src/core/ports/ports';
import { openFileSource } from '../../../src/node/fileSource';
import { ThreadedWalk } from '../../../src/node/threadedWalk';
import { SYSTEM_CLOCK } from '../../../src/protocol/clock';
import { RecordingLogger } from '../../support/recordingLogger';
import { tempFolder } from '../../support/tempFolder';

const product = mkdtempSync(path.join(tmpdir(), 'context-budget-walk-'));
const script = path.join(product, 'walk.js');

beforeAll(() =>
  esbuild.build({
    entryPoints: ['src/node/walkThread.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    outfile: script,
  }),
);
afterAll(() => rmSync(product, { recursive: true, force: true }));

async function make(bundle = script) {
  const root = await tempFolder({
    '.gitignore': '*.log\n!kept.log\n',
    'src/.gitignore': 'made/\n',
    'src/a.ts': 'export const a = 1;\n',
    'src/made/b.ts': '',
    'docs/notes.unknown': 'text',
    'run.log': '',
    'kept.log': '',
  });
  await symlink('a.ts', path.join(root, 'src/link.ts'));
  const { files, realRoot } = await openFileSource(root, { mayBlock: true });
  const logger = new RecordingLogger();
  const walk = new ThreadedWalk(files, { script: bundle, root: realRoot, clock: SYSTEM_CLOCK, logger });
  return { root, source: files, walk, logger };
}

describe('ThreadedWalk', () => {
  it('lists what a walk in this thread lists, by rules that go on to hold', async () => {
    const { source, walk, logger } = await make();
    const { rules, ...listed } = await walk.walk(NEVER_ABORTED);
    const { rules: own, ...here } = await walkFiles(source);
    expect(listed).toEqual(here);
    expect([...listed.links]).toEqual([['src/link.ts', 'src/a.ts']]);
    for (const file of ['new.log', 'kept.log', 'src/made/c.ts', 'src/c.ts'])
      expect(rules.isIgnored(file), file).toBe(own.isIgnored(file));
    expect(logger.lines).toEqual([]);
    walk.dispose();
  });

  it('gives each stamp that it took once: a file that changed since has another one then', async () => {
    const { root, source, walk } = await make();
    await walk.walk(NEVER_ABORTED);
    const before = await source.stamp('src/a.ts');
    // The stamp of the walk: the file is changed after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await writeFile(path.join(root, 'src/a.ts'), 'export const changed = 1;\n');
    expect(await walk.files.stamp?.('src/a.ts')).toEqual(before);
    expect(await walk.files.stamp?.('src/a.ts')).toEqual(await source.stamp('src/a.ts'));
    expect(await walk.files.stamp?.('docs/notes.unknown')).toEqual(await source.stamp('docs/notes.unknown'));
    expect(await walk.files.stamp?.('src/link.ts')).toBeUndefined();
    walk.dispose();
  });

  it('walks again when it is asked again', async () => {
    const { root, walk } = await make();
    await walk.walk(NEVER_ABORTED);
    await rm(path.join(root, 'src/a.ts'));
    await writeFile(path.join(root, 'src/new.ts'), '');
    const { files } = await walk.walk(NEVER_ABORTED);
    expect(files).toContain('src/new.ts');
    expect(files).not.toContain('src/a.ts');
    walk.dispose();
  });

  it('walks in this thread where the other does not start', async () => {
    const { source, walk, logger } = await make(path.join(product, 'none.js'));
    expect((await walk.walk(NEVER_ABORTED)).files).toEqual((await walkFiles(source)).files);
    expect(await walk.files.stamp?.('src/a.ts')).toEqual(await source.stamp('src/a.ts'));
    expect(logger.lines).toEqual([expect.stringContaining('listed in this thread')]);
  });

  it('ends when it is cancelled, and with its owner', async () => {
    const { walk, logger } = await make();
    const cancelled = new AbortController();
    const walking = walk.walk(cancelled.signal);
    cancelled.abort();
    expect((await walking).isComplete).toBe(false);
    expect(logger.lines).toEqual([]);
    const other = await make();
    other.walk.dispose();
    expect((await other.walk.walk(NEVER_ABORTED)).files).toContain('src/a.ts');
  });
});
