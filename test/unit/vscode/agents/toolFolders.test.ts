import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/core/tools/tool';
import { folderLine, pickFolder, splitFolder } from '../../../../src/vscode/agents/toolFolders';

const shop = { name: 'shop' };
const site = { name: 'site' };
/** Another folder with the name of the first. */
const twin = { name: 'shop' };

function reasonOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return ToolError.is(error) ? error.reason : String(error);
  }
  return undefined;
}

describe('splitFolder', () => {
  it('takes the folder out of the arguments, and nothing else', () => {
    expect(splitFolder({ folder: 'shop', query: 'x' })).toEqual({ folderName: 'shop', input: { query: 'x' } });
    expect(splitFolder({ query: 'x' })).toEqual({ folderName: undefined, input: { query: 'x' } });
    expect(splitFolder({ folder: '' })).toEqual({ folderName: undefined, input: {} });
    expect(splitFolder(undefined)).toEqual({ folderName: undefined, input: undefined });
    expect(reasonOf(() => splitFolder({ folder: 7 }))).toBe('input');
  });
});

describe('pickFolder', () => {
  it('is the active folder unless another is named', () => {
    expect(pickFolder([shop, site], site, undefined)).toBe(site);
    expect(pickFolder([shop, site], undefined, undefined)).toBe(shop);
    expect(pickFolder([shop, site], site, 'shop')).toBe(shop);
  });

  it('names the folders that there are', () => {
    expect(() => pickFolder([shop, site], shop, 'other')).toThrow(
      'No folder here has this name. Open are: shop, site.',
    );
    expect(reasonOf(() => pickFolder([], undefined, undefined))).toBe('unavailable');
  });

  it('does not guess between folders of one name', () => {
    expect(pickFolder([shop, twin, site], twin, 'shop')).toBe(twin);
    expect(reasonOf(() => pickFolder([shop, twin, site], site, 'shop'))).toBe('input');
  });
});

describe('folderLine', () => {
  it('says which folder it is only where there are several, on one line', () => {
    expect(folderLine([shop], shop)).toBe('');
    expect(folderLine([shop, site, { name: 'a\nb' }], shop)).toBe('folder shop (others: site, a b)\n');
  });
});
