/**
 * Measures the task-conditioned map, with each signal taken away in turn:
 *
 *   node test/bench/ranking.mjs --tasks TASKS.json[,MORE.json] --repos DIR [--only TEXT] [--plain] [--misses]
 *     [--facts DIR] [--arms '{"NAME": {"WEIGHT": NUMBER}}']
 *
 * TASKS.json is a list of { id, repo, commit, language, query, gold_files, gold_symbols: [{ path, name }] }. DIR holds a
 * clone of each repository as DIR/owner+name/repo, DIR/owner/name or DIR/owner__name. `--plain` leaves the ablation out,
 * `--misses` names the tasks that went wrong, `--facts` keeps parsed files between runs, `--arms` measures other weights.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    repos: { type: 'string' },
    only: { type: 'string', default: '' },
    plain: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    facts: { type: 'string' },
    arms: { type: 'string', default: '{}' },
  },
});
if (!values.tasks || !values.repos) {
  console.error(
    'usage: node test/bench/ranking.mjs --tasks TASKS.json[,MORE.json] --repos DIR [--only TEXT] [--plain]',
  );
  process.exit(2);
}

const { tasks, repos, only, facts } = values;
await withBundled('ranking.ts', ({ measure }) =>
  measure({
    root: join(import.meta.dirname, '..', '..'),
    tasks: tasks.split(','),
    repos,
    only,
    facts,
    isPlain: values.plain,
    arms: JSON.parse(values.arms),
    listsMisses: values.misses,
  }),
);
