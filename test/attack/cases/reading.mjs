// Ways to have something read that the folder's own listing does not show (issue 15: H3, M3).
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onlyLong } from '../../support/extent.mjs';
import { EVERY, READING } from '../cliHost.mjs';
import { observationLine } from './records.mjs';

/** A config of the repository with a secret of the user's; not in an address, where it would be masked. */
function gitSecret(folder) {
  folder.git('config', 'branch.main.description', `the word is ${folder.secret()}`);
  return folder;
}

/** Handle → what must not open. */
const HANDLES = {
  'an-ignored-file': [
    'file:.env',
    'file:.env#L1-L3',
    'file:./.env',
    'file:src/../.env',
    'file:.ENV',
    '.env',
    'sym:.env:NOTE',
  ],
  'a-file-of-an-ignored-folder': ['file:ignored/notes.md', 'file:ignored//notes.md#L1', 'sym:ignored/notes.md:Notes'],
  'the-config-of-git': [
    'file:.git/config',
    'file:.GIT/config',
    'file:./.git/config',
    'file:src/../.git/config',
    'file:.git//config',
  ],
  'a-name-of-windows': [
    'file:GIT~1/config',
    'file:.git./config',
    'file:.git::$INDEX_ALLOCATION/config',
    'file:.g\u200cit/config',
  ],
};

/** Links to what must not open, by a name that may. */
const LINKS = {
  'link-to-an-ignored-file': '.env',
  'link-to-an-ignored-folder': 'ignored',
  'link-to-the-config-of-git': '.git/config',
  'link-to-git': '.git',
};

/** Instructions that name, or are, what lies elsewhere. */
const INSTRUCTIONS = {
  'instructions-are-a-link-outside': (folder) => replaced(folder, 'AGENTS.md', folder.outsideFile('diary.md')),
  'instructions-are-an-ignored-file': (folder) => replaced(folder, 'AGENTS.md', '.env'),
  'instructions-are-the-config-of-git': (folder) => replaced(folder, 'AGENTS.md', '.git/config'),
  'memory-is-a-link-outside': (folder) => replaced(folder, 'MEMORY.md', folder.outsideFile('diary.md')),
  'memory-folder-is-a-link-outside': (folder) => {
    folder.outsideFile('MEMORY.md');
    folder.outsideFile('topics/a.md');
    folder.link('memory', '../outside');
  },
  'rules-folder-is-a-link-outside': (folder) => {
    folder.outsideFile('a.mdc');
    folder.outsideFile('a.instructions.md');
    folder.folder('.cursor').link('.cursor/rules', '../../outside').link('.github/instructions', '../../outside');
  },
  'instructions-import-outside': (folder) =>
    imports(folder, ['../outside/diary.md', '../../outside/diary.md', folder.outsideFile('diary.md'), '~/diary.md']),
  'instructions-import-an-ignored-file': (folder) =>
    imports(folder, ['.env', './.env', 'ignored/notes.md', 'src/../.env']),
  'instructions-import-the-config-of-git': (folder) => imports(folder, ['.git/config', './.git/HEAD', '.GIT/config']),
  'instructions-import-links': (folder) => {
    folder.link('a.md', '.env').link('b.md', '.git/config').link('c.md', folder.outsideFile('diary.md'));
    imports(folder, ['a.md', 'b.md', 'c.md']);
  },
  'source-folder-is-a-link-outside': (folder) => {
    const word = folder.secret();
    writeFileSync(path.join(folder.outside, 'b.ts'), `export function ${word}(): void {}\n`);
    folder.link('lib', '../outside').link('src/b.ts', '../../outside/b.ts');
  },
  'ignore-file-is-a-link-outside': (folder) =>
    replaced(folder.ignoredFromWithin(), '.gitignore', folder.outsideFile('diary.md')),
};

function replaced(folder, name, target) {
  rmSync(folder.at(name));
  folder.link(name, target);
}

function imports(folder, names) {
  const text = `# Rules\n\n${names.map((name) => `@${name}\n\nSee [it](${name}).\n`).join('\n')}`;
  for (const file of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'])
    folder.write(file, text);
}

/** Configs that name what must stay unread. */
const CONFIGS = {
  'section-of-git': {
    sections: [
      { id: 'one', file: '.git/config' },
      { id: 'two', files: '.git/*' },
      { id: 'three', files: '**/config' },
    ],
  },
  'section-of-git-in-capitals': {
    sections: [
      { id: 'one', file: '.GIT/config' },
      { id: 'two', file: 'src/.git' },
    ],
  },
  'section-outside': { sections: [{ id: 'one', file: '../outside/diary.md' }] },
  'section-of-a-link-outside': {
    sections: [
      { id: 'one', file: 'out/diary.md' },
      { id: 'two', files: 'out/**' },
    ],
  },
  'section-of-a-link-to-git': {
    sections: [
      { id: 'one', file: 'g/config' },
      { id: 'two', files: 'g/**' },
    ],
  },
  'run-logs-of-git': { observations: { sources: ['.git/**', '.git/config', 'g/**'] } },
  'run-logs-outside': { observations: { sources: ['out/**', 'out/diary.md'] } },
  'relay-of-git': { relay: { path: '.git/relay.json', ledger: '.git/config' } },
  'relay-outside': { relay: { path: 'out/relay.json', ledger: 'out/relay.json' } },
  'map-of-git': { repo_map: { include: ['.git/**', '**'] } },
  'map-of-ignored-files': { repo_map: { include: ['ignored/**', '.env'] } },
};

function configured(folder, value) {
  folder.outsideFile('diary.md');
  folder.outsideFile('relay.json', (word) => JSON.stringify({ relay_context: { goal: word }, execution_logs: [] }));
  const relay = JSON.stringify({ relay_context: { goal: folder.secret() }, execution_logs: [] });
  folder.write('.git/relay.json', relay).link('out', '../outside').link('g', '.git').config(value);
}

/** Swaps a folder for a link and back while it is read. Said by a script of its own, which ends by itself. */
function swapping(name) {
  const script = `
    const fs = require('node:fs');
    const [at, other] = process.argv.slice(1);
    const end = Date.now() + 60000;
    const rename = (from, to) => { try { fs.renameSync(from, to); } catch (error) { if (error.code !== 'ENOENT') throw error; } };
    while (Date.now() < end && process.ppid === ${process.pid}) {
      rename(at, at + '.real'); rename(other, at);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
      rename(at, other); rename(at + '.real', at);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
    }`;
  return (folder) => [process.execPath, '-e', script, folder.at(name), folder.at(`${name}.link`)];
}

const asked = (name) => Array.from({ length: 12 }, () => `file:${name}`);

const RACES = [
  {
    name: 'folder-swapped-for-a-link-outside',
    tries: 'a folder becomes a link while it is read',
    moving: 'docs',
    handles: asked('docs/a.md'),
    make: (folder) => {
      folder.repository().write('docs/a.md', '# Docs\n\nNothing.\n');
      folder.git('add', '-A');
      folder.outsideFile('a.md');
      folder.link('docs.link', '../outside');
    },
  },
  {
    name: 'folder-of-instructions-swapped-for-a-link-outside',
    tries: 'a folder of instructions becomes a link while it is read',
    moving: 'memory',
    make: (folder) => {
      folder.repository();
      for (let at = 0; at < 40; at++) {
        folder.write(`memory/note${at}.md`, '# Note\n\nNothing.\n');
        folder.outsideFile(`note${at}.md`);
      }
      folder.git('add', '-A');
      folder.link('memory.link', '../outside');
    },
  },
  {
    name: 'file-swapped-for-a-link-outside',
    tries: 'a file becomes a link while it is read',
    moving: 'notes.md',
    handles: asked('notes.md'),
    make: (folder) => {
      folder.repository().write('notes.md', '# Notes\n\nNothing.\n');
      folder.git('add', '-A');
      folder.link('notes.md.link', folder.outsideFile('diary.md'));
    },
  },
  {
    name: 'folder-swapped-for-a-link-to-ignored',
    tries: 'a folder becomes a link to an ignored one while it is read',
    moving: 'docs',
    handles: asked('docs/notes.md'),
    make: (folder) => {
      folder.repository().write('docs/notes.md', '# Notes\n\nNothing.\n');
      folder.git('add', '-A');
      folder.link('docs.link', 'ignored');
    },
  },
];

/** Asks, swaps by itself, and asks again at once: no luck is needed. */
async function swapBetween({ tool }, folder) {
  for (let round = 0; round < 5; round++) {
    await tool('context_detail', { handles: ['file:docs/a.md'] });
    rmSync(folder.at('docs'), { recursive: true });
    folder.link('docs', '../outside');
    await tool('context_detail', { handles: ['file:docs/a.md'] });
    rmSync(folder.at('docs'));
    folder.write('docs/a.md', '# Docs\n\nNothing.\n');
  }
}

function recordRace(name, swapped) {
  return {
    name,
    finding: 'C1',
    tries: 'a place of records becomes a link while it is written',
    arms: ['written'],
    cli: Array.from({ length: 8 }, () => ['observe', '--summary', 'looked at it']),
    moving: swapped.moving,
    race: swapping(swapped.moving),
    make: (folder) => swapped.make(folder.repository()),
  };
}

function table(finding, tries, entries, more) {
  return Object.entries(entries).map(([name, given]) => ({
    name,
    finding,
    tries,
    arms: ['read'],
    ...more(given, name),
  }));
}

export const READING_CASES = [
  ...table('H3', 'a handle opens what is not listed', HANDLES, (handles, name) => ({
    ...{ cli: [], handles, sample: name === 'an-ignored-file' ? [...onlyLong(['cli']), 'mcp'] : [] },
    make: (folder) => gitSecret(folder.repository()),
  })),
  ...table('H3', 'a link opens what is not listed', LINKS, (target) => ({
    cli: READING,
    handles: ['file:notes.md', 'file:notes.md/config', 'file:notes.md/notes.md', 'section:notes-md'],
    make: (folder) => gitSecret(folder.repository()).link('notes.md', target),
  })),
  ...table('H3', 'instructions lead to what is not theirs', INSTRUCTIONS, (lay, name) => ({
    cli: name === 'instructions-import-links' ? EVERY : [READING[1], ['stale']],
    handles: ['section:agents-md', 'section:memory', 'file:AGENTS.md', 'file:MEMORY.md', 'file:lib/b.ts'],
    make: (folder) => lay(gitSecret(folder.repository())),
  })),
  ...table('H3', 'a config names what is not its own', CONFIGS, (value, name) => ({
    cli: [READING[1], ['ingest'], ['index', '--unmasked'], ['compact', '--unmasked', '--observations']],
    handles: ['section:one', 'section:two', 'section:three', 'section:relay', '1', '2'],
    sample: name === 'section-of-git' ? [...onlyLong(['cli']), 'mcp'] : [],
    make: (folder) => configured(gitSecret(folder.repository()), value),
  })),
  ...RACES.map((race) => ({
    ...{
      finding: 'M3',
      arms: ['read'],
      cli: Array.from({ length: 5 }, () => (race.handles ? ['detail', '--ids', race.handles[0]] : READING[1])),
      ...race,
    },
    race: swapping(race.moving),
  })),
  {
    name: 'folder-swapped-between-two-questions',
    ...{ finding: 'M3', tries: 'a folder becomes a link between two questions', arms: ['read'] },
    ...{ hosts: ['mcp'], moving: 'docs', sample: ['mcp'], mcp: swapBetween },
    make: (folder) => {
      folder.repository().write('docs/a.md', '# Docs\n\nNothing.\n');
      folder.git('add', '-A');
      folder.outsideFile('a.md');
    },
  },
  recordRace('own-folder-swapped-for-a-link-outside', {
    moving: '.context-budget',
    make: (folder) =>
      folder.write('.context-budget/observations.jsonl', observationLine(1)).link('.context-budget.link', '../outside'),
  }),
  recordRace('own-folder-swapped-for-a-link-to-git', {
    moving: '.context-budget',
    make: (folder) =>
      folder.write('.context-budget/observations.jsonl', observationLine(1)).link('.context-budget.link', '.git/info'),
  }),
];
