// Part `runlogs`: entries that ingest finds in run logs labelled by hand; `runlogs.ts` compares.
import { withBundled } from './bundled.mjs';
import { count, milliseconds, table } from './support.mjs';

/** Of each kind that is printed for a file. */
const SHOWN = 12;

/** True when recall is at least 0.9 and precision at least 0.95 over all files of each folder. */
export async function runLogsBench(folders) {
  let isMet = true;
  await withBundled('runlogs.ts', ({ compareFolder }) => {
    for (const folder of folders) {
      const results = compareFolder(folder);
      const rows = results.map(({ name, path, labelled, found, missed, extra, datesWrong, unread, lines, ms }) => [
        ...[name, path, count(labelled), count(found), count(missed.length), count(extra.length)],
        ...[count(datesWrong.length), `${count(unread)} of ${count(lines)}`, milliseconds(ms)],
      ]);
      table(
        `Run logs of ${folder}`,
        ['file', 'path', 'entries', 'found', 'missed', 'extra', 'dated wrong', 'lines unread', 'time'],
        rows,
      );
      for (const { name, missed, extra, datesWrong } of results) {
        for (const [kind, list] of Object.entries({ missed, extra, 'dated wrong': datesWrong })) {
          for (const line of list.slice(0, SHOWN)) console.log(`  ${name} ${kind} ${line}`);
          if (list.length > SHOWN) console.log(`  ${name} ${kind}: ${list.length - SHOWN} more`);
        }
      }
      const sum = (of) => results.reduce((total, result) => total + of(result), 0);
      const found = sum((result) => result.found);
      const recall = found / sum((result) => result.labelled);
      const precision = found / (found + sum((result) => result.extra.length));
      console.log(`recall ${recall.toFixed(3)} (at least 0.9), precision ${precision.toFixed(3)} (at least 0.95)`);
      // One log of hundreds of entries is no more than one way of writing them.
      const filled = results.filter(({ labelled }) => labelled > 0);
      const mean = filled.reduce((total, result) => total + result.found / result.labelled, 0) / filled.length;
      console.log(`mean recall of a file ${mean.toFixed(3)}`);
      isMet &&= recall >= 0.9 && precision >= 0.95;
    }
  });
  return isMet;
}
