import { expect, it } from 'vitest';
import { buildRelaySection, type RelayFiles } from '../../../../../src/core/relay/relaySection';
import { RelayReader } from '../../../../../src/core/workspace/reading/relayReader';
import { MemoryFiles } from '../../../../support/memoryFiles';
import { until } from '../../../../support/until.mjs';

const CONFIG = { path: 'c/relay.json', ledger: 'c/ledger.json', maxTokens: 8000 };

function world(state: string) {
  const files = new MemoryFiles({ 'c/relay.json': JSON.stringify({ state }) });
  const asked: RelayFiles[] = [];
  const release: (() => void)[] = [];
  const engine = {
    buildRelay: async (given: RelayFiles) => {
      asked.push(given);
      await new Promise<void>((resolve) => release.push(resolve));
      return buildRelaySection(given);
    },
  };
  const clock = { now: () => 7, schedule: () => ({ dispose: () => undefined }) };
  return { files, asked, release, relay: new RelayReader({ files, engine, clock }) };
}

it('begins each look with what the last one saw, also when both are asked for at once', async () => {
  const { relay, asked, release } = world('WARNING');
  const both = [relay.read(CONFIG), relay.read(CONFIG)];
  await until('the first look is asked for', () => release.length === 1);
  expect(asked).toHaveLength(1);
  release[0]?.();
  await both[0];
  await until('the second look is asked for', () => release.length === 2);
  expect(asked[1]?.look?.state.recovery).toBe('WARNING');
  release[1]?.();
  await both[1];
  expect(relay.status).toMatchObject({ kind: 'read', path: 'c/relay.json', recovery: { state: 'WARNING', seenMs: 7 } });
});

it('starts anew with other files, and has no status where there are none', async () => {
  const { relay, asked, release, files } = world('STALE');
  const first = relay.read(CONFIG);
  await until('the first look is asked for', () => release.length === 1);
  release[0]?.();
  await first;
  files.nodes.set('d/relay.json', '{}');
  const moved = relay.read({ ...CONFIG, path: 'd/relay.json', maxTokens: 9 });
  await until('the second look is asked for', () => release.length === 2);
  release[1]?.();
  await moved;
  expect(asked[1]?.look).toMatchObject({ state: { recovery: undefined }, settings: { maxTokens: 9 } });
  await relay.read({ ...CONFIG, path: 'none.json' });
  expect(relay.status).toBeUndefined();
});
