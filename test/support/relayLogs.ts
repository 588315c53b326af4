/** Relay logs with planted facts and planted noise, the same for the same seed: what compaction is measured on. */

type Entry = Readonly<Record<string, unknown>>;

/** A log and what is hidden in it. */
export interface PlantedLog {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ledger: Readonly<Record<string, unknown>> | undefined;
  /** As the output must have them. */
  readonly facts: {
    readonly goal: string;
    readonly constraints: readonly string[];
    readonly latest_instruction: string;
    readonly current_blockers: readonly string[];
    readonly controller_route_summary: string;
  };
  /** Each must be in the output's lists exactly once, in this order within a list. */
  readonly kept: Readonly<Record<string, readonly string[]>>;
}

/** Every planted piece of noise holds this word. */
export const NOISE = 'NOISE';

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for choosing words. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  shuffle<T>(values: readonly T[]): T[] {
    const result = [...values];
    for (let at = result.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      [result[at], result[other]] = [result[other]!, result[at]!];
    }
    return result;
  }
}

const PHRASES = [
  'the login test passes on CI',
  'no retries in tests',
  'redis port 6379 is shared by four workers',
  'do not touch the public API',
  'verifier waits for the lease',
  'run the migration on staging first',
  'rate limit of the provider was reached',
  '登录测试必须连续通过五十次',
  '不要修改公共接口',
  '四个进程共用一个端口',
  '等待控制者分配下一步',
  '迁移脚本在预发环境失败',
  '日志里有 <b>标记</b> 和 "引号"',
];
const ROUTES = [
  'planner → implementer → verifier, step 2',
  'next: verifier',
  '下一步由 implementer 执行',
  '计划 → 实现 → 验证，第 3 步',
];
const BLANKS = ['', ' ', '\t', '\u3000', '\n  '];
const DONE = ['completed', 'done', 'success', 'accepted', 'resolved', 'passed', '已完成', '成功', '已解决', 'merged'];
const OPEN = ['running', 'failed', 'blocked', 'pending', 'in_progress', '进行中', '失败', undefined];
const TRACES = [
  'Traceback (most recent call last):\n  File "app.py", line 10, in <module>\n    main()\nValueError: bad value',
  'TypeError: x is not a function\n    at run (/srv/app/index.js:10:5)\n    at main (/srv/app/index.js:20:1)',
  'java.lang.IllegalStateException: no\n\tat com.acme.Main.run(Main.java:42)\n\tat com.acme.Main.main(Main.java:7)',
  '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>',
  '<html>\r\n<body><center><h1>服务不可用</h1></center></body></html>',
  '调用失败，堆栈如下：\n  at foo\n  at bar',
  'panic: nil map\n\ngoroutine 1 [running]:\nmain.main()',
];
const EVIDENCE_NOISE = [
  ...[
    'logs/api_error_dump_7.json',
    'out/traceback.txt',
    'tmp/stacktrace-1.log',
    'runs/9/stderr.log',
    'runs/9/stdout.txt',
  ],
  ...['Logs/API-Error-Dumps/1.json', 'out/StackTrace.md', 'runs\\9\\STDERR', '证据/stderr.log', 'tmp/stack_trace.txt'],
];

const markOf = ({ message }: Entry): string => /KEEP-\d+\./.exec(String(message))?.[0] ?? '';

class Planter {
  readonly kept: Record<string, string[]> = {};
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  phrase(): string {
    return `${this.#random.pick(PHRASES)} #${this.#count++}`;
  }

  blank(text: string): string {
    return this.#random.pick(BLANKS) + text + this.#random.pick(BLANKS);
  }

  cased(text: string): string {
    const cased = this.#random.pick([text, text.toUpperCase(), text.charAt(0).toUpperCase() + text.slice(1)]);
    return this.blank(cased);
  }

  /** Something that must stay; returns its mark. */
  keep(field: string): string {
    const mark = `KEEP-${this.#count++}.`;
    this.kept[field] ??= [];
    this.kept[field].push(mark);
    return mark;
  }

  /** A newer entry of the same key came: the mark of this one must go. */
  replace(field: string, entry: Entry): void {
    const mark = markOf(entry);
    this.kept[field] = (this.kept[field] ?? []).filter((one) => one !== mark);
  }

  /** The same mark, where the newest entry that has it stands. */
  keepAgain(field: string, entry: Entry): void {
    this.kept[field]?.push(markOf(entry));
  }

  noise(): string {
    return `${NOISE}-${this.#count++}. ${this.phrase()}`;
  }

  id(): number {
    return this.#count++;
  }
}

/** The same entry with its keys in another order. */
function turned(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).reverse());
}

function openEntry(plant: Planter, random: Random, field: string): Entry {
  const status = random.pick(OPEN);
  const keys = random.below(2) === 0 ? {} : { event_type: 'step', dedup_key: `k${plant.id()}`, step_id: plant.id() };
  const base = {
    ...keys,
    message: `${plant.keep(field)} ${plant.phrase()}`,
    meta: { n: plant.id(), 备注: plant.phrase() },
  };
  return status === undefined ? base : { ...base, status };
}

/** Entries in their order, each followed at once or later by its repetition, and noise between them. */
function statusList(plant: Planter, random: Random, field: string, size: number, done: readonly string[]): unknown[] {
  const list: unknown[] = [];
  const repeatable: Entry[] = [];
  for (let at = 0; at < size; at++) {
    switch (random.below(6)) {
      case 0: {
        const entry = openEntry(plant, random, field);
        list.push(entry);
        repeatable.push(entry);
        break;
      }
      case 1:
        if (repeatable.length > 0) {
          const before = random.pick(repeatable);
          plant.replace(field, before);
          // With a key the rest may differ; without one everything but the order of keys and the time is the same.
          const isEvent = 'dedup_key' in before;
          const entry = isEvent ? { ...before, message: plant.keep(field) } : { ...turned(before), count: at };
          if (!isEvent) plant.keepAgain(field, before);
          list.push(entry);
          repeatable[repeatable.indexOf(before)] = entry;
        }
        break;
      case 2:
        list.push({ message: plant.noise(), stale: random.pick([true, 'true', ' TRUE ']) });
        break;
      case 3:
        list.push(random.pick([null, {}, '', { message: ' ' }]));
        break;
      default:
        list.push(
          done.length === 0
            ? { resolved: true, message: plant.noise() }
            : { status: plant.cased(random.pick(done)), message: plant.noise(), step_id: plant.id() },
        );
    }
  }
  return list;
}

function dumpList(plant: Planter, random: Random, size: number): unknown[] {
  const field = 'api_error_dumps';
  const list: unknown[] = [];
  for (let at = 0; at < size; at++) {
    const trace = random.pick(TRACES);
    switch (random.below(6)) {
      case 0:
        list.push({ code: random.pick(['E429', 503, 'rate_limit']), message: `${plant.keep(field)} ${trace}` });
        break;
      case 1:
        list.push({ hint: `${plant.keep(field)} ${plant.phrase()}`, retryable: random.below(2) === 0 });
        break;
      case 2:
        list.push(`error_code: E${plant.id()} ${plant.keep(field)}\n${trace}`);
        break;
      case 3:
        list.push(`${plant.noise()}\n${trace}`);
        break;
      case 4:
        list.push(random.pick([{}, '', '   ', null, { message: '', code: null }]));
        break;
      default:
        list.push({ message: `${plant.noise()}\n${trace}`, code: null, at: plant.id() });
    }
  }
  return list;
}

function evidenceList(plant: Planter, random: Random, size: number): unknown[] {
  const list: string[] = [];
  const good: string[] = [];
  for (let at = 0; at < size; at++) {
    const choice = random.below(3);
    if (choice === 0) {
      const path = `reports/${plant.keep('evidence_paths')}md`;
      good.push(path);
      list.push(plant.blank(path));
    } else if (choice === 1 && good.length > 0) list.push(random.pick(['./', '', ' ./']) + random.pick(good));
    else list.push(`${NOISE}-${plant.id()}/${random.pick(EVIDENCE_NOISE)}`);
  }
  return list;
}

/** A log of about `entries` entries. */
export function plantedLog(seed: number, entries: number): PlantedLog {
  const random = new Random(seed);
  const plant = new Planter(random);
  const list = (size: number) => Array.from({ length: size }, () => plant.phrase());
  const facts = {
    goal: plant.phrase(),
    constraints: list(1 + random.below(4)),
    latest_instruction: plant.phrase(),
    current_blockers: list(1 + random.below(3)),
    controller_route_summary: `${random.pick(ROUTES)} (${plant.phrase()})`,
  };
  const context: [string, unknown][] = [];
  const ledger: [string, unknown][] = [['state', 'RUNNING']];
  const withBlanks = (items: readonly string[]) =>
    items.flatMap((item) => (random.below(2) === 0 ? [plant.blank(item)] : [random.pick(BLANKS), item]));
  for (const [key, value] of Object.entries(facts)) {
    const written = typeof value === 'string' ? plant.blank(value) : withBlanks(value);
    if (random.below(4) > 0) {
      context.push([key, written]);
      // What the log says itself goes before the ledger.
      if (random.below(2) === 0) ledger.push([key, typeof value === 'string' ? plant.noise() : [plant.noise()]]);
    } else {
      if (random.below(2) === 0) context.push([key, random.pick([null, '', '  ', {}, { text: ' ', of: [] }])]);
      ledger.push([key, written]);
    }
  }
  for (let at = 0; at < random.below(4); at++) context.push([`chatter_${plant.id()}`, plant.noise()]);
  const share = (part: number) => Math.ceil(entries * part);
  const lists: [string, unknown][] = [
    ['execution_logs', statusList(plant, random, 'execution_logs', share(0.4), DONE)],
    ['status_reports', statusList(plant, random, 'status_reports', share(0.25), [])],
    ['failure_noise', statusList(plant, random, 'failure_noise', share(0.1), ['resolved', 'stale', '已解決', '陈旧'])],
    ['api_error_dumps', dumpList(plant, random, share(0.15))],
    ['evidence_paths', evidenceList(plant, random, share(0.1))],
    ['session', { id: seed, 备注: plant.phrase() }],
  ];
  const isInside = random.below(3) === 0;
  const own: [string, unknown] = ['relay_context', Object.fromEntries(random.shuffle(context))];
  const inner: [string, unknown][] = isInside ? [['ledger', Object.fromEntries(ledger)]] : [];
  return {
    input: Object.fromEntries(random.shuffle([own, ...lists, ...inner])),
    ledger: isInside ? undefined : Object.fromEntries(ledger),
    facts,
    kept: plant.kept,
  };
}
