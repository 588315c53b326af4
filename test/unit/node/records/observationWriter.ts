/**
 * A process that appends observations, for tests with several of them: prints each id it was given once that is on disk.
 * Arguments: root, path, name, count.
 */
import { writeSync } from 'node:fs';
import { makeDraft } from '../../../../src/core/observations/observation';
import { JsonlObservationLog } from '../../../../src/node/records/fileLogs';

const [root = '', file = '', name = '', count = '0'] = process.argv.slice(2);
const log = new JsonlObservationLog({ realRoot: root, path: file });

async function main(): Promise<void> {
  for (let at = 0; at < Number(count); at++) {
    const draft = makeDraft({
      ts: '2026-02-03 21:23:34',
      actor: name,
      summary: `${name} ${at}`,
      detail: 'x'.repeat((at % 7) * 500),
    });
    const outcome = await log.append([draft]);
    // Synchronous: a line that a test reads was really given before the process was killed.
    if (outcome.kind === 'appended') {
      for (const repair of outcome.repairs) writeSync(1, `repair ${repair.kind} ${repair.sizeBytes}\n`);
      writeSync(1, `${outcome.ids.join(' ')}\n`);
    }
  }
}

main().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
