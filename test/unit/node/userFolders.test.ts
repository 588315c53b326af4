import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../src/node/platform';
import { homeFolder, userFolders } from '../../../src/node/userFolders';

const HOME = userInfo().homedir;

describe('userFolders', () => {
  it('are the platform’s places', () => {
    const onWindows = { USERPROFILE: 'C:\\Users\\u', APPDATA: 'D:\\Roaming', CONTEXT_BUDGET_CACHE_DIR: '\\caches' };
    const env = { HOME: '/home/u', ...onWindows };
    const at = (platform: NodeJS.Platform) => userFolders(env, platformOf(platform));
    expect(at('linux')).toEqual({
      caches: '/home/u/.cache/context-budget',
      config: '/home/u/.config/context-budget',
    });
    expect(at('darwin')).toEqual({
      caches: '/home/u/Library/Caches/context-budget',
      config: '/home/u/Library/Preferences/context-budget',
    });
    expect(at('win32')).toEqual({
      caches: 'C:\\Users\\u\\AppData\\Local\\context-budget\\Cache',
      config: 'D:\\Roaming\\context-budget\\Config',
    });
    expect(
      userFolders({ ...env, XDG_CONFIG_HOME: '/xdg', CONTEXT_BUDGET_CACHE_DIR: '/mine' }, platformOf('linux')),
    ).toEqual({
      caches: '/mine',
      config: '/xdg/context-budget',
    });
  });

  it.each([undefined, '', '.', 'home', './home', '../home'])(
    'are never in the folder that is open: HOME, XDG and own variables of %j',
    (value) => {
      const names = ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'APPDATA', 'LOCALAPPDATA'];
      const own = ['CONTEXT_BUDGET_CACHE_DIR', 'CONTEXT_BUDGET_CONFIG_DIR'];
      const env = Object.fromEntries([...names, ...own].map((name) => [name, value]));
      for (const platform of (['linux', 'darwin', 'win32'] as const).map(platformOf)) {
        expect(homeFolder(env, platform)).toBe(HOME);
        for (const folder of Object.values(userFolders(env, platform))) {
          expect(folder.startsWith(platform.path.join(HOME, platform.path.sep))).toBe(true);
        }
      }
    },
  );
});
