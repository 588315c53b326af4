// Part `report`: the report of a million usage records, as a process of its own, against JSON.parse of the same lines.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { benchDir, cliScript, megabytes, memory, ratio, seconds, summary, table, timed } from './support.mjs';
import { writeUsageLog } from './usageLines.mjs';

const RECORDS = 1_000_000;
/** What each record has, and which of the optional fields. */
const LOGS = [
  { sections: 3, form: 'bare' },
  { sections: 8, form: 'bare' },
  { sections: 8, form: 'spaced' },
  { sections: 16, form: 'bare' },
  { sections: 8, form: 'full' },
];
const LIMIT_MS = 2000;
const LIMIT_MB = 300;

export function reportBench(rounds) {
  const file = path.join(benchDir, 'usage.jsonl');
  const peer = path.join(import.meta.dirname, 'parseLines.mjs');
  const rows = LOGS.map(({ sections, form }) => {
    const bytes = writeUsageLog(file, { records: RECORDS, sections, form });
    const runs = Array.from({ length: rounds }, () => ({
      ours: timed(process.execPath, [cliScript, 'report', '--log', file, '--json', '--root', benchDir]),
      parse: timed(process.execPath, [peer, file]),
    }));
    const ours = summary(runs.map((run) => run.ours));
    const parse = summary(runs.map((run) => run.parse));
    return [
      `${sections} sections, ${form}`,
      `${Math.round(bytes / RECORDS)} bytes, ${megabytes(bytes)}`,
      seconds(ours.ms),
      ratio(ours.ms, LIMIT_MS),
      ratio(ours.ms, parse.ms),
      memory(ours.peakMb),
      ratio(ours.peakMb, LIMIT_MB),
      seconds(parse.ms),
    ];
  });
  rmSync(file);
  const head = [
    'records',
    'a record, all',
    'report',
    'of 2 s',
    'of JSON.parse',
    'peak',
    'of 300 MB',
    'JSON.parse of every line',
  ];
  table('Report of 1,000,000 usage records', head, rows);
}
