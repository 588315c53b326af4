import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { shippedPackages } from '../tools/notices.mjs';
// @ts-expect-error: a script without types
import { checkVersion, shippedBom } from '../tools/release.mjs';

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [1.10.0] - 2026-11-24\n\n### Added\n\n- One thing.\n';

const AGREED = {
  version: '1.10.0',
  lockVersions: ['1.10.0', '1.10.0'],
  changelog: CHANGELOG,
  tags: ['v1.9.0', 'v1.2.0'],
  headTags: [] as string[],
};

describe('the version of a release', () => {
  it('may have its tag already, on this commit alone', () => {
    expect(() => checkVersion(AGREED)).not.toThrow();
    const tags = ['v1.10.0', 'v1.9.0'];
    expect(() => checkVersion({ ...AGREED, tags, headTags: ['v1.10.0'] })).not.toThrow();
    expect(() => checkVersion({ ...AGREED, tags })).toThrow('v1.10.0 is on another commit');
  });

  it.each([
    ['a version with a suffix', { version: '1.10.0-beta' }, /"1\.10\.0-beta" is no version/],
    ['another version in the lock file', { lockVersions: ['1.10.0', '1.9.0'] }, /package-lock\.json has 1\.9\.0/],
    ['no section for what comes', { changelog: CHANGELOG.replace('## [Unreleased]\n', '') }, /does not begin with/],
    [
      'entries that no version has',
      { changelog: CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- A\n- B\n') },
      /2 entries/,
    ],
    ['another version in the changelog', { changelog: CHANGELOG.replace('1.10.0', '1.9.0') }, /no entries of 1\.10\.0/],
    ['a version without entries', { changelog: CHANGELOG.replace('- One thing.\n', '') }, /no entries of 1\.10\.0/],
    ['no date', { changelog: CHANGELOG.replace(' - 2026-11-24', '') }, /has no date/],
    ['a date that is none', { changelog: CHANGELOG.replace('11-24', '13-24') }, /has no date/],
    ['another tag on the commit', { headTags: ['v1.9.0'] }, /has the tag v1\.9\.0/],
    ['a higher tag', { tags: ['v1.11.0', 'v1.9.0'] }, /v1\.11\.0 is higher/],
  ])('fails for %s, and says what to do', (_, change, message) => {
    expect(() => checkVersion({ ...AGREED, ...change })).toThrow(message);
    expect(() => checkVersion({ ...AGREED, ...change })).toThrow(
      expect.objectContaining({ remedy: expect.stringMatching(/\w/) }),
    );
  });

  it('is the same in package.json, lock file and changelog of this folder', () => {
    const { version } = json('package.json');
    const lock = json('package-lock.json');
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
    const titles = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles[0]).toBe('[Unreleased]');
    expect(titles[1]).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
    expect(titles[1]).toContain(`[${version}]`);
  });
});

describe('the list of shipped packages', () => {
  const lock = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/a/node_modules/b': { version: '2.0.0' },
    'node_modules/b': { version: '1.0.0' },
  };
  const part = (ref: string, development = false) => ({
    'bom-ref': ref,
    scope: development ? 'optional' : 'required',
    properties: development ? [{ name: 'cdx:npm:package:development', value: 'true' }] : [],
  });
  const bom = {
    metadata: { component: { 'bom-ref': 'own@1.0.0', name: 'folder', description: '%description%' } },
    components: [part('a@1.0.0', true), part('b@1.0.0', true), part('b@2.0.0')],
    dependencies: [
      { ref: 'own@1.0.0', dependsOn: ['a@1.0.0', 'b@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
      { ref: 'b@1.0.0', dependsOn: [] },
    ],
  };
  const list = (packages: readonly string[]) => shippedBom(bom, packages, lock, { name: 'own' }, 'What it does');

  it('leaves out what is only used to develop, and marks what is bundled as required', () => {
    const { metadata, components, dependencies } = list(['a', 'a/node_modules/b']);
    expect(metadata.component).toMatchObject({ name: 'own', description: 'What it does' });
    expect(components).toEqual([part('a@1.0.0'), part('b@2.0.0')]);
    expect(dependencies).toEqual([
      { ref: 'own@1.0.0', dependsOn: ['a@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
    ]);
  });

  it('fails when a shipped package is not in it', () => {
    expect(() => list(['a', 'missing'])).toThrow('missing@');
  });

  it('finds each shipped package in the lock file', () => {
    const { packages } = json('package-lock.json');
    const names: readonly string[] = shippedPackages();
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) expect(packages[`node_modules/${name}`]?.version, name).toMatch(/^\d/);
  });
});
