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
    symbols: ['crop_orig_bbox', 'LeaseBook'],
    placedSymbols: ['Sidebar.Panel', 'render.Panel'],
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
    'All leases are kept by `LeaseBook`; run `make lint` after a change.',
    'The bbox of a crop is returned in the coordinates of the original image.',
    '```',
    'git commit -m "feat: sign in with a key (task 1.2)"',
    '```',
  ].join('\n'),
  { path: 'AGENTS.md', symbols: ['LeaseBook'] },
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

  test('is used with it by a name of two words that both have', () => {
    expect(cited('`LeaseBook` forgets them now.')).toEqual(['repo-map', 'agents-md']);
    expect(cited('`LeaseBook` forgets them now.', [], 'What does LeaseBook do?')).toEqual([]);
  });

  test('is not needed for a target of make', () => {
    expect(cited('', [{ kind: 'run', input: 'make lint' }])).toEqual(['agents-md']);
  });

  test('is used where commands read a file, and not where they look at its name or Git moves it', () => {
    const run = (input: string) => cited('', [{ kind: 'run', input }]);
    expect(run('cd web\ncat AGENTS.md')).toEqual(['agents-md']);
    expect(run('git add -A \\\r\n  AGENTS.md')).toEqual([]);
    expect(cited('Then `git add` it:\n```\ngit checkout main && cat server/routes/chat.py\n```')).toEqual([
      'repo-map',
      'agents-md',
    ]);
    expect(run('cd web\ngit checkout -- \\\n  AGENTS.md')).toEqual([]);
    expect(run('ls -la; stat -f %Sm AGENTS.md')).toEqual([]);
    expect(cited('Then:\n```\ngit add web/app.ts \\\n  server/routes/chat.py\n```\nThat is all.')).toEqual([]);
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

  test('is used by an ordinary name behind its file or folder, and not by the name alone', () => {
    expect(cited('It returns `render::Sidebar::Panel` now.')).toEqual(['repo-map']);
    expect(cited('', [{ kind: 'run', input: 'git commit -m "fix: boxes.Panel is drawn twice"' }])).toEqual([]);
    expect(cited('', [{ kind: 'run', input: 'git commit -m "fix: Sidebar.Panel is drawn twice"' }])).toEqual([
      'repo-map',
    ]);
    expect(cited('It returns a Panel now.')).toEqual([]);
    expect(cited('See Sidebar.Panel.', [], 'Draw a Panel')).toEqual([]);
    expect(cited('It returns `Sidebar.Panel` now.', [], 'Draw the Panel')).toEqual([]);
  });

  test('keeps the parts of its names from others', () => {
    expect(cited('crop_orig_bbox is right.')).toEqual(['repo-map']);
  });
});

test('a file that two sections tell of is used with the one that is used besides', () => {
  const [first, second] = ['a', 'b'].map((id) =>
    citable(id, `Run \`bin/check_all.py\` first. ${id === 'b' ? 'Keep the copper ledger in three columns.' : ''}`, {
      path: `${id}.md`,
      paths: ['bin/check_all.py', ...(id === 'b' ? ['x/y.py'] : [])],
    }),
  );
  const sections = [first, second].flatMap((section) => section ?? []);
  const of = (replyText: string) =>
    new CitationFinder({ text: sections.map(({ text }) => text).join('\n'), sections })
      .find({
        replyText,
        toolCalls: [
          {
            ...{ name: 'Read', kind: 'read', handles: [], input: '', output: '', isError: false },
            paths: ['bin/check_all.py'],
          },
        ],
      })
      .map(({ id }) => id);
  expect(of('Done.')).toEqual(['a']);
  expect(of('I keep the copper ledger in three columns.')).toEqual(['b']);
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

describe('what only one section gives', () => {
  const guide = citable(
    'guide',
    [
      'Events: GuessProcessed and RoundEnded close a round of ShopFloor.',
      'Use `bun run` for scripts. Keep 80% test coverage.',
      'We pin zod 3.22.4. Posts go out by the Twitter API v2.',
      '├── tables/',
      '│   ├── orders.prisma   # one row an order',
      '│   └── stock.prisma',
      'Escrever docstrings em português brasileiro sempre.',
      'Keep facts with facts-keep-safe.',
    ].join('\n'),
  );
  const map = citable('repo-map', 'shop_floor/till.ts\ndocs/ledger.md\nlib/till.ts\n', {
    isInventory: true,
    isMap: true,
    symbols: ['ShopFloor', 'openTill'],
    paths: ['shop_floor/till.ts', 'docs/ledger.md', 'lib/till.ts'],
  });
  const sections = [
    guide,
    map,
    citable('rules', 'Run `uv run` always. Mind the gap.'),
    citable('more', 'Run `uv run` too.'),
  ];
  const finder = new CitationFinder({ text: sections.map(({ text }) => text).join('\n'), sections });
  const of = (replyText: string, calls: readonly Partial<ToolCall>[] = [], task = ''): readonly string[] =>
    finder
      .find({
        replyText,
        toolCalls: calls.map((each) => ({
          ...{ name: 'tool', kind: 'read', paths: [], handles: [], input: '', output: '', isError: false },
          ...each,
        })),
        task,
      })
      .map(({ id, what }) => `${id}: ${what}`);

  test('two names that it made up, in a reply or a search, and one alone not', () => {
    expect(of('GuessProcessed comes before RoundEnded.')).toEqual(['guide: GuessProcessed, RoundEnded']);
    expect(of('', [{ kind: 'search', input: 'GuessProcessed|RoundEnded' }])).toEqual([
      'guide: GuessProcessed, RoundEnded',
    ]);
    expect(of('GuessProcessed comes first.')).toEqual([]);
    expect(of('GuessProcessed comes before RoundEnded.', [], 'Emit RoundEnded earlier')).toEqual([]);
  });

  test('but not in an edit, where they may have stood', () => {
    expect(of('', [{ kind: 'edit', paths: ['a.ts'], input: 'emit(GuessProcessed); emit(RoundEnded)' }])).toEqual([]);
  });

  test('a symbol that a folder is called by says nothing of the map', () => {
    expect(of('ShopFloor starts.')).toEqual([]);
    expect(of('openTill starts.')).toEqual(['repo-map: openTill']);
  });

  test('the program that runs others, unless two sections choose it', () => {
    expect(of('', [{ kind: 'run', input: 'cd app && DEBUG=true bun run src/cli.ts' }])).toEqual(['guide: bun run']);
    expect(of('', [{ kind: 'run', input: 'uv run pytest' }])).toEqual([]);
  });

  test.each([
    ['I reached 80% test coverage.', '80% test coverage'],
    ['It is on zod 3.22.4 now.', 'zod 3.22.4'],
    ['Docstrings em português brasileiro estão prontas.', 'Docstrings em português …'],
  ])('an amount, a version or a run of words: %s', (text, what) => {
    expect(of(text)).toEqual([`guide: ${what}`]);
  });

  test('the version of a thing that the task names', () => {
    expect(of('It calls the Twitter API v2.', [], 'Post to Twitter')).toEqual(['guide: Twitter API v2']);
  });

  test('a file of which its tree says what it is', () => {
    expect(of('', [{ kind: 'read', paths: ['db/tables/orders.prisma'] }])).toEqual(['guide: db/tables/orders.prisma']);
    expect(of('', [{ kind: 'read', paths: ['db/tables/stock.prisma'] }])).toEqual([]);
  });

  test('a tool of a server, behind the name of the server', () => {
    expect(of('', [{ kind: 'other', name: 'notes-mcp - facts-keep-safe' }])).toEqual(['guide: facts-keep-safe']);
  });

  test('files that a page names, and not those that code imports', () => {
    const input = 'See lib/till.ts for the till.';
    expect(of('', [{ kind: 'edit', paths: ['README.md'], input }])).toEqual(['repo-map: lib/till.ts']);
    expect(of('', [{ kind: 'edit', paths: ['src/b.ts'], input }])).toEqual([]);
  });

  test('a bare name is that of the file that was opened', () => {
    const opened = [{ kind: 'read' as const, paths: ['other/ledger.md'] }];
    expect(of('I read ledger.md again.')).toEqual(['repo-map: docs/ledger.md']);
    expect(of('I read ledger.md again.', opened)).toEqual([]);
  });
});
