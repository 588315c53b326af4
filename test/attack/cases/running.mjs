// Folders that want to be run: by their config, by the user's environment, by the editor (issue 15: M5, L3).
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { EVERY, READING } from '../cliHost.mjs';
import { SOURCE } from '../hostileFolder.mjs';

const PATHS = ['cli', 'mcp'];

/** A config whose sections are programs; with `trusted` the folder says by itself that they may run. */
function commands(folder) {
  const command = folder.payload('section').split(' ');
  folder.config({
    sections: [
      { id: 'ports', command },
      { id: 'alarm', command: [...command, '--now'], priority: 'P0' },
      { id: 'shell', command: ['sh', '-c', folder.payload('shell')], timeout_ms: 1000 },
    ],
  });
  return folder;
}

const trusting = (folder) => JSON.stringify({ version: 1, folders: [folder.root, folder.base, '/'] });

/** A store of trusted folders, shipped where the product might look for the user's. */
function shipTrust(folder, ...places) {
  for (const place of places) folder.write(path.join(place, 'context-budget/trusted-folders.json'), trusting(folder));
  return folder;
}

/** The user's own places are named by the environment alone. */
const unset = { CONTEXT_BUDGET_CONFIG_DIR: undefined, CONTEXT_BUDGET_CACHE_DIR: undefined };

/** Environment → a folder that has what it leads to. */
const TRUST = {
  'home-is-empty': { HOME: '' },
  'home-is-here': { HOME: '.' },
  'home-is-relative': { HOME: 'conf' },
  'home-is-here-with-a-slash': { HOME: './' },
  'config-home-is-relative': { XDG_CONFIG_HOME: 'conf' },
  'config-home-is-here': { XDG_CONFIG_HOME: '.' },
  'config-home-is-empty': { XDG_CONFIG_HOME: '' },
  'cache-home-is-relative': { XDG_CACHE_HOME: 'conf' },
  'own-config-is-relative': { CONTEXT_BUDGET_CONFIG_DIR: 'conf/context-budget', CONTEXT_BUDGET_CACHE_DIR: 'conf' },
};

/** The same for git, whose own config then is the folder's. */
const GIT_HOMES = {
  'git-home-is-here': { HOME: '.' },
  'git-home-is-empty': { HOME: '', XDG_CONFIG_HOME: '' },
  'git-config-home-is-relative': { XDG_CONFIG_HOME: 'conf' },
  'git-config-is-relative': { GIT_CONFIG_GLOBAL: 'conf/git/config' },
  'git-dir-is-relative': { GIT_DIR: 'conf/repo' },
  'git-exec-path-is-relative': { GIT_EXEC_PATH: 'bin', GIT_CONFIG_NOSYSTEM: '1' },
};

function gitHome(folder) {
  folder.repository();
  folder.git('clone', '-q', '--bare', '.', 'conf/repo');
  const global = folder.payload('global');
  const text = `[core]\n\tfsmonitor = ${global}\n[filter "x"]\n\tclean = ${global}\n`;
  for (const file of ['.gitconfig', 'conf/git/config', '.config/git/config', 'conf/.gitconfig'])
    folder.write(file, text);
  appendFileSync(folder.at('conf/repo/config'), `${text}[core]\n\tbare = false\n\tworktree = ${folder.root}\n`);
  for (const name of ['git', 'git-status', 'git-log', 'git-config']) folder.write(`bin/${name}`, fake(folder), 0o755);
  // As long as before: git has to look into it.
  folder.write('.gitattributes', '* filter=x\n').write('src/app.ts', SOURCE.replace('item', 'ITEM'));
}

const fake = (folder) => `#!/bin/sh\n${folder.payload('fake')}\n`;

/** `PATH` → a folder that has a `git` of its own in it. HERE is the folder. */
const SEARCHED = {
  'path-begins-with-nothing': ':PATH',
  'path-begins-with-here': '.:PATH',
  'path-begins-with-here-and-a-slash': './:PATH',
  'path-has-an-empty-entry': '/nonexistent::PATH',
  'path-has-node-modules': 'node_modules/.bin:PATH',
  'path-has-a-relative-folder': './tools/../node_modules/.bin:PATH',
  'path-is-nothing-else': '',
  'path-has-the-folder-in-full': 'HERE/node_modules/.bin:PATH',
  'path-has-a-link-into-the-folder': 'BASE/bin:PATH',
};

function fakeGit(folder) {
  folder.repository().folder('tools');
  const programs = ['git', 'node_modules/.bin/git', 'node_modules/.bin/sh', 'sh', 'node', 'ps', 'node_modules/.bin/ps'];
  for (const file of programs) folder.write(file, fake(folder), 0o755);
}

function searched(value) {
  return (folder) => ({
    PATH: value.replace('HERE', folder.root).replace('BASE', folder.base).replace('PATH', process.env.PATH),
  });
}

/** Files of other programs, which ours must not follow. */
const SHIPPED = {
  'sections-that-are-programs': (folder) => commands(folder),
  'section-named-like-a-builtin': (folder) => {
    folder.config({
      sections: ['git', 'relay', 'repo-map'].map((id) => ({ id, command: folder.payload(id).split(' ') })),
    });
  },
  'section-is-a-program-in-the-folder': (folder) => {
    folder.write('run.sh', `#!/bin/sh\n${folder.payload('script')}\n`, 0o755);
    folder.config({
      sections: [
        { id: 'run', command: ['./run.sh'] },
        { id: 'run2', command: ['run.sh'] },
      ],
    });
  },
  'trust-shipped-beside-the-config': (folder) => {
    shipTrust(commands(folder), '.', '.config', '.context-budget').write(
      '.context-budget/trusted-folders.json',
      trusting(folder),
    );
  },
  'settings-of-the-editor': (folder) => {
    const run = folder.payload('settings');
    folder.write(
      '.vscode/settings.json',
      JSON.stringify({
        'contextBudget.mcp.enabled': true,
        'contextBudget.mcp.trust': true,
        'contextBudget.capture.failedCommands': true,
        'git.path': folder.at('git'),
        'security.workspace.trust.enabled': false,
      }),
    );
    folder.write('git', fake(folder), 0o755);
    const server = { command: 'sh', args: run.split(' ').slice(1) };
    folder.write('.vscode/mcp.json', JSON.stringify({ servers: { evil: server } }));
    folder.write('.mcp.json', JSON.stringify({ mcpServers: { evil: server } }));
    const task = { label: 'x', type: 'shell', command: run, runOptions: { runOn: 'folderOpen' } };
    folder.write('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks: [task] }));
    commands(folder);
  },
  'hooks-of-agents': (folder) => {
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: folder.payload('agent-hook') }] }] };
    folder
      .write('.claude/settings.json', JSON.stringify({ hooks }))
      .write('.claude/settings.local.json', JSON.stringify({ hooks }));
  },
  'addresses-of-a-listener': (folder) => {
    const url = `http://127.0.0.1:${folder.port}`;
    folder.write('.context-budget/config.json', JSON.stringify({ $schema: `${url}/schema.json`, sections: [] }));
    folder.write(
      'AGENTS.md',
      `# Rules\n\n@${url}/a.md\n\n![x](${url}/x.png) <img src="${url}/y.png"> [z](${url}/z.md)\n`,
    );
    folder.write('.github/copilot-instructions.md', `See ${url}/b.md and @${url}/c.md.\n`);
  },
  'names-that-look-like-options': (folder) => {
    const names = [
      '--upload-pack=sh',
      '-c',
      '--exec=sh',
      '--help',
      '-',
      '$(sh hit.sh)',
      '`sh hit.sh`',
      ';sh hit.sh;',
      '|sh',
      'a\nb',
    ];
    for (const name of names) folder.write(`${name}.md`, '# x\n').write(`memory/${name}`, '# x\n');
    folder.git('checkout', '-q', '-b', '`x`$(touch$IFS@y);z');
  },
};

/** Settings that the user asks us to write, where they must not go. */
const WRITTEN = {
  'hooks-behind-a-link-outside': (folder) => folder.link('.claude', '../outside').link('.github', '../outside'),
  'hooks-behind-a-link-to-git': (folder) => folder.link('.claude', '.git/hooks').link('.github', '.git'),
  'hooks-file-is-a-link-outside': (folder) =>
    folder.folder('.claude').link('.claude/settings.local.json', '../../outside/new.json'),
  'hooks-file-is-a-link-to-git': (folder) =>
    folder.folder('.claude').link('.claude/settings.local.json', '../.git/new'),
  'config-behind-a-link-outside': (folder) => folder.link('.context-budget', '../outside'),
  'config-behind-a-link-to-git': (folder) => folder.link('.context-budget', '.git'),
  'config-is-a-dangling-link': (folder) =>
    folder.folder('.context-budget').link('.context-budget/config.json', '../../outside/new.json'),
  'config-is-a-dangling-link-into-git': (folder) =>
    folder.folder('.context-budget').link('.context-budget/config.json', '../.git/new'),
};

const row = (finding, arms, tries) => (name, more) => ({ name, finding, arms, tries, ...more });

export const RUNNING_CASES = [
  ...Object.entries(TRUST).map(([name, env]) =>
    row(
      'M5',
      ['executed'],
      'the folder ships the record of trusted folders',
    )(name, {
      ...{
        hosts: PATHS,
        cli: [['budget']],
        env: () => ({ ...unset, ...env }),
        sample: name === 'config-home-is-relative' ? ['cli'] : [],
      },
      make: (folder) => shipTrust(commands(folder.repository()), '.', 'conf', '.config', 'conf/.config'),
    }),
  ),
  ...Object.entries(GIT_HOMES).map(([name, env]) =>
    row(
      'M5',
      ['executed'],
      "the folder ships the user's config of git",
    )(name, {
      ...{ hosts: PATHS, cli: [['budget']], env: () => env, make: gitHome },
      proof: name === 'git-config-home-is-relative' || name === 'git-home-is-here' ? [['git', 'status']] : undefined,
    }),
  ),
  ...Object.entries(SEARCHED).map(([name, value]) =>
    row(
      'L3',
      ['executed'],
      'the folder ships a git of its own',
    )(name, {
      ...{
        hosts: PATHS,
        cli: [['budget']],
        env: searched(value),
        sample: name === 'path-begins-with-nothing' ? ['cli'] : [],
      },
      make: (folder) => {
        fakeGit(folder);
        folder.linkBeside('bin', 'folder/node_modules/.bin');
      },
    }),
  ),
  ...Object.entries(SHIPPED).map(([name, lay]) =>
    row(
      'near',
      name.startsWith('addresses') ? ['connected'] : ['executed'],
      'what the folder ships is run or called',
    )(name, {
      ...{ cli: name.startsWith('sections') ? EVERY : READING, make: (folder) => lay(folder.repository()) },
    }),
  ),
  ...Object.entries(WRITTEN).map(([name, lay]) =>
    row(
      'C1',
      ['written'],
      'settings are written where they do not belong',
    )(name, {
      ...{ hosts: ['cli'], make: (folder) => lay(folder.repository()) },
      cli: name.startsWith('hooks')
        ? ['--local', '--shared'].map((scope) => [
            'hooks',
            'install',
            '--yes',
            '--agent',
            'claude-code',
            'vscode',
            scope,
          ])
        : [['init', '--yes']],
    }),
  ),
];
