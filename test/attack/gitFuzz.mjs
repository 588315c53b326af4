// Fuzzes the git surface of an untrusted folder: random sets of the configuration keys that run a program or connect, in
// the repository's, the work tree's, an included and conditionally included config, with attributes that use them and names
// that are no UTF-8. Each folder is looked at by the command line; no canary may fire.
// Usage: node test/attack/gitFuzz.mjs [--seconds N] [--seed N]; ends with code 1 at the first canary and says the seed.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { ensureBuilt } from '../tools/ensureBuilt.mjs';
import { attackOnce, proveTrap } from './attackOnce.mjs';
import { deadlineOfMachine } from './deadline.mjs';

const documented = new Set(JSON.parse(readFileSync(new URL('./gitKeys.json', import.meta.url), 'utf8')).keys);

/** Keys whose value is a command line or a program. */
const RUNS = [
  'core.fsmonitor core.sshCommand core.gitProxy core.askPass core.editor core.pager core.alternateRefsCommand',
  'diff.external diff.<driver>.command diff.<driver>.textconv filter.<driver>.clean filter.<driver>.smudge',
  'merge.<driver>.driver gpg.program gpg.<format>.program gpg.ssh.defaultKeyCommand',
  'credential.helper sequence.editor interactive.diffFilter pager.<cmd> alias.* uploadpack.packObjectsHook',
  'remote.<name>.uploadpack remote.<name>.receivepack remote.<name>.vcs trailer.<key-alias>.command',
  'trailer.<key-alias>.cmd difftool.<tool>.cmd mergetool.<tool>.cmd browser.<tool>.cmd man.<tool>.cmd',
  'sendemail.toCmd sendemail.ccCmd sendemail.headerCmd web.browser imap.tunnel',
]
  .join(' ')
  .split(' ');
/** Documented in gitattributes(5) alone. */
RUNS.push('filter.<driver>.process');
documented.add('filter.<driver>.process');
/** Keys whose value is a place to ask. */
const CONNECTS =
  'remote.<name>.url remote.<name>.pushurl http.proxy remote.<name>.proxy submodule.<name>.url fetch.bundleURI'.split(
    ' ',
  );
const chosen = [...RUNS, ...CONNECTS];
const unknown = chosen.filter((key) => !documented.has(key));

/** Numbers that a seed repeats (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

const NAMES = ['x', 'origin', '\xff', 'a\xc3', 'a.b', 'a=b', '\xef\xbf\xbd'];
const PLACES = ['config', 'config.worktree', 'included', 'gitdir', 'onbranch', 'hasconfig'];
const CONDITIONS = { gitdir: 'gitdir:**', onbranch: 'onbranch:main', hasconfig: 'hasconfig:remote.*.url:**' };

/** One folder; bytes are written as Latin-1. */
function lay(folder, random, keys = chosen) {
  folder.repository();
  const name = NAMES[random(NAMES.length)];
  const bytes = (text) => Buffer.from(text, 'latin1');
  let texts = '[remote "r"]\n\turl = https://x\n[extensions]\n\tworktreeConfig = true\n';
  const count = 1 + random(12);
  for (let at = 0; at < count; at++) {
    const key = keys[random(keys.length)];
    const [section, ...rest] = key.split('.');
    const last = rest.pop().replace(/^[<*].*/, 'status');
    const sub = rest.length === 0 ? '' : ` "${rest[0].startsWith('<') ? name : rest[0]}"`;
    const value = RUNS.includes(key) ? folder.payload('fuzz') : `git://127.0.0.1:${folder.port}/x`;
    const alias = section === 'alias' ? '!' : '';
    const text = `[${random(2) ? section : section.toUpperCase()}${sub}]\n\t${last} = ${alias}${value}\n`;
    const place = PLACES[random(PLACES.length)];
    if (place === 'config') texts += text;
    else if (place === 'config.worktree') appendFileSync(folder.at('.git/config.worktree'), bytes(text));
    else {
      const condition = CONDITIONS[place];
      texts += `${condition ? `[includeIf "${condition}"]` : '[include]'}\n\tpath = more${at}\n`;
      writeFileSync(folder.at(`.git/more${at}`), bytes(text));
    }
  }
  appendFileSync(folder.at('.git/config'), bytes(texts));
  const attributes = random(2) ? '.gitattributes' : '.git/info/attributes';
  writeFileSync(folder.at(attributes), bytes(`* filter=${name} diff=${name} merge=${name}\n`));
  // Git must look into it again: its size is the same, its content and time are not.
  folder.write('src/app.ts', readFileSync(folder.at('src/app.ts'), 'utf8').replace('item', 'ITEM'));
}

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  const value = at < 0 ? fallback : Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} needs a whole number`);
  return value;
}

if (unknown.length > 0) throw new Error(`git does not document ${unknown.join(', ')}`);
ensureBuilt();
const deadlineMs = await deadlineOfMachine();
// The traps work: who believes such a folder runs the program.
for (const key of ['core.fsmonitor', 'filter.<driver>.clean', 'filter.<driver>.process']) {
  const make = (folder) => lay(folder, randomOf(7), [key]);
  if (!(await proveTrap({ make, arms: ['executed'], proof: [['git', 'status']] })))
    throw new Error(`${key} is no trap`);
}
const first = option('seed', 1);
const end = Date.now() + option('seconds', 2) * 1000;
let seed = first;
do {
  const make = (folder) => lay(folder, randomOf(seed));
  const cli = [['payload', '--expanded', '--unmasked']];
  const fired = await attackOnce({ make, cli, arms: ['executed', 'connected'] }, 'cli', { deadlineMs });
  if (fired.length > 0) {
    console.log(`seed ${seed}: ${JSON.stringify(fired)}`);
    process.exit(1);
  }
  seed++;
} while (Date.now() < end);
console.log(`${seed - first} folders with ${chosen.length} keys, no canary (seeds ${first} to ${seed - 1})`);
