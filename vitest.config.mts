import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, of which one that began last would run on alone. */
const LONGEST = ['killedProcess', 'fileParser', 'nodeEntry', 'mcp', 'payload', 'repomap', 'tokenizer', 'protocol'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONGEST.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: [
      'test/unit/**/*.test.ts',
      'test/property/**/*.test.ts',
      'test/golden/**/*.test.ts',
      'test/contract/**/*.test.ts',
    ],
    // Tells what hangs: two files run beside each other, and the slowest tests take seconds alone.
    testTimeout: 120_000,
    // By itself Vitest leaves one processor free: of two, half.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
  },
});
