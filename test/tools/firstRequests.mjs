// The first request is the truth: starts real clients in prepared folders against a model server on loopback, and compares
// what their first request holds with what `context-budget window` says of the same folder.
//
//   node esbuild.mjs && node test/tools/firstRequests.mjs [--folder FOLDER] [--only PREPARED] [--checkout FOLDER] [CLIENT…]
//
// Clients are installed as `clients.mjs` does. Prints one row for each client and folder: files, tools, skills and subagents
// that only one side has, and tokens (o200k) of instructions and tools on both sides. Exit code 1 on any difference in a list,
// or over 3% in tokens. With --checkout it looks at a checkout of a real project instead. Clients run what a project's
// settings tell them to: take its hooks out first.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { parse } from 'yaml';
import { compareCheckout } from './checkouts.mjs';
import { CLIENTS, install, run, textsOf } from './clientRuns.mjs';
import { serveModel, toolsOf } from './modelServer.mjs';
import { FOLDERS, MODELS } from './preparedFolders.mjs';

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
    if (typeof text === 'string') writeFileSync(target, text.replaceAll('{root}', place.root));
    else symlinkSync(text.link, target);
  }
}

async function firstRequest(name, place, bin, model) {
  const { home, out, root } = place;
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  execFileSync('git', ['init', '-q'], { cwd: root, env });
  const server = await serveModel(out, [{ text: 'done' }]);
  const started = CLIENTS[name].start({ bin, url: server.url, ...place, servers: {}, model });
  await run(started.argv, { ...env, ...started.env }, root, path.join(out, 'client.log'));
  await server.close();
  const bodies = readdirSync(out)
    .filter((file) => /^\d.*\.json$/u.test(file) && !file.includes('-count'))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(out, file), 'utf8')).body);
  return bodies.find((body) => toolsOf(body).length > 0);
}

function ours(name, { home, root }, known) {
  const { agent } = AGENTS[name];
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
  // A server that does not start gives no figure, and exit code 4.
  const { stdout, stderr } = spawnSync('node', [CLI, ...args, ...(known ? ['--model', known] : [])], {
    env,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout).agents[0].categories.flatMap(({ kind, items }) => items.map((item) => ({ kind, ...item })));
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

/** Without what clients change of a text on its way: spaces, and entities of XML. */
const plain = (text) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;|&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\\"/g, '"')
    .replace(/(?:\\r|\\n|\s)+/g, ' ');

/** What a list of skills, subagents or commands can say of a file. */
function descriptionOf(text) {
  if (typeof text !== 'string') return '';
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text);
  if (!head) return /^MARK\w+.*/.exec(text)?.[0] ?? /^description = "(.*)"/m.exec(text)?.[1] ?? '';
  const { description = '' } = parse(head[1]) ?? {};
  return description.trim();
}

const share = (own, found) => (found === 0 && own === 0 ? 0 : (own - found) / Math.max(1, found));
const percent = (value) => `${value >= 0 ? '+' : ''}${(value * 100).toFixed(1)}%`;

function compare(items, body, texts) {
  const tools = toolsOf(body);
  const all = textsOf({ ...body, tools: undefined }).join('\n');
  const described = `${all}\n${JSON.stringify(body.tools)}`;
  const isIn = ({ fate }) => ['loaded', 'cut', 'listed'].includes(fate);
  const times = (text) => all.split(text).length - 1;
  const paths = Object.keys(texts).filter((file) => /MARK[A-Z]+ is the first rule/.test(String(texts[file])));
  const markOf = (file) => /MARK\w+/.exec(texts[file])[0];
  const files = items.filter(
    ({ kind, fate }) => ['instructions', 'user'].includes(kind) && ['loaded', 'cut'].includes(fate),
  );
  // A text that is sent twice is there twice.
  const foundFiles = paths.flatMap((file) => Array(times(`- ${markOf(file)} is the first rule`)).fill(file));
  const fileTokens = files.reduce((sum, each) => sum + each.tokens, 0);
  const sent = foundFiles.reduce((sum, file) => sum + sentTokens(texts[file], all), 0);
  const sources = files.flatMap(({ source, reason }) =>
    Array(Number(/read (\d+) times/.exec(reason)?.[1] ?? 1)).fill(
      typeof texts[source] === 'object' ? texts[source].link : source,
    ),
  );

  // A tool is known by its mark; a client may have cut the rest of its description.
  const toolIds = ['PLAIN', 'RICH', 'DOT', 'LONG'];
  const ofServer = (server) =>
    toolIds.map((id) => [
      `MARKTOOL${id}${server}`,
      `${server}${{ PLAIN: '_plain', RICH: '_rich', DOT: '.dotted', LONG: '_long' }[id]}`,
    ]);
  const known = ['shop', 'stock'].flatMap(ofServer);
  const sentTools = tools.filter(({ tool }) => known.some(([mark]) => JSON.stringify(tool).includes(mark)));
  const toolOf = ({ id }) => (id.startsWith('mcp:') ? id.slice(id.indexOf('/') + 1) : '');
  const ofFate = (wanted) =>
    items.filter((item) => item.fate === wanted && known.some(([, each]) => each === toolOf(item)));
  const ownTools = ofFate('loaded');
  const foundTools = known
    .filter(([mark]) => sentTools.some(({ tool }) => JSON.stringify(tool).includes(mark)))
    .map(([, id]) => id);
  // Of a deferred tool its name alone is in the window.
  const named = known.filter(([, id]) => {
    return !foundTools.includes(id) && all.includes(id.replace('.', '_'));
  });
  const ownNamed = ofFate('listed');
  const toolDifference = difference([...ownTools, ...ownNamed].map(toolOf), [
    ...foundTools,
    ...named.map(([, id]) => id),
  ]);
  const ownToolTokens = ownTools.reduce((sum, each) => sum + each.tokens, 0);
  const sentToolTokens = sentTools.reduce((sum, { tool }) => sum + tokens(JSON.stringify(tool)), 0);
  const serverDifference = difference(
    items
      .filter(({ id, fate }) => id.endsWith('#instructions') && ['loaded', 'cut'].includes(fate))
      .map(({ measured }) => measured.server.split(' ')[0]),
    ['shop', 'stock'].filter((server) => described.includes(`MARKSERVER${server}`)),
  );

  const listed = Object.keys(texts).filter((file) => descriptionOf(texts[file]).includes('MARK'));
  const plainText = plain(described);
  const state = (file) => {
    const text = descriptionOf(texts[file]);
    if (plainText.includes(plain(text))) return 'whole';
    return new RegExp(`\\b${/MARK\w+/.exec(text)[0]}\\b`).test(plainText) ? 'part' : 'none';
  };
  const ownState = (file) => {
    const found = items.find(
      ({ source, kind }) => source === file && ['skills', 'subagents', 'commands'].includes(kind),
    );
    if (!found || !isIn(found)) return 'none';
    if (found.tokens >= tokens(descriptionOf(texts[file]))) return 'whole';
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
  // Of several of a name one is listed, and we say that it is not certain which.
  const isByChance = (file) => {
    const item = items.find(({ source, kind }) => source === file && kind === 'skills');
    if (!item || item.certain) return false;
    const twins = listed.filter((each) => items.some(({ source, id }) => source === each && id === item.id));
    return twins.length > 1 && new Set(twins.filter((each) => state(each) === 'whole').map(markOf)).size === 1;
  };
  const wrongSkills = distinct.filter((file) => ownState(file) !== state(file) && !isByChance(file));
  return {
    files: `${sources.length}/${foundFiles.length} ${difference(sources, foundFiles)}`.trim(),
    fileTokens: `${fileTokens}/${sent} ${percent(share(fileTokens, sent))}`,
    tools: `${ownTools.length}+${ownNamed.length}/${foundTools.length}+${named.length} ${toolDifference}`.trim(),
    toolTokens: `${ownToolTokens}/${sentToolTokens} ${percent(share(ownToolTokens, sentToolTokens))}`,
    servers: serverDifference,
    skills:
      `${distinct.filter((file) => ownState(file) !== 'none').length}/${distinct.filter((file) => state(file) !== 'none').length} ${wrongSkills
        .map((file) => `${key(file, ownState)}≠${state(file)}`)
        .slice(0, 8)
        .join(' ')}`.trim(),
    isRight:
      sources.length === foundFiles.length &&
      difference(sources, foundFiles) === '' &&
      toolDifference === '' &&
      serverDifference === '' &&
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
const checkout = optionOf('--checkout');
const rows = [];

/** A folder of a client with nothing in it. */
function emptyPlace(name, label, root) {
  const base = path.join(folder, name, 'prepared', label);
  rmSync(base, { recursive: true, force: true });
  const place = {
    root: root ?? path.join(base, 'project'),
    home: path.join(base, 'home'),
    out: path.join(base, 'requests'),
  };
  for (const each of Object.values(place)) mkdirSync(each, { recursive: true });
  return place;
}

function show(name, label, row) {
  rows.push(row);
  console.log(`${row.isRight ? '✔' : '✖'} ${CLIENTS[name].spec}, ${label}`);
  for (const [key, value] of Object.entries(row))
    if (key !== 'isRight' && value !== '') console.log(`    ${key}: ${value}`);
}

async function runCheckout(name, bin) {
  const { model, known } = AGENTS[name];
  const bare = await firstRequest(name, emptyPlace(name, 'bare'), bin, model);
  const place = emptyPlace(name, path.basename(checkout), path.resolve(checkout));
  const items = ours(name, place, known);
  const body = await firstRequest(name, place, bin, model);
  if (!bare || !body) return show(name, checkout, { files: 'no request', isRight: false });
  const result = compareCheckout(items, body, bare, place.root, { plain, tokens, sentTokens });
  const lists = ['files', 'names'].map((key) => [
    key,
    `${result[key].own.length}/${result[key].found.length} ${difference(result[key].own, result[key].found)}`.trim(),
  ]);
  const sums = ['fileTokens', 'toolTokens'].map((key) => [
    key,
    `${result[key].own}/${result[key].found} ${percent(share(result[key].own, result[key].found))}`,
  ]);
  show(name, path.basename(checkout), {
    ...Object.fromEntries([...lists, ...sums]),
    tools: `${result.tools.own.length}/${result.tools.found.length}`,
    descriptions: result.wrongTexts.slice(0, 8).join(' '),
    isRight:
      lists.every(([, text]) => !text.includes(' ')) &&
      result.files.own.length === result.files.found.length &&
      result.tools.own.length === result.tools.found.length &&
      ['fileTokens', 'toolTokens'].every(
        (key) => Math.abs(share(result[key].own, result[key].found)) <= MAX_DIFFERENCE,
      ) &&
      result.wrongTexts.length === 0,
  });
}

for (const name of given.length > 0 ? given : Object.keys(AGENTS)) {
  const bin = install(folder, name);
  if (checkout !== undefined) {
    await runCheckout(name, bin);
    continue;
  }
  for (const [prepared, texts] of Object.entries(FOLDERS)) {
    if (only !== undefined && only !== prepared) continue;
    const place = emptyPlace(name, prepared);
    write(place, texts);
    const model = MODELS[prepared]?.[name];
    const items = ours(name, place, model ?? AGENTS[name].known);
    const body = await firstRequest(name, place, bin, model ?? AGENTS[name].model);
    show(name, prepared, body ? compare(items, body, texts) : { files: 'no request', isRight: false });
  }
}
console.log(`${rows.filter(({ isRight }) => isRight).length} of ${rows.length} right. Requests and logs: ${folder}`);
if (!rows.every(({ isRight }) => isRight)) process.exitCode = 1;
