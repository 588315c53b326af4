import { expect, it } from 'vitest';
import { RecordArchive } from '../../../../src/core/records/recordArchive';
import type { RecordFormat } from '../../../../src/core/records/recordLog';
import type { RecordFolder } from '../../../../src/core/records/recordStore';

const FORMAT: RecordFormat = { version: 'x', numberKey: 'cycle', numberOf: () => undefined };

it('lists old files of its own log, the oldest first, in whatever order the folder has them', async () => {
  const names = ['usage.000010.jsonl', 'usage.jsonl', 'usage.000002.jsonl', 'other.000001.jsonl', 'usage.000009.jsonl'];
  const folder = { list: async () => names, sizeOf: async () => 7 } as unknown as RecordFolder;
  const files = await new RecordArchive('usage.jsonl', FORMAT).list(folder);
  expect(files.map(({ number, name, sizeBytes }) => [number, name, sizeBytes])).toEqual([
    [2, 'usage.000002.jsonl', 7],
    [9, 'usage.000009.jsonl', 7],
    [10, 'usage.000010.jsonl', 7],
  ]);
});
