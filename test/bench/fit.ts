/** Measures the fit stage alone: sections that are measured already, under caps that leave most of each out. */
import { DEFAULT_PROFILE } from '../../src/core/config/profile';
import { chooseForms } from '../../src/core/pipeline/fit/choose';
import { cutText } from '../../src/core/pipeline/fit/cuts';
import { toFittable } from '../../src/core/pipeline/fit/fit';
import { type MeasuredSection, measureSection } from '../../src/core/pipeline/fit/measuredSection';
import { expandedForms, indexForms } from '../../src/core/pipeline/fit/sectionForms';
import { routeSection } from '../../src/core/pipeline/route/route';
import { estimateTokens, LineTokenCounter, type Size } from '../../src/core/tokens/lines';
import { section } from '../support/sectionBuilder';

const SECTIONS = 500;
const ENTRIES = 50;
const PRIORITIES = ['P2', 'P3', 'P4'] as const;

/** What one payload costs. */
export interface FitCost {
  readonly name: string;
  readonly measureMs: number;
  readonly fitMs: number;
  /** Share of the binding cap that is used. */
  readonly used: number;
  /** Contents rendered and texts counted while forms were chosen. */
  readonly rendered: number;
}

function textOf(at: number): string {
  const entry = (of: number): string => `- 2026-02-${10 + (of % 19)} ${'step '.repeat(2 + ((of * 7 + at) % 23))}done`;
  return Array.from({ length: ENTRIES }, (_, of) => entry(of)).join('\n');
}

/** In processor time: other programs run too. */
function timed<T>(run: () => T): readonly [T, number] {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1000];
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

export function fitCosts(rounds: number): readonly FitCost[] {
  let counted = 0;
  const count = (text: string): number => {
    counted++;
    return estimateTokens(text);
  };
  const counter = LineTokenCounter.over({ name: 'o200k_base', count });
  const context = {
    counter,
    escapeTags: (text: string) => text,
    cutText,
    map: undefined,
    mapTokens: 1,
    rowLimit: 40,
    caps: { tokens: DEFAULT_PROFILE.budgetTokens, chars: 30_000 },
    hasTask: false,
  };
  const routed = Array.from({ length: SECTIONS }, (_, at) =>
    routeSection(section(`section-${at}`, textOf(at), { priority: PRIORITIES[at % 3] ?? 'P2' })),
  );
  const measureAll = (): readonly MeasuredSection[] =>
    routed.map((each) => measureSection(each, { ...context, isEstimate: false }));
  measureAll();
  const [measured, measureMs] = timed(measureAll);
  let rendered = 0;
  const watched = measured.map((each) => {
    const { forms } = each;
    if (!forms) return each;
    const render = (form: number): string => {
      rendered++;
      return forms.render(form);
    };
    return { ...each, forms: { ...forms, render } };
  });
  const costOf = (name: string, items: Parameters<typeof chooseForms>[0], caps: Size): FitCost => {
    const frame = (): Size => ({ tokens: 40, chars: 160 });
    for (let at = 0; at < 10; at++) chooseForms(items, caps, frame);
    [counted, rendered] = [0, 0];
    const runs = Array.from({ length: Math.max(9, rounds * 5) }, () => timed(() => chooseForms(items, caps, frame)));
    const forms = runs[0]?.[0].forms ?? [];
    const sizes = items.flatMap((item, at) => ((forms[at] ?? -1) < 0 ? [] : [item.size(forms[at] ?? 0)]));
    const tokens = sizes.reduce((sum, size) => sum + size.tokens, 0) / caps.tokens;
    const chars = sizes.reduce((sum, size) => sum + size.chars, 0) / caps.chars;
    return {
      name,
      measureMs,
      fitMs: median(runs.map(([, ms]) => ms)),
      used: Math.max(tokens, chars),
      rendered: counted + rendered,
    };
  };
  const expanded = watched.map((each) => toFittable(each, expandedForms(each)));
  const index = watched.map((each) => toFittable(each, indexForms(each, undefined, { rows: 1200, map: undefined })));
  const half = expanded.reduce((sum, item) => sum + item.size(item.count - 1).tokens, 0) / 2;
  return [
    costOf('expanded, half of all fits', expanded, { tokens: half, chars: 1e9 }),
    costOf('expanded, characters bind', expanded, { tokens: 1e9, chars: half * 3 }),
    costOf('expanded, little more than floors', expanded, { tokens: 15_000, chars: 60_000 }),
    costOf('expanded, floors do not fit', expanded, { tokens: DEFAULT_PROFILE.budgetTokens, chars: 30_000 }),
    costOf('index-only', index, { tokens: 12_000, chars: 40_000 }),
  ];
}
