import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/core/model/profile';
import type { PayloadReport } from '../../src/core/model/report';
import type { CollectedSection, Priority } from '../../src/core/model/section';
import { buildReport } from '../../src/core/pipeline/report/buildReport';
import { request, section } from '../support/sectionBuilder';
import { sharedTokenizer } from '../support/sharedTokenizer';

const TOKENIZER = sharedTokenizer('o200k_base');

/** The default profile's caps, and a small budget of the same shape. */
const CAPS: readonly Partial<Profile>[] = [
  { budgetTokens: 7500, hardCapChars: 30_000 },
  { budgetTokens: 2000, hardCapChars: 8000 },
];

/** Of the binding cap, wherever something was cut (DESIGN §3.4, the third property). */
const FILLED = 0.95;

const ENGLISH = `scheduler retries the release after midnight because a worker lost its lease and the ledger kept
  an older entry so we moved retention into config added a probe to gateway asked for review before merging`.split(
  /\s+/,
);
const CHINESE =
  '我们把定时任务改到凌晨之后运行因为网关的连接会在整点断开所以先检查日志再重启服务最后通知值班的人'.match(
    /.{2,3}/gu,
  ) ?? [];

/** Words in an order that repeats only after a long while, the same in every run. */
function wordsOf(words: readonly string[], seed: number): () => string {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return words[(state >>> 8) % words.length] ?? '';
  };
}

function sentences(count: number, seed: number): readonly string[] {
  const next = wordsOf(ENGLISH, seed);
  return Array.from({ length: count }, (_, at) => {
    const line = Array.from({ length: 6 + ((at * 7 + seed) % 11) }, next).join(' ');
    // A name and a number as notes have them: about four characters a token.
    return `${line.charAt(0).toUpperCase()}${line.slice(1)} in src/run_${(seed * 37 + at * 11) % 997}.ts#L${(at * 71) % 400}.`;
  });
}

function chineseSentences(count: number, seed: number): readonly string[] {
  const next = wordsOf(CHINESE, seed);
  return Array.from(
    { length: count },
    (_, at) => `${Array.from({ length: 5 + ((at * 5 + seed) % 9) }, next).join('')}。`,
  );
}

/** Paragraphs of five sentences below a heading for every six. */
function prose(paragraphs: number, seed: number, say = sentences): string {
  const blocks = Array.from({ length: paragraphs }, (_, at) => {
    const text = say(5, seed * 1000 + at).join(say === sentences ? ' ' : '');
    return at % 6 === 0 ? `## Part ${at / 6 + 1}\n\n${text}` : text;
  });
  return `${blocks.join('\n\n')}\n`;
}

const day = (at: number): string => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

/** The same without a heading: nothing of it is an entry. */
const plain = (text: string): string => text.replaceAll(/^## .*\n\n/gm, '');

/** A log of one bullet a day, newest last. */
function log(days: number, seed: number, say = sentences): string {
  return `${Array.from({ length: days }, (_, at) => `- ${day(at)} ${say(2, seed * 1000 + at).join(' ')}`).join('\n')}\n`;
}

/** A log of one heading a day with so many lines below it. */
function diary(days: number, lines: number, seed: number): string {
  return Array.from(
    { length: days },
    (_, at) => `## ${day(at)}\n\n${sentences(lines, seed * 1000 + at).join('\n')}\n`,
  ).join('\n');
}

const AGENTS = section('agents-md', prose(3, 99), { priority: 'P0' });
const at = (priority: Priority) => ({ priority });

/** A log that has, with the instructions beside it, about 8,000 tokens. */
function overBy500(): { readonly days: number; readonly text: string } {
  const wanted = 8000 - TOKENIZER.count(prose(3, 99));
  for (let days = 100; ; days++) {
    const text = log(days, 40);
    if (TOKENIZER.count(text) >= wanted) return { days, text };
  }
}

const OVER_BY_500 = overBy500();

interface WrittenCase {
  readonly name: string;
  readonly sections: readonly CollectedSection[];
  /** Instead of the caps that every case is tried with. */
  readonly caps?: readonly Partial<Profile>[];
  /** What the shares of the sections have to look like, beyond caps and filling. */
  readonly also?: (payload: PayloadReport) => void;
}

function find(payload: PayloadReport, id: string) {
  const found = payload.sections.find((each) => each.id === id);
  if (!found) throw new Error(`there is no section ${id}`);
  return found;
}

/** Room that everything else takes at its floor: a line of each other section, and the notes. */
const FLOOR = { tokens: 40, chars: 160 };

/** That these are shown in full wherever they fit beside `P0` and the floors of all others. */
function expectWhole({ sections, budget }: PayloadReport, ...ids: readonly string[]): void {
  const whole = sections.filter(({ id, priority }) => priority === 'P0' || ids.includes(id));
  const others = sections.length - whole.length + 2;
  const tokens = whole.reduce((sum, { tokensFull }) => sum + tokensFull, others * FLOOR.tokens);
  const chars = whole.reduce((sum, { charsFull }) => sum + charsFull, others * FLOOR.chars);
  if (tokens > budget.budgetTokens || chars > budget.hardCapChars) return;
  expect(whole.map(({ id, disclosure }) => [id, disclosure])).toEqual(whole.map(({ id }) => [id, 'full']));
}

/** Two lists of about 500 tokens each. */
const lists = (priority: Priority) => [
  section('decisions', log(14, 1), at(priority)),
  section('people', log(14, 2), at(priority)),
];

const isDefault = ({ budget }: PayloadReport): boolean => budget.budgetTokens === 7500;

const CASES: readonly WrittenCase[] = [
  {
    name: 'huge prose at P4 beside lists',
    sections: [AGENTS, ...lists('P3'), section('reference', plain(prose(240, 3)), at('P4'))],
    also: (payload) => expectWhole(payload, 'decisions', 'people'),
  },
  {
    name: 'huge prose at P3 beside lists of both sides',
    sections: [
      AGENTS,
      section('progress', log(14, 4), at('P2')),
      section('handbook', prose(240, 5), at('P3')),
      section('topics', log(14, 6), at('P4')),
    ],
    also: (payload) => {
      expectWhole(payload, 'progress');
      // All that is left, but for a line of the topics.
      expect(find(payload, 'handbook').tokens).toBeGreaterThan(payload.budget.budgetTokens * 0.3);
      expect(find(payload, 'topics').tokens).toBeLessThan(200);
    },
  },
  {
    name: 'huge prose at P2 beside lists of its own priority',
    sections: [
      AGENTS,
      ...lists('P2'),
      section('manual', prose(240, 7), at('P2')),
      section('notes', log(20, 8), at('P4')),
    ],
    also: (payload) => {
      // The largest gives first.
      if (isDefault(payload)) expectWhole(payload, 'decisions', 'people');
      expect(find(payload, 'manual').tokens).toBeGreaterThan(payload.budget.budgetTokens * 0.2);
    },
  },
  {
    name: 'giant entries of many lines',
    sections: [AGENTS, section('memory', diary(12, 70, 9), at('P3')), section('decisions', log(20, 10), at('P4'))],
    also: (payload) => expect(find(payload, 'memory').text).toContain(day(11)),
  },
  {
    name: 'giant entries of one line each',
    sections: [
      AGENTS,
      section(
        'memory',
        `${Array.from({ length: 9 }, (_, i) => `- ${day(i)} ${sentences(80, 11 + i).join(' ')}`).join('\n')}\n`,
        at('P3'),
      ),
      section('decisions', log(20, 12), at('P4')),
    ],
    also: (payload) => expect(find(payload, 'memory').text).toContain(day(8)),
  },
  {
    name: 'ten medium references',
    sections: [AGENTS, ...Array.from({ length: 10 }, (_, i) => section(`ref-${i}`, prose(14, 20 + i), at('P4')))],
    also: (payload) => {
      // One level for all of them: none is whole while another has nothing.
      const shown = payload.sections.filter(({ priority }) => priority === 'P4').map(({ tokens }) => tokens);
      if (isDefault(payload)) expect(Math.min(...shown)).toBeGreaterThan(Math.max(...shown) * 0.6);
    },
  },
  {
    name: 'one section 500 tokens over',
    sections: [AGENTS, section('progress', OVER_BY_500.text, at('P2'))],
    caps: [{ budgetTokens: 7500, hardCapChars: 500_000 }],
    also: (payload) => {
      expect(find(payload, 'progress').text).toContain(day(OVER_BY_500.days - 1));
      expect(find(payload, 'progress').text).not.toContain(`- ${day(0)}`);
      expect(find(payload, 'progress').tokens).toBeGreaterThan(find(payload, 'progress').tokensFull - 700);
    },
  },
  {
    name: 'Chinese log and Chinese prose',
    sections: [
      section('agents-md', prose(3, 50, chineseSentences), at('P0')),
      section('memory', log(60, 51, chineseSentences), at('P3')),
      section('reference', prose(90, 52, chineseSentences), at('P4')),
    ],
    also: (payload) => expect(find(payload, 'memory').text).toContain(day(59)),
  },
  {
    name: 'only alarms',
    sections: Array.from({ length: 12 }, (_, i) =>
      section(
        `probe-${i}`,
        `SUMMARY:${i % 3 === 0 ? 'ALERT' : 'WARN'}:Probe number ${i} failed\n---\n${prose(8, 60 + i)}`,
      ),
    ),
    also: (payload) => {
      for (let i = 0; i < 12; i++) expect(payload.text).toContain(`Probe number ${i} failed`);
    },
  },
  {
    name: 'a log among rules that have no dates',
    sections: [
      AGENTS,
      section(
        'preferences',
        `# Rules\n\n${sentences(12, 80)
          .map((line) => `- ${line}`)
          .join('\n')}\n\n# History\n\n${log(150, 81)}`,
        at('P3'),
      ),
      section('reference', prose(60, 82), at('P4')),
    ],
    also: (payload) => {
      // Fixed text goes last.
      for (const rule of sentences(12, 80)) expect(find(payload, 'preferences').text).toContain(`- ${rule}`);
      expect(find(payload, 'preferences').text).toContain(day(149));
    },
  },
  {
    name: 'only the token cap binds',
    sections: [
      AGENTS,
      ...lists('P2'),
      section('memory', log(150, 90), at('P3')),
      section('reference', prose(120, 91), at('P4')),
    ],
    caps: [{ budgetTokens: 7500, hardCapChars: 500_000 }],
    also: ({ budget }) => expect(budget.tokens / budget.budgetTokens).toBeGreaterThanOrEqual(FILLED),
  },
  {
    name: 'only the character cap binds',
    sections: [
      AGENTS,
      ...lists('P2'),
      section('memory', log(150, 90), at('P3')),
      section('reference', prose(120, 91), at('P4')),
    ],
    caps: [{ budgetTokens: 100_000, hardCapChars: 30_000 }],
    also: ({ budget }) => expect(budget.chars / budget.hardCapChars).toBeGreaterThanOrEqual(FILLED),
  },
];

describe('budgets of the written cases', () => {
  const tried = CASES.flatMap((each) => (each.caps ?? CAPS).map((caps) => ({ ...each, caps })));

  it.each(tried)('$name, $caps.budgetTokens tokens, $caps.hardCapChars characters', ({ sections, caps, also }) => {
    const { payloads } = buildReport(request(sections, caps), undefined, TOKENIZER);
    for (const { text, budget } of Object.values(payloads)) {
      expect(TOKENIZER.count(text)).toBe(budget.tokens);
      expect(text.length).toBe(budget.chars);
      expect(budget.tokens).toBeLessThanOrEqual(budget.budgetTokens);
      expect(budget.chars).toBeLessThanOrEqual(budget.hardCapChars);
    }
    const { budget, sections: shown } = payloads.expanded;
    const [tokens, chars] = shown.reduce((sum, each) => [sum[0] + each.tokensFull, sum[1] + each.charsFull], [0, 0]);
    // Else nothing would have to be cut, and the case says nothing.
    expect(tokens > budget.budgetTokens || chars > budget.hardCapChars).toBe(true);
    const used = Math.max(budget.tokens / budget.budgetTokens, budget.chars / budget.hardCapChars);
    expect(used).toBeGreaterThanOrEqual(FILLED);
    also?.(payloads.expanded);
  });
});
