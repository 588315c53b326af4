// Part `relay`: compaction of relay logs of 10 MB, against JSON.parse of the same text, in processor time; `relay.ts`
// measures.
import { withBundled } from './bundled.mjs';
import { megabytes, milliseconds, ratio, table } from './support.mjs';

const LIMIT_MS = 1000;

export async function relayBench(rounds) {
  const costs = await withBundled('relay.ts', ({ relayCosts }) => relayCosts(Math.max(3, rounds)));
  table(
    'Relay logs',
    [
      'log',
      'size',
      'JSON.parse',
      'compaction',
      'ratio to JSON.parse',
      'parse + compaction against the limit of 1 s',
      'compacted',
    ],
    costs.map(({ name, bytes, parseMs, compactMs, compactedBytes }) => [
      name,
      megabytes(bytes),
      milliseconds(parseMs),
      milliseconds(compactMs),
      ratio(compactMs, parseMs),
      ratio(parseMs + compactMs, LIMIT_MS),
      megabytes(compactedBytes),
    ]),
  );
}
