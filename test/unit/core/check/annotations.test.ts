import { describe, expect, it } from 'vitest';
import { renderGithub } from '../../../../src/core/check/annotations';
import type { CheckFinding, CheckReport } from '../../../../src/core/check/finding';

const finding = (more: Partial<CheckFinding> = {}): CheckFinding => ({
  rule: 'section-limit',
  level: 'warning',
  message: 'too long',
  ...more,
});

const github = (...findings: readonly CheckFinding[]): string =>
  renderGithub({ findings } as Partial<CheckReport> as CheckReport);

describe('renderGithub', () => {
  it.each([
    ['a file and a line', { path: 'a.md', line: 3 }, '::warning file=a.md,line=3,title=section-limit::too long\n'],
    ['a file alone', { path: 'a.md' }, '::warning file=a.md,title=section-limit::too long\n'],
    ['no file', {}, '::warning title=section-limit::too long\n'],
    ['a line without a file', { line: 3 }, '::warning title=section-limit::too long\n'],
  ])('annotates a finding with %s', (_, more, line) => {
    expect(github(finding(more))).toBe(line);
  });

  it('escapes what ends a property or a line', () => {
    expect(github(finding({ path: 'a,b:c.md', message: '50%\nmore' }))).toBe(
      '::warning file=a%2Cb%3Ac.md,title=section-limit::50%25%0Amore\n',
    );
  });
});
