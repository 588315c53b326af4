/** The work behind `relay.mjs`: compacts generated relay logs of 10 MB and compares with reading them. */
import { compactRelay } from '../../src/core/relay/compactRelay';
import { plantedLog } from '../support/relayLogs';

/** Medians of processor time of all threads, in milliseconds; sizes in bytes of UTF-8. */
export interface RelayCost {
  readonly name: string;
  readonly bytes: number;
  readonly parseMs: number;
  readonly compactMs: number;
  readonly compactedBytes: number;
}

const TARGET_BYTES = 10_000_000;
/** Unlike the wall's clock it does not see what else the machine does. Milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

function measure(name: string, value: unknown, rounds: number): RelayCost {
  const text = JSON.stringify(value);
  const parse: number[] = [];
  const compact: number[] = [];
  let compacted = '';
  for (let round = 0; round < rounds; round++) {
    const start = processorMs();
    const log: unknown = JSON.parse(text);
    const parsed = processorMs();
    const { output } = compactRelay(log);
    compact.push(processorMs() - parsed);
    parse.push(parsed - start);
    compacted = JSON.stringify(output);
  }
  return {
    name,
    bytes: bytesOf(text),
    parseMs: median(parse),
    compactMs: median(compact),
    compactedBytes: bytesOf(compacted),
  };
}

/** Logs as agents write them, and such as are hard on the rules. */
export function relayCosts(rounds: number): readonly RelayCost[] {
  const entries = 90_000;
  const { input, ledger } = plantedLog(1, entries);
  const trace = `Traceback (most recent call last):\n${'  File "app.py", line 10, in main\n    run()\n'.repeat(25)}`;
  const fill = (make: (at: number) => unknown): unknown[] => {
    const size = bytesOf(JSON.stringify(make(0)));
    return Array.from({ length: Math.ceil(TARGET_BYTES / (size + 1)) }, (_, at) => make(at));
  };
  return [
    measure('a mix of everything, half of it noise', { ...input, ledger }, rounds),
    measure(
      'status reports, all different',
      { status_reports: fill((at) => ({ status: 'running', at, message: `step ${at}` })) },
      rounds,
    ),
    measure('tracebacks', { api_error_dumps: fill((at) => `${trace}${at}`) }, rounds),
    measure('one text of 10 MB', { api_error_dumps: [`at ${'x'.repeat(TARGET_BYTES)}`] }, rounds),
  ];
}
