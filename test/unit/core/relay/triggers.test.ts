import { describe, expect, it } from 'vitest';
import { compactRelay } from '../../../../src/core/relay/compactRelay';
import {
  checkTriggers,
  INITIAL_TRIGGER_STATE,
  rememberedState,
  type TriggerInput,
  type TriggerState,
} from '../../../../src/core/relay/triggers';
import { inEnglish } from '../../../../src/core/text/phrase';

const SETTINGS = { maxTokens: 1000, repeats: 3 };
type Look = Partial<TriggerInput> & { readonly tokens?: number };

/** Looks one after another; what fired at each. */
function looks(...all: readonly Look[]): readonly string[] {
  let state: TriggerState = INITIAL_TRIGGER_STATE;
  return all.map((look) => {
    const before = JSON.stringify(state);
    const input = { log: look.log ?? {}, ledger: look.ledger, count: () => look.tokens ?? 0 };
    const checked = checkTriggers(state, input, SETTINGS);
    expect(JSON.stringify(state)).toBe(before);
    state = checked.state;
    return checked.fired.map(({ kind, why }) => `${kind}: ${inEnglish(why)}`).join(' + ');
  });
}

describe('length', () => {
  const at = (...tokens: readonly number[]) =>
    looks(...tokens.map((count) => ({ tokens: count }))).map((fired) => fired !== '');

  it('fires above the limit and says both numbers', () => {
    expect(looks({ tokens: 1000 }, { tokens: 1234 })).toEqual([
      '',
      'length: the log has 1,234 tokens, more than 1,000',
    ]);
  });

  it('fires once, and again only after the log was shorter than four fifths', () => {
    expect(at(1001, 1002, 999, 1001, 801, 1001, 800, 1000, 1001)).toEqual([
      ...[true, false, false, false, false, false],
      ...[false, false, true],
    ]);
  });
});

describe('repeated status', () => {
  const log = (text: string) => ({
    log: {
      status_reports: [...text].map((letter) => ({ status: letter === 'r' ? ' Running ' : 'waiting', task_id: 'T1' })),
    },
  });

  it('fires at the third of a row, once for a row', () => {
    expect(looks(log('rr'), log('rrr'), log('rrrr'), log('rrrrr'))).toEqual([
      '',
      'repeated_status: the status "running T1" was reported 3 times in a row',
      '',
      '',
    ]);
  });

  it('is not set off again by a single other status, but by a real change or after a compaction', () => {
    const fired = (...texts: readonly string[]) => looks(...texts.map(log)).map((one) => one !== '');
    expect(fired('rrr', 'rrrw', 'rrrwr', 'rrrwrr', 'rrrwrrr')).toEqual([true, false, false, false, false]);
    expect(fired('rrr', 'rrrww', 'rrrwwrrr')).toEqual([true, false, true]);
    expect(fired('rrr', 'rrrww', 'rrrwww', 'rrrwwwrrr')).toEqual([true, false, true, true]);
    expect(fired('rrrrr', 'r', 'rrr')).toEqual([true, false, true]);
  });

  it.each([
    ['status', 'blocked'],
    ['state', 'blocked'],
    ['health', 'blocked'],
    ['level', 'blocked'],
    ['event_type', 'stale'],
  ])('is read from %s', (key, word) => {
    const reports = [1, 2, 3].map((n) => ({ [key]: word, n }));
    expect(looks({ log: { status_reports: reports } })[0]).toMatch(/^repeated_status: the status "(?:blocked|stale)"/);
  });

  it('is no event that only has a name', () => {
    const reports = [1, 2, 3].map((n) => ({ event_type: 'heartbeat', n }));
    expect(looks({ log: { status_reports: reports } })).toEqual(['']);
  });

  it('tells tasks and steps apart, and needs a status', () => {
    const reports = ['S1', 'S2', 'S3'].map((step_id) => ({ status: 'running', step_id }));
    const silent = [{ message: 'a' }, { message: 'a' }, { message: 'a' }];
    expect(looks({ log: { status_reports: reports } }, { log: { status_reports: silent } })).toEqual(['', '']);
  });
});

describe('new instruction', () => {
  const logs = [
    { task_id: 'T1', step_id: 'S1', message: 'Fix the session store' },
    { task_id: 'T1', step_id: 'S2', message: 'run migrations' },
  ];
  const look = (latest_instruction: string, execution_logs: readonly unknown[] = logs) => ({
    log: { relay_context: { latest_instruction }, execution_logs },
  });

  it('fires when the older logs are about other tasks, and says how many', () => {
    expect(looks(look('Fix T1'), look('Now write the docs of T2'))).toEqual([
      '',
      'new_instruction: the new instruction "Now write the docs of T2" shares no task or step with 2 older log entries',
    ]);
  });

  it('does not fire at the first look, for the same instruction, nor when a task or step is shared', () => {
    expect(looks(look('T9'), look('T9'), look('Again T1'), look('step s2 first'), look('T1 and T7'))).toEqual([
      '',
      '',
      '',
      '',
      '',
    ]);
  });

  it('does not flap between two instructions', () => {
    const fired = looks(look('T1'), look('T2'), look('T1'), look('T2'), look('T3')).map((one) => one !== '');
    expect(fired).toEqual([false, true, false, false, true]);
  });

  it('goes by words where no id is named, and by nothing where there are too few', () => {
    const of = (text: string) => looks(look('T1'), look(text))[1] !== '';
    expect(of('Continue')).toBe(false);
    expect(of('please make the session faster')).toBe(false);
    expect(of('please translate another document')).toBe(true);
    const chinese = [{ task_id: '甲', message: '修复登录测试' }];
    const ofChinese = (text: string) => looks(look('开始', chinese), look(text, chinese))[1] !== '';
    expect(ofChinese('继续修复登录')).toBe(false);
    expect(ofChinese('改写发布文档')).toBe(true);
  });

  it.each([
    ['the standard UTF-8', 'Encode the importer output as UTF-8', [], false],
    ['a service, S3', 'Upload the importer output to S3', [], false],
    ['an id between Chinese characters', '改做任务T9：编写用户文档', [], true],
    ['an id that is shared there', '继续任务T1：修复解析', [], false],
    ['an id in the style of another entry', 'Encode the importer output for ENC-8', [{ task_id: 'ENC-7' }], true],
  ])('knows ids by those of the log: %s', (_what, text, more, fires) => {
    const entries = [{ task_id: 'T1', message: '任务T1 解析失败: importer output is garbled' }, ...more];
    expect(looks(look('Work on T1', entries), look(text, entries))[1] !== '').toBe(fires);
  });

  it('knows ids by those of the ledger', () => {
    const log = { execution_logs: [{ task_id: 'T1', message: 'importer output is garbled' }] };
    const at = (latest_instruction: string) => ({ log, ledger: { latest_instruction, tasks: [{ id: 'ENC-8' }] } });
    expect(looks(at('Work on T1'), at('Encode the importer output for ENC-8'))[1]).toContain('new_instruction');
  });

  it('takes the instruction from the ledger where the log has none', () => {
    const ledger = (latest_instruction: string) => ({ log: { execution_logs: logs }, ledger: { latest_instruction } });
    expect(looks(ledger('T1'), ledger('T5'))[1]).toContain('new_instruction');
  });
});

describe('recovery', () => {
  const at = (...states: readonly string[]) => looks(...states.map((state) => ({ ledger: { state } })));

  it('fires on entering, on changing and on leaving', () => {
    expect(at('running', 'WARNING', 'warning', ' stale', 'lease takeover', 'running', 'running', 'running')).toEqual([
      '',
      'recovery: entered WARNING',
      '',
      'recovery: went from WARNING to STALE',
      'recovery: went from STALE to LEASE_TAKEOVER',
      '',
      'recovery: left LEASE_TAKEOVER',
      '',
    ]);
  });

  it('does not flap when the state goes back and forth', () => {
    expect(
      at('STALE', 'RUNNING', 'STALE', 'RUNNING', 'STALE', 'RUNNING', 'RUNNING').map((fired) => fired !== ''),
    ).toEqual([...[true, false, false, false, false, false], true]);
  });

  it('is not left while the compacted log keeps the state of its ledger', () => {
    const log = { relay_context: { goal: 'g' }, status_reports: [{ status: 'running' }] };
    const compacted = compactRelay(log, { ledger: { state: 'STALE' } }).output;
    const again = (ledger?: unknown) =>
      checkTriggers(
        rememberedState(compacted),
        { log: compacted, compacted: compactRelay(compacted).output, ledger, count: () => 0 },
        SETTINGS,
      ).fired.map(({ why }) => inEnglish(why));
    expect(again()).toEqual([]);
    expect(again({ state: 'running' })).toEqual(['left STALE']);
  });

  it('is read from the ledger, else from the log, else from its last status report', () => {
    expect(looks({ log: { ledger: { state: 'STALE' } } })[0]).toContain('STALE');
    expect(looks({ log: { recovery_state: 'warning' } })[0]).toContain('WARNING');
    expect(looks({ log: { status_reports: [{ status: 'stale' }, { status: 'LEASE-TAKEOVER' }] } })[0]).toContain(
      'LEASE_TAKEOVER',
    );
    expect(looks({ log: { state: 'STALE' }, ledger: { state: 'RUNNING' } })[0]).toBe('');
  });
});

it('takes any log', () => {
  const cycle: Record<string, unknown> = { task_id: 'T1' };
  cycle.self = cycle;
  const logs = [null, 'x', [], { status_reports: 7, execution_logs: [cycle, null], relay_context: cycle }];
  expect(looks(...logs.map((log) => ({ log, ledger: log })))).toEqual(['', '', '', '']);
});

it('fires several at once, each with its reason', () => {
  const reports = Array.from({ length: 3 }, () => ({ status: 'STALE' }));
  const [fired] = looks({ tokens: 2000, log: { status_reports: reports } });
  expect(fired?.split(' + ').map((one) => one.split(':')[0])).toEqual(['length', 'repeated_status', 'recovery']);
});
