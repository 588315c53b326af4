import { describe, expect, it } from 'vitest';
import { suppress } from '../../../../src/core/check/check';
import type { CheckFinding } from '../../../../src/core/check/finding';

const finding = (more: Partial<CheckFinding> = {}): CheckFinding => ({
  rule: 'section-limit',
  level: 'warning',
  message: 'too long',
  ...more,
});

describe('suppress', () => {
  const lineOf = (text: string) => suppress([finding({ path: 'a.md' })], () => text).findings[0]?.line;

  it.each([
    ['line 1 without frontmatter', 'Rules\n', 1],
    ['the first line after frontmatter', '---\na: b\n---\nRules\n', 4],
    ['line 1 when the frontmatter never ends', '---\na: b\nRules\n', 1],
    ['line 1 when nothing follows the frontmatter', '---\na: b\n---', 1],
  ])('puts a finding about a whole file on %s', (_, text, line) => {
    expect(lineOf(text)).toBe(line);
  });

  it('puts a finding about an observation on its line of the log', () => {
    const log = '{"id":2,"summary":"of 12"}\n\n{"id":12,"summary":"b"}\n';
    const of = (observation: number) => suppress([finding({ path: 'log.jsonl', observation })], () => log).findings[0];
    expect(of(12)).toMatchObject({ path: 'log.jsonl', line: 3 });
    expect(of(5)).not.toHaveProperty('line');
  });

  it('counts findings that a comment on the line or on the line before silences', () => {
    const text = '<!-- context-budget-ignore secret, section-limit -->\nA\nB <!-- context-budget-ignore secret -->\n';
    const found = [1, 2, 3].map((line) => finding({ path: 'a.md', line }));
    expect(suppress(found, () => text)).toEqual({ findings: [found[2]], suppressed: 2 });
  });
});
