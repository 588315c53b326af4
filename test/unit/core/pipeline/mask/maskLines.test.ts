import { expect, it } from 'vitest';
import type { RepoMapView } from '../../../../../src/core/model/repoMap';
import { maskMap } from '../../../../../src/core/pipeline/mask/maskLines';
import type { ExplainedMap } from '../../../../../src/core/repomap/facts/types';

const KEY = 'sk-1234567890abcdef';

it('says of which symbol a masked key was, by its line in the file', async () => {
  const symbols = [
    { name: 'open', signature: 'open(path)', lineStart: 10 },
    { name: 'connect', signature: `connect(key = '${KEY}')`, lineStart: 20 },
    { name: 'close', signature: 'close()', lineStart: 30 },
  ];
  const { secrets, blocks } = await maskMap(
    (mask) => ({ mask }) as unknown as ExplainedMap,
    (map) => {
      const { mask } = map as unknown as { mask: (text: string) => string };
      const shown = symbols.map((symbol) => ({ ...symbol, signature: mask(symbol.signature) }));
      return { items: [{ path: 'src/db.ts', symbols: shown }] } as unknown as RepoMapView;
    },
    async (block) => {
      const line = block.split('\n').findIndex((text) => text.includes(KEY)) + 1;
      const secrets = line === 0 ? [] : [{ label: 'API key', line, value: KEY }];
      return { text: block.replaceAll(KEY, 'sk-***'), secrets };
    },
  );
  expect(blocks[0]).toContain(KEY);
  expect(secrets).toMatchObject([{ path: 'src/db.ts', line: 20, label: 'API key' }]);
});
