import { describe, expect, it } from 'vitest';
import type { FolderFile } from '../../../../../src/core/model/section';
import { describeText } from '../../../../../src/core/pipeline/collect/folderFiles';
import { maskSections, textsToMask } from '../../../../../src/core/pipeline/mask/maskSections';
import { routeSection } from '../../../../../src/core/pipeline/route/route';
import type { Masks } from '../../../../../src/core/secrets/masking';
import { section } from '../../../../support/sectionBuilder';

/** Takes `SECRET` for a key, and cannot read `UNREADABLE`. */
const MASKS: Masks = (text) => {
  if (text.includes('UNREADABLE')) return undefined;
  const line = text.split('\n').findIndex((each) => each.includes('SECRET')) + 1;
  return {
    text: text.replaceAll('SECRET', '[key]'),
    secrets: line === 0 ? [] : [{ label: 'key', line, value: 'SECRET' }],
  };
};

function file(name: string, text: string): FolderFile {
  const path = `m/${name}.md`;
  return { path, key: name, date: undefined, text, ...describeText(path, text) };
}

function masked(files: readonly FolderFile[]) {
  const routed = routeSection(section('topics', '', { body: { kind: 'folder', files, leftOut: 0 } }));
  const [scored] = maskSections([routed], MASKS);
  if (scored?.section.body.kind !== 'folder') throw new Error('the folder is gone');
  return { files: scored.section.body.files, secrets: scored.secrets, isSame: scored === routed, routed };
}

describe('files of a folder', () => {
  it('are masked each, and found by path and line', () => {
    const { files, secrets } = masked([file('a', 'plain\n'), file('b', '# my SECRET\ntoken\n')]);
    expect(files.map(({ text, title }) => [title, text])).toEqual([
      ['a', 'plain\n'],
      ['my [key]', '# my [key]\ntoken\n'],
    ]);
    expect(secrets).toMatchObject([{ sectionId: 'topics', label: 'key', line: 1, path: 'm/b.md' }]);
  });

  it('are called without a secret that is their name', () => {
    const { files } = masked([file('SECRET', 'plain\n')]);
    expect(files).toEqual([expect.objectContaining({ path: 'm/[key].md', key: 'm/[key].md', title: '[key]' })]);
  });

  it('are the same object where nothing is to be masked', () => {
    expect(masked([file('a', 'plain\n')]).isSame).toBe(true);
  });

  it('say so where they could not be scanned, and hold the others back no more', () => {
    const { files } = masked([file('a', '# UNREADABLE\n'), file('b', 'fine\n')]);
    expect(files).toMatchObject([
      { title: 'a', text: 'Left out, because the secret scan failed.\n' },
      { title: 'b', text: 'fine\n' },
    ]);
  });

  it('are asked for with all that they say', () => {
    const { routed } = masked([file('a', '# Title\n'), file('b', 'body\n')]);
    expect(textsToMask([routed])).toEqual(expect.arrayContaining(['# Title\n', 'body\n', 'm/a.md\nm/b.md']));
  });
});
