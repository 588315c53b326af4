import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayloadReport } from '../../src/core/model/report';
import type { PayloadMode } from '../../src/core/model/section';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import { toJsonPayload } from '../../src/core/render/json';
import { buildNotes } from '../../src/core/render/notes';
import { renderPayload } from '../../src/core/render/renderPayload';
import { exactTokenizer } from '../support/exactTokenizer';
import { runs } from '../support/runs';
import {
  capsArbitrary,
  FAKE_TOKENIZER,
  fakeMap,
  mapArbitrary,
  readElements,
  requestOf,
  sectionsArbitrary,
} from './payloadArbitraries';

const MODES: readonly PayloadMode[] = ['index', 'expanded'];
const RUNS = runs(15, 300);

const input = fc.record({ sections: sectionsArbitrary, caps: capsArbitrary, map: mapArbitrary });

function build({ sections, caps, map }: typeof input extends fc.Arbitrary<infer T> ? T : never) {
  return buildReport(requestOf(sections, caps), fakeMap(map.files, map.signature), FAKE_TOKENIZER);
}

/** What P0 and P1 leave is gone, but for up to 200 tokens of alarms. */
function holdsEssentialsOnly({ sections }: PayloadReport): boolean {
  const others = sections.filter(({ priority, tokens }) => priority !== 'P0' && priority !== 'P1' && tokens > 0);
  return others.every(({ status }) => status !== 'OK') && others.reduce((sum, { tokens }) => sum + tokens, 0) <= 200;
}

describe('payloads', () => {
  it('never exceed a cap, unless P0 and P1 alone do', () => {
    fc.assert(
      fc.property(input, (each) => {
        for (const mode of MODES) {
          const payload = build(each).payloads[mode];
          const { budget } = payload;
          const isOver = budget.tokens > each.caps.budgetTokens || budget.chars > each.caps.hardCapChars;
          expect(budget.status === 'ALERT').toBe(isOver);
          if (!isOver) continue;
          expect(holdsEssentialsOnly(payload)).toBe(true);
          const wrapper = mode === 'index' ? '<context-index>\n</context-index>\n' : '';
          const essential = payload.sections
            .filter(({ priority }) => priority < 'P2')
            .reduce((sum, { tokens, chars }) => ({ tokens: sum.tokens + tokens, chars: sum.chars + chars }), {
              tokens: FAKE_TOKENIZER.count(wrapper),
              chars: wrapper.length,
            });
          expect(essential.tokens > each.caps.budgetTokens || essential.chars > each.caps.hardCapChars).toBe(true);
          expect(payload.notes.some((note) => note.startsWith('over budget:'))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('show P0 whole, and P1 as whole as the config lets it be, whatever the budget', () => {
    fc.assert(
      fc.property(input, (each) => {
        const tight = build(each).payloads.expanded;
        const roomy = build({ ...each, caps: { ...each.caps, budgetTokens: 1e6, hardCapChars: 1e7 } }).payloads
          .expanded;
        tight.sections.forEach((section, at) => {
          if (section.priority !== 'P0' && section.priority !== 'P1') return;
          expect(section.text).toBe(roomy.sections[at]?.text);
          const input = each.sections.find(({ id }) => id === section.id);
          const isUncut = input?.keepRecent === undefined && !input?.isExcluded && input?.body.kind === 'text';
          if (section.priority === 'P0' && isUncut && !/^\W*SUMMARY/i.test(input.body.text) && section.text !== '')
            expect(section.disclosure).toBe('full');
        });
      }),
      RUNS,
    );
  });

  it('have token and character counts that add up to those of the text', () => {
    fc.assert(
      fc.property(input, (each) => {
        for (const mode of MODES) {
          const { text, budget, sections, overheadTokens, notes } = build(each).payloads[mode];
          expect(budget.tokens).toBe(FAKE_TOKENIZER.count(text));
          expect(budget.chars).toBe(text.length);
          expect(sections.reduce((sum, { tokens }) => sum + tokens, overheadTokens)).toBe(budget.tokens);
          const elements = notes.length === 0 ? [] : readElements(text).slice(-1);
          const frame =
            (mode === 'index' && text.startsWith('<context-index>') ? 33 : 0) +
            elements.reduce(
              (sum, { name, content }) => sum + content.length + 2 * name.length + (content.includes('\n') ? 8 : 6),
              0,
            );
          expect(sections.reduce((sum, { chars }) => sum + chars, frame)).toBe(budget.chars);
        }
      }),
      RUNS,
    );
  });

  it('cannot be made to show an element that is not theirs', () => {
    fc.assert(
      fc.property(input, (each) => {
        const { index, expanded } = build(each).payloads;
        const shown = expanded.sections.filter(({ disclosure }) => disclosure !== 'omitted');
        const notes = (payload: PayloadReport): string[] => (payload.notes.length > 0 ? ['context-notes'] : []);
        const elements = readElements(expanded.text);
        expect(elements.map(({ name }) => name)).toEqual([...shown.map(({ id }) => id), ...notes(expanded)]);
        shown.forEach(({ text }, at) => {
          expect(elements[at]?.content).toBe(text.includes('\n') ? text.replace(/\n$/, '') : text);
        });
        const rows = index.sections.filter(({ disclosure }) => disclosure !== 'omitted');
        const maps = rows.filter(({ id, text }) => id === 'repo-map' && text.includes('\n'));
        expect(readElements(index.text).map(({ name }) => name)).toEqual([
          ...(rows.length > 0 ? ['context-index'] : []),
          ...maps.map(({ id }) => id),
          ...notes(index),
        ]);
        const names = [...each.sections.map(({ id }) => id), 'context-index', 'context-notes', 'detail'].join('|');
        const anyTag = new RegExp(`<\\s*/?\\s*(?:${names})(?:[\\s/>]|$)`, 'i');
        for (const { content } of [...elements, ...readElements(index.text)]) {
          expect(content).not.toMatch(anyTag);
          for (const line of content.split('\n')) expect(line).not.toMatch(/^\s*<\s*\/?\s*[a-z][\w:.-]*\s*>/i);
        }
        const [table] = readElements(index.text);
        if (rows.length > 0) expect(table?.content.split('\n').length).toBe(rows.length);
      }),
      RUNS,
    );
  });

  it('are the same bytes for the same input, in whatever order sections come', () => {
    fc.assert(
      fc.property(input, (each) => {
        const again = build({ ...each, sections: [...each.sections].reverse() });
        const { payloads } = build(each);
        expect(JSON.stringify(again.payloads)).toBe(JSON.stringify(payloads));
      }),
      RUNS,
    );
  });

  it('log one cut a section, with sizes that do not grow, and say of each what its priority got', () => {
    fc.assert(
      fc.property(input, (each) => {
        for (const mode of MODES) {
          const { cuts, budget, sections } = build(each).payloads[mode];
          const byId = new Map(sections.map((one) => [one.id, one]));
          expect(new Set(cuts.map(({ id }) => id)).size).toBe(cuts.length);
          const budgeted = cuts.filter(({ by }) => by !== 'rule');
          expect(budget.downgradeApplied).toEqual(budgeted.map(({ id, reason }) => `${reason}: ${id}`));
          for (const { id, tokens, nextTokens = tokens, reason } of budgeted) {
            expect([tokens, reason]).toEqual([byId.get(id)?.tokens, byId.get(id)?.reason]);
            expect(nextTokens).toBeGreaterThanOrEqual(tokens);
          }
          for (const { priority, used } of budget.grants ?? [])
            expect(used).toBe(sections.reduce((sum, one) => sum + (one.priority === priority ? one.tokens : 0), 0));
        }
      }),
      RUNS,
    );
  });

  it('count what they leave out: flags, totals and the note say the same', () => {
    fc.assert(
      fc.property(input, (each) => {
        for (const mode of MODES) {
          const { leftOut, sections, notes } = build(each).payloads[mode];
          const out = sections.filter(({ isLeftOut }) => isLeftOut);
          const tokens = out.reduce((sum, { tokensFull }) => sum + tokensFull, 0);
          expect(leftOut).toEqual({ sections: out.length, tokens });
          const told = notes.flatMap((note) => /^([\d,]+) sections? left out \(([\d,]+) tokens?\)/.exec(note) ?? []);
          if (told.length > 0)
            expect(told.slice(1).map((each) => Number(each.replaceAll(',', '')))).toEqual([out.length, tokens]);
          else expect(out.length === 0 || notes.length === 0 || /more alarm/.test(notes[0] ?? '')).toBe(true);
          for (const { isExcluded, isPending, isNotRun } of out)
            expect(isExcluded || isPending || isNotRun).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it('have room for the note on all that may be left out, which a note on less never exceeds', () => {
    const few = { isIndexOnly: false, isPartial: false, dropped: [], notRun: [], over: undefined };
    const count = fc.oneof(fc.nat(30), fc.nat(999_999));
    for (const name of ['o200k_base', 'cl100k_base'] as const) {
      const { count: tokensOf } = exactTokenizer(name);
      const sizeOf = (sections: number, tokens: number): number =>
        tokensOf(buildNotes({ ...few, leftOut: { sections, tokens } }).join('\n'));
      fc.assert(
        fc.property(fc.nat(300), count, fc.nat(300), count, (sections, tokens, more, moreTokens) => {
          expect(sizeOf(sections, tokens)).toBeLessThanOrEqual(sizeOf(sections + more, tokens + moreTokens));
        }),
        RUNS,
      );
    }
  });

  it('hold per-source caps for every section that may be cut', () => {
    fc.assert(
      fc.property(input, (each) => {
        for (const { id, priority, tokens, text } of build(each).payloads.expanded.sections) {
          const cap = Object.hasOwn(each.caps.maxPerSourceTokens, id) ? each.caps.maxPerSourceTokens[id] : undefined;
          if (cap === undefined || priority === 'P0') continue;
          // P1 is never removed: its smallest form stays over a cap that holds nothing.
          if (priority === 'P1') expect(tokens <= cap || !text.includes('\n') || text.length < 200).toBe(true);
          else expect(tokens).toBeLessThanOrEqual(cap);
        }
      }),
      RUNS,
    );
  });

  it('survive a round trip through JSON', () => {
    fc.assert(
      fc.property(input, (each) => {
        const report = build(each);
        for (const mode of MODES) {
          const payload = toJsonPayload(report, mode);
          expect(JSON.parse(renderPayload(report, mode, 'json'))).toEqual(payload);
          expect(payload.sections.map(({ text }) => text)).toEqual(
            report.payloads[mode].sections.map(({ text }) => text),
          );
        }
      }),
      RUNS,
    );
  });
});
