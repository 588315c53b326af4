import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../../../src/core/budget/profile';
import { ObservationService } from '../../../../src/core/observations/observationService';
import { EngineObservationStore } from '../../../../src/core/observations/observationStore';
import { exactTokenizer } from '../repomap/exactTokenizer';
import { MemoryFiles } from '../sections/memoryFiles';
import { DeskEngine } from './deskEngine';
import { MemoryObservationLog } from './memoryLog';

describe('run logs of a folder', () => {
  const files = new MemoryFiles({ 'runs/a.jsonl': '{}', 'runs/usage.jsonl': '{}', 'runs/usage.000001.jsonl': '{}' });
  const store = new EngineObservationStore(new MemoryObservationLog(), new DeskEngine(exactTokenizer('o200k_base')));
  const settings = { profile: DEFAULT_PROFILE, tokenizer: 'o200k_base' as const, sources: ['runs/*.jsonl'] };

  it('are what the globs name, but never the usage log, whatever they name', async () => {
    const all = new ObservationService(store, files, () => settings);
    expect(await all.sources()).toHaveLength(3);
    const own = new ObservationService(store, files, () => ({ ...settings, usageLog: 'runs/usage.jsonl' }));
    expect(await own.sources()).toEqual(['runs/a.jsonl']);
  });
});
