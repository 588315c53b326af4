/**
 * What an agent must read to reach the functions that a task's fix changed, by whole files, by listing and grep, and by
 * map and detail; no model has a part in it:
 *
 *   node test/bench/reach.mjs --tasks TASKS.json[,MORE.json] --repos DIR [--only TEXT] [--facts DIR] [--each]
 *
 * Tasks and clones are those of `ranking.mjs`. `--facts` keeps parsed files between runs, `--each` lists every task.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    repos: { type: 'string' },
    only: { type: 'string', default: '' },
    facts: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
});
if (!values.tasks || !values.repos) {
  console.error('usage: node test/bench/reach.mjs --tasks TASKS.json[,MORE.json] --repos DIR [--only TEXT] [--each]');
  process.exit(2);
}

const { tasks, repos, only, facts, each } = values;
await withBundled('reach.ts', ({ compare }) =>
  compare({
    root: join(import.meta.dirname, '..', '..'),
    tasks: tasks.split(','),
    repos,
    only,
    facts,
    listsEach: each,
  }),
);
