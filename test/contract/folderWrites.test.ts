/** In Restricted Mode the editor writes nothing into a folder: the few places that write at all are listed with what guards them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve('src/vscode');
/** Calls that make, change or remove files, or what is in their editors. */
const WRITES =
  /\.fs\s*\.(?:writeFile|delete|rename|copy|createDirectory)\(|\bapplyEdit\(|ConfigurationTarget\.Workspace/;

/** Files that write, and why that is right in a folder that nobody trusts. */
const GUARDED: Readonly<Record<string, { readonly why: string; readonly guard?: RegExp }>> = {
  'panel/configWriter.ts': { why: 'refuses in Restricted Mode', guard: /\brequireTrust\(\)/ },
  'base/folderFiles.ts': { why: 'refuses in Restricted Mode', guard: /\brequireTrust\(\)/ },
  'base/preferences.ts': { why: 'writes settings of a folder only where it is trusted', guard: /\brequireTrust\(\)/ },
  'base/launcherFile.ts': { why: 'writes into the storage of the extension alone', guard: /globalStorageUri/ },
  'workspace/workspaceLogs.ts': { why: 'is behind logs that are held back: `HeldLogs` in the same file' },
};

const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'));
const textOf = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');

describe('the editor', () => {
  it('writes files in no other place', () => {
    expect(sources.filter((name) => WRITES.test(textOf(name))).sort()).toEqual(Object.keys(GUARDED).sort());
  });

  it.each(Object.entries(GUARDED))('%s is guarded', (name, { guard }) => {
    if (guard) expect(textOf(name)).toMatch(guard);
    else
      expect(sources.filter((each) => /\bworkspaceLogs\(/.test(textOf(each)))).toEqual(['workspace/workspaceLogs.ts']);
  });

  it('opens no log that is not held back', () => {
    const opened = textOf('workspace/workspaceLogs.ts').match(/.*\bworkspaceLogs\(folder, .*/g) ?? [];
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatch(/new HeldLogs\(workspaceLogs\(folder, .*, mayWrite,/);
    expect(textOf('desktop.ts')).toMatch(/createNodeWorkspace\(\{[^}]*\bmayWrite,/);
  });
});
