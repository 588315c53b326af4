import { describe, expect, test } from 'vitest';
import { CitationFinder } from '../../../../../src/core/usage/citations/findCitations';
import { labelledReplies, measure, nameMatch, precisionOf, recallOf } from '../../../../support/labelledReplies';

describe('labelled replies', () => {
  const dev = labelledReplies('dev');
  const heldOut = labelledReplies('heldOut');

  test('are many, on six payloads, half of them adversarial, in both languages', () => {
    const all = [...dev, ...heldOut];
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ id }) => id.replace(/-\d+$/, ''))).size).toBe(6);
    expect(all.filter(({ trap }) => trap !== undefined).length * 2).toBeGreaterThanOrEqual(all.length);
    expect(all.filter(({ replyText }) => /\p{Script=Han}/u.test(replyText)).length).toBeGreaterThanOrEqual(24);
  });

  test('name sections that their payloads have', () => {
    for (const { id, payload, gold } of [...dev, ...heldOut]) {
      for (const { id: sectionId } of gold)
        expect(
          payload.sections.map((each) => each.id),
          id,
        ).toContain(sectionId);
    }
  });

  test.each([
    ['dev', dev],
    ['held out', heldOut],
  ])('the %s part is found with a precision of 0.9 and a recall of 0.8', (_, part) => {
    const { all, mistakes } = measure(part, ({ payload, replyText, toolCalls }) =>
      new CitationFinder(payload).find({ replyText, toolCalls }),
    );
    const said = mistakes.join('\n');
    expect(precisionOf(all), said).toBeGreaterThanOrEqual(0.9);
    expect(recallOf(all), said).toBeGreaterThanOrEqual(0.8);
  });

  test('a plain name match is far from that', () => {
    const { all } = measure([...dev, ...heldOut], nameMatch);
    expect(precisionOf(all)).toBeLessThan(0.5);
    expect(recallOf(all)).toBeLessThan(0.5);
  });
});
