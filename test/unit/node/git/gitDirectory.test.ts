import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OwnGitDirectory } from '../../../../src/node/git/gitDirectory';
import { RecordingLogger } from '../../../support/recordingLogger';
import { tempFolder } from '../../../support/tempFolder';
import { commit, git, repository } from './gitWorld';

async function setUp() {
  const realRoot = await repository();
  const cacheFolder = path.join(await tempFolder(), 'caches', 'folder');
  const logger = new RecordingLogger();
  const open = async () => {
    const opened = await new OwnGitDirectory({ realRoot, cacheFolder, logger }).open();
    return opened.kind === 'ready' ? (opened.variables.GIT_DIR ?? '') : opened.kind;
  };
  return { realRoot, cacheFolder, logger, open };
}

describe('OwnGitDirectory', () => {
  it('holds the format and one ref, and no other word of the repository', async () => {
    const { realRoot, open } = await setUp();
    git(realRoot, 'config', 'core.hooksPath', '/evil');
    git(realRoot, 'config', 'remote.origin.url', 'ftp://evil.example');
    git(realRoot, 'branch', 'other');
    const folder = await open();
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(
      ['HEAD', 'config', 'empty', 'info', 'info/exclude', 'objects', 'packed-refs', 'refs', 'shallow'].sort(),
    );
    expect(readFileSync(path.join(folder, 'config'), 'utf8')).toBe(
      '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tuntrackedCache = false\n\tfilemode = true\n',
    );
    expect(readFileSync(path.join(folder, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
    const hash = git(realRoot, 'rev-parse', 'HEAD').trim();
    expect(readFileSync(path.join(folder, 'packed-refs'), 'utf8')).toBe(`${hash} refs/heads/main\n`);
  });

  it('is the same for all processes until something changes, and is made good when it was damaged', async () => {
    const { realRoot, open } = await setUp();
    const folders = await Promise.all([open(), open(), open(), open()]);
    expect(new Set(folders).size).toBe(1);
    const [folder = ''] = folders;
    const config = readFileSync(path.join(folder, 'config'), 'utf8');
    writeFileSync(path.join(folder, 'config'), '[core]\n\tfsmonitor = evil\n');
    rmSync(path.join(folder, 'HEAD'));
    expect(await open()).toBe(folder);
    expect(readFileSync(path.join(folder, 'config'), 'utf8')).toBe(config);
    expect(existsSync(path.join(folder, 'HEAD'))).toBe(true);
    commit(realRoot, 'second');
    expect(await open()).not.toBe(folder);
  });

  it('removes those of earlier commits that are no longer in use', async () => {
    const { realRoot, cacheFolder, open } = await setUp();
    const old = await open();
    commit(realRoot, 'second');
    const recent = await open();
    expect(existsSync(old)).toBe(true);
    const hoursAgo = Date.now() / 1000 - 7200;
    utimesSync(old, hoursAgo, hoursAgo);
    mkdirSync(path.join(cacheFolder, 'git-other'));
    utimesSync(path.join(cacheFolder, 'git-other'), hoursAgo, hoursAgo);
    commit(realRoot, 'third');
    const newest = await open();
    expect(readdirSync(cacheFolder).sort()).toEqual(['git-other', path.basename(recent), path.basename(newest)].sort());
  });

  it('is not made inside the folder, where the folder could have put one', async () => {
    const { realRoot, logger } = await setUp();
    const cacheFolder = path.join(realRoot, '.cache');
    const opened = await new OwnGitDirectory({ realRoot, cacheFolder, logger }).open();
    expect(opened).toEqual({ kind: 'refused' });
    expect(logger.lines.join()).toContain('the cache is inside the folder');
    expect(existsSync(cacheFolder)).toBe(false);
  });
});
