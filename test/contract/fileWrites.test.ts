/**
 * Who may write files. In a workspace everything goes through `src/node/records/confinedFolder.ts`, which follows no link; whatever
 * else writes is named here, with the reason. A new writer fails this test until somebody has thought about it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Files that call a function of `node:fs` that writes, and why they need not go through the door. */
const WRITERS: Readonly<Record<string, string>> = {
  'src/node/records/confinedFolder.ts': 'the door',
  'src/node/git/gitDirectory.ts': 'makes Git directories of our own in the user’s cache folder',
  'src/node/records/heldFolder.ts': 'makes folders for the door, each after the one above was checked',
  'src/node/atomicFile.ts': 'writes into the user’s own folders only: cache, trust, state of transcripts',
  'src/node/cacheStore.ts': 'stamps and removes packs in the user’s cache folder',
  'src/node/openedPlace.ts': 'opens places by descriptors that can neither read nor write (O_PATH)',
  'src/node/pruneCaches.ts': 'stamps and removes folders in the user’s cache folder',
  'src/node/transcripts/sessions/sessionCache.ts':
    'works in the user’s cache folder, and opens agents’ logs to read them',
  'src/node/trustStore.ts': 'renames a damaged trust store in the user’s configuration folder',
  'src/core/setup/hooks/hookCommandLine.ts': 'is the text of a script that looks for the extension, and only reads',
};

/** Files that write through the editor's file system, which follows links, and what they write. */
const EDITOR_WRITERS: Readonly<Record<string, string>> = {
  'src/vscode/base/folderFiles.ts':
    'config and agents’ settings of virtual folders; those on a disk go through the door',
  'src/vscode/base/launcherFile.ts': 'the launcher, in the extension’s own storage',
  'src/vscode/workspace/workspaceLogs.ts':
    'records of virtual folders, which no process of this machine reads as files',
};

const READERS =
  /^(?:access|accessSync|constants|createReadStream|exists|existsSync|fstat|fstatSync|lstat|lstatSync|opendir|opendirSync|read|readSync|readdir|readdirSync|readFile|readFileSync|readlink|readlinkSync|realpath|realpathSync|stat|statSync|statfs|watch|watchFile|close|closeSync|promises|native)$/;

/** Types of `node:fs`, and nothing that does anything. */
const TYPES = /^(?:BigIntStats|Dirent|FileHandle|FSWatcher|Stats)$/;

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => /\.(?:ts|tsx|js|mjs|cjs)$/.test(file));
}

/** Uses of `node:fs` in a text that may write, by name. */
function writesOf(text: string): readonly string[] {
  const found: string[] = [];
  const body = text.replace(/\bimport\s[^;'"]*from\s+['"][^'"]+['"];?|\bpromisify(?:<[^>]*>)?\([^)]*\)/g, '');
  const judge = (name: string, uses: RegExp): void => {
    if (name !== 'open' && name !== 'openSync') {
      if (!READERS.test(name) && !TYPES.test(name)) found.push(name);
      return;
    }
    for (const [use, flags = "'r'"] of body.matchAll(uses))
      if (!use.includes('(') || !isReadFlag(flags, text)) found.push(name);
  };
  for (const [, clause = ''] of text.matchAll(
    /\bimport\s+(?!type\b)([^;'"]+?)\s+from\s+['"](?:node:)?fs(?:\/promises)?['"]/g,
  )) {
    const [, names = ''] = /\{([^}]*)\}/.exec(clause) ?? [];
    for (const one of names.split(',').map((name) => name.trim())) {
      if (one === '' || one.startsWith('type ')) continue;
      const [name = '', local = name] = one.split(/\s+as\s+/);
      judge(name, callsOf(local));
    }
    const space = /(?:^|\*\s+as\s+)(\w+)/.exec(clause.replace(/\{[^}]*\}/, ''))?.[1];
    if (space === undefined) continue;
    const used = [...text.matchAll(new RegExp(`\\b${space}\\.(?:promises\\.)?(\\w+)`, 'g'))].map(
      ([, name = '']) => name,
    );
    const aliases = [...text.matchAll(new RegExp(`const (\\w+) = promisify(?:<[^>]*>)?\\(${space}\\.open\\)`, 'g'))];
    const opens = aliases.map(([, name = '']) => name);
    for (const name of new Set(used)) judge(name, callsOf([`${space}\\.(?:promises\\.)?${name}`, ...opens].join('|')));
  }
  // What is asked for while the program runs is seen by nobody here.
  found.push(
    ...[...text.matchAll(/\b(?:require|import)\(\s*['"](?:node:)?fs(?:\/promises)?['"]\s*\)/g)].map(([all]) => all),
  );
  found.push(
    ...[...text.matchAll(/\bexport\b[^;'"]*\bfrom\s+['"](?:node:)?fs(?:\/promises)?['"]/g)].map(([all]) => all),
  );
  return found;
}

/** Calls by a name, with their second argument; a use that is no call, such as a callback, counts as one with unknown flags. */
function callsOf(local: string): RegExp {
  return new RegExp(`(?<![.\\w#])(?:${local})(?:\\((?:[^(),]|\\([^()]*\\))*(?:,\\s*([^,)]+))?|(?=\\s*[,;)]))`, 'g');
}

function isReadFlag(flags: string, text: string): boolean {
  if (/^'r'$/.test(flags)) return true;
  const value = /^\w+$/.test(flags) ? new RegExp(`const ${flags} =([^;]*);`).exec(text)?.[1] : flags;
  return value !== undefined && /O_RDONLY/.test(value) && !/O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(value);
}

describe('writing files', () => {
  it.each([
    ["import { writeFile } from 'node:fs/promises'; await writeFile(a, b);", ['writeFile']],
    ["import { rename as move } from 'fs/promises'; move(a, b);", ['rename']],
    ["import * as fs from 'node:fs'; fs.promises.rm(a); fs.readFileSync(a);", ['rm']],
    ["import fs from 'node:fs'; const make = fs.promises.mkdir;", ['mkdir']],
    ["import * as fs from 'node:fs'; const o = promisify<a, b>(fs.open); o(a, 'w');", ['open']],
    ["import { open } from 'node:fs/promises'; open(a, 'r'); open(a, 'wx');", ['open']],
    ["import { open } from 'node:fs/promises'; open(a); open(a, flags);", ['open']],
    ["const F = constants.O_RDONLY;\nimport { open } from 'node:fs/promises'; open(a, F);", []],
    ["import { open, stat } from 'node:fs/promises'; stat(a); list.map(open);", ['open']],
    ["import { createWriteStream as w } from 'node:fs'; list.map(w);", ['createWriteStream']],
    ["const fs = require('node:fs');", ["require('node:fs')"]],
    ["const fs = await import('node:fs/promises');", ["import('node:fs/promises')"]],
    ["import type { FileHandle } from 'node:fs/promises'; let a: FileHandle;", []],
    ["import { type Stats, statSync } from 'node:fs'; statSync(a);", []],
  ])('is seen in %s', (text, expected) => {
    expect(writesOf(text)).toEqual(expected);
  });

  it('is left to the door in a workspace, and to the writers that are named', () => {
    const found = sources('src').filter((file) => writesOf(readFileSync(file, 'utf8')).length > 0);
    expect([...found].sort()).toEqual(Object.keys(WRITERS).sort());
  });

  it('of records touches files through the door alone', () => {
    const records = sources('src/node/records').filter((file) => !/\/(?:confined|held)Folder\.ts$/.test(file));
    expect(records.map((file) => file.split('/').at(-1)).sort()).toEqual([
      'fileLogs.ts',
      'recordLock.ts',
      'workspaceFile.ts',
    ]);
    const wrong = records.filter((file) =>
      /import (?!type)[^;]*from '(?:node:)?fs(?:\/promises)?'/.test(readFileSync(file, 'utf8')),
    );
    expect(wrong).toEqual([]);
  });

  it('through the editor is done where it is named', () => {
    const found = sources('src/vscode').filter((file) =>
      /workspace\.fs\s*\.(?:writeFile|delete|rename|copy|createDirectory)/.test(readFileSync(file, 'utf8')),
    );
    expect([...found].sort()).toEqual(Object.keys(EDITOR_WRITERS).sort());
  });
});
