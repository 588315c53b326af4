// Part `report`: the report of as many usage records as rotation keeps (64 MB), as a process of its own, against
// JSON.parse of the same lines.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { benchDir, cliScript, megabytes, memory, ratio, seconds, summary, table, timed } from './support.mjs';
import { writeUsageLog } from './usageLines.mjs';

/** What rotation keeps of a log. */
const LOG_BYTES = 64 * 1024 * 1024;
/** What each record has, and which of the optional fields. */
const LOGS = [
  { sections: 3, form: 'bare', recordBytes: 455 },
  { sections: 8, form: 'bare', recordBytes: 771 },
  { sections: 8, form: 'spaced', recordBytes: 856 },
  { sections: 16, form: 'bare', recordBytes: 1311 },
  { sections: 8, form: 'full', recordBytes: 1330 },
];
const LIMIT_MS = 2000;
const LIMIT_MB = 300;

export function reportBench(rounds) {
  const file = path.join(benchDir, 'usage.jsonl');
  const peer = path.join(import.meta.dirname, 'parseLines.mjs');
  const rows = LOGS.map(({ sections, form, recordBytes }) => {
    const records = Math.round(LOG_BYTES / recordBytes);
    const bytes = writeUsageLog(file, { records, sections, form });
    const runs = Array.from({ length: rounds }, () => ({
      ours: timed(process.execPath, [cliScript, 'report', '--log', file, '--json', '--root', benchDir]),
      parse: timed(process.execPath, [peer, file]),
    }));
    const ours = summary(runs.map((run) => run.ours));
    const parse = summary(runs.map((run) => run.parse));
    return [
      `${sections} sections, ${form}`,
      `${Math.round(bytes / records)} bytes, ${megabytes(bytes)}`,
      seconds(ours.cpuMs),
      ratio(ours.cpuMs, LIMIT_MS),
      ratio(ours.cpuMs, parse.cpuMs),
      memory(ours.peakMb),
      ratio(ours.peakMb, LIMIT_MB),
      seconds(parse.cpuMs),
    ];
  });
  rmSync(file);
  const head = [
    'records',
    'a record, all',
    'report, processor time',
    'of 2 s',
    'of JSON.parse',
    'peak',
    'of 300 MB',
    'JSON.parse of every line',
  ];
  table('Report of 64 MB of usage records', head, rows);
}
