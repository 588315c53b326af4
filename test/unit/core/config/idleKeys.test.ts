import { describe, expect, it } from 'vitest';
import { CONFIG_PATH, parseConfig } from '../../../../src/core/config/config';
import { idleKeys } from '../../../../src/core/config/idleKeys';

describe('a key that names sections', () => {
  const sections = [
    { id: 'core', priority: 'P0' },
    { id: 'here', priority: 'P1' },
  ] as const;
  const profile = (limits: object): object => ({ profiles: { small: { max_per_source_tokens: limits } } });
  it.each<[string, object, readonly string[]]>([
    ['pinned', { pinned: ['here', 'gone', 'core'] }, ['pinned names "gone", but there is no such section']],
    ['excluded', { excluded: ['gone', 'core'] }, ['excluded names "gone", but there is no such section']],
    [
      'on_demand',
      { on_demand: ['core', 'here', 'gone'] },
      [
        'on_demand names "core", but P0 is always shown in full',
        'on_demand names "gone", but there is no such section',
      ],
    ],
    [
      'the limits of sources',
      profile({ here: 9, gone: 9, core: 9 }),
      [
        'profiles.small.max_per_source_tokens names "gone", but there is no such section',
        'profiles.small.max_per_source_tokens names "core", but P0 is always shown in full',
      ],
    ],
    [
      'the limits of the check',
      { check: { limits: { section: { core: 9, here: 9, gone: 9 } } } },
      ['check.limits.section names "gone", but there is no such section'],
    ],
    ['a section that only another host has', { excluded: ['open-editors'], ...profile({ observations: 9 }) }, []],
  ])('hints at what has no effect: %s', (_, config, messages) => {
    const text = JSON.stringify({ version: 1, ...config }, null, 1);
    const lines = text.split('\n');
    const problems = idleKeys(`\uFEFF${text}`, parseConfig(text).config!, sections);
    const place = (line = 0) => `${CONFIG_PATH}, line ${line}: `;
    expect(problems.map(({ message, line }) => message.replace(place(line), ''))).toEqual(messages);
    for (const { message, line = 0, ...problem } of problems) {
      expect(problem).toMatchObject({ kind: 'config', severity: 'hint', path: CONFIG_PATH });
      expect(lines[line - 1]).toContain(/"\w+"/.exec(message)?.[0]);
    }
  });
});
