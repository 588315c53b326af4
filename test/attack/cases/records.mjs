// Records, marks, locks and side files that lead somewhere else, or never end (issue 15: C1, H5).
import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onlyLong } from '../../support/extent.mjs';
import { EVERY, RECORDING } from '../cliHost.mjs';

/** The command that writes to the log of that name. */
const recording = (name) => [name.startsWith('observations') ? RECORDING[1] : RECORDING[0]];

const USAGE = '.context-budget/usage.jsonl';
const OBSERVATIONS = '.context-budget/observations.jsonl';

export const usageLine = (cycle, id = 'agents-md') =>
  `${JSON.stringify({
    schema_version: 'usage.v1',
    cycle,
    ts: '2026-01-02 03:04:05',
    trigger: '',
    profile: 'default',
    mode: 'baseline',
    payload: 'expanded',
    sections: [{ id, chars: 40, tokens: 10, disclosure: 'full' }],
    cited: [],
    overhead_tokens: 10,
  })}\n`;

export const observationLine = (id, summary = 'ran the tests') =>
  `${JSON.stringify({
    schema_version: 'obs.v1',
    id,
    ts: '2026-01-02 03:04:05',
    task_id: 'TASK-1',
    actor: 'agent',
    phase: 'verify',
    type: 'note',
    summary,
    detail: '',
    refs: { files: [], commands: [], urls: [] },
  })}\n`;

/** What a last line that was torn is to become, in somebody's git config. */
const trap = (folder, what) => `[core] fsmonitor = "${folder.payload(what)}"`;

/** The two logs, each with a whole line, for what lies beside them. */
const LOGS = [
  { log: USAGE, name: 'usage', line: usageLine },
  { log: OBSERVATIONS, name: 'observations', line: observationLine },
];

/** What a side file can lead to. */
const TARGETS = {
  'git-config': () => '../.git/config',
  agents: () => '../AGENTS.md',
  outside: (folder) => folder.outsideFile('diary.md'),
  'outside-new': () => '../../outside/new.txt',
};

/** What is tried of the second log, which shares its code with the first. */
const AGAIN = ['git-config'];

const STATUS = [['git', 'status']];

function targetsOf(log) {
  return Object.entries(TARGETS).filter(([target]) => log === 'usage' || AGAIN.includes(target));
}

function torn() {
  return LOGS.flatMap(({ log, name, line }) =>
    targetsOf(name).map(([target, where]) => ({
      name: `${name}-torn-to-${target}`,
      finding: 'C1',
      tries: `the torn end of ${log} is kept in a link to ${target}`,
      arms: target === 'git-config' ? ['written', 'executed'] : ['written'],
      cli: recording(name),
      after: target === 'git-config' ? STATUS : [],
      sample: name === 'usage' && target === 'git-config' ? ['cli', ...onlyLong(['mcp'])] : [],
      make: (folder) =>
        folder
          .repository()
          .write(log, line(1) + trap(folder, 'torn'))
          .link(`${log}.torn`, where(folder)),
    })),
  );
}

function markTemps() {
  return LOGS.flatMap(({ log, name, line }) =>
    targetsOf(name).map(([target, where]) => ({
      name: `${name}-mark-tmp-to-${target}`,
      finding: 'C1',
      tries: `the mark of ${log} is written through a link to ${target}`,
      arms: ['written'],
      cli: recording(name),
      sample: name === 'observations' && target === 'git-config' ? ['cli'] : [],
      make: (folder) => folder.repository().write(log, line(1)).link(`${log}.mark.tmp`, where(folder)),
    })),
  );
}

/** A log that the config or a link puts where no record belongs. */
const PLACES = {
  'usage-log-in-git': (folder) => folder.config({ usage_log: '.git/usage.jsonl' }),
  'usage-log-in-git-hooks': (folder) => folder.config({ usage_log: '.git/hooks/pre-commit' }),
  'usage-log-in-git-in-capitals': (folder) => folder.link('.GIT', '.git').config({ usage_log: '.GIT/usage.jsonl' }),
  'observations-in-git': (folder) => folder.config({ observations: { path: '.git/info/observations.jsonl' } }),
  'usage-log-in-a-submodule': (folder) => folder.config({ usage_log: 'vendor/.git/usage.jsonl' }).folder('vendor/.git'),
  'usage-log-behind-a-link-outside': (folder) =>
    folder.link('logs', '../outside').config({ usage_log: 'logs/deep/er/usage.jsonl' }),
  'usage-log-behind-a-link-to-git': (folder) =>
    folder.link('logs', '.git/info').config({ usage_log: 'logs/usage.jsonl' }),
  'usage-log-behind-proc': (folder) => {
    folder.link('p', '/proc/self').config({ usage_log: 'p/cwd/src/usage.jsonl' });
  },
  'usage-log-is-a-link-to-an-empty-file': (folder) => folder.write('src/empty.ts', '').link(USAGE, '../src/empty.ts'),
  'usage-log-is-a-link-into-git': (folder) => folder.write('.git/description', '').link(USAGE, '../.git/description'),
  'observations-are-a-link-into-git': (folder) =>
    folder.write('.git/description', '').link(OBSERVATIONS, '../.git/description'),
  'usage-log-is-a-dangling-link': (folder) => folder.folder('.context-budget').link(USAGE, '../../outside/new.jsonl'),
  'usage-log-is-a-link-to-one-outside': (folder) => {
    const file = path.join(folder.outside, 'theirs.jsonl');
    writeFileSync(file, usageLine(1, folder.secret()));
    folder.link(USAGE, file);
  },
  'own-folder-is-git': (folder) => folder.link('.context-budget', '.git'),
  'own-folder-is-outside': (folder) => folder.link('.context-budget', '../outside'),
  'own-folder-is-src': (folder) => folder.link('.context-budget', 'src'),
  'own-folder-is-nowhere': (folder) => folder.link('.context-budget', '../outside/none'),
  'usage-log-is-a-hard-link-to-instructions': (folder) => folder.write('NOTES.md', '').hardLink(USAGE, 'NOTES.md'),
  'usage-log-is-a-hard-link-into-git': (folder) =>
    folder.write('.git/description', '').hardLink(USAGE, '.git/description'),
  'torn-is-a-hard-link-to-git-config': (folder) =>
    folder.write(USAGE, usageLine(1) + trap(folder, 'torn')).hardLink(`${USAGE}.torn`, '.git/config'),
  'mark-tmp-is-a-hard-link-to-instructions': (folder) =>
    folder.write(USAGE, usageLine(1)).hardLink(`${USAGE}.mark.tmp`, 'AGENTS.md'),
  'archive-is-a-link-outside': (folder) => {
    folder.sparse(USAGE, 9 * 1024 * 1024, usageLine(1)).link('.context-budget/usage.000001.jsonl', '../AGENTS.md');
  },
  'ignore-file-is-a-dangling-link': (folder) =>
    folder.folder('.context-budget').link('.context-budget/.gitignore', '../../outside/new.txt'),
};

function places() {
  return Object.entries(PLACES).map(([name, lay]) => ({
    name,
    finding: 'C1',
    tries: 'records are kept where none belong',
    arms: name === 'torn-is-a-hard-link-to-git-config' ? ['written', 'executed'] : ['written'],
    cli: name === 'own-folder-is-outside' ? EVERY : name.startsWith('own') ? RECORDING : recording(name),
    after: name.includes('git-config') ? STATUS : [],
    sample: name === 'usage-log-behind-a-link-outside' ? ['cli'] : [],
    make: (folder) => lay(folder.repository()),
  }));
}

/** Side files that are no files, or have no end. */
const ODD = {
  'a-pipe': (folder, at) => folder.fifo(at),
  'a-link-to-a-pipe': (folder, at) => folder.fifo('pipe').link(at, '../pipe'),
  'a-link-to-zeros': (folder, at) => folder.link(at, '/dev/zero'),
  'a-link-to-nowhere': (folder, at) => folder.link(at, '../../outside/none'),
  'a-link-to-itself': (folder, at) => folder.link(at, path.basename(at)),
  'a-folder': (folder, at) => folder.folder(at),
};

/** Which side files are tried as what. */
const ODD_FILES = {
  '': ['a-pipe', 'a-link-to-a-pipe', 'a-link-to-zeros'],
  '.lock': ['a-pipe', 'a-link-to-zeros', 'a-link-to-nowhere', 'a-link-to-itself', 'a-folder'],
  '.mark': ['a-pipe', 'a-link-to-zeros', 'a-folder'],
  '.mark.tmp': ['a-pipe', 'a-link-to-a-pipe'],
  '.torn': ['a-pipe', 'a-link-to-zeros'],
};

function oddSideFiles() {
  return LOGS.flatMap(({ log, name, line }) =>
    Object.entries(ODD_FILES).flatMap(([ending, odds]) =>
      odds
        .filter((odd) => name === 'usage' || (odd === 'a-pipe' && ending === '.mark'))
        .map((odd) => ({
          name: `${name}${ending.replaceAll('.', '-')}-is-${odd}`,
          finding: 'H5',
          tries: `${log}${ending} is ${odd.replaceAll('-', ' ')}`,
          arms: ['hung'],
          cli: recording(name),
          sample: name === 'usage' && `${ending} ${odd}` === '.mark a-pipe' ? ['mcp'] : [],
          make: (folder) => {
            folder.repository().folder('.context-budget');
            if (ending !== '') folder.write(log, line(1) + (ending === '.torn' ? trap(folder, 'torn') : ''));
            ODD[odd](folder, `${log}${ending}`);
          },
        })),
    ),
  );
}

const ENDLESS = {
  'usage-log-through-proc': (folder) => folder.link('p', '/proc/self').config({ usage_log: 'p/environ' }),
  'usage-log-through-dev': (folder) => folder.link('d', '/dev').config({ usage_log: 'd/zero' }),
  'observations-through-dev': (folder) => folder.link('d', '/dev').config({ observations: { path: 'd/zero' } }),
  'relay-through-dev': (folder) => folder.link('d', '/dev').config({ relay: { path: 'd/zero', ledger: 'd/random' } }),
  'relay-is-a-pipe': (folder) => folder.fifo('.context-budget/relay.json'),
  'relay-is-environ': (folder) => folder.link('.context-budget/relay.json', '/proc/self/environ'),
  'own-folder-is-a-pipe': (folder) => folder.fifo('.context-budget'),
  'config-is-a-pipe': (folder) => folder.fifo('.context-budget/config.json'),
  'config-is-zeros': (folder) => folder.link('.context-budget/config.json', '/dev/zero'),
  'archive-is-a-pipe': (folder) => folder.write(USAGE, usageLine(1)).fifo('.context-budget/usage.000001.jsonl'),
  'lock-from-the-future': (folder) => {
    folder.write(`${USAGE}.lock`, '');
    utimesSync(folder.at(`${USAGE}.lock`), 4e9, 4e9);
  },
};

function endless() {
  return Object.entries(ENDLESS).map(([name, lay]) => ({
    name,
    finding: 'H5',
    tries: 'what is read for records has no end',
    arms: ['hung'],
    cli: [['compact', '--observations'], ['report'], RECORDING[0], RECORDING[1]],
    make: (folder) => lay(folder.repository()),
  }));
}

export const RECORD_CASES = [...torn(), ...markTemps(), ...places(), ...oddSideFiles(), ...endless()];
