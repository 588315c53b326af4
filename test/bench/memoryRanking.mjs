// Part `memories`: whether the memory that a person would want first for a task is granted first (DESIGN §3.1), on the folders and
// tasks of memoryTasks.json, through the command line and its JSON alone, each in a copy.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { git, gitPaths, withCopy } from './ownRuns.mjs';
import { plural, table } from './support.mjs';

/** Of all tasks asked, 13 of 15. */
const GRANTED_FIRST = 13 / 15;
/** So many files of folders are granted with `P2` for a task. */
const FIRST = 3;
const MEMORIES = ['memory/**/*.{md,txt}', '{MEMORY,SOUL,HEARTBEAT,NEXT}.md'];

const TASKS = JSON.parse(readFileSync(path.join(import.meta.dirname, 'memoryTasks.json'), 'utf8'));

/** The entry of a checkout, by the name of its folder. Throws when there is none, or it is of another commit. */
function entryOf(folder) {
  const entry = TASKS.find(({ repository }) => repository.split('/')[1] === path.basename(folder));
  if (!entry) throw new Error(`${folder}: memoryTasks.json has no task for it`);
  const head = git(folder, 'rev-parse', 'HEAD').trim();
  if (head !== entry.commit) throw new Error(`${folder} is at ${head}; its tasks are for ${entry.commit}`);
  return entry;
}

/** Where a file stands: in a folder's rank order, or as a section of its own; undefined where it is neither. */
function placeOf({ sections }, file) {
  for (const { id, title, disclosure, files = [] } of sections) {
    const at = files.findIndex(({ path: each }) => each === file);
    if (at >= 0) {
      const { shown } = files[at];
      return { words: `${at + 1} of ${files.length} in ${id}, ${shown}`, isFirst: at < FIRST && shown !== 'row' };
    }
    if (title === file)
      return { words: `section ${id}, ${disclosure}`, isFirst: disclosure === 'full' || disclosure === 'summary' };
  }
  return undefined;
}

/** The rows that a folder's handle gives, page by page, as handles without `section:`. */
function listedBy(payload, section) {
  const listed = [];
  for (let next = `section:${section}`; next !== undefined; ) {
    const [{ text }] = payload('detail', '--ids', next).sections;
    const lines = text.split('\n');
    listed.push(...lines.flatMap((line) => / \| ~\d+ tok \| section:(.+)$/.exec(line)?.[1] ?? []));
    next = lines.map((line) => /^… .* lines more: (section:.+#L\d+)$/.exec(line)?.[1]).find(Boolean);
  }
  return listed;
}

/** Whether a handle is that of a file: its key is the end of the path, and its section's id begins with the folder's name. */
function isListed(listed, file) {
  const below = file.split('/').slice(1);
  const folder = below.length === 1 ? 'files' : below.shift();
  const start = `memory-${folder.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  const key = below.join('/');
  const ends = [key, key.replace(/\.[^./]+$/, '')].map((each) => `/${each}`);
  return listed.some((handle) => handle.startsWith(start) && ends.some((end) => handle.endsWith(end)));
}

/** One folder: a row a task, and tracked memories that are nowhere. */
function measure(folder) {
  const { tasks } = entryOf(folder);
  const name = path.basename(folder);
  return withCopy(folder, ({ copy, payload }) => {
    const both = [payload('budget'), payload('budget', '--index')];
    const memories = gitPaths(copy, 'ls-files').filter(picomatch(MEMORIES, { dot: true }));
    const folders = both[0].sections.filter(({ files }) => files !== undefined).map(({ id }) => id);
    const listed = folders.flatMap((id) => listedBy(payload, id));
    const hidden = memories.filter((file) => !both.some((each) => placeOf(each, file)));
    const lost = hidden.filter((file) => !isListed(listed, file));
    const asked = tasks.map(({ task, file }) => {
      const place = placeOf(payload('payload', '--expanded', '--query', task), file);
      const isFirst = place?.isFirst === true;
      return { isFirst, row: [name, file, place?.words ?? 'nowhere', isFirst ? 'yes' : 'no'] };
    });
    return { name, memories: memories.length, hidden: hidden.length, lost, asked };
  });
}

/** Asks every task of each folder; true when every goal is met. */
export function memoriesBench(folders) {
  const results = folders.map((folder) => {
    const result = measure(folder);
    console.error(`${result.name} measured`);
    return result;
  });
  const asked = results.flatMap((result) => result.asked);
  table(
    'Memories for tasks',
    ['folder', 'expected', 'place', 'granted first'],
    asked.map(({ row }) => row),
  );
  for (const { name, memories, hidden, lost } of results) {
    const named = lost.slice(0, 10).join(', ');
    const rest = lost.length > 10 ? ` and ${lost.length - 10} more` : '';
    const words =
      lost.length === 0
        ? `each a section or a row (${hidden} in the list of their folder's handle alone)`
        : `${lost.length} neither section nor row: ${named}${rest}`;
    console.log(`\n${name}: ${plural(memories, 'tracked memory file')}, ${words}.`);
  }
  const first = asked.filter(({ isFirst }) => isFirst).length;
  const isMet = first >= GRANTED_FIRST * asked.length && results.every(({ lost }) => lost.length === 0);
  console.log(
    `\n${first} of ${asked.length} granted first (at least 13 of 15). ${isMet ? 'Every goal is met.' : 'Missed.'}`,
  );
  return isMet;
}
