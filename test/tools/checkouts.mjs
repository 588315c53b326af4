// For `firstRequests.mjs`: compares the list of `context-budget window` with the first request in a checkout of a real
// project, of which nothing is known but its files. What a client sends of itself is taken from its request in an empty folder.
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { textsOf } from './clientRuns.mjs';
import { toolsOf } from './modelServer.mjs';

const MAX_BYTES = 300_000;
/** Shorter lines are in many files. */
const MIN_LINE = 12;
const FOUND = 0.8;
const SKIPPED = new Set(['.git', 'node_modules']);
const LISTED = /^\.(claude|agents|codex|gemini|github|opencode)\/(skills?|agents?|commands?)\//;

/** Markdown files of a folder by path; of files with the same text the first path that is no link. */
function documents(root) {
  const found = new Map();
  const walk = (folder) => {
    for (const name of readdirSync(path.join(root, folder)).sort()) {
      const file = folder === '' ? name : `${folder}/${name}`;
      const info = lstatSync(path.join(root, file));
      if (info.isDirectory() && !SKIPPED.has(name)) walk(file);
      else if (info.isFile() && name.endsWith('.md') && info.size <= MAX_BYTES)
        found.set(file, readFileSync(path.join(root, file), 'utf8'));
    }
  };
  walk('');
  return found;
}

const linesOf = (text) =>
  [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line.length >= MIN_LINE);

function descriptionOf(text) {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text);
  if (!head) return '';
  try {
    return String(parse(head[1])?.description ?? '').trim();
  } catch {
    // Some heads are no YAML; clients read the line as it is.
    return /^description: *(.*)$/m.exec(head[1])?.[1].trim() ?? '';
  }
}

/** Names in the lists of skills and subagents of a request. */
function listedNames(texts) {
  const all = texts.join('\n');
  const xml = [...all.matchAll(/<name>([^<\n]+)<\/name>/g)].map((match) => match[1]);
  const lines = [...all.matchAll(/^- ([\w:.-]+): .*\(file: /gm)].map((match) => match[1]);
  const [, types = ''] = all.split(/^Available agent types[^\n]*\n/m);
  const [told] = types.split(/\n\n(?:When you launch|The following skills|When to use)/);
  const subagents = [...told.matchAll(/^- ([\w:.-]+): /gm)].map((match) => match[1]);
  const section = /skills are available for use with the Skill tool:\n\n([\s\S]*?)(?:\n\n|$)/.exec(all)?.[1] ?? '';
  const skills = [...section.matchAll(/^- ([\w:.-]+)(?:: .*)?$/gm)].map((match) => match[1]);
  const agents = [...all.matchAll(/^- \*\*([\w:.-]+)\*\*: /gm)].map((match) => match[1]);
  return [...xml, ...lines, ...subagents, ...skills, ...agents];
}

const missing = (some, others) => [...new Set(some)].filter((each) => !others.includes(each));

/** @param tools {@link plain}, {@link tokens} and {@link sentTokens} of the caller */
export function compareCheckout(items, body, bare, root, { plain, tokens, sentTokens }) {
  const sentTools = toolsOf(body).filter(({ name }) => !toolsOf(bare).some((each) => each.name === name));
  const all = textsOf({ ...body, tools: undefined }).join('\n');
  const described = plain(`${all}\n${JSON.stringify(body.tools)}`);
  const sentLines = new Map();
  for (const line of all.split(/\r?\n/)) sentLines.set(line.trim(), (sentLines.get(line.trim()) ?? 0) + 1);
  const texts = documents(root);
  const owners = new Map();
  for (const [file, text] of texts)
    for (const line of linesOf(text)) owners.set(line, [...(owners.get(line) ?? []), file]);

  const found = [...texts].flatMap(([file, text]) => {
    const lines = linesOf(text);
    const own = lines.filter((line) => owners.get(line).length === 1);
    const told = own.length >= 3 ? own : lines;
    const sent = told.filter((line) => sentLines.has(line));
    if (told.length === 0 || sent.length / told.length < FOUND) return [];
    const times = sent.map((line) => sentLines.get(line)).sort((a, b) => a - b)[Math.floor(sent.length / 2)];
    return Array(own.length >= 3 ? times : 1).fill(file);
  });
  const real = (source) => path.relative(root, realpathSync(path.join(root, source)));
  const files = items.filter(({ kind, fate }) => kind === 'instructions' && ['loaded', 'cut'].includes(fate));
  const sources = files.flatMap(({ source, reason }) =>
    Array(Number(/read (\d+) times/.exec(reason)?.[1] ?? 1)).fill(real(source)),
  );
  const fileTokens = files.reduce((sum, each) => sum + each.tokens, 0);
  const sentFileTokens = found.reduce((sum, file) => sum + sentTokens(texts.get(file), all), 0);

  const rows = items.filter(({ kind }) => ['skills', 'subagents', 'commands'].includes(kind));
  const isIn = ({ fate }) => ['listed', 'cut', 'loaded'].includes(fate);
  // A name that the client has of its own may stand for either; the texts tell.
  const bareNames = listedNames(textsOf(bare));
  const ownNames = missing(
    rows.filter(isIn).map(({ id }) => id.slice(id.indexOf(':') + 1)),
    bareNames,
  );
  const names = missing(listedNames(textsOf(body)), bareNames);
  const wrongTexts = [...texts]
    .filter(([file, text]) => LISTED.test(file) && descriptionOf(text) !== '')
    .flatMap(([file, text]) => {
      const description = descriptionOf(text);
      const same = [...texts].filter(([, other]) => descriptionOf(other) === description).map(([other]) => other);
      const own = rows.filter((row) => same.includes(real(row.source)) && isIn(row));
      const isOwnWhole = own.some((row) => row.tokens >= tokens(description));
      const isSentWhole = described.includes(plain(description));
      return isOwnWhole === isSentWhole
        ? []
        : [`${file}:${isOwnWhole ? 'whole' : 'not whole'}≠${isSentWhole ? 'whole' : 'not whole'}`];
    });
  const ownTools = items.filter(({ kind, fate, id }) => kind === 'mcp' && fate === 'loaded' && id.includes('/'));
  const ownToolTokens = ownTools.reduce((sum, each) => sum + each.tokens, 0);
  const toolTokens = sentTools.reduce((sum, { tool }) => sum + tokens(JSON.stringify(tool)), 0);
  return {
    files: { own: sources, found },
    fileTokens: { own: fileTokens, found: sentFileTokens },
    tools: { own: ownTools.map(({ id }) => id), found: sentTools.map(({ name }) => name) },
    toolTokens: { own: ownToolTokens, found: toolTokens },
    names: { own: ownNames, found: names },
    wrongTexts,
  };
}
