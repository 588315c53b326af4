// Part `zero`: what checkouts of other people's repositories cost without any configuration, against the goals of DESIGN §3.1. A
// copy of each is measured through the command line and its JSON alone, once as it is and once without instruction files.
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { git, gitPaths, withCopy } from './ownRuns.mjs';
import { count, isSource, plural, ratio, table } from './support.mjs';

/** The map has at least this much of what it has without instructions. */
const MAP_SHARE = 0.8;
/** Asked of a whole table: so many repositories with so many instruction files, so many of them with a root file over half a cap. */
const TABLE = { repositories: 10, files: 5, largeRoots: 2 };

/** DESIGN §3.1, at the root or below. */
const NAMES = '{AGENTS,CLAUDE,GEMINI}.md';
const COPILOT = '.github/copilot-instructions.md';
const INSTRUCTIONS = [
  ...[NAMES, COPILOT, '.github/instructions/**/*.md', '.cursor/rules/**/*.{md,mdc}', '.windsurf/rules/**/*.md'],
  ...['.cursorrules', '.windsurfrules', '.clinerules', '.clinerules/**/*.{md,txt}'],
].map((pattern) => `**/${pattern}`);
/** Other people's code, inputs of tests, and what an agent runs on demand. */
const NOT_OURS = [
  '**/{node_modules,bower_components,vendor,third?party,site-packages,fixtures,__fixtures__,testdata,test?data,__snapshots__}/**',
  '**/.clinerules/{workflows,hooks,skills}/**',
];
const ROOTS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', COPILOT];

const percent = (share) => `${(share * 100).toFixed(0)} %`;
const mapTokens = ({ sections }) => sections.find(({ id }) => id === 'repo-map')?.tokens ?? 0;
const shareOf = ({ budget }, { tokens = 0, chars }) =>
  Math.max(tokens / budget.budget_tokens, chars / budget.hard_cap_chars);

/**
 * Tracked files; all that are named like instruction files; of those the texts: links to others cost nothing more. `roots` are
 * what agents read at the root, whose text may be that of another file (a link).
 */
function instructionsOf(copy) {
  const files = gitPaths(copy, 'ls-files');
  const named = files.filter(picomatch(INSTRUCTIONS, { dot: true }));
  const isOurs = picomatch('**', { dot: true, ignore: NOT_OURS });
  const textOf = (file) => readFileSync(path.join(copy, file), 'utf8');
  const base = realpathSync(copy);
  const linked = (file) => path.relative(base, realpathSync(path.join(copy, file))).replaceAll('\\', '/');
  const roots = ROOTS.filter((file) => named.includes(file) && existsSync(path.join(copy, file))).map((file) => ({
    file: linked(file),
    text: textOf(file),
  }));
  const own = named.filter((file) => isOurs(file) && lstatSync(path.join(copy, file)).isFile());
  return { files, named, roots, own: own.map((file) => ({ file, text: textOf(file) })) };
}

/** Tokens of a file, be it a section of its own or one of a folder's. */
function tokensOf({ sections }, file) {
  for (const { title, tokens_full: tokens, files = [] } of sections) {
    if (title === file) return tokens;
    const listed = files.find(({ path: each }) => each === file);
    if (listed) return listed.tokens;
  }
  return undefined;
}

const FRONTMATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** The file patterns that a rule's frontmatter names; none where it holds for every file. */
function patternsOf(text) {
  const lines = FRONTMATTER.exec(text)?.[1] ?? '';
  const [, value = ''] = /^(?:applyTo|globs|paths):((?:.*)(?:\r?\n[ \t]*-.*)*)/m.exec(lines) ?? [];
  const patterns = value.split(/[,\n]/).map((pattern) => pattern.replaceAll(/^[\s\-["']+|[\s\]"']+$/g, ''));
  return patterns.some((pattern) => /^\*\*(?:\/\*)?$/.test(pattern)) ? [] : patterns.filter(Boolean);
}

/** The folder that a nested file speaks for; undefined at the root, and for rules. */
function folderOf(file) {
  const scope = file.endsWith(`/${COPILOT}`) ? file.slice(0, -COPILOT.length - 1) : path.posix.dirname(file);
  return scope !== '.' && picomatch.isMatch(path.posix.basename(file), [NAMES, path.posix.basename(COPILOT)])
    ? scope
    : undefined;
}

/**
 * A file to work on and the one instruction file whose scope holds it: the largest nested one of at most a third of the
 * character cap, since a larger one need not fit; where none is nested, a rule with a file pattern.
 */
function focusOf({ files, own, roots }, { budget }) {
  const isRoot = new Set(roots.map(({ file }) => file));
  const fitting = own.filter(({ file, text }) => text.length <= budget.hard_cap_chars / 3 && !isRoot.has(file));
  const largestFirst = fitting.sort((a, b) => b.text.length - a.text.length || (a.file < b.file ? -1 : 1));
  const scopes = own.flatMap(({ file }) => folderOf(file) ?? []);
  const sources = files.filter(isSource);
  for (const { file, text } of largestFirst) {
    const scope = folderOf(file);
    if (scope === undefined || scopes.filter((other) => other === scope).length > 1) continue;
    const isNearest = (source) =>
      source.startsWith(`${scope}/`) &&
      !scopes.some((other) => other.startsWith(`${scope}/`) && source.startsWith(`${other}/`));
    const focus = sources.find(isNearest);
    if (focus) return { file, text, focus };
  }
  for (const { file, text } of largestFirst) {
    const patterns = patternsOf(text);
    const matchers = patterns.map((pattern) => picomatch(pattern, { dot: true, basename: !pattern.includes('/') }));
    const focus = sources.find((source) => matchers.some((matches) => matches(source)));
    if (focus) return { file, text, focus };
  }
  return undefined;
}

/** Letters and digits alone: payloads escape tags and fold blank lines. */
const essenceOf = (text) =>
  text
    .replace(FRONTMATTER, '')
    .replaceAll('&lt;', '<')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

function focusResult(payload, wanted) {
  if (!wanted) return { said: 'no file has a scope of its own' };
  const { file, text, focus } = wanted;
  const shown = payload('payload', '--expanded', '--focus', focus);
  if (!shown) return { said: 'no', missed: `there is no --focus, so ${file} is not granted for ${focus}` };
  const isWhole = shown.sections.some((section) => essenceOf(section.text).includes(essenceOf(text)));
  const said = `${isWhole ? 'whole' : 'not whole'}: ${file} for ${focus}`;
  if (!isWhole) return { said, missed: `${file} is not shown whole for ${focus}` };
  return shown.budget.status === 'ALERT' ? { said, missed: `ALERT with --focus ${focus}` } : { said };
}

/** One repository's row, and the goals that it misses. */
function measure(folder) {
  const name = path.basename(folder);
  return withCopy(folder, ({ copy, payload }) => {
    const found = instructionsOf(copy);
    const expanded = payload('budget');
    const index = payload('budget', '--index');
    const rootShares = found.roots.map(({ file, text }) =>
      shareOf(expanded, { tokens: tokensOf(expanded, file), chars: text.length }),
    );
    const focus = focusResult(payload, focusOf(found, expanded));
    if (found.named.length > 0) {
      git(copy, 'rm', '--quiet', '--', ...found.named);
      git(copy, 'commit', '--quiet', '--message', 'without instruction files');
    }
    const [map, mapAlone] = [mapTokens(expanded), mapTokens(payload('budget'))];
    const missed = [];
    for (const { mode, budget } of [expanded, index])
      if (budget.status === 'ALERT') missed.push(`the ${mode} payload is ALERT`);
    if (map < MAP_SHARE * mapAlone)
      missed.push(`the map has ${ratio(map, mapAlone)} of its tokens, less than ${MAP_SHARE}×`);
    if (focus.missed) missed.push(focus.missed);
    const { budget } = expanded;
    return {
      missed: missed.map((words) => `${name}: ${words}`),
      counts: found.own.length >= TABLE.files,
      hasLargeRoot: rootShares.some((share) => share > 0.5),
      row: [
        name,
        found.own.length,
        `${budget.status} · ${index.budget.status}`,
        `${count(budget.tokens)} of ${count(budget.budget_tokens)}`,
        percent(shareOf(expanded, budget)),
        count(map),
        count(mapAlone),
        ratio(map, mapAlone),
        rootShares.length > 0 ? percent(Math.max(...rootShares)) : '–',
        focus.said,
      ],
    };
  });
}

const HEAD = [
  ...['repository', 'instruction files', 'status, expanded · index', 'tokens', 'of the binding cap'],
  ...['map', 'map without instructions', 'ratio', 'largest root file, of a cap', 'focus'],
];

/** What a table of enough repositories would have to show; a shorter one is a look at some of them. */
function missedByTable(results) {
  const counted = results.filter(({ counts }) => counts);
  if (results.length < TABLE.repositories) return [];
  const large = counted.filter(({ hasLargeRoot }) => hasLargeRoot).length;
  const missed = [];
  if (counted.length < TABLE.repositories)
    missed.push(
      `${counted.length} of ${TABLE.repositories} repositories have ${TABLE.files} or more instruction files`,
    );
  if (large < TABLE.largeRoots)
    missed.push(`${large} of ${TABLE.largeRoots} repositories have a root instruction file over half of a cap`);
  return missed;
}

/** Measures each repository; true when every goal is met. */
export function zeroBench(repositories) {
  const results = repositories.map((folder) => {
    const result = measure(folder);
    console.error(`${path.basename(folder)} measured`);
    return result;
  });
  table(
    'Without any configuration',
    HEAD,
    results.map(({ row }) => row),
  );
  const missed = [...results.flatMap((result) => result.missed), ...missedByTable(results)];
  console.log(`\n${missed.length === 0 ? 'Every goal is met.' : `Missed, ${plural(missed.length, 'goal')}:`}`);
  for (const words of missed) console.log(`- ${words}`);
  return missed.length === 0;
}
