/** Maps that show what changed in place of a task's, in repositories made by git itself. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChangesError } from '../../../../src/core/pipeline/collect/gitChanges';
import type { WorkspacePreferences } from '../../../../src/core/workspace/workspace';
import { openTools } from '../../../support/toolWorld';
import { commit, git } from '../../node/git/gitWorld';

const CONFIG = 'export function parseConfig(text: string): string {\n  return text;\n}\n';
const FILES = {
  'AGENTS.md': '# Rules\nBe brief.\n',
  'src/config.ts': CONFIG,
  'src/app.ts': "import { parseConfig } from './config';\nexport const start = () => parseConfig('a');\n",
  'src/other.ts': 'export function idle(): void {}\n',
};

const OFF = { showsChanges: undefined, task: undefined };
const ON = { showsChanges: true, task: undefined };

async function opened(preferences: Partial<WorkspacePreferences>, hasGit = true) {
  const { workspace, folder } = await openTools(FILES, {
    preferences: { isTrusted: true, ...preferences },
    prepare: (at) => {
      if (!hasGit) return;
      git(at, 'init', '-q', '--template=');
      commit(at, 'first');
    },
  });
  const write = (file: string, text: string): void => {
    writeFileSync(path.join(folder, file), text);
    workspace.notify({ kind: 'files', changed: [file], removed: [] });
  };
  const mapSection = async (): Promise<string> => {
    const { report } = await workspace.whenReady();
    return report?.payloads.expanded.sections.find(({ id }) => id === 'repo-map')?.text ?? '';
  };
  return { workspace, folder, write, mapSection };
}

describe('a map of what changed in place of a task’s', () => {
  it('is the payload’s and the folder’s, follows what is saved, and goes when it is not wanted any more', async () => {
    const { workspace, write, mapSection } = await opened(OFF);
    write('src/config.ts', CONFIG.replace('return text', 'return text.trim()'));
    expect(await mapSection()).not.toContain('changed +1 -1');
    workspace.update(ON);
    const shown = await mapSection();
    expect(shown).toContain('parseConfig(text: string): string | changed +1 -1');
    expect(shown).toContain('calls parseConfig (changed)');
    expect(shown).not.toContain('idle');
    const { changes, problems, mapRevision } = workspace.snapshot;
    expect([changes, problems]).toEqual([{ base: 'main', files: 1 }, []]);
    const { text, since } = await workspace.map({ withReasons: true, leftOut: { limit: 3 } });
    expect(text).toContain('changed +1 -1');
    expect(since?.files).toBe(1);
    write('src/other.ts', 'export function idle(): number {\n  return 1;\n}\n');
    expect(await mapSection()).toContain('idle(): number | changed');
    expect(workspace.snapshot.mapRevision).toBeGreaterThan(mapRevision);
    workspace.update(OFF);
    expect(await mapSection()).not.toContain('changed +');
    expect(workspace.snapshot.changes).toBeUndefined();
  });

  it('fills an index payload like a map for a task does', async () => {
    const { workspace, write } = await opened(ON);
    write('src/config.ts', CONFIG.replace('return text', 'return text.trim()'));
    const { report } = await workspace.whenReady();
    expect(report?.payloads.index.text).toContain('changed +1 -1');
    expect(report?.payloads.index.cuts.map(({ reason }) => reason).join()).not.toContain('no task');
  });

  it('is the folder’s where nothing changed', async () => {
    const { workspace, mapSection } = await opened(ON);
    expect(await mapSection()).toContain('parseConfig');
    expect(workspace.snapshot.changes).toEqual({ base: 'main', files: 0 });
  });

  it('says in one line why there is none: no trust, no repository', async () => {
    for (const [preferences, hasGit, words] of [
      [{ ...ON, isTrusted: false }, true, 'What changed is only read in trusted folders'],
      [ON, false, 'the folder is no Git repository'],
    ] as const) {
      const { workspace, mapSection } = await opened(preferences, hasGit);
      expect(await mapSection()).toContain('parseConfig');
      const said = workspace.snapshot.problems.map(({ message }) => message);
      expect(said.filter((message) => message.includes(words))).toHaveLength(1);
      expect(workspace.snapshot.changes).toEqual({ base: undefined, files: 0 });
      await expect(workspace.requireChanges()).rejects.toThrow(words);
      await expect(workspace.requireChanges()).rejects.toSatisfy((error) => ChangesError.is(error));
    }
  });

  it('is there once the folder is trusted, and says that only uncommitted changes are known without a main branch', async () => {
    const { workspace, folder, write, mapSection } = await opened({ ...ON, isTrusted: false });
    write('src/config.ts', CONFIG.replace('return text', 'return text.trim()'));
    await workspace.whenReady();
    git(folder, 'branch', '-m', 'main', 'work');
    workspace.update({ isTrusted: true });
    expect(await mapSection()).toContain('changed +1 -1');
    expect(workspace.snapshot.changes).toEqual({ base: 'HEAD', files: 1 });
    expect(workspace.snapshot.problems.map(({ message }) => message)).toEqual([
      'No origin/HEAD, main or master to compare with: only uncommitted changes are listed.',
    ]);
  });

  it('names who used a definition that is gone, though its file is read again and again', async () => {
    const { folder, write, mapSection, workspace } = await opened(ON);
    for (const text of ['export const a = 1;\n', 'export const b = 1;\n']) {
      write('src/config.ts', text);
      expect(await mapSection()).toContain('calls parseConfig (deleted from src/config.ts)');
    }
    rmSync(path.join(folder, 'src/config.ts'));
    workspace.notify({ kind: 'files', changed: [], removed: ['src/config.ts'] });
    expect(await mapSection()).toContain('parseConfig (deleted');
  });
});
