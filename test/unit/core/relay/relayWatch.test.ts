import { describe, expect, it } from 'vitest';
import { buildRelaySection } from '../../../../src/core/relay/relaySection';
import { INITIAL_WATCH, type RelayStatus, type RelayWatch, relayStatus } from '../../../../src/core/relay/relayWatch';
import { DEFAULT_REPEATS } from '../../../../src/core/relay/triggers';
import { inEnglish } from '../../../../src/core/text/phrase';

/** A folder's looks at its log, one second apart, as a session makes them. */
class Looks {
  #watch: RelayWatch = INITIAL_WATCH;
  #ms = 0;

  look(log: unknown, maxTokens = 8000): { due: readonly string[]; seen: string } {
    this.#ms += 1000;
    const bytes = new TextEncoder().encode(typeof log === 'string' ? log : JSON.stringify(log));
    const settings = { maxTokens, repeats: DEFAULT_REPEATS };
    const section = buildRelaySection({
      log: { path: 'relay.json', bytes },
      ledger: undefined,
      look: { state: this.#watch.triggers, settings },
    });
    const next: { status: RelayStatus; watch: RelayWatch } = relayStatus(section, 'relay.json', this.#watch, this.#ms);
    this.#watch = next.watch;
    if (next.status.kind === 'failed') return { due: [], seen: inEnglish(next.status.message) };
    const { due, recovery } = next.status;
    return { due: due.map(({ why }) => inEnglish(why)), seen: recovery ? `${recovery.state} ${recovery.seenMs}` : '' };
  }
}

const NOISE = [{ status: 'done', summary: 'built' }];
const log = (state: string, execution: unknown = NOISE) => ({ state, execution_logs: execution });

describe('what a host remembers of a relay log', () => {
  it('keeps a trigger due until nothing is left to drop', () => {
    const looks = new Looks();
    expect(looks.look(log('RUNNING')).due).toEqual([]);
    expect(looks.look(log('WARNING')).due).toEqual(['entered WARNING']);
    expect(looks.look(log('WARNING')).due).toEqual(['entered WARNING']);
    expect(looks.look(log('WARNING', [])).due).toEqual([]);
    expect(looks.look(log('STALE', [])).due).toEqual(['went from WARNING to STALE']);
    expect(looks.look(log('RUNNING', [])).due).toEqual([]);
    expect(looks.look(log('RUNNING', [])).due).toEqual(['left STALE']);
  });

  it('has the newest trigger of a kind alone', () => {
    const looks = new Looks();
    looks.look(log('WARNING'));
    expect(looks.look(log('STALE')).due).toEqual(['went from WARNING to STALE']);
  });

  it('keeps a length due until the log is short again', () => {
    const looks = new Looks();
    const long = { goal_text: 'word '.repeat(2000) };
    expect(looks.look(long, 500).due).toHaveLength(1);
    expect(looks.look(long, 500).due).toHaveLength(1);
    expect(looks.look({}, 500).due).toEqual([]);
  });

  it('keeps a repetition due while it goes on and can be dropped', () => {
    const looks = new Looks();
    const reports = (count: number) => ({
      status_reports: Array.from({ length: count }, () => ({ status: 'waiting' })),
    });
    expect(looks.look(reports(3)).due).toHaveLength(1);
    expect(looks.look(reports(4)).due).toHaveLength(1);
    expect(looks.look(reports(1)).due).toEqual([]);
  });

  it('forgets a repetition that is over, also while something else can be dropped', () => {
    const looks = new Looks();
    const reports = Array.from({ length: 3 }, () => ({ status: 'waiting' }));
    expect(looks.look({ status_reports: reports, execution_logs: NOISE }).due).toHaveLength(1);
    expect(looks.look({ status_reports: [{ status: 'waiting' }], execution_logs: NOISE }).due).toEqual([]);
  });

  it('knows since when it has seen a recovery, and forgets nothing over a log that is half written', () => {
    const looks = new Looks();
    expect(looks.look(log('STALE')).seen).toBe('STALE 1000');
    expect(looks.look('{"state": ').seen).toMatch(/not valid JSON/);
    expect(looks.look(log('STALE')).seen).toBe('STALE 1000');
    expect(looks.look(log('LEASE_TAKEOVER')).seen).toBe('LEASE_TAKEOVER 4000');
    expect(looks.look(log('RUNNING')).seen).toBe('');
    expect(looks.look(log('STALE')).seen).toBe('STALE 6000');
  });
});
