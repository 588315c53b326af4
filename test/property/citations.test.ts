import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wholeEntries } from '../../src/core/pipeline/fit/pieces';
import type { ToolCall, ToolKind } from '../../src/core/transcripts/transcriptAdapter';
import { citablePayload } from '../../src/core/usage/citations/citablePayload';
import { CitationFinder } from '../../src/core/usage/citations/findCitations';
import { anyText } from '../support/anyText';
import { IS_LONG } from '../support/extent.mjs';
import { reportOf } from '../support/labelledReplies';
import { runs, some } from '../support/runs';

const NAMES = ['shop', 'dispatch', 'zh-warehouse', 'infra', 'video-index', 'zh-mobile'] as const;
const PAYLOADS = NAMES.map((name) => {
  const { report, mode } = reportOf(name);
  const payload = citablePayload(report.payloads[mode], undefined, wholeEntries);
  return { payload, finder: new CitationFinder(payload) };
});

const scrap = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '<soul>',
    '</soul>',
    'section:memory',
    '[ctx:git]',
    '#12',
    'observation 57',
    'src/cart/totals.ts',
    'detail --ids 12,section:soul',
    '预占流程扣减库存',
    '\0',
    '"',
    '“',
    'I did not open ',
    '*** Update File: dispatch/lease.py',
    '\u2028',
    '\ufdfa',
  ),
);
const text = fc.array(scrap, { maxLength: 30 }).map((scraps) => scraps.join(''));
const call: fc.Arbitrary<ToolCall> = fc.record({
  name: fc.constant('tool'),
  kind: fc.constantFrom<ToolKind>('read', 'edit', 'search', 'run', 'context', 'other'),
  paths: fc.array(text, { maxLength: 3 }),
  handles: fc.array(text, { maxLength: 3 }),
  input: text,
  output: text,
  isError: fc.boolean(),
});
const turn = fc.record({ replyText: text, toolCalls: fc.array(call, { maxLength: 4 }) });

describe('citations of any turn', () => {
  test('name sections of the payload, each once, in its order, with one line of evidence; the same every time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PAYLOADS), turn, ({ payload, finder }, each) => {
        const found = finder.find(each);
        const ids = payload.sections.map(({ id }) => id);
        const places = found.map(({ id }) => ids.indexOf(id));
        expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true);
        for (const { what } of found) expect(what).toMatch(/^[^\n\r\0\u2028]{1,120}$/u);
        expect(new CitationFinder(payload).find(each)).toEqual(found);
      }),
      runs(10, 500),
    );
  });

  test('come from nothing that is only pasted: the payload itself cites nothing', () => {
    for (const { payload, finder } of PAYLOADS) {
      expect(finder.find({ replyText: payload.text, toolCalls: [] })).toEqual([]);
      // A list of bare paths is also how agents say what they changed.
      for (const { id, text: shown } of payload.sections.filter(({ isInventory }) => !isInventory)) {
        expect(finder.find({ replyText: shown, toolCalls: [] }), id).toEqual([]);
      }
    }
  });

  test('do not depend on what tools gave back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PAYLOADS), turn, ({ finder }, each) => {
        const mute = { ...each, toolCalls: each.toolCalls.map((one) => ({ ...one, output: '' })) };
        expect(finder.find(mute)).toEqual(finder.find(each));
      }),
      runs(15, 200),
    );
  });

  test('are found in a long text over many sections, whatever it is made of', () => {
    const size = IS_LONG ? 1_000_000 : 100_000;
    const sections = PAYLOADS.flatMap(({ payload }) => payload.sections);
    const many = Array.from({ length: 200 }, (_, at) => {
      const { text: shown = '', ...rest } = sections[at % sections.length] ?? {};
      const id = `part-${at}`;
      return { ...(rest as (typeof sections)[number]), id, handle: `section:${id}`, text: `${shown} unique${at}` };
    });
    const finder = new CitationFinder({ text: many.map((each) => each.text).join('\n'), sections: many });
    const units = [
      'lease controller takeover ',
      '\0',
      'a',
      '租约接管',
      '/a',
      '<part-1>',
      '“',
      '#12,',
      '1,',
      ' ',
      'did not ',
      '`',
    ];
    for (const unit of some(units, 4)) {
      const replyText = unit.repeat(Math.ceil(size / unit.length));
      expect(finder.find({ replyText, toolCalls: [] }).length).toBeLessThanOrEqual(200);
    }
  });
});
