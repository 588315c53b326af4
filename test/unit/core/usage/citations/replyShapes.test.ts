import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../../../src/core/transcripts/transcriptAdapter';
import { CitationFinder } from '../../../../../src/core/usage/citations/findCitations';
import { citable } from '../../../../support/sectionBuilder';

const MAP = citable(
  'repo-map',
  'README.md\nserver/routes/chat.py\nserver/render/Sidebar.tsx\nserver/boxes.py\n  57 crop_orig_bbox',
  {
    isInventory: true,
    isMap: true,
    symbols: ['crop_orig_bbox'],
  },
);

const RULES = citable(
  'agents-md',
  [
    'Message flow lives in `server/routes/chat.py`; `server/render/Sidebar.tsx` draws the tree.',
    'Alerts have levels (15/30/45 min).',
    'Bug fixes are entered in `docs/changelog/bugfix/YYYY-MM-DD-{slug}.md`.',
    'Spec changes go through `spec/` with a decision record; nobody relaxes it to make results pass.',
    'Small changes stay lightweight; only real subsystems get a `drafts/` doc, never one in docs/.',
    'Integration tests create isolated tmux servers; keep them deterministic and ensure cleanup.',
    'File issues at `2AMLogic/layout-tools`.',
    '- **Full-speed first.** High-speed is a stretch goal.',
    'The bbox of a crop is returned in the coordinates of the original image.',
    '```',
    'git commit -m "feat: sign in with a key (task 1.2)"',
    '```',
  ].join('\n'),
  { path: 'AGENTS.md' },
);
const STYLE = citable('style', '- Example: [schema](mdc:prisma/schema.prisma) for references to code');

function cited(replyText: string, calls: readonly Partial<ToolCall>[] = [], task = ''): readonly string[] {
  const sections = [MAP, RULES, STYLE];
  const toolCalls = calls.map((call) => ({
    ...{ name: 'tool', kind: 'read' as const, paths: [], handles: [], input: '', output: '', isError: false },
    ...call,
  }));
  return new CitationFinder({ text: sections.map(({ text }) => text).join('\n'), sections })
    .find({ replyText, toolCalls, task })
    .map(({ id }) => id);
}

describe('the map, beside a section that says something of its files', () => {
  test('is used with it by an edit', () => {
    expect(cited('Done.', [{ kind: 'edit', paths: ['server/render/Sidebar.tsx'] }])).toEqual(['repo-map', 'agents-md']);
  });

  test('is used alone where a reply has only the name of the file', () => {
    expect(cited('I changed `chat.py`.')).toEqual(['repo-map']);
    expect(cited('I changed `server/routes/chat.py`.')).toEqual(['repo-map', 'agents-md']);
  });

  test('is used by a page of the root that it shows', () => {
    expect(cited('I said so in `README.md`.')).toEqual(['repo-map']);
    expect(cited('I said so in README.md.')).toEqual([]);
    expect(cited('I said so in `CHANGELOG.md`.')).toEqual([]);
    expect(cited('I said so in `web/README.md`.')).toEqual([]);
  });

  test('keeps the parts of its names from others', () => {
    expect(cited('crop_orig_bbox is right.')).toEqual(['repo-map']);
  });
});

describe('what an instruction file lays down', () => {
  test('steps of a scale', () => {
    expect(cited('The levels stay at 15/30/45 as they are.')).toEqual(['agents-md']);
    expect(cited('It fell on 15/3/45.')).toEqual([]);
    expect(cited('The levels are 15/30/60.')).toEqual([]);
  });

  test('a pattern of file names', () => {
    expect(cited('The entry is docs/changelog/bugfix/2026-11-28-twice.md.')).toEqual(['agents-md']);
    expect(cited('The entry is docs/changelog/ops/2026-11-28-twice.md.')).toEqual([]);
  });

  test('a long run of ordinary words', () => {
    expect(cited('Such a thing goes through `spec/` with a decision record.')).toEqual(['agents-md']);
    expect(cited('It goes with a decision record.')).toEqual([]);
  });

  test('a name that begins with a digit', () => {
    expect(cited('It is filed at `2AMLogic/layout-tools`.')).toEqual(['agents-md']);
  });

  test('a rule in other words, by a folder and by the order of words', () => {
    expect(cited('A small change stays out of drafts/.')).toEqual(['agents-md']);
    expect(cited('A small change stays out of docs/.')).toEqual([]);
    expect(cited('Each test starts its own isolated tmux server.')).toEqual(['agents-md']);
    expect(cited('Each server is run in tmux by an isolated test.')).toEqual([]);
  });

  test('no example, and no command of everybody', () => {
    expect(cited('I changed prisma/schema.prisma.')).toEqual([]);
    expect(cited('```\ngit commit -m "feat: draw a box"\n```')).toEqual([]);
  });
});

describe('what was not used', () => {
  test('stands behind a colon alone, or in the whole sentence', () => {
    expect(cited('Levels are 15/30/45 min: I did not read the style section.')).toEqual(['agents-md']);
    expect(cited('I did not read AGENTS.md: levels of 15/30/45 min are not mine.')).toEqual([]);
  });
});
