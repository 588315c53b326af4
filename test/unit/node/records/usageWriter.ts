/**
 * A process that records usage into a log that is put aside every few records, for tests with several of them: prints each
 * cycle once it is on disk. Arguments: root, path, name, count, size of a file, bytes of old files.
 */
import { writeSync } from 'node:fs';
import { UsageLogFile } from '../../../../src/node/records/fileLogs';

const [root = '', file = '', name = '', count = '0', maxFileBytes = '0', keepBytes = '0'] = process.argv.slice(2);
const rotation = { maxFileBytes: Number(maxFileBytes), keepBytes: Number(keepBytes), keepRecords: 1_000_000 };
const log = new UsageLogFile({ realRoot: root, path: file }, rotation);

async function main(): Promise<void> {
  for (let at = 0; at < Number(count); at++) {
    const sections = Array.from({ length: 1 + (at % 9) }, (_, number) => ({
      id: `section-${number}`,
      chars: 1000,
      tokens: 250,
      disclosure: 'full' as const,
    }));
    const { cycles, repairs } = await log.append([
      { ts: '2026-02-03 21:23:34', trigger: `${name} ${at}`, profile: 'default', sections, cited: [] },
    ]);
    // Synchronous: a line that a test reads was really given before the process was killed.
    for (const repair of repairs) writeSync(1, `repair ${repair.kind} ${repair.sizeBytes}\n`);
    writeSync(1, `${cycles.join(' ')}\n`);
  }
}

main().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
