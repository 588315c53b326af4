/**
 * Makes tasks for `ranking.mjs` out of the histories of repositories: a commit's message is the query, the innermost
 * definitions that it changed, at its parent, are the gold.
 *
 *   node test/bench/mining.mjs --repos DIR --of OWNER/NAME,… --out TASKS.json [--per 25] [--words 25-400]
 *
 * DIR holds a clone (or a bare git directory) of each repository as DIR/owner+name/repo, DIR/owner/name or
 * DIR/owner__name. Deterministic for a given history.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    of: { type: 'string' },
    out: { type: 'string' },
    per: { type: 'string', default: '25' },
    words: { type: 'string', default: '25-400' },
  },
});
const [minWords, maxWords] = values.words.split('-').map(Number);
if (!values.repos || !values.of || !values.out || !minWords || !maxWords || !(Number(values.per) > 0)) {
  console.error(
    'usage: node test/bench/mining.mjs --repos DIR --of OWNER/NAME,… --out TASKS.json [--per 25] [--words 25-400]',
  );
  process.exit(2);
}

const root = join(import.meta.dirname, '..', '..');
const { repos, out } = values;
const names = values.of.split(',');
await withBundled('mining.ts', ({ mine }) =>
  mine({ root, repos, names, per: Number(values.per), minWords, maxWords, out }),
);
