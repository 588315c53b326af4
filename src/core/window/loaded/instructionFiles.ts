/** Instruction files of an agent's window: those of the table, of the home folder, and those that settings name. */
import type { AgentCoverage, CoveredFile } from '../../agents/agentCoverage';
import { type AgentFile, loadedText, readAgentFile } from '../../agents/agentFile';
import type { AgentRules, FilePattern, FileRule } from '../../agents/agentRules';
import { coverAgent } from '../../agents/coverAgents';
import { withoutComments } from '../../agents/cutFile';
import { importCandidates, looksLikeFile } from '../../agents/mentions';
import type { InstructionSetting, WindowRules } from '../../agents/windowRules';
import { globMatcher } from '../../files/glob';
import { inEnglish } from '../../text/phrase';
import { nameOf } from '../../text/safePath';
import type { WindowFiles } from './homeFiles';
import { firstSetting } from './settingValue';
import type { WindowEdits, WindowFate } from './windowReport';

/** One file whose texts are not counted yet. */
export interface InstructionRow {
  readonly kind: 'instructions' | 'user';
  readonly id: string;
  readonly source: string;
  /** 1-based, of the cut; null without one. */
  readonly line: number | null;
  readonly fate: WindowFate;
  readonly certain: boolean;
  readonly reason: string;
  /** What is in the window; a file that is read twice is there twice. */
  readonly text: string;
  readonly full: string;
  readonly edits?: WindowEdits;
}

/** What the rows are made from. */
interface InstructionRequest {
  readonly agent: AgentRules;
  readonly rules: WindowRules;
  /** Of the workspace's files. */
  readonly coverage: AgentCoverage | undefined;
  readonly files: WindowFiles;
  readonly root: string;
}

/** More than these in one setting are no list of files. */
const MAX_NAMED = 100;
const MAX_PATTERN = 300;

const FATES: Readonly<Record<CoveredFile['fate'], WindowFate>> = {
  loaded: 'loaded',
  truncated: 'cut',
  dropped: 'dropped',
  shadowed: 'shadowed',
  onDemand: 'deferred',
};

function reasonOf({ importedBy, times, why }: CoveredFile): string {
  const parts = [
    ...(importedBy === undefined ? [] : [`imported by ${importedBy}`]),
    ...(times === undefined ? [] : [`read ${times} times`]),
    ...(why ? [inEnglish(why)] : []),
  ];
  return parts.length === 0 ? 'read at start' : parts.join('; ');
}

/** Settings of one form that are there, strongest first. */
interface Named {
  readonly form: InstructionSetting['form'];
  /** Where it is said. */
  readonly by: string;
  readonly names: readonly string[];
}

async function readNamed({ rules, root, files }: InstructionRequest): Promise<readonly Named[]> {
  const found = await Promise.all(
    (rules.instructionSettings ?? []).map(async ({ path, format, keys, form }) => {
      const value = (await firstSetting({ paths: [path], keys, ...(format ? { format } : {}) }, root, files))?.value;
      const list: readonly unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
      const names = list.filter((each) => typeof each === 'string' && each !== '' && each.length <= MAX_PATTERN);
      return { form, by: `${keys.join('.')} in ${path}`, names: names.slice(0, MAX_NAMED) as readonly string[] };
    }),
  );
  return found.filter(({ names }) => names.length > 0);
}

/** Rows of the workspace's files, then of those of the home folder. */
export async function instructionRows(request: InstructionRequest): Promise<readonly InstructionRow[]> {
  const named = await readNamed(request);
  const own = await rowsOf('instructions', request, request.coverage?.files ?? []);
  const more = await rowsOf('instructions', request, await namedFiles(request, named));
  const user = await rowsOf('user', request, await userFiles(request, named));
  const isNew = ({ source }: InstructionRow): boolean =>
    !own.some((row) => row.source === source && (row.fate === 'loaded' || row.fate === 'cut'));
  const added = more.filter(isNew);
  const rows = own.filter(({ source }) => !added.some((row) => row.source === source)).map(replacedBy(request, named));
  return [...rows, ...added, ...user].map(excludedBy(request, named));
}

async function rowsOf(
  kind: InstructionRow['kind'],
  request: InstructionRequest,
  covered: readonly CoveredFile[],
): Promise<readonly InstructionRow[]> {
  const { agent, files } = request;
  return Promise.all(
    covered.map(async (file): Promise<InstructionRow> => {
      const { cutLine, bytesLost, times = 1 } = file;
      const source = kind === 'user' && !file.path.startsWith('~/') ? `~/${file.path}` : file.path;
      // A limit cuts what is read there only then.
      const fate = file.isElsewhere && file.fate === 'truncated' ? 'deferred' : FATES[file.fate];
      const isLoaded = fate === 'loaded' || fate === 'cut';
      const full = file.isUnread && !isLoaded ? '' : await files.text(source);
      const row = { kind, id: `file:${source}`, source, line: cutLine ?? null, certain: !file.isDoubtful };
      if (full === undefined) return { ...row, fate: 'unmeasured', reason: 'it could not be read', text: '', full: '' };
      const said = { ...row, fate, reason: reasonOf(file) };
      if (fate === 'cut') {
        const text = loadedText(full, { agent: agent.name, cut: { bytesLost, line: cutLine ?? 1 } });
        return { ...said, text, full };
      }
      const listed = fate === 'deferred' && !file.isElsewhere ? listedText(request, source, full) : '';
      if (listed !== '')
        return { ...said, fate: 'listed', certain: false, reason: `listed; ${said.reason}`, text: listed, full };
      if (fate !== 'loaded') return { ...said, text: '', full };
      const text = Array<string>(times)
        .fill(sentText(request, readAgentFile(source, new TextEncoder().encode(full)), full))
        .join('\n');
      return { ...said, text, full: text, edits: kind === 'instructions' ? importEdits(file) : {} };
    }),
  );
}

/** The line of an instruction file on demand; empty where the agent lists none. */
function listedText({ rules: { describedRules: rule } }: InstructionRequest, path: string, full: string): string {
  if (!rule) return '';
  const { frontmatter } = readAgentFile(path, new TextEncoder().encode(full));
  const { when, unlessKey } = rule;
  if (when && !frontmatter.get(when.key)?.includes(when.value)) return '';
  if (unlessKey !== undefined && (frontmatter.get(unlessKey)?.length ?? 0) > 0) return '';
  const description = frontmatter.get('description')?.join(', ') ?? '';
  if (description === '' && !rule.isListedByPath) return '';
  const name = frontmatter.get('name')?.[0] ?? nameOf(path).replace(/\.[^.]*$/, '');
  const values: Readonly<Record<string, string>> = { name, path, description };
  return rule.line.replace(/\{(name|path|description)\}/g, (_, key: string) => values[key] ?? '');
}

/** A file that one other imports can be named there instead: the agent opens it when it needs it. */
function importEdits({ path, importedBy, times = 1 }: CoveredFile): WindowEdits {
  if (importedBy === undefined || times > 1) return {};
  return { onDemand: { path: importedBy, format: 'import', keys: [path] } };
}

/** A file's text as it is sent. */
function sentText({ agent }: InstructionRequest, file: AgentFile, full: string): string {
  const { imports, dropsComments } = agent;
  if (dropsComments) return withoutComments(file);
  // What is imported, or why it could not be, stands in place of the word.
  if (imports?.missing !== 'all' || file.mentions.length === 0) return full;
  const lines = full.split('\n');
  for (const { line, target } of file.mentions)
    if (imports.start.test(target)) lines[line - 1] = (lines[line - 1] ?? '').replace(`@${target}`, '');
  return lines.join('\n');
}

/** Names of the agent's own files that others take the place of. */
function namesInstead(named: readonly Named[]): Named | undefined {
  return named.find(({ form }) => form === 'instead');
}

function isOwnName({ agent }: InstructionRequest, path: string): boolean {
  return agent.rules.some(({ patterns }) => patterns.some((each) => each === nameOf(path)));
}

/** Says of files, and of what they import, that another name takes their place. */
function replacedBy(request: InstructionRequest, named: readonly Named[]): (row: InstructionRow) => InstructionRow {
  const instead = namesInstead(named);
  const gone = new Set<string>();
  for (const { path, importedBy } of request.coverage?.files ?? []) {
    const isGone = importedBy === undefined ? isOwnName(request, path) : gone.has(importedBy);
    if (instead && isGone && !instead.names.includes(nameOf(path))) gone.add(path);
  }
  return (row) =>
    gone.has(row.source) ? { ...row, fate: 'disabled', text: '', reason: `left out by ${instead?.by}` } : row;
}

function excludedBy({ root }: InstructionRequest, named: readonly Named[]): (row: InstructionRow) => InstructionRow {
  const excludes = named
    .filter(({ form }) => form === 'excludes')
    .flatMap(({ by, names }) => names.map((name) => ({ by, matches: globMatcher(name) })));
  return (row) => {
    const path = row.kind === 'user' ? row.source : `${root}/${row.source}`;
    const found = excludes.find(({ matches }) => matches(path));
    return found ? { ...row, fate: 'disabled', text: '', reason: `left out by ${found.by}` } : row;
  };
}

/** Files of the folder that settings name, with what they import. */
async function namedFiles(request: InstructionRequest, named: readonly Named[]): Promise<readonly CoveredFile[]> {
  const { agent, coverage, files } = request;
  const hasOwn = coverage?.files.some(({ path, fate }) => !path.includes('/') && fate !== 'onDemand') === true;
  const fallback = hasOwn ? undefined : named.find(({ form }) => form === 'fallback');
  const rules: FileRule[] = [];
  for (const { form, names } of named) if (form === 'more') rules.push({ patterns: await matching(names, files) });
  const instead = namesInstead(named);
  if (instead) rules.push({ patterns: instead.names });
  if (fallback) rules.push({ patterns: fallback.names, pick: 'firstInFolder' });
  return rules.length === 0 ? [] : covered(agent, rules, '', files);
}

/** Paths below the folder that fit a list of paths and patterns. */
async function matching(names: readonly string[], files: WindowFiles): Promise<readonly string[]> {
  const found = await Promise.all(
    names
      .filter((name) => !/^(?:[a-z]+:\/\/|\/|~)/.test(name))
      .map(async (name) => {
        const plain = name.replace(/^\.\//, '');
        return /[*?[{]/.test(plain) ? files.matching(plain) : [plain];
      }),
  );
  return [...new Set(found.flat())];
}

/** Instruction files of the home folder with what they import, as the agent's rules have them. */
async function userFiles(
  { agent, rules, files }: InstructionRequest,
  named: readonly Named[],
): Promise<readonly CoveredFile[]> {
  if (!rules.user || !files.hasHome) return [];
  const instead = namesInstead(named);
  const renamed = (pattern: FilePattern): readonly FilePattern[] =>
    instead && typeof pattern === 'string'
      ? instead.names.map((name) => pattern.replace(/[^/]*$/, () => name))
      : [pattern];
  const user = rules.user.map((rule) => ({ ...rule, patterns: rule.patterns.flatMap(renamed) }));
  return covered(agent, user, '~/', files);
}

async function patternFiles(pattern: FilePattern, prefix: string, files: WindowFiles): Promise<readonly string[]> {
  if (typeof pattern === 'string') return [prefix + pattern];
  const found = await Promise.all(pattern.endings.map((ending) => files.below(prefix + pattern.folder, ending)));
  return found.flat();
}

/** What an agent makes of the files of rules, and of what they import. */
async function covered(
  { agent, name, asOf, sources, imports, dropsComments }: AgentRules,
  rules: readonly FileRule[],
  prefix: '' | '~/',
  files: WindowFiles,
): Promise<readonly CoveredFile[]> {
  const found = new Map<string, AgentFile>();
  const patterns = rules.flatMap((rule) => rule.patterns);
  let wanted = (await Promise.all(patterns.map((pattern) => patternFiles(pattern, prefix, files)))).flat();
  for (let depth = 0; depth <= (imports?.depth ?? 0) && wanted.length > 0; depth++) {
    const read = await Promise.all(
      wanted.map(async (path) => {
        const text = await files.text(path);
        if (text === undefined) return undefined;
        return readAgentFile(path.slice(prefix.length), new TextEncoder().encode(text));
      }),
    );
    const news = read.filter((file) => file !== undefined);
    for (const file of news) found.set(file.path, file);
    const imported = news.flatMap(({ path, mentions }) =>
      mentions
        .filter(({ target }) => looksLikeFile(target))
        .flatMap(({ target }) => importCandidates(path, target, undefined, imports?.isAlsoFromRoot)),
    );
    wanted = [...new Set(imported)].filter((path) => !found.has(path)).map((path) => prefix + path);
  }
  const own: AgentRules = {
    ...{ agent, name, asOf, sources, rules },
    ...(imports ? { imports } : {}),
    ...(dropsComments ? { dropsComments } : {}),
  };
  return coverAgent(own, { files: found, activePath: undefined }).files;
}
