import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TrustError, TrustStore } from '../../../src/node/trustStore';
import { RecordingLogger } from '../../support/recordingLogger';
import { tempFolder } from '../../support/tempFolder';

interface Setup {
  readonly folder: string;
  readonly config: string;
  readonly file: string;
  readonly logger: RecordingLogger;
  readonly store: TrustStore;
}

async function setUp(): Promise<Setup> {
  const folder = await tempFolder();
  const config = path.join(await tempFolder(), 'config');
  const logger = new RecordingLogger();
  return {
    folder,
    config,
    file: path.join(config, 'trusted-folders.json'),
    logger,
    store: new TrustStore(config, logger),
  };
}

describe('TrustStore', () => {
  it('trusts nothing at first, and says nothing about it', async () => {
    const { folder, store, logger } = await setUp();
    expect(await store.isTrusted(folder)).toBe(false);
    expect(await store.list()).toEqual([]);
    expect(logger.lines).toEqual([]);
  });

  it('remembers a folder for other sessions, once', async () => {
    const { folder, config, store } = await setUp();
    expect(await store.add(folder)).toEqual({ folder, isNew: true });
    expect(await store.add(folder)).toEqual({ folder, isNew: false });
    const later = new TrustStore(config, new RecordingLogger());
    expect(await later.isTrusted(folder)).toBe(true);
    expect(await later.list()).toEqual([folder]);
  });

  it('goes by the real path: through a link it is the same folder', async () => {
    const { folder, store } = await setUp();
    const link = path.join(await tempFolder(), 'link');
    await symlink(folder, link);
    await store.add(link);
    expect(await store.list()).toEqual([folder]);
    expect(await store.isTrusted(link)).toBe(true);
  });

  it('does not trust what lies below or beside a trusted folder', async () => {
    const { folder, store } = await setUp();
    await mkdir(path.join(folder, 'sub'));
    await store.add(folder);
    expect(await store.isTrusted(path.join(folder, 'sub'))).toBe(false);
    expect(await store.isTrusted(path.dirname(folder))).toBe(false);
  });

  it.each(['config', 'link'])('does not let a folder ship the record that trusts it: %s', async (name) => {
    const { folder, config, logger } = await setUp();
    const shipped = path.join(folder, 'config');
    await mkdir(shipped);
    const text = JSON.stringify({ version: 1, folders: [folder] });
    await writeFile(path.join(shipped, 'trusted-folders.json'), text);
    await symlink(shipped, config);
    const store = new TrustStore(name === 'link' ? config : shipped, logger);
    expect(await store.isTrusted(folder)).toBe(false);
    expect(logger.lines).toEqual([expect.stringMatching(/is inside .*, so no folder counts as trusted/)]);
    await expect(store.add(folder)).rejects.toSatisfy((error) => TrustError.is(error, 'insideFolder'));
    expect(await readFile(path.join(shipped, 'trusted-folders.json'), 'utf8')).toBe(text);
    // Others may still be trusted by it.
    const other = await tempFolder();
    await store.add(other);
    expect(await store.isTrusted(other)).toBe(true);
  });

  it('does not make the record inside the folder either', async () => {
    const { folder, logger } = await setUp();
    const store = new TrustStore(path.join(folder, 'not', 'there'), logger);
    await expect(store.add(folder)).rejects.toSatisfy((error) => TrustError.is(error, 'insideFolder'));
    expect(await store.isTrusted(folder)).toBe(false);
  });

  it('forgets a folder, even one that is gone', async () => {
    const { folder, store } = await setUp();
    await store.add(folder);
    await rm(folder, { recursive: true });
    expect(await store.remove(folder)).toBe(true);
    expect(await store.remove(folder)).toBe(false);
    expect(await store.list()).toEqual([]);
  });

  it.each(['{"version":1,"folders":[', '{"version":2,"folders":[]}', '{"version":1,"folders":[7]}', 'null', ''])(
    'trusts nothing by the damaged file %j, keeps it aside and works on',
    async (damaged) => {
      const { folder, config, file, store, logger } = await setUp();
      await mkdir(config, { recursive: true });
      await writeFile(file, damaged);
      expect(await store.isTrusted(folder)).toBe(false);
      expect(logger.lines).toEqual([expect.stringContaining('is damaged, so no folder counts as trusted')]);
      expect(await store.add(folder)).toEqual({ folder, isNew: true });
      expect(await readFile(`${file}.broken`, 'utf8')).toBe(damaged);
      expect(await store.isTrusted(folder)).toBe(true);
    },
  );

  it('rejects a folder that is not there and a configuration that cannot be written', async () => {
    const { folder, store, config } = await setUp();
    await expect(store.add(path.join(folder, 'none'))).rejects.toSatisfy((error) => TrustError.is(error, 'noFolder'));
    await writeFile(config, 'a file in the way');
    await expect(store.add(folder)).rejects.toSatisfy((error) => TrustError.is(error));
  });

  it('loses nothing when twelve folders are trusted at once', async () => {
    const { config, store } = await setUp();
    const folders = await Promise.all(Array.from({ length: 12 }, () => tempFolder()));
    await Promise.all(folders.map((folder) => new TrustStore(config, new RecordingLogger()).add(folder)));
    expect(await store.list()).toEqual([...folders].sort());
    await Promise.all(folders.map((folder) => new TrustStore(config, new RecordingLogger()).remove(folder)));
    expect(await store.list()).toEqual([]);
  });

  it('keeps the file to the user alone, where files have such modes', async () => {
    const { folder, file, store } = await setUp();
    await store.add(folder);
    expect((await stat(file)).mode & 0o077).toBe(process.platform === 'win32' ? 0o066 : 0);
  });
});
