import { describe, expect, it } from 'vitest';
import { NO_USAGE, type SectionUsage } from '../../../../../src/core/model/usage';
import {
  type GivenSections,
  readGivenSections,
  renameUsage,
} from '../../../../../src/core/pipeline/collect/givenSections';

function read(value: unknown): Extract<GivenSections, { kind: 'ok' }> {
  const given = readGivenSections(JSON.stringify(value));
  if (given.kind === 'wrong') throw new Error(given.why);
  return given;
}

function why(text: string): string {
  const given = readGivenSections(text);
  return given.kind === 'wrong' ? given.why : 'nothing is wrong';
}

describe('readGivenSections', () => {
  it('takes an object of ids and texts, with the defaults of a section', () => {
    const { sections } = read({ soul: 'be kind\n', memory: '' });
    expect(sections.map(({ id, title, priority, body }) => ({ id, title, priority, body }))).toEqual([
      { id: 'soul', title: 'soul', priority: 'P2', body: { kind: 'text', text: 'be kind\n' } },
      { id: 'memory', title: 'memory', priority: 'P2', body: { kind: 'text', text: '' } },
    ]);
  });

  it('takes a list with everything that may be said of a section', () => {
    const { sections } = read([
      {
        id: 'run-logs',
        text: 'a\nb',
        title: 'Runs',
        priority: 'P4',
        keywords: ['run'],
        keep_recent: 3,
        on_demand: true,
        pinned: true,
      },
    ]);
    expect(sections[0]).toMatchObject({
      title: 'Runs',
      priority: 'P4',
      keywords: ['run'],
      keepRecent: 3,
      onDemand: true,
      isPinned: true,
    });
  });

  it('gives a status and a summary to the text as a source would that speaks for itself', () => {
    const { sections } = read([
      { id: 'a', text: 'detail', status: 'WARN', summary: 'one\nport  down' },
      { id: 'b', text: 'first line\nmore', status: 'ALERT' },
      { id: 'c', text: 'whole', status: 'OK' },
      { id: 'd', text: 'whole', summary: 'All well' },
    ]);
    expect(sections.map(({ body }) => body.kind === 'text' && body.text)).toEqual([
      'SUMMARY:WARN:one port down\n---\ndetail',
      'SUMMARY:ALERT:\n---\nfirst line\nmore',
      'whole',
      'SUMMARY:OK:All well\n---\nwhole',
    ]);
  });

  it('finds an element name for ids that are none, apart from those that are, and keeps them as titles', () => {
    const { sections, names } = read({
      'AGENTS.md': 'a',
      'agents-md': 'b',
      'context-notes': 'c',
      '记忆 1': 'd',
      记忆: 'e',
      笔记: 'f',
    });
    const given = ['AGENTS.md', 'agents-md', 'context-notes', '记忆 1', '记忆', '笔记'];
    expect([...names.keys()]).toEqual(given);
    const ids = sections.map(({ id }) => id);
    expect(ids.slice(1, 3)).toEqual(['agents-md', 'context-notes-section']);
    expect(new Set(ids).size).toBe(given.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9-]{0,79}$/);
    expect(sections.map(({ title }) => title)).toEqual(given);
  });

  it('says what is wrong, where, and what it should be', () => {
    expect(why('{')).toMatch(/^it is not JSON: /);
    expect(why('3')).toBe('it must be a list of sections, or an object of ids and texts, but is 3');
    expect(why('[]')).toBe('it has no sections');
    expect(why(`"a${'👍'.repeat(20)}"`)).toMatch(/but is "a(?:👍){18}…$/u);
    expect(why('["a"]')).toBe('sections[0] must be an object with id and text, but is "a"');
    expect(why('[{"id":"a","text":"x"},{"id":"b"}]')).toBe('sections[1].text must be a string, but is missing');
    expect(why('{"a": 4}')).toBe('section "a".text must be a string, but is 4');
    expect(why('[{"id":"…","text":""}]')).toBe('sections[0].id must be a name with a letter or a digit, but is "…"');
    expect(why('[{"id":"a","text":"","priority":"P9"}]')).toBe(
      'sections[0].priority must be one of P0, P1, P2, P3, P4, but is "P9"',
    );
    expect(why('[{"id":"a","text":"","keep_recent":0}]')).toContain('must be a whole number of at least 1');
    expect(why('[{"id":"a","text":"","prio":"P1"}]')).toContain('has the key "prio"; known are id, text');
    expect(why('[{"id":"a","text":""},{"id":"a","text":""}]')).toBe('two sections have the id "a"');
  });
});

describe('renameUsage', () => {
  it('finds the history of sections under the ids they go by', () => {
    const usage: SectionUsage = {
      id: 'AGENTS.md',
      loaded: 1,
      citedCycles: 0,
      citations: 0,
      charsMean: 1,
      return: { judged: 1, citations: 0, roi: null, interval: null, roiClass: 'no data', isUncertain: true },
      citedEntries: [],
      lastCitedCycle: undefined,
      cyclesSinceCited: undefined,
      charsPerCycle: [1],
      citationsPerCycle: [0],
    };
    const window = { ...NO_USAGE, sections: [usage, { ...usage, id: 'git' }] };
    const renamed = renameUsage(window, new Map([['AGENTS.md', 'agents-md']]));
    expect(renamed.sections.map(({ id }) => id)).toEqual(['agents-md', 'git']);
  });
});
