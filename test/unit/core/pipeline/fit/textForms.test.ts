import { describe, expect, it } from 'vitest';
import { cutText } from '../../../../../src/core/pipeline/fit/cuts';
import { wholeEntries } from '../../../../../src/core/pipeline/fit/pieces';
import { type TextFacts, textForms } from '../../../../../src/core/pipeline/fit/textForms';
import { textOfLines } from '../../../../../src/core/render/detail';
import { renderElement } from '../../../../../src/core/render/element';
import { LineTokenCounter } from '../../../../../src/core/tokens/lines';
import { entryHash } from '../../../../../src/core/usage/usageRecord';
import { some } from '../../../../support/runs';
import { sharedTokenizer } from '../../../../support/sharedTokenizer';

const counter = new LineTokenCounter(sharedTokenizer('o200k_base'));

function formsOf(text: string, facts: Partial<TextFacts> = {}) {
  return textForms({ id: 'memory', handle: 'section:memory', head: '', text, hints: {}, counter, cutText, ...facts });
}

function allOf(text: string, facts: Partial<TextFacts> = {}): readonly string[] {
  const forms = formsOf(text, facts);
  return Array.from({ length: forms.count }, (_, form) => forms.render(form));
}

const SENTENCE = 'The gateway restarts whenever its token changes, so every job waits for it.';
const prose = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}th: ${SENTENCE}`).join(' ');

const LOG = `# Memory

## Preferences
- tabs, not spaces
- never force-push to main

## Log
- 2026-02-05 five things happened on this day
- 2026-02-04 four things happened on this day
- 2026-02-03 three things happened on this day
`;

describe('entries that were cited', () => {
  it('stay beside the newest, whatever their age', () => {
    const entry = '- 2026-02-03 three things happened on this day\n';
    const facts = { keepRecent: 1, keepCited: new Set([entryHash(`  ${entry}`)]) };
    expect(allOf(LOG, facts).at(-1)).toBe(
      LOG.replace(/- 2026-02-04.*\n/, '').concat('… older entries: section:memory\n'),
    );
    expect(allOf(LOG, { keepRecent: 1 }).at(-1)).not.toContain('2026-02-03');
  });

  it('are known in what a payload showed of them', () => {
    const shown = formsOf(LOG, { keepRecent: 2 }).render(formsOf(LOG, { keepRecent: 2 }).count - 1);
    expect(wholeEntries(shown).map(entryHash)).toEqual(wholeEntries(LOG).slice(0, 2).map(entryHash));
    expect(wholeEntries(LOG)).toHaveLength(3);
  });
});

describe('textForms', () => {
  it('shows fixed text first, in its order and with its headings, then entries, newest first', () => {
    expect(allOf(LOG)).toEqual([
      '# Memory\n\n## Preferences\n- tabs, not spaces\n… section:memory#L5\n… more entries: section:memory\n',
      '# Memory\n\n## Preferences\n- tabs, not spaces\n- never force-push to main\n\n… more entries: section:memory\n',
      LOG.replace(/- 2026-02-04.*\n- 2026-02-03.*\n/, '… older entries: section:memory\n'),
      LOG.replace(/- 2026-02-03.*\n/, '… older entries: section:memory\n'),
      LOG,
    ]);
  });

  it('says which entries a form shows', () => {
    const forms = formsOf(LOG);
    const shown = Array.from({ length: forms.count }, (_, form) => forms.shown(form));
    expect(shown.map(({ entries }) => entries?.shown)).toEqual([0, 0, 1, 2, 3]);
    expect(shown.at(-1)).toMatchObject({ entries: { shown: 3, total: 3, range: 'newest' }, isPartial: false });
    expect(shown.map(({ isPartial }) => isPartial)).toEqual([true, true, true, true, false]);
  });

  it.each<[string, string, readonly (readonly [lines: number, entriesLeft: number, linesLeft: number])[]]>([
    [
      'a log: first its fixed text',
      LOG,
      [
        [4, 3, 3],
        [6, 3, 1],
        [8, 2, 0],
        [9, 1, 0],
        [10, 0, 0],
      ],
    ],
    [
      'prose below headings',
      '# One\n\nFirst words.\n\n# Two\n\nLast words that take more room than the note.\n',
      [
        [4, 0, 3],
        [7, 0, 0],
      ],
    ],
    [
      'the one entry of a log, in part',
      `- 2026-02-04 long\n${'  A line of this long entry, which is shown up to some line.\n'.repeat(30)}`,
      [[1, 0, 30]],
    ],
  ])('says how many lines a form shows, and which are missing beside entries: %s', (_, text, expected) => {
    const forms = formsOf(text);
    const shown = expected.map((_, form) => forms.shown(form));
    expect(shown.map(({ lines, left }) => [lines?.shown, left?.entries, left?.lines])).toEqual(expected);
  });

  it('shows the first items of an undated list', () => {
    const text =
      '- prefers tabs over spaces everywhere\n- never pushes by force to the main branch\n- asks before it deletes\n';
    const forms = formsOf(text);
    expect(forms.render(0)).toBe('- prefers tabs over spaces everywhere\n… section:memory#L2\n');
    expect(forms.shown(0)).toMatchObject({ entries: { shown: 1, total: 3, range: 'first' }, isPartial: true });
  });

  it('grows an entry over 200 tokens from its first line, and names the line where the rest begins', () => {
    const days = Array.from({ length: 30 }, (_, at) => `  - step ${at + 1}: ${SENTENCE}\n`).join('');
    const text = `- 2026-02-01 short entry about the first day of work\n- 2026-02-03 long\n${days}`;
    const shown = allOf(text);
    expect(shown[0]).toBe('- 2026-02-03 long\n… section:memory#L3\n… older entries: section:memory\n');
    for (const content of shown.slice(0, -2)) {
      const [, line = ''] = /… section:memory#L(\d+)\n/.exec(content) ?? [];
      const before = content.slice(0, content.indexOf('…'));
      expect(before + textOfLines(text, { line: Number(line), end: undefined })).toBe(
        text.slice(text.indexOf('- 2026-02-03')),
      );
    }
    expect(shown.length).toBeGreaterThan(10);
  });

  it('never cuts an entry of up to 200 tokens', () => {
    const entry = (day: number) => `- 2026-02-0${day} done\n${`  - ${SENTENCE}\n`.repeat(10)}`;
    expect(allOf(entry(1) + entry(2) + entry(3))).toEqual([
      `${entry(3)}… older entries: section:memory\n`,
      `${entry(2)}${entry(3)}… older entries: section:memory\n`,
      entry(1) + entry(2) + entry(3),
    ]);
  });

  it('cuts a long line behind sentences', () => {
    const text = prose(20);
    for (const content of allOf(text).slice(0, -1)) {
      expect(content).toMatch(/waits for it\.\n… section:memory#L1\n$/);
      expect(text.startsWith(content.slice(0, content.indexOf('…')).trimEnd().replaceAll('\n', ' '))).toBe(true);
    }
  });

  it('cuts wrapped prose behind lines that end a sentence only', () => {
    const words = prose(20).split(' ');
    const lines = [''];
    for (const word of words) {
      const last = lines.at(-1) ?? '';
      if (last.length + word.length + 1 > 72) lines.push(word);
      else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    }
    const shown = allOf(lines.join('\n'));
    for (const content of shown.slice(0, -1)) expect(content).toMatch(/waits for it\.\n… section:memory#L\d+\n$/);
    expect(shown.length).toBeGreaterThan(1);
  });

  it('ends no sentence at an abbreviation or an initial', () => {
    const text = Array.from(
      { length: 30 },
      (_, at) => `As Dr. J. Smith says, e.g. No. ${at} vs. Others is what the whole team wants to see here.`,
    ).join(' ');
    for (const content of allOf(text).slice(0, -1)) expect(content).toMatch(/see here\.\n… section/);
  });

  it('cuts Chinese behind sentences', () => {
    const text = Array.from({ length: 40 }, (_, at) => `第${at}天，网关在凌晨重新启动，所有任务都等待它恢复。`).join(
      '',
    );
    const shown = allOf(text);
    for (const content of shown.slice(0, -1)) expect(content).toMatch(/恢复。\n… section:memory#L1\n$/);
    expect(shown.length).toBeGreaterThan(5);
  });

  it('closes a code block that it cuts', () => {
    const text = `Text.\n\n\`\`\`sh\n${'npm run something --with=many --flags\n'.repeat(40)}\`\`\`\nEnd.\n`;
    const cut = allOf(text).filter((content) => content.includes('npm') && !content.includes('End.'));
    expect(cut.length).toBeGreaterThan(3);
    for (const content of cut) expect(content).toMatch(/flags\n```\n… section:memory#L\d+\n$/);
  });

  it('keeps what stands before the list, and counts lines from where the text begins', () => {
    const forms = formsOf('- rule number one holds for everybody here\n- rule number two holds as well\n', {
      head: 'Two rules.\n',
      firstLine: 3,
    });
    expect(forms.render(0)).toBe('Two rules.\n- rule number one holds for everybody here\n… section:memory#L4\n');
  });

  it('keeps the newest of each dated list by rule, and says so in every form', () => {
    const forms = formsOf(LOG, { keepRecent: 2 });
    expect(forms.render(forms.count - 1)).toBe(LOG.replace(/- 2026-02-03.*\n/, '… older entries: section:memory\n'));
    expect(forms.shown(forms.count - 1)).toMatchObject({
      entries: { shown: 2, total: 3, range: 'newest' },
      isPartial: true,
    });
    expect(formsOf(LOG, { keepRecent: 3 }).render(formsOf(LOG).count - 1)).toBe(LOG);
  });

  it.each([
    ['messages of a conversation', 'user: hi\nassistant: 8080\nuser: thanks\n', 2, /user: hi\n/],
    [
      'each of two lists',
      '## A\n- 2026-02-01 a1\n- 2026-02-04 a2\n## B\n- 2025-02-03 b2\n- 2025-02-02 b1\n',
      1,
      /- .* .1\n/g,
    ],
  ])('keeps the newest of %s by rule', (_, text, keepRecent, old) => {
    const kept = `${text.replace(old, '')}… older entries: section:memory\n`;
    expect(allOf(text, { keepRecent }).at(-1)).toBe(kept);
  });

  it('counts the lines that a list goes on with, and names the next one', () => {
    const lines = [3, 2, 1].map((id) => `${id} | 2026-02-0${id} | step ${id} of the work was done\n`).join('');
    const facts = { hints: { kind: 'line', newestEnd: 'first' }, further: 1200 } as const;
    const forms = formsOf(lines, facts);
    const last = forms.count - 1;
    expect(forms.render(last)).toBe(`${lines}… 1,200 older entries: section:memory#L4\n`);
    expect(forms.render(0)).toContain('was done\n… 1,202 older entries: section:memory#L2\n');
    expect(forms.shown(last)).toMatchObject({ entries: { shown: 3, total: 1203, range: 'newest' }, isPartial: true });
    for (let form = 0; form < forms.count; form++)
      expect(forms.size(form)).toEqual(counter.measure(renderElement('memory', forms.render(form))));
    expect(wholeEntries(forms.render(last))).toEqual(wholeEntries(lines));
    const [one = ''] = lines.split(/(?<=\n)/);
    const single = formsOf(one.trimEnd(), { ...facts, further: 1 });
    expect(single.render(0)).toBe(`${one}… 1 older entry: section:memory#L2\n`);
    expect(single.size(0)).toEqual(counter.measure(renderElement('memory', single.render(0))));
    const ruled = formsOf(lines, {
      ...facts,
      keepRecent: 1,
      keepCited: new Set([entryHash(lines.split('\n')[2] ?? '')]),
    });
    expect(ruled.render(ruled.count - 1)).toMatch(/^3 .*\n1 .*\n… 1,201 older entries: section:memory#L2\n$/);
  });

  it('names the heading of the rest', () => {
    const text = `# A\n\n${SENTENCE}\n\n## B\n\n${SENTENCE}\n`;
    expect(allOf(text)[0]).toBe(`# A\n\n${SENTENCE}\n\n… section:memory#L5\n`);
  });

  it.each(['', 'one line', 'one line\n', '# Title\n', '- a\n- b'])('has the whole of %j as its last form', (text) => {
    const forms = formsOf(text);
    const whole = forms.render(forms.count - 1);
    expect(whole).toBe(text);
    expect(forms.size(forms.count - 1)).toEqual(counter.measure(renderElement('memory', whole)));
  });

  it('has some thousand forms for a megabyte, fine where budgets are', () => {
    const line = (at: number) => `{"id":${at},"ts":"2026-02-03T10:00:00Z","type":"event","summary":"${SENTENCE}"}\n`;
    const text = Array.from({ length: 7000 }, (_, at) => line(at)).join('');
    const forms = formsOf(text);
    expect(forms.count).toBeLessThan(3000);
    for (let form = 1; forms.size(form).tokens < 15_000; form++)
      expect(forms.size(form).tokens - forms.size(form - 1).tokens).toBeLessThan(150);
  });

  // What is not linear does not end within the test's time.
  it('ends on hostile lines', () => {
    const units = [
      '- a\n',
      '```\n',
      '# \n',
      'a. B ',
      '。',
      '. ',
      '.)',
      ' ',
      'a ',
      '-'.repeat(50),
      '2026-01-01\n',
      'user: \n',
      '\n/\n',
      'a\n',
    ];
    for (const unit of some(units, 5)) {
      const text = unit.repeat(Math.ceil(50_000 / unit.length));
      const forms = formsOf(text);
      expect(forms.render(forms.count - 1)).toBe(text);
    }
  });
});
