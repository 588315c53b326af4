// Part `again`: a second `payload` in a folder of memories that did not change, against the first one, in processor time of
// all threads. The second finds symbols, token counts and which texts have no secret in the user's cache; it still reads
// every file, orders it and chooses forms.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../harness/setup.mjs';
import { cliScript, count, memory, ratio, seconds, summary, table, timed } from './support.mjs';

const FILES = 1800;
const TOPICS = 12;
const LIMIT = 0.4;
/** What memories are written in: this project's own pages, as they are. */
const WORDS = ['README.md', 'GUIDE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'test/bench/RANKING.md']
  .flatMap((page) => readFileSync(path.join(root, page), 'utf8').split(/\s+/))
  .filter((word) => !/^[#|<>*-]*$/.test(word));

/** The same numbers in each run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Notes as agents keep them: dated bullets under headings, no two alike. */
function memoryText(at) {
  const next = random(at + 1);
  const words = (amount) => {
    const from = next(WORDS.length - amount);
    return WORDS.slice(from, from + amount).join(' ');
  };
  const lines = [`# Topic ${at}: ${words(4)}`, ''];
  for (let heading = 0; heading < 3; heading++) {
    lines.push(`## ${words(3)}`, '');
    for (let entry = 0; entry < 12; entry++) {
      const date = `2026-${String(1 + next(9)).padStart(2, '0')}-${String(1 + next(28)).padStart(2, '0')}`;
      lines.push(`- ${date}: ${words(8 + next(16))} (\`src/part${next(100)}/file${next(1000)}.ts\`).`);
    }
    lines.push('');
  }
  return lines.join('\n');
}

function makeFolder(folder) {
  for (let at = 0; at < FILES; at++) {
    const file = path.join(folder, 'memory', `area${at % TOPICS}`, `topic${at}.md`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, memoryText(at));
  }
  writeFileSync(path.join(folder, 'AGENTS.md'), '# Rules\n\n- Run the tests.\n');
  writeFileSync(path.join(folder, 'MEMORY.md'), '# Memory\n\n- 2026-01-02: The tests need Node 20.\n');
}

/** What `--verbose` says of the tokenizer. */
function countedIn(stderr) {
  return /counted .*$/m.exec(stderr)?.[0] ?? 'nothing is said of what was counted';
}

/** Prints the table. */
export function againBench(rounds) {
  const base = mkdtempSync(path.join(tmpdir(), 'context-budget-bench-'));
  const folder = path.join(base, 'memories');
  try {
    makeFolder(folder);
    const runs = Array.from({ length: rounds }, (_, round) => {
      const user = path.join(base, `user${round}`);
      const env = { PATH: process.env.PATH, CONTEXT_BUDGET_CONFIG_DIR: user, CONTEXT_BUDGET_CACHE_DIR: user };
      const payload = () => timed(process.execPath, [cliScript, 'payload', '--verbose', '--root', folder], { env });
      return { first: payload(), again: payload() };
    });
    const [first, again] = ['first', 'again'].map((name) => summary(runs.map((run) => run[name])));
    const last = runs.at(-1);
    table(
      `A second payload, ${count(FILES)} memory files`,
      ['run', 'processor time', 'of the first', 'time', 'peak', 'tokenizer'],
      [
        ['first', seconds(first.cpuMs), '', seconds(first.ms), memory(first.peakMb), countedIn(last.first.stderr)],
        [
          'second',
          seconds(again.cpuMs),
          `${ratio(again.cpuMs, first.cpuMs)} (at most ${LIMIT})`,
          seconds(again.ms),
          memory(again.peakMb),
          countedIn(last.again.stderr),
        ],
      ],
    );
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
