// The first request is the truth: starts real clients in prepared folders against a model server on loopback, and compares
// what their first request holds with what `context-budget window` says of the same folder.
//
//   node esbuild.mjs && node test/tools/firstRequests.mjs [--folder FOLDER] [--only PREPARED] [CLIENT…]
//
// Clients are installed as `clients.mjs` does. Prints one row for each client and folder: files, tools, skills and subagents
// that only one side has, and tokens (o200k) of instructions and tools on both sides. Exit code 1 on any difference in a list,
// or over 3% in tokens.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { CLIENTS, install, run, textsOf } from './clientRuns.mjs';
import { serveModel, toolsOf } from './modelServer.mjs';
import { FOLDERS } from './preparedFolders.mjs';

const CLI = path.resolve(import.meta.dirname, '../../dist/cli.js');
const MAX_DIFFERENCE = 0.03;

/** Our name of each client, and the model that it is run with; `known` is one whose window our tables know. */
const AGENTS = {
  claude: { agent: 'claude-code', model: 'claude-opus-5-5' },
  codex: { agent: 'codex', model: 'gpt-5.5', known: 'gpt-5.5' },
  gemini: { agent: 'gemini-cli', model: 'gemini-2.5-pro' },
  copilot: { agent: 'copilot-cli', model: 'gpt-5.5', known: 'gpt-5.5' },
  opencode: { agent: 'opencode', model: 'claude-sonnet-4-5' },
};

const encoder = new Tiktoken(o200k);
const tokens = (text) => encoder.encode(text, [], []).length;

function write(place, texts) {
  for (const [file, text] of Object.entries(texts)) {
    const target = file.startsWith('~/') ? path.join(place.home, file.slice(2)) : path.join(place.root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

async function firstRequest(name, place, bin) {
  const { home, out, root } = place;
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  execFileSync('git', ['init', '-q'], { cwd: root, env });
  const model = await serveModel(out, [{ text: 'done' }]);
  const started = CLIENTS[name].start({ bin, url: model.url, ...place, servers: {}, model: AGENTS[name].model });
  await run(started.argv, { ...env, ...started.env }, root, path.join(out, 'client.log'));
  await model.close();
  const bodies = readdirSync(out)
    .filter((file) => /^\d.*\.json$/u.test(file) && !file.includes('-count'))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(out, file), 'utf8')).body);
  return bodies.find((body) => toolsOf(body).length > 0);
}

function ours(name, { home, root }) {
  const { agent, known } = AGENTS[name];
  const args = [
    'window',
    '--agent',
    agent,
    '--root',
    root,
    '--home',
    '--measure',
    'all',
    '--trust',
    '--json',
    '--quiet',
  ];
  const env = { PATH: process.env.PATH, HOME: home, CONTEXT_BUDGET_CACHE_DIR: path.join(home, '../cache') };
  const text = execFileSync('node', [CLI, ...args, ...(known ? ['--model', known] : [])], { env, encoding: 'utf8' });
  return JSON.parse(text).agents[0].categories.flatMap(({ kind, items }) => items.map((item) => ({ kind, ...item })));
}

/** Both ways: `-a` is only in our list, `+b` only in the request. */
function difference(own, found) {
  return [
    ...own.filter((each) => !found.includes(each)).map((each) => `-${each}`),
    ...found.filter((each) => !own.includes(each)).map((each) => `+${each}`),
  ]
    .sort()
    .join(' ');
}

/** Tokens of the lines of a file that the request has as they are. */
function sentTokens(text, all) {
  return tokens(
    text
      .split('\n')
      .filter((line) => line.trim() !== '' && all.includes(line.trim()))
      .join('\n'),
  );
}

const share = (own, found) => (found === 0 && own === 0 ? 0 : (own - found) / Math.max(1, found));
const percent = (value) => `${value >= 0 ? '+' : ''}${(value * 100).toFixed(1)}%`;

function compare(items, body, texts) {
  const tools = toolsOf(body);
  const all = textsOf({ ...body, tools: undefined }).join('\n');
  const described = `${all}\n${JSON.stringify(tools)}`;
  const isIn = ({ fate }) => ['loaded', 'cut', 'listed'].includes(fate);
  const paths = Object.keys(texts).filter((file) => /MARK[A-Z]+ is the first rule/.test(texts[file]));
  const markOf = (file) => /MARK\w+/.exec(texts[file])[0];
  const files = items.filter(
    ({ kind, fate }) => ['instructions', 'user'].includes(kind) && ['loaded', 'cut'].includes(fate),
  );
  const foundFiles = paths.filter((file) => new RegExp(`\\b${markOf(file)}\\b`).test(all));
  const fileTokens = files.reduce((sum, each) => sum + each.tokens, 0);
  const sent = foundFiles.reduce((sum, file) => sum + sentTokens(texts[file], all), 0);

  // A tool is known by its mark; a client may have cut the rest of its description.
  const toolIds = ['PLAIN', 'RICH', 'DOT', 'LONG'];
  const ofServer = (server) =>
    toolIds.map((id) => [
      `MARKTOOL${id}${server}`,
      `mcp:${server}/${server}${{ PLAIN: '_plain', RICH: '_rich', DOT: '.dotted', LONG: '_long' }[id]}`,
    ]);
  const known = ['shop', 'stock'].flatMap(ofServer);
  const sentTools = tools.filter(({ tool }) => known.some(([mark]) => JSON.stringify(tool).includes(mark)));
  const ownTools = items.filter(({ id, fate }) => fate === 'loaded' && known.some(([, each]) => each === id));
  const foundTools = known
    .filter(([mark]) => sentTools.some(({ tool }) => JSON.stringify(tool).includes(mark)))
    .map(([, id]) => id);
  // Of a deferred tool its name alone is in the window.
  const named = known.filter(([, id]) => {
    const plain = id.slice(id.indexOf('/') + 1).replace('.', '_');
    return !foundTools.includes(id) && all.includes(plain);
  });
  const ownNamed = items.filter(({ id, fate }) => fate === 'listed' && known.some(([, each]) => each === id));
  const ownToolTokens = ownTools.reduce((sum, each) => sum + each.tokens, 0);
  const sentToolTokens = sentTools.reduce((sum, { tool }) => sum + tokens(JSON.stringify(tool)), 0);
  const serverText = (server) => all.includes(`MARKSERVER${server}`);

  const listed = Object.keys(texts).filter((file) => /description: MARK/.test(texts[file]));
  const state = (file) => {
    const text = /description: (.*)/.exec(texts[file])[1];
    if (described.includes(text)) return 'whole';
    return described.includes(/MARK\w+/.exec(text)[0]) ? 'part' : 'none';
  };
  const ownState = (file) => {
    const found = items.find(
      ({ source, kind }) => source === file && ['skills', 'subagents', 'commands'].includes(kind),
    );
    if (!found || !isIn(found)) return 'none';
    if (found.fate === 'listed') return 'whole';
    return found.tokens > 12 ? 'part' : 'none';
  };
  const key = (file, of) =>
    `${file
      .replace(/\/SKILL\.md$/, '')
      .split('/')
      .slice(-2)
      .join('/')}:${of(file)}`;
  const seen = new Set();
  const distinct = listed.filter((file) => {
    const mark = markOf(file);
    const others = listed.filter((other) => markOf(other) === mark);
    // The same skill in two folders: one of them is the one that counts.
    const best = others.find((other) => ownState(other) !== 'none') ?? file;
    if (best !== file || seen.has(mark)) return false;
    seen.add(mark);
    return true;
  });
  const wrongSkills = distinct.filter((file) => ownState(file) !== state(file));
  return {
    files: `${files.length}/${foundFiles.length} ${difference(
      files.map(({ source }) => source),
      foundFiles,
    )}`.trim(),
    fileTokens: `${fileTokens}/${sent} ${percent(share(fileTokens, sent))}`,
    tools: `${ownTools.length}+${ownNamed.length}/${foundTools.length}+${named.length} ${difference(
      [...ownTools, ...ownNamed].map(({ id }) => id),
      [...foundTools, ...named.map(([, id]) => id)],
    )}`.trim(),
    toolTokens: `${ownToolTokens}/${sentToolTokens} ${percent(share(ownToolTokens, sentToolTokens))}`,
    servers: difference(
      items
        .filter(({ id, fate }) => id.endsWith('#instructions') && ['loaded', 'cut'].includes(fate))
        .map(({ id }) => id.slice(4, -13)),
      ['shop', 'stock'].filter(serverText),
    ),
    skills:
      `${distinct.filter((file) => ownState(file) !== 'none').length}/${distinct.filter((file) => state(file) !== 'none').length} ${wrongSkills
        .map((file) => `${key(file, ownState)}≠${state(file)}`)
        .slice(0, 8)
        .join(' ')}`.trim(),
    isRight:
      difference(
        files.map(({ source }) => source),
        foundFiles,
      ) === '' &&
      Math.abs(share(fileTokens, sent)) <= MAX_DIFFERENCE &&
      Math.abs(share(ownToolTokens, sentToolTokens)) <= MAX_DIFFERENCE &&
      wrongSkills.length === 0,
  };
}

const given = process.argv.slice(2);
const optionOf = (flag) => {
  const at = given.indexOf(flag);
  return at < 0 ? undefined : given.splice(at, 2)[1];
};
const folder = path.resolve(optionOf('--folder') ?? mkdtempSync(path.join(os.tmpdir(), 'clients-')));
const only = optionOf('--only');
const rows = [];
for (const name of given.length > 0 ? given : Object.keys(AGENTS)) {
  const bin = install(folder, name);
  for (const [prepared, texts] of Object.entries(FOLDERS)) {
    if (only !== undefined && only !== prepared) continue;
    const base = path.join(folder, name, 'prepared', prepared);
    rmSync(base, { recursive: true, force: true });
    const place = { root: path.join(base, 'project'), home: path.join(base, 'home'), out: path.join(base, 'requests') };
    for (const each of Object.values(place)) mkdirSync(each, { recursive: true });
    write(place, texts);
    const items = ours(name, place);
    const body = await firstRequest(name, place, bin);
    const row = body ? compare(items, body, texts) : { files: 'no request', isRight: false };
    rows.push(row);
    console.log(`${row.isRight ? '✔' : '✖'} ${CLIENTS[name].spec}, ${prepared}`);
    for (const [key, value] of Object.entries(row))
      if (key !== 'isRight' && value !== '') console.log(`    ${key}: ${value}`);
  }
}
console.log(`${rows.filter(({ isRight }) => isRight).length} of ${rows.length} right. Requests and logs: ${folder}`);
if (!rows.every(({ isRight }) => isRight)) process.exitCode = 1;
