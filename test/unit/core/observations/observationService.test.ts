import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE } from '../../../../src/core/config/profile';
import { ObservationService } from '../../../../src/core/observations/observationService';
import { EngineObservationStore } from '../../../../src/core/observations/observationStore';
import { CHINESE, englishIn, inChinese } from '../../../support/chinese';
import { english } from '../../../support/english';
import { exactTokenizer } from '../../../support/exactTokenizer';
import { MemoryFiles } from '../../../support/memoryFiles';
import { MemoryObservationLog } from '../../../support/memoryLog';
import { DeskEngine } from '../../../support/observationEngine';

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

  it('that cannot be read are told with the reason, in the language of who asked', async () => {
    const broken = new MemoryFiles({
      'a.md': { sizeBytes: 20_000_001 },
      'b.md': Uint8Array.from([0, 1, 2]),
      'c.md': { unreadable: 'EACCES' },
    });
    const service = new ObservationService(store, broken, () => settings);
    const { unreadable } = await service.ingest(['a.md', 'b.md', 'c.md', 'd.md']);
    expect(english(unreadable)).toEqual([
      { path: 'a.md', why: 'it has 20,000,001 bytes, the limit is 20,000,000' },
      { path: 'b.md', why: 'it is not text' },
      { path: 'c.md', why: 'EACCES' },
      { path: 'd.md', why: 'there is no such file' },
    ]);
    for (const language of CHINESE)
      for (const { why } of unreadable) expect(englishIn(inChinese(why, language))).toEqual([]);
  });
});

describe('a log that is ingested again', () => {
  const make = () => {
    const files = new MemoryFiles();
    const store = new EngineObservationStore(new MemoryObservationLog(), new DeskEngine(exactTokenizer('o200k_base')));
    const settings = { profile: DEFAULT_PROFILE, tokenizer: 'o200k_base' as const, sources: [] };
    const service = new ObservationService(store, files, () => settings);
    const ingest = async (path: string, text: string) => {
      files.nodes.set(path, text);
      return (await service.ingest([path])).ids.length;
    };
    return ingest;
  };
  const daily = (...days: readonly string[]) => days.map((day) => `## 2026-02-${day}\n- Ran all tests\n`).join('\n');

  it.each<[what: string, before: string, after: string, added: number]>([
    ['an entry of every day, the first of them removed', daily('03', '04'), daily('04', '05'), 1],
    ['an entry that comes again, the first one removed', daily('03'), daily('05', '06'), 2],
    ['nothing new, and one day removed', daily('03', '04', '05'), daily('03', '05'), 0],
    ['another day for its entries', daily('03'), daily('05'), 0],
    [
      'no blanks at its line ends',
      '## 2026-02-03\n- Ran it  \n  It failed.  \n  Twice.\n',
      '## 2026-02-03\n- Ran it\n  It failed.\n  Twice.\n',
      0,
    ],
  ])('adds what is new: %s', async (_what, before, after, added) => {
    const ingest = make();
    expect(await ingest('PROGRESS.md', before)).toBeGreaterThan(0);
    expect(await ingest('PROGRESS.md', after)).toBe(added);
    expect(await ingest('PROGRESS.md', after)).toBe(0);
  });
});
