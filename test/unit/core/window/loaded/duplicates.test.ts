import { describe, expect, it } from 'vitest';
import { findDuplicates } from '../../../../../src/core/window/loaded/duplicates';
import { IS_LONG } from '../../../../support/extent.mjs';

const A = 'Always write the numbers of prices in cents, never in floats or in text.';
const B = 'Every public function has a docstring that names its units and errors.';

describe('findDuplicates', () => {
  it('finds every copy by its lines, whatever its marks and blank space', () => {
    const found = findDuplicates([
      { path: 'a.md', text: `# One\n\n- ${A}\n- ${B}\n` },
      { path: 'b.md', text: `Intro\n* ${A.replace(' ', '  ')}\n\n* **${B}**\n` },
      { path: 'c.md', text: `${A} ${B}\n` },
    ]);
    expect(found).toEqual([{ text: `- ${A}\n- ${B}`, places: ['a.md#L3-L4', 'b.md#L2-L4', 'c.md#L1-L1'] }]);
  });

  it('finds a copy in the same file, and leaves out what is too short to matter', () => {
    expect(findDuplicates([{ path: 'a.md', text: `${A}\n${B}\n\nOther.\n\n${A}\n${B}\n` }])[0]?.places).toEqual([
      'a.md#L1-L2',
      'a.md#L6-L7',
    ]);
    expect(
      findDuplicates([
        { path: 'a.md', text: '# Style\nUse tabs.\n' },
        { path: 'b.md', text: '# Style\nUse tabs.\n' },
      ]),
    ).toEqual([]);
  });

  it('does not join sentences of two files into one copy', () => {
    const [one, other] = [`${A} ${A.replace('prices', 'sums')}`, `${B} ${B.replace('units', 'types')}`];
    const found = findDuplicates([
      { path: 'a.md', text: `${one}\n${other}\n` },
      { path: 'b.md', text: `${one}\n` },
      { path: 'c.md', text: `${other}\n` },
    ]);
    expect(found.map(({ places }) => places)).toEqual([
      ['a.md#L1-L1', 'b.md#L1-L1'],
      ['a.md#L2-L2', 'c.md#L1-L1'],
    ]);
  });

  // In time that grows with its square it would not end within the test's limit.
  it('ends on a long text where each line is the same', () => {
    expect(findDuplicates([{ path: 'a.md', text: `${A}\n`.repeat(IS_LONG ? 200_000 : 50_000) }])).toHaveLength(1);
  });
});
