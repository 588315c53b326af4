// Each canary made to fire on purpose, by the deed that it is for: a suite that is silent means something only then.
import { appendFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Canaries } from './canaries.mjs';
import { attackCli } from './cliHost.mjs';
import { HostileFolder } from './hostileFolder.mjs';
import { attackMcp } from './mcpHost.mjs';
import { runBounded } from './processes.mjs';

const SHORT_MS = 1500;

/** Runs a script of Node as a host would be run, and tells the canary of `hung` what it saw. */
async function run(folder, canaries, script, options = {}) {
  const argv = [process.execPath, '-e', script];
  const bounds = { cwd: folder.root, env: folder.environment(), base: folder.base, deadlineMs: SHORT_MS, ...options };
  const { hung } = await runBounded(argv, bounds);
  if (hung !== undefined) canaries.hung(hung);
}

function call(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').once('close', resolve).once('error', reject);
    socket.resume();
  });
}

/** What is shown of an instruction file is seen, in whatever way a host shows it: nothing masks the words that we look for. */
const shown = (attackHost) => async (folder, canaries, options) => {
  folder.write('AGENTS.md', `# Rules\n\nThe word is ${folder.secret()}.\n`);
  await attackHost({ cli: [['payload', '--expanded']] }, folder, canaries, options);
};

/** Deed → the canary that it must wake. */
export const CONTROLS = {
  'a program leaves a trace': [
    'executed',
    (folder) => runBounded(['sh', '-c', folder.payload('control')], plain(folder)),
  ],
  'git runs a program': [
    'executed',
    async (folder) => {
      folder.git('config', 'core.fsmonitor', folder.payload('control'));
      await runBounded(['git', 'status'], plain(folder));
    },
  ],
  'a file outside is changed': ['written', (folder) => appendFileSync(path.join(folder.outside, 'diary.md'), 'x')],
  'a file outside is made': ['written', (folder) => writeFileSync(path.join(folder.outside, 'new'), '')],
  'a file at home is made': ['written', (folder) => writeFileSync(path.join(folder.home, '.profile'), '')],
  'the config of git is changed': ['written', (folder) => appendFileSync(folder.at('.git/config'), '\n')],
  'a tracked file is changed': ['written', (folder) => folder.write('AGENTS.md', '# Other\n')],
  'the own config is made': ['written', (folder) => folder.config({})],
  'git writes its index': ['written', (folder) => runBounded(['git', 'add', '-A', '-f'], plain(folder))],
  'an output has a secret': ['read', (folder, canaries) => canaries.saw('it', [...folder.secrets].join())],
  'a record has a secret': [
    'read',
    (folder) => folder.write('.context-budget/usage.jsonl', [...folder.secrets].join()),
  ],
  'the CLI shows instructions': ['read', shown(attackCli)],
  'the server shows instructions': ['read', shown(attackMcp)],
  'somebody calls': ['connected', (folder) => call(folder.port)],
  'git calls': [
    'connected',
    (folder) => runBounded(['git', 'ls-remote', `ftp://127.0.0.1:${folder.port}/x`], plain(folder)),
  ],
  'a process has no end': ['hung', (folder, canaries) => run(folder, canaries, 'setInterval(() => undefined, 1000)')],
  'a process takes all memory': [
    'hung',
    (folder, canaries) =>
      run(folder, canaries, 'const all = []; setInterval(() => all.push(Buffer.alloc(1 << 24, 1)), 5)', {
        deadlineMs: 20_000,
        maxMemory: 300 * 1024 ** 2,
      }),
  ],
  'a process leaves another behind': [
    'hung',
    (folder, canaries) =>
      run(
        folder,
        canaries,
        "require('node:child_process').spawn('sleep', ['20'], { detached: true, stdio: 'ignore' }).unref()",
      ),
  ],
};

function plain(folder) {
  return { cwd: folder.root, env: folder.environment(), base: folder.base, deadlineMs: 20_000 };
}

/** Does the deed of a control. @returns whether its canary woke */
export async function runControl(name, options) {
  const [canary, deed] = CONTROLS[name];
  const folder = await HostileFolder.make();
  try {
    folder.repository().outsideFile('diary.md');
    const canaries = new Canaries(folder);
    await deed(folder, canaries, options);
    return canaries.fired().some((fired) => fired.canary === canary);
  } finally {
    folder.remove();
  }
}
