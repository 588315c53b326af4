// Repositories whose own files make git run programs, call somebody, or show what is not theirs (issue 15: C2, H2, M4).
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onlyLong } from '../../support/extent.mjs';
import { EVERY } from '../cliHost.mjs';

const GIT = [['payload', '--expanded', '--unmasked']];
/** What runs the payload in a folder that is believed: the case is one only if this fires. */
const STATUS = [['git', 'status']];

/** Appends to the repository's config, as bytes: names need not be text. */
function configure(folder, text) {
  appendFileSync(folder.at('.git/config'), Buffer.from(text, 'latin1'));
  return folder;
}

/** A tracked file that git must look into again: its size is the same, its content and time are not. */
function touchSource(folder) {
  return folder.write('src/app.ts', readFileSync(folder.at('src/app.ts'), 'utf8').replace('item', 'ITEM'));
}

/** All files get this filter; `name` and `section` are bytes, written as Latin-1. */
function filtered(folder, name, section) {
  writeFileSync(folder.at('.gitattributes'), Buffer.from(`* filter=${name}\n`, 'latin1'));
  configure(folder, section.replaceAll('PAYLOAD', folder.payload('filter')));
  return touchSource(folder);
}

const clean = (name) => `[filter "${name}"]\n\tclean = PAYLOAD\n`;

/** Name → how a clone would run a program by a content filter. */
const FILTERS = {
  'filter-of-invalid-utf8': (folder) => filtered(folder, '\xff', clean('\xff')),
  'filter-of-half-a-character': (folder) => filtered(folder, 'a\xc3', clean('a\xc3')),
  'filter-beside-its-replacement': (folder) => filtered(folder, '\xff', clean('\xff') + clean('\xef\xbf\xbd')),
  'filter-with-equals': (folder) => filtered(folder, 'a=b', clean('a=b')),
  'filter-with-dots': (folder) => filtered(folder, 'a.clean', clean('a.clean')),
  'filter-plain': (folder) => filtered(folder, 'lfs', clean('lfs')),
  'filter-process': (folder) => filtered(folder, 'p', '[filter "p"]\n\tprocess = PAYLOAD\n\trequired = true\n'),
  'filter-process-of-invalid-utf8': (folder) => filtered(folder, '\xff', '[filter "\xff"]\n\tprocess = PAYLOAD\n'),
  'filter-in-an-included-file': (folder) => {
    folder.write('.git/more', Buffer.from(clean('\xff').replaceAll('PAYLOAD', folder.payload('filter')), 'latin1'));
    filtered(folder, '\xff', '[include]\n\tpath = more\n');
  },
  'filter-in-an-included-file-of-the-folder': (folder) => {
    folder.write('more.ini', Buffer.from(clean('\xff').replaceAll('PAYLOAD', folder.payload('filter')), 'latin1'));
    filtered(folder, '\xff', '[includeIf "gitdir:**"]\n\tpath = ../more.ini\n');
  },
  'filter-in-the-worktree-config': (folder) => {
    filtered(folder, '\xff', '[extensions]\n\tworktreeConfig = true\n');
    folder.write(
      '.git/config.worktree',
      Buffer.from(clean('\xff').replaceAll('PAYLOAD', folder.payload('filter')), 'latin1'),
    );
  },
  'filter-by-info-attributes': (folder) => {
    filtered(folder, '\xff', clean('\xff'));
    renameSync(folder.at('.gitattributes'), folder.at('.git/info/attributes'));
  },
};

/** Keys of a config that name a program, and what besides makes git use it. */
const PROGRAMS = {
  fsmonitor: { text: '[core]\n\tfsmonitor = PAYLOAD\n' },
  'fsmonitor-included': { text: '[include]\n\tpath = more\n', more: '[core]\n\tfsmonitor = PAYLOAD\n' },
  'fsmonitor-by-branch': {
    text: '[includeIf "onbranch:main"]\n\tpath = more\n',
    more: '[core]\n\tfsmonitor = PAYLOAD\n',
  },
  'fsmonitor-by-remote': {
    text: '[remote "o"]\n\turl = https://x\n[includeIf "hasconfig:remote.*.url:**"]\n\tpath = more\n',
    more: '[core]\n\tfsmonitor = PAYLOAD\n',
  },
  'fsmonitor-in-capitals': { text: '[CORE]\n\tFSMonitor = PAYLOAD\n' },
  textconv: { text: '[diff "x"]\n\ttextconv = PAYLOAD\n', proof: [['git', 'diff']] },
  'textconv-of-invalid-utf8': {
    text: '[diff "\xff"]\n\ttextconv = PAYLOAD\n',
    driver: '\xff',
    proof: [['git', 'diff']],
  },
  'external-diff': { text: '[diff]\n\texternal = PAYLOAD\n', proof: [['git', 'diff']] },
  'external-diff-driver': { text: '[diff "x"]\n\tcommand = PAYLOAD\n', proof: [['git', 'diff']] },
  // Shown on a terminal alone.
  pager: { text: '[core]\n\tpager = PAYLOAD\n[pager]\n\tlog = PAYLOAD\n\tstatus = PAYLOAD\n', proof: undefined },
  alias: { text: '[alias]\n\tst = !PAYLOAD\n\tstatus = !PAYLOAD\n\tlog = !PAYLOAD\n', proof: [['git', 'st']] },
  'gpg-program': {
    text: '[log]\n\tshowSignature = true\n[gpg]\n\tprogram = HIT\n',
    isSigned: true,
    proof: [['git', 'log']],
  },
  'alternate-refs-command': {
    text: '[core]\n\talternateRefsCommand = PAYLOAD\n\tsshCommand = PAYLOAD\n\tgitProxy = HIT\n\taskpass = HIT\n\teditor = PAYLOAD\n[credential]\n\thelper = !PAYLOAD\n',
    proof: undefined,
  },
};

function programOf(folder, { text, more, driver = 'x', isSigned }) {
  const program = folder.payload('program');
  // Some keys name a program without arguments.
  const said = (words) => words.replaceAll('PAYLOAD', program).replaceAll('HIT', program.split(' ')[1]);
  folder.repository();
  if (isSigned) signHead(folder);
  writeFileSync(folder.at('.gitattributes'), Buffer.from(`* diff=${driver}\n`, 'latin1'));
  if (more !== undefined) folder.write('.git/more', said(more));
  configure(folder, said(text));
  return touchSource(folder);
}

/** Gives the last commit a signature that is none: to check it, git runs a program. */
function signHead(folder) {
  const commit = folder.git('cat-file', 'commit', 'HEAD');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n';
  const file = path.join(folder.base, 'commit');
  writeFileSync(file, commit.replace('\n\n', `\n${signature}\n`));
  const id = folder.git('hash-object', '-t', 'commit', '-w', file).trim();
  folder.git('update-ref', 'refs/heads/main', id);
}

/** Programs that are started by where they lie, or by another repository. */
const PLACES = {
  'hooks-of-the-clone': {
    make: (folder) => {
      for (const hook of [
        'post-index-change',
        'reference-transaction',
        'fsmonitor-watchman',
        'pre-auto-gc',
        'post-checkout',
      ])
        folder.write(`.git/hooks/${hook}`, `#!/bin/sh\n${folder.payload(hook)}\n`, 0o755);
      configure(folder, '[core]\n\tfsmonitor = .git/hooks/fsmonitor-watchman\n');
      touchSource(folder);
    },
    proof: STATUS,
  },
  'hooks-path': {
    make: (folder) => {
      folder.write('hooks/post-index-change', `#!/bin/sh\n${folder.payload('hook')}\n`, 0o755);
      configure(folder, '[core]\n\thooksPath = hooks\n');
      touchSource(folder);
    },
    proof: [['git', 'add', '-A']],
  },
  'nested-repository': {
    make: (folder) => {
      folder.folder('vendor/lib');
      folder.write('vendor/lib/a.txt', 'a\n');
      folder.gitIn(folder.at('vendor/lib'), 'init', '-q');
      folder.gitIn(folder.at('vendor/lib'), 'add', '-A');
      folder.gitIn(folder.at('vendor/lib'), 'commit', '-q', '-m', 'Lib');
      folder.git('add', '-A');
      folder.git('commit', '-q', '-m', 'With a submodule');
      const config = folder.at('vendor/lib/.git/config');
      appendFileSync(config, `[core]\n\tfsmonitor = ${folder.payload('submodule')}\n`);
      folder.write('vendor/lib/a.txt', 'b\n');
      configure(folder, '[status]\n\tsubmoduleSummary = true\n[diff]\n\tignoreSubmodules = none\n\tsubmodule = log\n');
    },
    proof: STATUS,
  },
  'bare-repository-in-the-folder': {
    make: (folder) => {
      folder.git('clone', '-q', '--bare', '.', 'inner');
      appendFileSync(
        folder.at('inner/config'),
        `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${folder.payload('bare')}\n`,
      );
      folder.write('inner/AGENTS.md', '# Inner\n');
    },
    cwd: 'inner',
    proof: STATUS,
  },
  'repository-above-the-folder': {
    make: (folder) => {
      folder.write('sub/AGENTS.md', '# Below\n');
      folder.git('add', '-A');
      configure(folder, `[core]\n\tfsmonitor = ${folder.payload('above')}\n`);
    },
    cwd: 'sub',
    proof: STATUS,
  },
  'git-file-to-a-folder-of-the-clone': {
    make: (folder) => {
      renameSync(folder.at('.git'), folder.at('meta'));
      folder.write('.git', 'gitdir: meta\n');
      appendFileSync(folder.at('meta/config'), `[core]\n\tfsmonitor = ${folder.payload('meta')}\n`);
    },
    proof: STATUS,
  },
  'git-link-to-a-folder-of-the-clone': {
    make: (folder) => {
      renameSync(folder.at('.git'), folder.at('meta'));
      folder.link('.git', 'meta');
      appendFileSync(folder.at('meta/config'), `[core]\n\tfsmonitor = ${folder.payload('meta')}\n`);
    },
    proof: STATUS,
  },
  'config-is-a-link-outside': {
    make: (folder) => {
      const file = path.join(folder.outside, 'config');
      writeFileSync(
        file,
        `${readFileSync(folder.at('.git/config'))}[core]\n\tfsmonitor = ${folder.payload('linked')}\n`,
      );
      rmSync(folder.at('.git/config'));
      folder.link('.git/config', file);
    },
    proof: STATUS,
  },
};

/** `.git` in all the ways that show another repository. */
const ELSEWHERE = {
  'git-file-to-another-repository': (folder) => {
    const other = folder.outsideRepository();
    rmSync(folder.at('.git'), { recursive: true });
    folder.write('.git', `gitdir: ${other}/.git\n`);
  },
  'git-file-relative-to-another-repository': (folder) => {
    folder.outsideRepository();
    rmSync(folder.at('.git'), { recursive: true });
    folder.write('.git', 'gitdir: ../outside/other/.git\n');
  },
  'git-link-to-another-repository': (folder) => {
    const other = folder.outsideRepository();
    rmSync(folder.at('.git'), { recursive: true });
    folder.link('.git', `${other}/.git`);
  },
  'git-file-to-somebody-elses-worktree': (folder) => {
    const other = folder.outsideRepository();
    folder.gitIn(other, 'worktree', 'add', '-q', '../tree', '-b', folder.secret());
    rmSync(folder.at('.git'), { recursive: true });
    folder.write('.git', `gitdir: ${other}/.git/worktrees/tree\n`);
  },
  'commondir-elsewhere': (folder) => {
    const other = folder.outsideRepository();
    const head = readFileSync(path.join(other, '.git/HEAD'), 'utf8');
    folder.write('.git/commondir', `${other}/.git\n`).write('.git/HEAD', head);
  },
  'worktree-elsewhere': (folder) => {
    const other = folder.outsideRepository();
    configure(folder, `[core]\n\tworktree = ${other}\n`);
  },
  'worktree-above': (folder) => {
    folder.outsideFile(`${folder.secret()}.txt`);
    configure(folder, '[core]\n\tworktree = ../..\n');
  },
  'alternates-elsewhere': (folder) => {
    const other = folder.outsideRepository();
    folder.write('.git/objects/info/alternates', `${other}/.git/objects\n`);
    folder.git('update-ref', 'refs/heads/main', folder.gitIn(other, 'rev-parse', 'HEAD').trim());
  },
  'alternates-of-alternates': (folder) => {
    const other = folder.outsideRepository();
    folder.write('meta/info/alternates', `${other}/.git/objects\n`).folder('meta/pack');
    folder.write('.git/objects/info/alternates', '../../meta\n');
    folder.git('update-ref', 'refs/heads/main', folder.gitIn(other, 'rev-parse', 'HEAD').trim());
  },
  'objects-are-a-link-outside': (folder) => {
    const other = folder.outsideRepository();
    rmSync(folder.at('.git/objects'), { recursive: true });
    folder.link('.git/objects', `${other}/.git/objects`);
    const head = folder.gitIn(other, 'rev-parse', 'HEAD');
    folder.write('.git/refs/heads/main', head);
  },
  'packs-are-a-link-outside': (folder) => {
    const other = folder.outsideRepository();
    folder.gitIn(other, 'gc', '-q');
    rmSync(folder.at('.git/objects/pack'), { recursive: true });
    folder.link('.git/objects/pack', `${other}/.git/objects/pack`);
    folder.write('.git/refs/heads/main', folder.gitIn(other, 'rev-parse', 'HEAD'));
  },
  'head-is-a-link-outside': (folder) => {
    rmSync(folder.at('.git/HEAD'));
    folder.link('.git/HEAD', path.join(folder.outsideRepository(), '.git/HEAD'));
  },
  'refs-are-a-link-outside': (folder) => {
    const other = folder.outsideRepository();
    const branch = readFileSync(path.join(other, '.git/HEAD'), 'utf8');
    rmSync(folder.at('.git/refs'), { recursive: true });
    folder.link('.git/refs', path.join(other, '.git/refs')).write('.git/HEAD', branch);
  },
  'index-is-a-link-outside': (folder) => {
    const other = folder.outsideRepository();
    rmSync(folder.at('.git/index'));
    folder.link('.git/index', path.join(other, '.git/index'));
  },
  'included-config-is-a-diary': (folder) => {
    const file = folder.outsideFile('diary.md', (word) => `${word} is not a config\n`);
    configure(folder, `[include]\n\tpath = ${file}\n`);
  },
};

/** How a repository of which objects are missing has git fetch them; PORT is ours. */
const FETCHES = {
  ...Object.fromEntries(
    ['http', 'https', 'ftp', 'ftps', 'git', 'ssh'].map((name) => [
      `promisor-by-${name}`,
      `[remote "origin"]\n\turl = ${name}://127.0.0.1:PORT/x\n\tpromisor = true\n[protocol "${name}"]\n\tallow = always\n`,
    ]),
  ),
  'promisor-by-ssh-command':
    '[core]\n\tsshCommand = PAYLOAD\n[remote "origin"]\n\turl = ssh://127.0.0.1:PORT/x\n\tpromisor = true\n[protocol "ssh"]\n\tallow = always\n',
  'promisor-by-ext':
    '[remote "origin"]\n\turl = ext::PAYLOAD\n\tpromisor = true\n[protocol "ext"]\n\tallow = always\n[protocol]\n\tallow = always\n',
  'promisor-by-helper':
    '[remote "origin"]\n\turl = http://127.0.0.1:PORT/x\n\tvcs = ftp\n\tpromisor = true\n[protocol "ftp"]\n\tallow = always\n',
  'promisor-by-instead-of':
    '[url "ftp://127.0.0.1:PORT/"]\n\tinsteadOf = https://good.invalid/\n[remote "origin"]\n\turl = https://good.invalid/x\n\tpromisor = true\n[protocol "ftp"]\n\tallow = always\n',
  'promisor-by-upload-pack':
    '[remote "origin"]\n\turl = ROOT\n\tuploadpack = PAYLOAD\n\tpromisor = true\n[protocol "file"]\n\tallow = always\n',
};

function promisor(folder, text) {
  folder.repository();
  const said = text.replaceAll('PORT', String(folder.port)).replaceAll('PAYLOAD', folder.payload('fetch'));
  configure(
    folder,
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n${said.replaceAll('ROOT', folder.root)}`,
  );
  // A commit that is there leads to one that is not, so that even its title has to be fetched.
  folder.write('.git/refs/heads/main', `${'1'.repeat(40)}\n`);
}

/** Files of git that have no end. */
const ENDLESS = {
  'index-is-a-pipe': (folder) => pipeAt(folder, '.git/index'),
  'head-is-a-pipe': (folder) => pipeAt(folder, '.git/HEAD'),
  'config-of-git-is-a-pipe': (folder) => pipeAt(folder, '.git/config'),
  'git-is-a-pipe': (folder) => pipeAt(folder, '.git'),
  'packed-refs-is-a-pipe': (folder) => folder.fifo('.git/packed-refs'),
  'commondir-is-a-pipe': (folder) => folder.fifo('.git/commondir'),
  'branch-is-a-pipe': (folder) => pipeAt(folder, '.git/refs/heads/main'),
  'alternates-is-a-pipe': (folder) => folder.fifo('.git/objects/info/alternates'),
  'exclude-of-git-is-a-pipe': (folder) => pipeAt(folder, '.git/info/exclude'),
  'attributes-are-a-pipe': (folder) => folder.fifo('.gitattributes'),
  'excludes-file-is-a-pipe': (folder) =>
    configure(folder.fifo('p'), '[core]\n\texcludesFile = p\n\tattributesFile = p\n'),
  'included-config-is-zeros': (folder) => configure(folder, '[include]\n\tpath = /dev/zero\n'),
  'head-is-zeros': (folder) => {
    rmSync(folder.at('.git/HEAD'));
    folder.link('.git/HEAD', '/dev/zero');
  },
  'index-is-sparse': (folder) => folder.sparse('.git/index', 1024 ** 3, readFileSync(folder.at('.git/index'))),
  'config-includes-itself': (folder) => configure(folder, '[include]\n\tpath = config\n'),
  'remotes-are-many': (folder) => {
    for (let at = 0; at < 3000; at++) folder.folder(`.git/refs/remotes/r${at}`);
  },
};

function pipeAt(folder, at) {
  rmSync(folder.at(at), { recursive: true, force: true });
  folder.fifo(at);
}

function table(finding, arms, tries, entries, more = {}) {
  return Object.entries(entries).map(([name, lay]) => ({
    ...{ name, finding, tries, arms, cli: GIT, ...more },
    make: (folder) => lay(folder.repository()),
  }));
}

export const GIT_CASES = [
  ...table('C2', ['executed'], 'a content filter is run', FILTERS, { proof: STATUS }).map((attack) => ({
    ...attack,
    sample: attack.name === 'filter-of-invalid-utf8' ? [...onlyLong(['cli']), 'mcp'] : [],
  })),
  ...Object.entries(PROGRAMS).map(([name, given]) => ({
    ...{ name, finding: 'C2', tries: 'a program that the config of the clone names is run', arms: ['executed'] },
    ...{ cli: name === 'fsmonitor' ? EVERY : GIT, make: (folder) => programOf(folder, given) },
    proof: 'proof' in given ? given.proof : STATUS,
  })),
  ...Object.entries(PLACES).map(([name, { make, cwd, proof }]) => ({
    ...{ name, finding: 'C2', tries: 'a program of a repository in the clone is run', arms: ['executed'], cli: GIT },
    ...{ cwd, proof, make: (folder) => make(folder.repository()) },
  })),
  ...table('M4', ['read'], 'another repository is shown', ELSEWHERE, { handles: ['section:git'] }).map((attack) => ({
    ...attack,
    sample: attack.name === 'git-file-to-another-repository' ? ['cli'] : [],
  })),
  ...Object.entries(FETCHES).map(([name, text]) => ({
    ...{ name, finding: 'H2', tries: 'git is made to fetch what is missing', cli: GIT },
    arms: text.includes('PAYLOAD') ? ['executed'] : ['connected'],
    // A plain `git log` fetches.
    ...{
      proof: [['git', 'log']],
      sample: name === 'promisor-by-ftp' ? ['cli'] : [],
      make: (folder) => promisor(folder, text),
    },
  })),
  ...table('H5', ['hung'], 'a file of git has no end', ENDLESS),
];
