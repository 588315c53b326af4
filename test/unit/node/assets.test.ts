import { describe, expect, it } from 'vitest';
import { FileAssetSource } from '../../../src/node/assets';
import { tempFolder } from '../../support/tempFolder';

describe('FileAssetSource', () => {
  it('reads a product file into a buffer of its own', async () => {
    const root = await tempFolder({ 'grammars/a.wasm': 'wasm' });
    const bytes = await new FileAssetSource(root).read('grammars/a.wasm');
    expect(new TextDecoder().decode(bytes)).toBe('wasm');
    expect(bytes.buffer.byteLength).toBe(4);
  });

  it('rejects what is missing, and names that leave the product', async () => {
    const assets = new FileAssetSource(await tempFolder({ a: '' }));
    await expect(assets.read('b')).rejects.toMatchObject({ code: 'ENOENT' });
    for (const name of ['../a', '/etc/hosts', 'a/../a', 'C:\\a', '']) {
      await expect(assets.read(name)).rejects.toThrow('not the name of a product file');
    }
  });
});
