import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_LONG } from './test/support/extent.mjs';
import { limitMs, longestMs } from './test/support/until.mjs';

/**
 * First the files that start many processes, which takes the longer the more memory a worker has taken. Then those that
 * take longest, of which one that began last would run on alone.
 */
const FIRST = [
  'killedProcess',
  'mcp',
  'otlp',
  'runCli',
  'untrustedGit',
  'trackedContents',
  'gitLayouts',
  'checkBaseline',
  'gitChanges',
  'changesShown',
  'gitSource',
  'mapChanged',
  'gitLocks',
  'check',
  'processRunner',
  'measureServer',
  'hooks',
  'fileParser',
  'tokenizer',
  'protocol',
  'repomap',
  'hostile',
  'citations',
  'librarySecretScanner',
  'study',
  'lineScan',
];

const SUITES = ['unit', 'property', 'golden', 'contract'];

/** Files that replace modules: these must not be loaded yet, so each such file has a process of its own. */
const MOCKING = SUITES.map((suite) => `test/${suite}`).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\bvi\.(?:mock|doMock)\(/.test(readFileSync(file, 'utf8'))),
);

const ATTACKS = 'test/contract/attack.test.ts';

/** Files with a process of their own before all: each of them that stood among others would end the processes that these share. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      if (project.config.isolate) return -1;
      const at = FIRST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? FIRST.length : at;
    };
    return [...(await super.sort(files))].sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/fixturesStay.ts'],
    // Tells what hangs. Waits inside of a test have a limit of their own, which is shorter.
    testTimeout: (IS_LONG ? 300 : 6) * limitMs(),
    hookTimeout: 6 * limitMs(),
    // One more than there are processors, since many tests wait for processes and deadlines. By itself Vitest leaves one free.
    maxWorkers: availableParallelism() + 1,
    pool: 'forks',
    sequence: { sequencer: ProcessesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['unit', 'property', 'golden'].map((suite) => `test/${suite}/**/*.test.ts`),
          exclude: MOCKING,
          // A process for each file would load the sources 260 times. Files share no state: the sources have none.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          exclude: [...MOCKING, ATTACKS],
          isolate: false,
          // They start processes by the dozen, and more stages may begin beside them.
          testTimeout: (IS_LONG ? 40 : 6) * longestMs(),
          hookTimeout: 6 * longestMs(),
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING, isolate: true } },
      { extends: true, test: { name: 'attack', include: [ATTACKS] } },
    ],
  },
});
