import { describe, expect, it } from 'vitest';
import { readmeSentence, readPackages } from '../../../../../src/core/repomap/project/packages';

const packagesOf = (files: Readonly<Record<string, string>>) =>
  readPackages(Object.keys(files), async (path) => files[path]);

describe('readPackages', () => {
  it.each([
    ['package.json', '{ "name": "x", "description": "Sends mail. Quickly." }'],
    ['composer.json', '{ "description": "Sends mail" }'],
    ['Cargo.toml', '[package]\nname = "x"\ndescription = "Sends mail"\n'],
    ['pyproject.toml', "[project]\ndescription = 'Sends mail'\n"],
    ['setup.cfg', '[metadata]\ndescription = Sends mail\n'],
    ['setup.py', 'setup(name="x", description="Sends mail")'],
    ['x.gemspec', 'Gem::Specification.new do |s|\n  s.summary = "Sends mail"\nend'],
    ['pubspec.yaml', 'name: x\ndescription: Sends mail\n'],
    ['X.csproj', '<Project><PropertyGroup><Description>Sends mail</Description></PropertyGroup></Project>'],
    ['mix.exs', 'def project, do: [app: :x, description: "Sends mail"]'],
    ['build.gradle', "description = 'Sends mail'\n"],
    ['pom.xml', '<project><artifactId>x</artifactId><description>Sends mail</description></project>'],
    ['README.md', '# X\n\n[![build](a.svg)](b)\n\nSends mail to people. It is fast.\n'],
    ['README.rst', 'X\n=\n\nSends mail to people. It is fast.\n'],
  ])('reads the job from %s', async (name, text) => {
    const [found] = await packagesOf({ [`pkg/${name}`]: text });
    expect(found?.path).toBe('pkg');
    expect(found?.job).toMatch(/^Sends mail/);
    expect(found?.job).not.toMatch(/Quickly|fast/);
  });

  it('prefers the manifest to the README, and takes the README where the manifest says nothing', async () => {
    expect(
      await packagesOf({
        'package.json': '{ "description": "From the manifest" }',
        'README.md': 'From the README itself.',
        'a/package.json': '{}',
        'a/README.md': 'From the README itself.',
        'b/package.json': 'no JSON',
        // Its own name.
        'c/package.json': '{ "description": "@shop/c" }',
      }),
    ).toEqual([
      { path: '', job: 'From the manifest' },
      { path: 'a', job: 'From the README itself' },
      { path: 'b', job: '' },
      { path: 'c', job: '' },
    ]);
  });

  it('passes over tests, examples, vendored code, and files that cannot be read', async () => {
    const files = ['test/package.json', 'examples/x/README.md', 'vendor/y/package.json', 'node_modules/z/package.json'];
    expect(await packagesOf(Object.fromEntries(files.map((path) => [path, '{ "description": "A b c" }'])))).toEqual([]);
    expect(await readPackages(['package.json'], async () => undefined)).toEqual([]);
  });

  it('is the same in any order of files', async () => {
    const files = { 'b/package.json': '{ "description": "Is B" }', 'a/package.json': '{ "description": "Is A" }' };
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect(await packagesOf(reversed)).toEqual(await packagesOf(files));
  });
});

describe('readPackages, of many', () => {
  it('reads the nearest files first, manifests before READMEs, else by name', async () => {
    const read: string[] = [];
    const paths = ['b/README.md', 'a/b/package.json', 'b/package.json', 'README.md', 'a/package.json', 'package.json'];
    await readPackages(paths, async (path) => {
      read.push(path);
      return '';
    });
    expect(read).toEqual([
      ...['package.json', 'README.md', 'a/package.json', 'b/package.json', 'b/README.md', 'a/b/package.json'],
    ]);
  });
});

describe('readmeSentence', () => {
  it('passes over what is no prose, and cuts a long sentence behind a word', () => {
    const text =
      '# Title\n\n> quote of something\n\n- an item of a list\n\n```\ncode in here now\n```\n\n**Bold** [link](x) `code` says it all! More.';
    expect(readmeSentence(text)).toBe('Bold link code says it all!');
    const long = readmeSentence(`It ${'really '.repeat(30)}is.`);
    expect(long.length).toBeLessThanOrEqual(101);
    expect(long).toMatch(/really…$/);
    expect(readmeSentence('# Only a title\n')).toBe('');
    const links = '<a href="x">Docs</a> &nbsp;•&nbsp; [Chat of users](y)\n<br/>\n\nChecks&nbsp;types at run time.';
    expect(readmeSentence(links)).toBe('Checks types at run time');
  });

  it.each([
    '[English](README_EN.md) | 简体中文',
    'English | [简体中文](docs/zh/README.md)',
    '**English** / [日本語](README.ja.md) / [Français](README.fr.md)',
    '[English](a.md) · [Bahasa Melayu](b.md) · Íslenska',
    'English | 简体中文 (机器翻译) | Deutsch',
    '🇺🇸 English | <a href="README.zh.md">🇨🇳 中文</a>',
    '[![build](a.svg)](b) [![npm](c.svg)](d)\n[English](README.md) |\n简体中文',
    '<p align="center">\n  <b>English</b> | <a href="x.md">中文</a>\n</p>',
  ])('passes over a switch of languages: %s', (row) => {
    expect(readmeSentence(`# X\n\n${row}\n\nSends mail to people. It is fast.\n`)).toBe('Sends mail to people');
    expect(readmeSentence(`${row}\n\n给大家发送邮件的小工具。速度很快。\n`)).toBe('给大家发送邮件的小工具。');
    expect(readmeSentence(`${row}\n`)).toBe('');
  });

  it('takes a line with separators for prose where it has other words', () => {
    for (const text of ['Sends mail over TCP/IP to people', 'Fast | small | written in [Rust](x) for you'])
      expect(readmeSentence(`${text}\n`)).toBe(text.replace('[Rust](x)', 'Rust'));
    expect(readmeSentence('Sends mail with\n[Node](x)\nto people.\n')).toBe('Sends mail with Node to people');
  });

  it.each(['[', '[](', '<', '<a', '<!--', '&', '```\n~~~\n'])('reads a README of %j alone in linear time', (mark) => {
    expect(readmeSentence(mark.repeat(200_000))).toBe('');
  });
});
