// Folders that keep whoever reads them busy without end, or fill the memory (issue 15: H1).
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { READING } from '../cliHost.mjs';
import { observationLine, usageLine } from './records.mjs';

const OBSERVATIONS = '.context-budget/observations.jsonl';
const USAGE = '.context-budget/usage.jsonl';
const GB = 1024 ** 3;
const SLOW_DISK = path.join(path.dirname(fileURLToPath(import.meta.url)), '../slowDisk.cjs');

/** As from a slow file system: what is opened comes late. */
const onSlowDisk = { env: () => ({ NODE_OPTIONS: `--require ${SLOW_DISK}` }), hosts: ['cli', 'mcp'] };

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));

/** Name → what is laid, with what is asked of it. */
const FOLDERS = {
  'observations-come-late': {
    ...onSlowDisk,
    make: (folder) => folder.write(OBSERVATIONS, many(20, (at) => observationLine(at + 1)).join('')),
  },
  'usage-comes-late': {
    ...onSlowDisk,
    make: (folder) => folder.write(USAGE, many(20, (at) => usageLine(at + 1)).join('')),
  },
  'many-sections-of-everything': {
    make: (folder) => {
      for (let at = 0; at < 400; at++)
        folder.write(`notes/n${at}.md`, `# Note ${at}\n\n${'All of it. '.repeat(500)}\n`);
      folder.config({ sections: many(1000, (at) => ({ id: `s${at}`, files: '**/*.md' })) });
    },
  },
  'many-sections-of-different-globs': {
    make: (folder) => {
      for (let at = 0; at < 1500; at++) folder.write(`n/a${at % 40}/n${at}.md`, `# Note ${at}\n`);
      folder.config({ sections: many(1000, (at) => ({ id: `s${at}`, files: `**/*{${at},a}*/**/*.md` })) });
    },
  },
  'many-ignore-patterns': {
    make: (folder) => {
      folder.write('.gitignore', `${many(20_000, (at) => `**/x${at}*/**/y?[a-z]*\n`).join('')}ignored/\n`);
      for (let at = 0; at < 1500; at++) folder.write(`s/d${at % 50}/f${at}.ts`, `export const f${at} = ${at};\n`);
    },
  },
  'ignore-patterns-with-many-stars': {
    make: (folder) => {
      folder.write('.gitignore', `${many(40, (at) => `${'*a'.repeat(24)}${at}b\n`).join('')}ignored/\n`);
      for (let at = 0; at < 40; at++) folder.write(`${'a'.repeat(180)}${at}.txt`, 'x\n');
    },
  },
  'ignore-patterns-with-many-double-stars': {
    make: (folder) => {
      folder.write('.gitignore', `${many(40, (at) => `${'**/a/'.repeat(20)}b${at}\n`).join('')}ignored/\n`);
      folder.write(`${'a/'.repeat(120)}c.txt`, 'x\n');
    },
  },
  'globs-with-many-stars': {
    make: (folder) => {
      const glob = `${'*a'.repeat(24)}b`;
      for (let at = 0; at < 40; at++) folder.write(`${'a'.repeat(180)}${at}.md`, '# a\n');
      folder.config(globsEverywhere([glob, `**/${glob}`, `${'**/'.repeat(40)}x`, `${'+(a|aa)'.repeat(12)}b`]));
    },
  },
  'globs-with-many-braces': {
    make: (folder) => {
      for (let at = 0; at < 40; at++) folder.write(`${'ab'.repeat(40)}${at}.md`, '# a\n');
      folder.config(
        globsEverywhere([`${'{a,b}'.repeat(24)}x`, '{1..100000000}', `${'{a,'.repeat(200)}${'}'.repeat(200)}`]),
      );
    },
  },
  'globs-with-nested-groups': {
    make: (folder) => {
      folder.write(`${'a'.repeat(120)}.md`, '# a\n');
      folder.config(
        globsEverywhere(['+(+(+(a)))b', '*(*(*(a|aa)|a)|aa)b', '!(!(!(a*)*)*)b', `@(${'a|'.repeat(2000)}b)c`]),
      );
    },
  },
  'observations-of-a-gigabyte': {
    cli: [['budget'], ['index'], ['observe', '--summary', 'looked']],
    make: (folder) => folder.sparse(OBSERVATIONS, GB, observationLine(1)),
  },
  'usage-of-a-gigabyte': {
    cli: [['budget'], ['report'], ['simulate'], ['payload', '--record']],
    make: (folder) => folder.sparse(USAGE, GB, usageLine(1)),
  },
  'old-usage-of-a-gigabyte': {
    cli: [['budget'], ['report'], ['payload', '--record']],
    make: (folder) => {
      for (let at = 1; at < 6; at++) folder.sparse(`.context-budget/usage.00000${at}.jsonl`, GB, usageLine(at));
      folder.write(USAGE, usageLine(9));
    },
  },
  'many-old-usage-files': {
    cli: [['budget'], ['report'], ['payload', '--record']],
    make: (folder) => {
      for (let at = 1; at < 3000; at++)
        folder.write(`.context-budget/usage.${String(at).padStart(6, '0')}.jsonl`, usageLine(at));
      folder.write(USAGE, usageLine(9999));
    },
  },
  'many-observations': {
    cli: [['budget'], ['index'], ['timeline']],
    make: (folder) => folder.write(OBSERVATIONS, many(150_000, (at) => observationLine(at + 1)).join('')),
  },
  'files-of-a-gigabyte': {
    cli: [...READING, ['ingest'], ['compact']],
    make: (folder) => {
      for (const name of [
        'AGENTS.md',
        'MEMORY.md',
        'CLAUDE.md',
        'PROGRESS.md',
        'runs/a.json',
        'src/big.ts',
        'memory/a.md',
      ])
        folder.sparse(name, GB, '# Big\n');
      for (const name of ['.context-budget/config.json', '.context-budget/relay.json']) folder.sparse(name, GB, '{}\n');
    },
  },
  'ignore-files-of-a-gigabyte': {
    make: (folder) =>
      folder
        .ignoredFromWithin()
        .sparse('.gitignore', GB, '.env\n')
        .sparse('src/.gitignore', GB)
        .sparse('.git/info/exclude', GB),
  },
  'config-ends-in-a-comment': {
    tries: 'a comment of the config has no end',
    make: (folder) => folder.write('.context-budget/config.json', '{"version": 1} /*'),
  },
  'config-nested-deeply': {
    cli: [...READING, ['compact'], ['ingest']],
    make: (folder) => {
      const deep = '['.repeat(400_000);
      folder
        .write('.context-budget/config.json', deep)
        .write('.context-budget/relay.json', deep)
        .write('runs/a.json', deep);
      folder.write('src/deep.json', deep).write('package.json', '{"a":'.repeat(100_000));
    },
  },
  'folders-nested-deeply': {
    make: (folder) =>
      folder.write(`${'d/'.repeat(1500)}AGENTS.md`, '# Deep\n').config({ sections: [{ id: 'all', files: '**/*.md' }] }),
  },
  'many-folders': {
    make: (folder) => {
      for (let at = 0; at < 8000; at++) folder.write(`m/${at % 90}/${at}/a.md`, '# a\n');
    },
  },
  'links-in-circles': {
    make: (folder) => {
      folder
        .link('a', 'b')
        .link('b', 'a')
        .link('self', '.')
        .link('src/up', '..')
        .link('x/y/z', '../..')
        .link('x/w', '../x');
      folder.config({ sections: [{ id: 'all', files: '**/*.md' }] });
    },
  },
  'links-to-all-of-the-machine': {
    make: (folder) => {
      folder.link('root', '/').link('memory', '/proc').link('runs', '/sys').link('src/dev', '/dev');
      folder.config({
        sections: [
          { id: 'all', files: '**/*.md' },
          { id: 'dev', files: 'src/dev/*' },
        ],
      });
    },
  },
  'imports-in-circles': {
    make: (folder) => {
      folder.write('AGENTS.md', '@a.md @b.md\n').write('CLAUDE.md', '@AGENTS.md @a.md @b.md @CLAUDE.md\n');
      for (const [from, to] of [
        ['a', 'b'],
        ['b', 'a'],
      ])
        folder.write(`${from}.md`, `@${to}.md @a.md @b.md\n`);
    },
  },
  'imports-that-double': {
    make: (folder) => {
      const next = (at) => `@l${at}/a.md\n@l${at}/b.md\n@l${at}/c.md\n`;
      for (const name of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']) folder.write(name, next(0));
      for (let at = 0; at < 30; at++)
        for (const each of 'abc') folder.write(`l${at}/${each}.md`, next(at + 1).replaceAll('@l', '@../l'));
    },
  },
  'marks-of-markdown': {
    cli: [...READING, ['stale'], ['agents']],
    make: (folder) => {
      const text = ['`', '[', '](', '<!--', '<a ', '*_', '> - ', '| ', '@', '\\', '```', '((', '"', '/', '{{', '&#'];
      for (const [at, mark] of text.entries()) folder.write(`p${at}/AGENTS.md`, `# ${mark.repeat(60_000)}\n`);
      folder.write('AGENTS.md', text.map((mark) => mark.repeat(20_000)).join('\n'));
    },
  },
  'marks-of-frontmatter': {
    make: (folder) => {
      for (let at = 0; at < 20; at++)
        folder.write(
          `.cursor/rules/r${at}.mdc`,
          `---\nglobs: ${'{a,'.repeat(5000)}\nalwaysApply: ${' '.repeat(50_000)}x\n---\n`,
        );
      folder.write('.github/instructions/a.instructions.md', `---\napplyTo: "${'*a'.repeat(5000)}b"\n---\n`);
    },
  },
  'relay-of-many-entries': {
    cli: [['budget'], ['compact'], ['compact', '--explain']],
    make: (folder) => {
      const logs = many(60_000, (at) => ({
        role: 'agent',
        status: 'error',
        content: `failed ${'x '.repeat(20)}${at}`,
      }));
      folder.write(
        '.context-budget/relay.json',
        JSON.stringify({ relay_context: { goal: 'g' }, execution_logs: logs }),
      );
    },
  },
};

function globsEverywhere(globs) {
  return {
    sections: globs.map((files, at) => ({ id: `g${at}`, files })),
    observations: { sources: globs },
    repo_map: { include: ['**', ...globs], exclude: globs },
  };
}

/** What is no file, by the names of what is read. */
const READ_FILES = [
  'AGENTS.md',
  'CLAUDE.md',
  'MEMORY.md',
  '.gitignore',
  'src/app.ts',
  'runs/a.json',
  'PROGRESS.md',
  'package.json',
];

const NO_FILES = {
  'files-are-pipes': (folder, file) => folder.fifo(file),
  'files-are-zeros': (folder, file) => folder.link(file, '/dev/zero'),
  'files-are-random': (folder, file) => folder.link(file, '/dev/random'),
  'files-are-of-the-process': (folder, file) => folder.link(file, '/proc/self/fd/0'),
  'files-are-terminals': (folder, file) => folder.link(file, '/dev/tty'),
  'files-are-links-to-pipes': (folder, file) => {
    folder.fifo(`pipes/${file.replaceAll('/', '-')}`).link(file, folder.at(`pipes/${file.replaceAll('/', '-')}`));
  },
};

function noFiles(lay) {
  return (folder) => {
    folder.repository().ignoredFromWithin();
    for (const file of READ_FILES) {
      rmSync(folder.at(file), { force: true });
      lay(folder, file);
    }
  };
}

export const HANGING_CASES = [
  ...Object.entries(FOLDERS).map(([name, { make, ...more }]) => ({
    ...{ name, finding: 'H1', tries: name.replaceAll('-', ' '), arms: ['hung'], cli: [['budget']], ...more },
    make: (folder) => make(folder.repository()),
    sample: name === 'observations-come-late' ? ['cli'] : [],
  })),
  ...Object.entries(NO_FILES).map(([name, lay]) => ({
    ...{ name, finding: 'H5', tries: name.replaceAll('-', ' '), arms: ['hung'] },
    cli: [...READING, ['ingest']],
    handles: ['file:AGENTS.md', 'file:src/app.ts', 'file:runs/a.json'],
    make: noFiles(lay),
  })),
];
