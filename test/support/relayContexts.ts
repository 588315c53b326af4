/** Random relay contexts of mixed shapes, the same for the same seed: few words, so that entries meet. */
import { Random } from './relayLogs';

export const RELAY_LISTS = ['execution_logs', 'status_reports', 'failure_noise'] as const;
const ESSENTIAL_KEYS = ['goal', 'constraints', 'latest_instruction', 'current_blockers', 'controller_route_summary'];

const STATES = [
  ...['running', 'failed', 'blocked', '进行中', 'STALE', 'stale', ' Warning', 'LEASE_TAKEOVER', 'lease takeover'],
  ...['done', 'Completed', 'ok', 'resolved', 'merged', '完成', '已完成', '已过期', '已解决', 'RESOLVED', '', null],
];
const TEXTS = ['prod DB locked', ' waits for review ', '等待控制者', 'no heartbeat 900 s', 'a\nb'];
const TIMES = ['2026-02-12 10:00:00', '2026-02-12 10:02:00', '2026-02-12 10:04:00', '2026-02-12T10:03:00'];

function maybe(random: Random, share: number, make: () => Readonly<Record<string, unknown>>) {
  return random.next() < share ? make() : {};
}

/** One entry; `clock` says which key of time the list has, and how often. */
function entryOf(random: Random, clock: { readonly key: string; readonly share: number }, at: number): unknown {
  if (random.below(12) === 0) return random.pick(['still running', 'still running ', 7, '', null, {}, { a: [' '] }]);
  const time = clock.key === 'seq' ? random.below(6) : random.pick(TIMES);
  return {
    ...maybe(random, clock.share, () => ({ [clock.key]: time })),
    ...maybe(random, 0.6, () => ({
      event_type: random.pick(['step', 'lease', 'LEASE_TAKEOVER']),
      dedup_key: random.pick(['k1', 'k2', '键']),
      step_id: random.pick(['S1', 'S1', 2, '']),
    })),
    ...maybe(random, 0.9, () => ({
      [random.pick(['status', 'status', 'state', 'outcome', 'result'])]: random.pick(STATES),
    })),
    ...maybe(random, 0.15, () => ({ [random.pick(['level', 'health'])]: random.pick(STATES) })),
    ...maybe(random, 0.05, () => ({ resolved: random.pick([true, 'true', false]) })),
    ...maybe(random, 0.08, () => ({ stale: random.pick([true, 'TRUE', false]) })),
    ...maybe(random, 0.5, () => ({ message: random.pick(TEXTS) })),
    ...maybe(random, 0.1, () => ({ task_id: random.pick(['T1', 'T2']) })),
    ...maybe(random, 0.3, () => ({ [random.pick(['id', 'uuid', 'count'])]: at })),
    ...maybe(random, 0.1, () => ({ detail: { id: random.below(2), count: random.below(2) } })),
  };
}

function essentialOf(random: Random): unknown {
  const text = (): string => random.pick([...TEXTS, '  ', '']);
  const object = () => ({ blocker: text(), impact: random.pick(['S1', '']), needs: { decision: text() } });
  switch (random.below(9)) {
    case 0:
      return [];
    case 1:
      return random.pick([null, '', ' \n', {}, { task_id: '', run_id: '' }, [''], [{}, ' ']]);
    case 2:
      return object();
    case 3:
      return [text(), object(), text()];
    case 4:
      return [object(), [text(), 1], { of: [object()] }];
    case 5:
      return random.pick([7, true, { active_lane: 'implementer', active_step: 'S2', next_action: 'test' }]);
    case 6:
      return [text(), text()];
    default:
      return text();
  }
}

function essentialsOf(random: Random, share: number): Record<string, unknown> {
  return Object.fromEntries(
    ESSENTIAL_KEYS.flatMap((key) => (random.next() < share ? [[key, essentialOf(random)]] : [])),
  );
}

/** A relay context and the ledger given beside it. */
export function randomContext(seed: number): {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ledger: Readonly<Record<string, unknown>>;
} {
  const random = new Random(seed);
  const list = (): unknown[] => {
    const clock = { key: random.pick(['ts', 'time', 'timestamp', 'at', 'seq']), share: random.pick([0, 1, 1, 0.8]) };
    return Array.from({ length: random.below(14) }, (_, at) => entryOf(random, clock, at));
  };
  const parts: [string, unknown][] = [
    ...(random.below(3) > 0 ? ([['relay_context', { ...essentialsOf(random, 0.7), mood: 'tired' }]] as const) : []),
    ...Object.entries(random.below(3) === 0 ? essentialsOf(random, 0.7) : {}),
    ...RELAY_LISTS.map((name): [string, unknown] => [name, list()]),
    ['user_profile', { name: 'Ada' }],
    ['updated_at', '2026-02-12'],
  ].map(([key, value]): [string, unknown] => [String(key), value]);
  return {
    input: Object.fromEntries(random.shuffle(parts)),
    ledger: { ...essentialsOf(random, 0.5), state: random.pick(['RUNNING', 'STALE', '']) },
  };
}
