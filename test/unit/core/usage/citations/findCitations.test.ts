import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../../../src/core/transcripts/transcriptAdapter';
import type { CitablePayload, CitableSection } from '../../../../../src/core/usage/citations/citablePayload';
import { CitationFinder } from '../../../../../src/core/usage/citations/findCitations';
import { pathsIn } from '../../../../../src/core/usage/citations/pathNames';

function citable(id: string, text: string, over: Partial<CitableSection> = {}): CitableSection {
  return {
    id,
    handle: `section:${id}`,
    title: id,
    text,
    path: undefined,
    isInventory: false,
    isMap: false,
    paths: pathsIn(text),
    symbols: [],
    symbolHandles: [],
    observationIds: [],
    ...over,
  };
}

const MAP = citable('repo-map', 'src/auth/login.ts\nsrc/auth/token.ts\nsrc/util/clock.ts\nsrc/index.ts\n', {
  isInventory: true,
  isMap: true,
  symbols: ['refreshToken', 'FakeClock'],
  symbolHandles: ['sym:1f3a9c00'],
});
const SECTIONS = [
  citable('agents-md', 'Sessions are signed in `src/auth/token.ts`.\nSee login.test.ts and `db/migrations/`.', {
    path: 'AGENTS.md',
  }),
  citable('soul', 'You are a terse colleague who prefers deletions.', { path: 'memory/SOUL.md' }),
  citable('git', '- M src/util/clock.ts\n- M src/auth/login.ts', { isInventory: true }),
  MAP,
  citable('observations', '12 | 2026-02-03 21:23 | TASK-1 | verify | clock skew found | ~85 tok', {
    observationIds: [12, 15],
  }),
];
const PAYLOAD: CitablePayload = { text: SECTIONS.map(({ text }) => text).join('\n'), sections: SECTIONS };

function call(over: Partial<ToolCall>): ToolCall {
  return { name: 'tool', kind: 'read', paths: [], handles: [], input: '', output: '', isError: false, ...over };
}

function ofCall(...calls: readonly Partial<ToolCall>[]): readonly string[] {
  return new CitationFinder(PAYLOAD)
    .find({ replyText: '', toolCalls: calls.map(call) })
    .map(({ id, evidence, what }) => `${id} ${evidence} ${what}`);
}

function ofReply(replyText: string): readonly string[] {
  return new CitationFinder(PAYLOAD)
    .find({ replyText, toolCalls: [] })
    .map(({ id, evidence, what }) => `${id} ${evidence} ${what}`);
}

describe('what was asked for', () => {
  test('handles and ids of our own tools', () => {
    expect(ofCall({ kind: 'context', handles: ['section:soul', '12', 'sym:1f3a9c00'] })).toEqual([
      'soul handle section:soul',
      'repo-map handle sym:1f3a9c00',
      'observations handle 12',
    ]);
  });

  test('lines of a file ask for the section that names it', () => {
    expect(ofCall({ kind: 'context', handles: ['file:src/auth/token.ts#L10-L40'] })).toEqual([
      'agents-md handle file:src/auth/token.ts#L10-L40',
    ]);
  });

  test('a command line, up to its next option', () => {
    expect(ofCall({ kind: 'run', input: 'node dist/cli.js detail --ids "15, section:soul" --json' })).toEqual([
      'soul handle section:soul',
      'observations handle 15',
    ]);
    expect(ofCall({ kind: 'run', input: 'context-budget timeline --id 12' })).toEqual(['observations handle 12']);
    expect(ofCall({ kind: 'run', input: 'kubectl get pods --ids 12' })).toEqual([]);
  });

  test('a reply that asks, and one that says no', () => {
    expect(ofReply('Please show me section:soul.')).toEqual(['soul handle section:soul']);
    expect(ofReply('There is no need for section:soul here.')).toEqual([]);
    expect(ofReply('请展开 section:soul。')).toEqual(['soul handle section:soul']);
  });

  test('ids that are not in the payload are nothing', () => {
    expect(ofCall({ kind: 'context', handles: ['99', 'section:gone', 'sym:00000000'] })).toEqual([]);
  });
});

describe('what was read or edited', () => {
  test('a path goes to the section that says something about it, else to the shortest list', () => {
    expect(ofCall({ paths: ['src/auth/token.ts'] })).toEqual(['agents-md path src/auth/token.ts']);
    expect(ofCall({ paths: ['src/auth/login.ts'] })).toEqual(['git path src/auth/login.ts']);
    expect(ofCall({ paths: ['src/index.ts'] })).toEqual(['repo-map path src/index.ts']);
  });

  test('a section’s own file is the section', () => {
    expect(ofCall({ paths: ['memory/SOUL.md'] })).toEqual(['soul path memory/SOUL.md']);
  });

  test('patch headers, command lines, absolute paths, Windows paths', () => {
    expect(ofCall({ kind: 'edit', input: 'diff --git a/src/index.ts b/src/index.ts\n--- a/src/index.ts\n' })).toEqual([
      'repo-map path src/index.ts',
    ]);
    expect(ofCall({ kind: 'run', input: 'sed -n 1,20p /home/me/app/src/util/clock.ts | head' })).toEqual([
      'git path src/util/clock.ts',
    ]);
    expect(ofCall({ kind: 'run', input: 'type C:\\work\\app\\src\\util\\clock.ts' })).toEqual([
      'git path src/util/clock.ts',
    ]);
  });

  test('edited text names no paths, but symbols of the map', () => {
    expect(ofCall({ kind: 'edit', paths: ['src/new.ts'], input: "import { x } from 'src/index.ts'" })).toEqual([]);
    expect(ofCall({ kind: 'edit', paths: ['src/new.ts'], input: 'await refreshToken(session)' })).toEqual([
      'repo-map path refreshToken',
    ]);
    expect(ofCall({ kind: 'search', input: 'refreshTokens' })).toEqual([]);
  });

  test('a name without its folder finds the file anywhere, unless every project has one', () => {
    expect(ofCall({ paths: ['src/auth/login.test.ts'] })).toEqual(['agents-md path login.test.ts']);
    expect(ofCall({ paths: ['web/index.ts'] })).toEqual([]);
  });

  test('what failed was not read', () => {
    expect(ofCall({ paths: ['src/auth/token.ts'], isError: true })).toEqual([]);
  });

  test('paths that look alike are others', () => {
    expect(ofCall({ paths: ['web/src/auth/token.ts', 'src/auth/token.tsx', 'src/auth/token.test.ts'] })).toEqual([]);
    expect(ofReply('See web/src/auth/token.ts and src/auth/token.ts.bak.')).toEqual([]);
  });
});

describe('what the reply names', () => {
  test('paths, with lines, in code, in links, in Chinese, by an end that only one has', () => {
    for (const text of [
      'Changed src/auth/token.ts:41.',
      'Changed `src/auth/token.ts`',
      'Changed [it](src/auth/token.ts#L41)',
      '已修改src/auth/token.ts，见上。',
      'Changed auth/token.ts',
      'Changed ./src/auth/token.ts.',
    ])
      expect(ofReply(text), text).toEqual(['agents-md path src/auth/token.ts']);
    expect(ofReply('Changed db/migrations/ only.')).toEqual(['agents-md path db/migrations']);
    expect(ofReply('https://example.com/src/auth/token.ts')).toEqual([]);
  });

  test('a section’s own file is its name, unless it is followed', () => {
    expect(ofReply('I updated memory/SOUL.md and AGENTS.md.')).toEqual([]);
    expect(ofReply('According to AGENTS.md that is fine.')).toEqual(['agents-md path AGENTS.md']);
    expect(ofReply('按照 AGENTS.md 处理。')).toEqual(['agents-md path AGENTS.md']);
    expect(ofReply('`memory/SOUL.md` asks for that.')).toEqual(['soul path memory/SOUL.md']);
  });

  test.each([
    ['observation 12', true],
    ['obs 12', true],
    ['Observations 3, 4 and 15 agree', true],
    ['obs#15', true],
    ['see #12', true],
    ['（＃12）', true],
    ['观察 12 说明', true],
    ['12', false],
    ['fixes #12', false],
    ['issues #3, #12', false],
    ['PR #15', false],
    ['acme/app#12', false],
    ['#123', false],
    ['记录 12 条', false],
    ['observation 12.5', false],
  ])('%s', (text, isId) => {
    expect(ofReply(text).length).toBe(isId ? 1 : 0);
  });

  test('a handle that is only named is an id', () => {
    expect(ofReply('This is what sym:1f3a9c00 does.')).toEqual(['repo-map id sym:1f3a9c00']);
  });

  test('a tag, but not one that is talked about', () => {
    expect(ofReply('Done. [ctx:soul] [ctx:nothing]')).toEqual(['soul tag [ctx:soul]']);
    expect(ofReply('I could write `[ctx:soul]`.')).toEqual([]);
  });

  test('its name alone is nothing', () => {
    expect(ofReply('The soul, the git, the observations, the repo map, agents-md.')).toEqual([]);
  });
});

describe('one citation a section', () => {
  test('the strongest, in payload order', () => {
    const turn = {
      replyText: 'observation 12; according to AGENTS.md; a terse and quiet colleague. [ctx:soul]',
      toolCalls: [call({ paths: ['src/auth/token.ts'] }), call({ kind: 'context', handles: ['15'] })],
    };
    expect(new CitationFinder(PAYLOAD).find(turn)).toEqual([
      { id: 'agents-md', evidence: 'path', what: 'src/auth/token.ts' },
      { id: 'soul', evidence: 'keyword', what: 'terse, colleague' },
      { id: 'observations', evidence: 'handle', what: '15' },
    ]);
  });

  test('what is on one line of at most 120 characters', () => {
    const long = citable('long', `Alpha ${'bravocharlie '.repeat(3)}`, { paths: [`a/${'b'.repeat(300)}.ts`] });
    const [citation] = new CitationFinder({ text: '', sections: [long] }).find({
      replyText: '',
      toolCalls: [call({ paths: [`a/${'b'.repeat(300)}.ts`] })],
    });
    expect(citation?.what).toHaveLength(120);
  });
});

describe('quotations', () => {
  test('an echoed element, a copied line and a quotation are no use', () => {
    for (const text of [
      '<soul>\nAnything at all about terse deletions\n</soul>',
      'You are a terse colleague who prefers deletions.',
      '> - You are a terse colleague who prefers deletions.',
      'It says: "a terse colleague who prefers deletions". I see.',
      '12 | 2026-02-03 21:23 | TASK-1 | verify | clock skew found | ~85 tok',
    ])
      expect(ofReply(text), text).toEqual([]);
  });

  test('the same in other words is', () => {
    expect(ofReply('Terse, as from a colleague.')).toEqual(['soul keyword Terse, colleague']);
  });

  test('an element that is not closed hides nothing behind it', () => {
    expect(ofReply('<soul> is open. I changed src/auth/token.ts')).toEqual(['agents-md path src/auth/token.ts']);
  });

  test('an element of another name is the agent’s own', () => {
    expect(ofReply('<answer>Changed src/auth/token.ts</answer>')).toEqual(['agents-md path src/auth/token.ts']);
  });
});

describe('dismissals', () => {
  test.each([
    'I did not open src/auth/token.ts.',
    "I haven't touched src/auth/token.ts",
    'src/auth/token.ts is not relevant here.',
    'src/auth/token.ts was left alone; left src/auth/token.ts untouched.',
    '没有打开 src/auth/token.ts。',
    'src/auth/token.ts 与此无关。',
  ])('%s', (text) => {
    expect(ofReply(text)).toEqual([]);
  });

  test('end with their sentence, or where the thought turns', () => {
    expect(ofReply('I did not open src/index.ts, but src/auth/token.ts explains it.')).toEqual([
      'agents-md path src/auth/token.ts',
    ]);
    expect(ofReply('No need for section:soul. I changed src/auth/token.ts.')).toEqual([
      'agents-md path src/auth/token.ts',
    ]);
  });

  test('a rule that forbids is content', () => {
    expect(ofReply('Never use src/auth/token.ts directly.')).toEqual(['agents-md path src/auth/token.ts']);
  });
});
