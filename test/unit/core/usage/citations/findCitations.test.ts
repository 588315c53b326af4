import { describe, expect, test } from 'vitest';
import { wholeEntries } from '../../../../../src/core/pipeline/fit/pieces';
import type { ToolCall } from '../../../../../src/core/transcripts/transcriptAdapter';
import {
  type CitablePayload,
  citablePayload,
  type GivenPayload,
  unknownSections,
} from '../../../../../src/core/usage/citations/citablePayload';
import { CitationFinder } from '../../../../../src/core/usage/citations/findCitations';
import { pathsIn } from '../../../../../src/core/usage/citations/pathNames';
import { usageDraft } from '../../../../../src/core/usage/usageDraft';
import { entryHash, MAX_MAP_NAMES } from '../../../../../src/core/usage/usageRecord';
import { reportOf } from '../../../../support/labelledReplies';
import { citable } from '../../../../support/sectionBuilder';

const MAP = citable(
  'repo-map',
  'src/auth/login.ts\nsrc/auth/token.ts\nsrc/util/clock.ts\nsrc/index.ts\nmemory/SOUL.md\n',
  {
    isInventory: true,
    isMap: true,
    symbols: ['refreshToken', 'FakeClock'],
    symbolHandles: ['sym:1f3a9c00'],
  },
);
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

/** What says something about the path, and the map that shows it. */
const BOTH = ['agents-md path src/auth/token.ts', 'repo-map path src/auth/token.ts'];

describe('where an agent works and what it runs', () => {
  const rules = citable(
    'agents-md',
    'Migrations live in `db/migrations/`.\nAfter changes: `npm run check`. Never `node_modules`.',
    {
      path: 'AGENTS.md',
      symbols: ['node_modules', 'ELECTRON_RUN_AS_NODE'],
    },
  );
  const sections = [rules, MAP];
  const found = (input: string, kind: ToolCall['kind'] = 'run', task = '') =>
    new CitationFinder({ text: sections.map(({ text }) => text).join('\n'), sections })
      .find({ replyText: '', toolCalls: [call({ kind, input })], task })
      .map(({ id, what }) => `${id} ${what}`);

  test('a word of many parts is no address, and read once', () => {
    expect(found(`npm run check && echo ${'a.'.repeat(150_000)}`)).toEqual(['agents-md npm run check']);
  });

  test('a command of hundreds of thousands of blank lines is read once', () => {
    expect(found(`npm run check${'\n'.repeat(300_000)}`)).toEqual(['agents-md npm run check']);
  });

  test('a folder is no evidence, a file in it is', () => {
    expect(found('cd db/migrations && ls -la')).toEqual([]);
    expect(found('cd db/migrations && cat src/util/clock.ts')).toEqual(['repo-map src/util/clock.ts']);
  });

  test('Git moves a file and does not read it', () => {
    expect(found('git add AGENTS.md && git commit -m "shorten AGENTS.md"')).toEqual([]);
    expect(found('git show HEAD:AGENTS.md')).toEqual(['agents-md AGENTS.md']);
  });

  test('a command counts with what its output goes to', () => {
    const said = ['agents-md npm run check'];
    for (const end of ['', ' 2>&1 | tail -5', ' > /tmp/log', ' | grep error'])
      expect(found(`npm run check${end}`)).toEqual(said);
    expect(found('npm run build')).toEqual([]);
  });

  test("a name of two words is a section's only if the map shows it", () => {
    expect(found('ls node_modules')).toEqual([]);
    expect(found('ELECTRON_RUN_AS_NODE=1 node a.js')).toEqual(['agents-md ELECTRON_RUN_AS_NODE']);
    expect(found('rg refreshToken', 'search')).toEqual(['repo-map refreshToken']);
  });

  test('what the task names comes from no section', () => {
    expect(found('rg refreshToken', 'search', 'why is refreshToken slow?')).toEqual([]);
    expect(found('cat src/util/clock.ts', 'run', 'read src/util/clock.ts in full')).toEqual([]);
  });

  test('what stands between two pieces of code is no code', () => {
    const section = citable('agents-md', 'Run `pi` and use `tmux` and use it.');
    const finder = new CitationFinder({ text: section.text, sections: [section] });
    expect(finder.find({ replyText: 'Run `pi` and use `/theme` to see it.', toolCalls: [] })).toEqual([]);
  });
});

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
  test('a path goes to the section that says something about it, else to the shortest list, and to the map', () => {
    expect(ofCall({ paths: ['src/auth/token.ts'] })).toEqual([
      'agents-md path src/auth/token.ts',
      'repo-map path src/auth/token.ts',
    ]);
    expect(ofCall({ paths: ['src/auth/login.ts'] })).toEqual([
      'git path src/auth/login.ts',
      'repo-map path src/auth/login.ts',
    ]);
    expect(ofCall({ paths: ['src/index.ts'] })).toEqual(['repo-map path src/index.ts']);
  });

  test('a section’s own file is the section, and nothing of the map that lists it', () => {
    expect(ofCall({ paths: ['memory/SOUL.md'] })).toEqual(['soul path memory/SOUL.md']);
  });

  test('patch headers, command lines, absolute paths, Windows paths', () => {
    expect(ofCall({ kind: 'edit', input: 'diff --git a/src/index.ts b/src/index.ts\n--- a/src/index.ts\n' })).toEqual([
      'repo-map path src/index.ts',
    ]);
    expect(ofCall({ kind: 'run', input: 'sed -n 1,20p /home/me/app/src/util/clock.ts | head' })).toEqual([
      'git path src/util/clock.ts',
      'repo-map path src/util/clock.ts',
    ]);
    expect(ofCall({ kind: 'run', input: 'type C:\\work\\app\\src\\util\\clock.ts' })).toEqual([
      'git path src/util/clock.ts',
      'repo-map path src/util/clock.ts',
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
      expect(ofReply(text), text).toEqual(BOTH);
    expect(ofReply('Changed db/migrations/ only.')).toEqual(['agents-md path db/migrations']);
    expect(ofReply('https://example.com/src/auth/token.ts')).toEqual([]);
  });

  test('a section’s own file is its name, unless it is followed', () => {
    expect(ofReply('I updated SOUL.md and AGENTS.md.')).toEqual([]);
    expect(ofReply('I updated memory/SOUL.md.')).toEqual(['soul path memory/SOUL.md']);
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
    ['It was seen in observation 12.', true],
    ['Observation no. 12 says so.', true],
    ['observation (12)', true],
    ['见第 12 条记录', true],
    ['12 号观察说明', true],
    ['共 12 条记录', false],
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

describe('what tells a section', () => {
  const rules = citable(
    'rules',
    `Generated code lies in \`src/generated/\`, see \`USER.md\` and \`PLAN.md\`.
- \`trash\` > \`rm\`: what is gone is gone
- Acceptance tests follow the acceptance rules of the harbour
- Set ELECTRON_RUN_AS_NODE for the launcher
- HAIKU for greetings
- Never take Sonnet/Opus for casual chat`,
    { path: 'docs/rules.md', symbols: ['ELECTRON_RUN_AS_NODE', 'src_generated_api'] },
  );
  const proto = citable(
    'proto',
    'Name services `PascalCaseService`.\nThe compiler writes `src/generated/` from protobuf files; never edit them. See a.ts, b.ts and c.ts',
    { path: 'docs/proto.md' },
  );
  const facts = citable('facts', '- Sessions lie on C: (110 files / 14 MB), against Rule 6\n- 软限制：100 行');
  const files = citable('repo-map', 'USER.md\nsrc/src_generated_api/index.ts\nsrc/tabs/bar.ts', {
    isInventory: true,
    isMap: true,
    symbols: ['TabBar'],
  });
  const sections = [rules, proto, facts, files];
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const cited = (replyText: string, task = ''): readonly string[] =>
    new CitationFinder(payload)
      .find({ replyText, toolCalls: [], task })
      .map(({ id, evidence, what }) => `${id} ${evidence} ${what}`);

  test('a path that several tell speaks for the one whose words are there too', () => {
    expect(
      cited('All is under src/generated/ as the compiler wrote it from protobuf, with PascalCaseService names.'),
    ).toEqual(['proto path src/generated']);
  });
  test('a path of the task is no evidence', () => {
    expect(cited('I looked at src/tabs/bar.ts.')).toEqual(['repo-map path src/tabs/bar.ts']);
    expect(cited('I looked at src/tabs/bar.ts.', 'Read src/tabs/bar.ts')).toEqual([]);
  });
  test('a file of every folder that a section mentions is told by it only where it is not there', () => {
    expect(cited('The tone is that of USER.md.')).toEqual([]);
    expect(cited('A request with just a PLAN.md comes first.')).toEqual(['rules path PLAN.md']);
  });
  test('a file of every project is no evidence for the section that asks for it', () => {
    const asks = citable('asks', 'Add a line to `docs/CHANGELOG.md`; plans go to `docs/NIGHTLY.md`.');
    const find = (replyText: string) =>
      new CitationFinder({ text: asks.text, sections: [asks] }).find({ replyText, toolCalls: [] });
    expect(find('Updated: `CHANGELOG.md` and README.md.')).toEqual([]);
    expect(find('Updated: `docs/CHANGELOG.md`.')).toMatchObject([{ evidence: 'path' }]);
    expect(find('Updated: `NIGHTLY.md`.')).toMatchObject([{ evidence: 'path' }]);
  });
  test('the folder that a project lies in is no symbol', () => {
    expect(cited('It lies in `/home/me/TabBar/` and ~/work/TabBar/docs.')).toEqual([]);
    expect(cited('See ui/TabBar.')).toEqual(['repo-map keyword TabBar']);
  });
  test('a name of three words speaks for its one section, that of a folder does not', () => {
    expect(cited('ELECTRON_RUN_AS_NODE stays as it is.')).toEqual(['rules keyword ELECTRON_RUN_AS_NODE']);
    expect(cited('It is in src_generated_api now.')).toEqual([]);
  });
  test('a symbol of the map needs no third word', () => {
    expect(cited('The TabBar keeps its state.')).toEqual(['repo-map keyword TabBar']);
  });
  test('a count and a number with its noun are facts', () => {
    expect(cited('They take 14 MB in 110 files, against Rule 6.')).toEqual([
      expect.stringMatching(/^facts keyword 14 MB, .*Rule 6/),
    ]);
    expect(cited('The notes came to 14 pages, Rule 7 holds.')).toEqual([]);
  });
  test('commands of one word are known by their code spans', () => {
    expect(cited('I removed them with `trash`, not `rm`.')).toEqual(['rules keyword trash, rm']);
    expect(cited('I took out the trash, ma rm.')).toEqual([]);
  });
  test('two words that are one name are one finding', () => {
    expect(cited('The harbour acceptance is done.')).toEqual([]);
  });
  test('words of neighbouring rules add up; alternatives are no path', () => {
    expect(cited('Greetings went to Haiku; Sonnet came in for the launcher, Opus never.')).toEqual([
      'rules keyword Greetings, Haiku, Sonnet, launcher, Opus',
    ]);
  });
});

describe('names of rules, tasks and folders', () => {
  const sections = [
    citable('house-rules', 'Two people look at each release.', { path: 'docs/rules/four-eyes.md' }),
    citable('rules', 'Notes lie in `/handover/notes/` and the key in `~/.harbour/keys/signing`.', {
      paths: [...pathsIn('`/handover/notes/` `~/.harbour/keys/signing`'), 'docs/rules/small-steps.mdc'],
    }),
    citable('tests', 'Recorded calls lie in `tests/e2e/tapes/<name>.yaml`, pages in `tests/pages/`.'),
    citable('repo-map', 'adr/0012-use-queues.md\nadr/0013-drop-cron.md\ndocs/013-later.md\nlib/0013-x.md\n', {
      isInventory: true,
      isMap: true,
    }),
  ];
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const found = (replyText: string, task = '') =>
    new CitationFinder(payload)
      .find({ replyText, toolCalls: [], task })
      .map(({ id, evidence, what }) => `${id} ${evidence} ${what}`);

  test('a rule by the name of its file', () => {
    expect(found('That would break the "four-eyes" rule.')).toEqual(['house-rules path four-eyes']);
    expect(found('As the `small-steps` rule has it, one commit each.')).toEqual(['rules path small-steps']);
    expect(found('Four-eyes is a fine name, and small-steps too.')).toEqual([]);
    expect(found('It keeps to the four-eyes rule.', 'Apply the four-eyes rule')).toEqual([]);
  });
  test('a numbered file by its number, where only one has it', () => {
    expect(found('ADR 0012 decides it.')).toEqual(['repo-map path 0012']);
    expect(found('ADR 0013 decides it.')).toEqual([]);
    expect(found('The port is 0012, and task 12 is done.')).toEqual([]);
  });
  test('paths from the root of the folder or from home', () => {
    expect(found('It is in handover/notes/.')).toEqual(['rules path handover/notes']);
    expect(found('It needs ~/.harbour/keys/signing.')).toEqual(['rules path .harbour/keys/signing']);
    expect(pathsIn('/home/me/shop/ and ~/shop and /handover/plan.md')).toEqual(['handover/plan.md']);
  });
  test('a new file below a folder of its own', () => {
    expect(found('The new call is `tests/e2e/tapes/refund/late.yaml`.')).toEqual(['tests path tests/e2e/tapes']);
    expect(found('The new page is `tests/pages/refund.ts`.')).toEqual([]);
  });
});

describe('commands', () => {
  const sections = [
    citable(
      'agents-md',
      'Before you push:\n  poetry run nox -s lint\nThen `git add -A` and `just docs serve`. Never `make ship it`. `console.log` stays out.',
    ),
    citable('memory', 'The `just docs serve` of last week was slow. 第 2 步：`pnpm turbo lint`'),
  ];
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const found = (replyText: string, input = '', kind: ToolCall['kind'] = 'run') =>
    new CitationFinder(payload)
      .find({ replyText, toolCalls: input === '' ? [] : [call({ kind, input })] })
      .map(({ id, evidence, what }) => `${id} ${evidence} ${what}`);

  test('that a tool runs, alone or among others', () => {
    expect(found('', 'cd app && poetry run nox -s lint | tail -5')).toEqual([
      'agents-md keyword poetry run nox -s lint',
    ]);
    expect(found('', 'poetry run nox -s lint', 'edit')).toEqual([]);
    expect(found('', 'poetry run nox -s types')).toEqual([]);
  });
  test('in a block of code of the reply', () => {
    expect(found('The job:\n```yaml\nsteps:\n  - run: pnpm turbo lint\n```\nIt is green.')).toEqual([
      'memory keyword pnpm turbo lint',
    ]);
    expect(found('- run: pnpm turbo lint')).toEqual([]);
  });
  test('a function is no file', () => {
    expect(found('Took out the console.log calls.')).toEqual([]);
  });
  test('of everybody and those that were not needed say nothing, those of two sections speak for both', () => {
    expect(found('', 'just docs serve')).toEqual([
      'agents-md keyword just docs serve',
      'memory keyword just docs serve',
    ]);
    expect(found('', 'git add -A')).toEqual([]);
    expect(found('You need neither `make ship it` nor a token.')).toEqual([]);
    expect(found('I ran `make ship it`.')).toEqual(['agents-md keyword make ship it']);
  });
});

test('the rest of a pattern is no file', () => {
  const section = citable('rules', 'Pages in Japanese are `*-ja.html`, those of `docs/**/start.md` too.');
  const finder = new CitationFinder({ text: section.text, sections: [section] });
  expect(section.paths).toEqual(['start.md']);
  expect(finder.find({ replyText: 'I changed `-ja.html`.', toolCalls: [] })).toEqual([]);
});

describe('beginnings of commands', () => {
  const sections = [
    citable(
      'guide',
      'Tests: `pytest --spec`. State: `shopctl tasks state set <id>`, `docker compose exec web sh`.\n```\nshopctl report week --path .\n```',
    ),
    ...['a', 'b', 'c', 'd'].map((id) => citable(id, `Everybody of ${id} runs \`tools all check\`.`)),
    citable('repo-map', 'shopctl report month', { isInventory: true, isMap: true }),
  ];
  const found = (input: string, task = '', replyText = '') =>
    new CitationFinder({ text: '', sections })
      .find({ replyText, toolCalls: [call({ kind: 'run', input })], task })
      .map(({ id, what }) => `${id}: ${what}`);

  test.each([
    ['what follows a whole command', 'cd /shop && pytest --spec tests/a.py | tail -3', ['guide: pytest --spec']],
    ['what stands for something', "shopctl tasks state set '#12' DONE", ['guide: shopctl tasks state set']],
    [
      'other arguments of a program of the project',
      'shopctl report week --path /b',
      ['guide: shopctl report week --pa…'],
    ],
    ['another command of it, by two words', 'shopctl report day', ['guide: shopctl report']],
    ['another program', 'pytest --quiet', []],
    ['another command of the program', 'shopctl log', []],
    ['the beginning of a command of a common program', 'docker compose exec db psql', []],
    ['what more sections have than three', 'tools all check --fast', []],
  ])('%s', (_, input, cited) => {
    expect(found(input)).toEqual(cited);
  });

  test('that the task has say nothing', () => {
    expect(found('pytest --spec tests/a.py', 'Run pytest --spec on a.')).toEqual([]);
  });

  test('in code of the reply count too', () => {
    expect(found('ls', '', 'Then `pytest --spec tests/a.py` passes.')).toEqual(['guide: pytest --spec']);
  });
});

describe('two sections with nearly the same text', () => {
  const rules = ['Money is counted by `shop count --minor`.', 'Then `shop close --day`.', 'A', 'B', 'C', 'D', 'E', 'F'];
  const claude = citable('claude-md', `# CLAUDE.md\n${rules.join('\n')}`, { path: 'CLAUDE.md' });
  const agents = citable('agents-md', `# AGENTS.md\n\n${rules.join('\n')}\nAsk before \`shop ship it\`.`, {
    path: 'AGENTS.md',
  });
  const found = (replyText: string, first = claude, second = agents) =>
    new CitationFinder({ text: '', sections: [first, second] }).find({ replyText, toolCalls: [] }).map(({ id }) => id);

  test('are cited both by what both say', () => {
    expect(found('I ran `shop count --minor`.')).toEqual(['claude-md', 'agents-md']);
  });

  test('and one of them by what it alone says, by its file, and by its handle', () => {
    expect(found('I ran `shop ship it`.')).toEqual(['agents-md']);
    expect(found('Asked, as AGENTS.md says.')).toEqual(['agents-md']);
    expect(found('Asked, as CLAUDE.md says.')).toEqual(['claude-md']);
    expect(found('Please show section:claude-md.')).toEqual(['claude-md']);
    expect(found('Counted. [ctx:claude-md]')).toEqual(['claude-md']);
  });

  test('two that share a line or two are two', () => {
    const other = citable('agents-md', `${rules[0]}\nOpen at nine.\nClose the door.\nLock it.`);
    expect(found('I ran `shop close --day`.', claude, other)).toEqual(['claude-md']);
  });
});

describe('what few instruction files ask for', () => {
  const sections = [
    citable('guide', 'Read facts with mcp__facts__read. Each change has a line in CHANGELOG.md.'),
    ...['a', 'b', 'c', 'd'].map((id) => citable(id, `mcp__notes__write is there for ${id}.`)),
  ];
  const found = (over: Partial<ToolCall>, task = '') =>
    new CitationFinder({ text: '', sections })
      .find({ replyText: '', toolCalls: [call(over)], task })
      .map(({ id, what }) => `${id}: ${what}`);

  test('a tool of a server that they name', () => {
    expect(found({ name: 'mcp__facts__read', kind: 'other' })).toEqual(['guide: mcp__facts__read']);
    expect(found({ name: 'mcp__facts__read', kind: 'other' }, 'Use mcp__facts__read.')).toEqual([]);
    expect(found({ name: 'mcp__notes__write', kind: 'other' })).toEqual([]);
  });

  test('a changelog that is kept, unless the task asked for it', () => {
    expect(found({ kind: 'edit', paths: ['web/CHANGELOG.md'] })).toEqual(['guide: CHANGELOG.md']);
    expect(found({ kind: 'edit', paths: ['web/CHANGELOG.md'] }, 'Write the change log.')).toEqual([]);
    expect(found({ kind: 'read', paths: ['web/CHANGELOG.md'] })).toEqual([]);
  });
});

describe('facts and terms of one section', () => {
  const sections = [
    citable(
      'machine',
      'Disk: 71GB free. Needs Erlang 26 or newer, `mosquitto` runs. A page has at most ~90 lines, 标题不超过45字. Error 404 is logged. 10 GB a day, since March 26. Steps are < 50 lines.',
    ),
    citable('plan', '宁缺毋滥之策，先验证后发布。数据库迁移放在周末。Costs 71 EUR, `ansible` too; ansible is old.'),
    citable('repo-map', 'src/shop.py\n  3 def close(cart_id, till_no)\n  9 def open_till_no_now()\nansible.cfg', {
      isInventory: true,
      isMap: true,
      symbols: ['open_till_no_now'],
    }),
  ];
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const found = (replyText: string, task = '') =>
    new CitationFinder(payload).find({ replyText, toolCalls: [], task }).map(({ id, what }) => `${id} ${what}`);

  test('an amount, a name with its number, a limit', () => {
    expect(found('Only 71 GB are left.')).toEqual(['machine 71 GB']);
    expect(found('It wants Erlang 26.')).toEqual(['machine Erlang 26']);
    expect(found('The page stays below 90 lines.')).toEqual(['machine 90 lines']);
    expect(found('标题约 45 字。')).toEqual(['machine 45 字']);
    expect(found('I kept the step under 50 lines.')).toEqual(['machine 50 lines']);
  });
  test('but not what is anybody’s, other or asked for', () => {
    for (const text of [
      'It took 71 minutes.',
      'It has 10 GB.',
      'Error 404 it is.',
      'The diff has 90 lines.',
      'On March 26.',
    ])
      expect(found(text), text).toEqual([]);
    expect(found('It wants Erlang 26 with 71 GB.', 'Install Erlang 26 on 71GB')).toEqual([]);
    expect(found('Erlang 26.1 is out, Erlang 261 is not.')).toEqual([]);
  });
  test('one word that is code on both sides', () => {
    expect(found('I restarted `mosquitto`.')).toEqual(['machine mosquitto']);
    expect(found('I restarted mosquitto, then `ansible` and `restart`.')).toEqual([]);
  });
  test('six characters of which no two make a common word', () => {
    expect(found('还是宁缺毋滥吧。')).toEqual([]);
    expect(found('也是宁缺毋滥之策吧。')).toEqual(['plan 宁缺毋滥之策']);
    expect(found('先验证后再说，数据库已备份。')).toEqual([]);
  });
  test('parameters of the map are no section’s keywords', () => {
    const rows = citable('rows', 'Tables: cart_id, till_no, open_till_no_now, shelf_row, aisle_nr');
    const all = [...sections, rows];
    const keywords = (replyText: string) =>
      new CitationFinder({ text: '', sections: all }).find({ replyText, toolCalls: [] }).map(({ id }) => id);
    expect(keywords('The query takes cart_id and till_no.')).toEqual([]);
    expect(keywords('The query takes shelf_row and aisle_nr.')).toEqual(['rows']);
  });
});

describe('pairs of Chinese characters', () => {
  test('that are no words say nothing together', () => {
    const sections = [
      citable('plan', '创建的计划要有日期并归档，计划的文件放在当前目录，按日期命名为一份'),
      citable('soul', '说话直接'),
    ];
    const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
    const find = (replyText: string) =>
      new CitationFinder(payload).find({ replyText, toolCalls: [] }).map(({ id }) => id);
    expect(find('当前未找到由脚本创建的向量表，可以重新上传的文档，命名为新表。')).toEqual([]);
    expect(find('日期补上了，计划已归档。')).toEqual([]);
    expect(find('日期补上了，计划已归档，在当前目录放为一份。')).toEqual(['plan']);
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
      { id: 'repo-map', evidence: 'path', what: 'src/auth/token.ts' },
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

describe('what is said verbatim', () => {
  const sections = [
    citable('ports', 'All 4 ports are up'),
    citable(
      'memory',
      '- 端口 8093 由龙虾网关占用，重启之前必须先通知馆长。\n- 服务器 114.55.12.15，见 https://git.example.org/team/app',
    ),
    citable('guide', 'Build with `yarn build:js` before e2e tests.\nUse `npm test`.\nDocs: vendor/socket.io/server.md'),
    citable('topics', '重启之前必须先备份数据库'),
  ];
  const payload = { text: sections.map(({ text }) => text).join('\n'), sections };
  const of = (replyText: string, task?: string) =>
    new CitationFinder(payload).find({ replyText, toolCalls: [], task }).map(({ id, what }) => `${id}: ${what}`);

  test('a section of one sentence is cited by the whole of it, and not by a part', () => {
    expect(of('I went on, because all 4 ports are up and nothing else was open.')).toEqual([
      'ports: All 4 ports are up',
    ]);
    expect(of('The ports are up.')).toEqual([]);
  });

  test('eight characters of Chinese that one section has', () => {
    expect(of('好的，重启之前必须先通知馆长，我已经发了消息。')).toEqual([expect.stringMatching(/^memory: /u)]);
    expect(of('重启之前必须先看。')).toEqual([]);
    expect(of('重启之前必须先通知馆长，好。', '重启之前必须先通知馆长吗？')).toEqual([]);
  });

  test('addresses and commands of several words, unless everybody has them', () => {
    expect(of('The record points to 114.55.12.15 now.')).toEqual(['memory: 114.55.12.15']);
    expect(of('Cloned https://git.example.org/team/app.')).toEqual([]);
    expect(of('I ran `yarn build:js` first.')).toEqual(['guide: yarn build:js']);
    expect(of('I ran `npm test` first.')).toEqual([]);
  });

  test('a product that is part of a path is no citation of the path', () => {
    expect(of('The chat works over socket.io now, and Node.js 20 is enough.')).toEqual([]);
    expect(of('See vendor/socket.io/server.md.')).toEqual(['guide: vendor/socket.io/server.md']);
  });
});

describe('what a section says, said again', () => {
  const texts = {
    memory: `# Memory
- 2026-03-02: Postgres stays the only store; the Redis cache was taken out because it hid stale prices.
- Tests first, then code.
- You're absolutely right.`,
    guide: `Errors are shown and kept. The service listens on port 1688.
\`/ship:verify\` comes before \`/ship:archive\`; \`cargo xtask bundle\` makes the archive.
Started by \`go run . --server-only\`; it writes by \`cclog.Warnf()\`, and \`git push --dry-run\` shows what goes.
We use Discord, Sentry and AniList, in Rust, with metadata for rendering and caching of each deployment.
One wants to use it daily.`,
    soul: 'Terse.',
  };
  const sections = Object.entries(texts).map(([id, text]) => citable(id, text, { paths: pathsIn(text) }));
  const payload = { text: Object.values(texts).join('\n'), sections };
  const of = (replyText: string, task?: string) =>
    new CitationFinder(payload).find({ replyText, toolCalls: [], task }).map(({ id, what }) => `${id}: ${what}`);

  test.each([
    ['a run of words', 'No: the Redis cache was taken out because it hid stale prices, so we stay.', 'memory'],
    ['a whole short item', 'Tests first, then code: I wrote four of them.', 'memory'],
    ['a command of its own', 'Done by /ship:verify, as ever.', 'guide'],
    ['a port of its own', 'It waits on port 1688.', 'guide'],
    ['an option of its own', 'Without a window: `go run ./cmd --server-only`.', 'guide'],
    ['a function with its package', 'It writes by `cclog.Warnf` now.', 'guide'],
  ])('%s is evidence, unless the task has it', (_, reply, id) => {
    expect(of(reply).map((each) => each.split(':')[0])).toEqual([id]);
    expect(of(reply, reply)).toEqual([]);
  });
  test('enough of a run is told to know it by', () => {
    expect(of('No: the Redis cache was taken out because it hid stale prices.')).toEqual([
      'memory: the Redis cache was take…',
    ]);
  });
  test.each([
    ['a quotation', 'It says: "the Redis cache was taken out because it hid stale prices". I see.'],
    ['a few ordinary words', 'Errors are shown where they occur.'],
    ['an item of two words and a half', "You're absolutely right, I was wrong."],
    ['words that every project has', 'Caching of a deployment needs metadata and rendering.'],
    ['names of products', 'Discord, AniList and Sentry answer, Rust compiles.'],
    ['prose in code marks', 'The verb `to use` is missing.'],
    ["a default's port", 'It waits on port 8080.'],
    ["an option of everybody's programs", 'First with --dry-run.'],
    ["a function of everybody's package", 'It writes by `console.warn()`.'],
  ])('%s is none', (_, reply) => {
    expect(of(reply)).toEqual([]);
  });

  const ofCall = (over: Partial<ToolCall>, task?: string) =>
    new CitationFinder(payload).find({ replyText: '', toolCalls: [call(over)], task }).map(({ id }) => id);
  test('what an agent writes on a page, or tells another agent, it says', () => {
    const page = {
      kind: 'edit',
      paths: ['docs/plan.md'],
      input: '{"content": "Then:\\n`cargo xtask bundle`\\n"}',
    } as const;
    expect(ofCall(page)).toEqual(['guide']);
    expect(ofCall({ ...page, paths: ['src/plan.rs'] })).toEqual([]);
    const brief = {
      name: 'Task',
      kind: 'other',
      input: '{"prompt": "No: the Redis cache was taken out because it hid stale prices."}',
    } as const;
    expect(ofCall(brief)).toEqual(['memory']);
    expect(ofCall(brief, brief.input)).toEqual([]);
    expect(ofCall({ kind: 'run', input: 'rtk timeout 60 cargo xtask bundle 2>&1' })).toEqual(['guide']);
  });
});

describe('files of tools and of every project', () => {
  const map = citable('repo-map', 'install.sh\nsrc/tui/app.rs\nPackage.swift\n', {
    isInventory: true,
    isMap: true,
    paths: ['install.sh', 'src/tui/app.rs', 'Package.swift'],
  });
  const rules = citable('rules', 'Never force a push.', { path: 'AGENTS.md' });
  const of = (replyText: string, paths: readonly string[] = []) =>
    new CitationFinder({ text: '', sections: [map, rules] })
      .find({ replyText, toolCalls: [call({ kind: 'read', paths })] })
      .map(({ id, what }) => `${id}: ${what}`);

  test('a tool may name a file by where it lies on the machine', () => {
    expect(of('', ['/home/me/work/app/src/tui/app.rs'])).toEqual(['repo-map: src/tui/app.rs']);
    expect(of('', ['/home/me/work/app/src/gui/app.rs'])).toEqual([]);
  });
  test('the name of a file that every project has says nothing', () => {
    expect(of('I ran install.sh and changed Package.swift.', ['Package.swift'])).toEqual([]);
  });
  test('a file that is followed counts where the reply says what it left alone', () => {
    expect(of('As AGENTS.md asks, I did not touch main.')).toEqual(['rules: AGENTS.md']);
    expect(of('I did not open src/tui/app.rs.')).toEqual([]);
  });
});

describe('words that no section gave', () => {
  const map = citable('repo-map', 'docgen/main.ts\n', {
    isInventory: true,
    isMap: true,
    paths: ['docgen/main.ts', 'app/page.tsx'],
  });
  const texts = [
    'The DocGen CLI project has four commands.\nWrite TypeScript with proper types.\nEach screen is one page.tsx.',
    '質問には日本語で答えます。変更してください。',
    'رنگ های را من کنم چه است',
    'Crear tareas con una lista: el código, el flujo para aplicación. Llama `shop tasks run now`.',
  ];
  const rules = citable('rules', texts.join('\n'), { path: 'RULES.md', paths: ['page.tsx'] });
  const sections = [map, rules];
  const of = (replyText: string) =>
    new CitationFinder({ text: sections.map(({ text }) => text).join('\n'), sections })
      .find({ replyText, toolCalls: [] })
      .map(({ id }) => id);

  test.each([
    ['a name that a path has too', 'It is a part of the DocGen CLI project now.', undefined],
    ['a language', 'It has TypeScript interfaces, with proper message types.', undefined],
    ['endings of Japanese', '直します。見てください。', '質問には日本語で答える。'],
    [
      'ordinary words of Spanish',
      'Voy a crear una lista de tareas con el código para el flujo de tu aplicación.',
      'El flujo llama `shop tasks run now`.',
    ],
    ['small words of another alphabet', 'دستور های تازه را اجرا می کنم چه', undefined],
    ['a file that every project of its kind has', 'I changed page.tsx.', undefined],
  ])('%s', (_, chance, telling) => {
    expect(of(chance)).toEqual([]);
    if (telling !== undefined) expect(of(telling)).toEqual(['rules']);
  });
});

describe('what others give as well', () => {
  const map = citable('repo-map', 'src/core/store/state.go\nsrc/core/store/common.go\n', {
    isInventory: true,
    isMap: true,
    paths: ['src/core/store/state.go', 'src/core/store/common.go'],
    symbols: ['SessionState'],
  });
  const guide = citable(
    'guide',
    'Code is in `src/core/store/`, rules in `docs/rules/team/`. `SessionState` is kept by `common.go`; see `manual_commit_hooks.go`.',
    { symbols: ['SessionState', 'manual_commit_hooks'] },
  );
  const rules = citable('rules', '# AGENTS.md\nConventions are in `docs/CONVENTIONS.md`.', {
    files: ['AGENTS.md'],
    paths: ['AGENTS.md', 'docs/CONVENTIONS.md'],
  });
  const of = (replyText: string, calls: readonly Partial<ToolCall>[] = [], task?: string) =>
    new CitationFinder({ text: '', sections: [map, guide, rules] })
      .find({ replyText, toolCalls: calls.map(call), task })
      .map(({ id, what }) => `${id}: ${what}`);

  test('a tool of Windows names a file with the letter of its drive', () => {
    const paths = ['d:\\my work\\app\\src\\core\\store\\common.go'];
    expect(of('', [{ kind: 'read', paths }])).toEqual(['repo-map: src/core/store/common.go']);
  });

  test('what the task mentions right behind a word is not found by the reply', () => {
    expect(of('I changed src/core/store/common.go.', [], 'of@src/core/store/common.go')).toEqual([]);
  });

  test('a new file in a folder that the map has files of is no evidence for who names the folder', () => {
    expect(of('I added src/core/store/lock.go.')).toEqual([]);
    expect(of('I added docs/rules/team/locks.md.')).toEqual(['guide: docs/rules/team']);
  });

  test('a symbol that a tool names is from the map, where that shows it', () => {
    expect(of('', [{ kind: 'edit', input: 'var state SessionState' }])).toEqual(['repo-map: SessionState']);
  });

  test('the one file of that name in the map is meant, too', () => {
    expect(of('It falls back in common.go:14.')).toEqual(['repo-map: common.go', 'guide: common.go']);
  });

  test('a path of the task names the bare file as well', () => {
    expect(of('I changed common.go.', [], 'Look at pkg/common.go first.')).toEqual([]);
  });

  test('what a file is called is no symbol', () => {
    expect(of('I read other/manual_commit_hooks.go.')).toEqual([]);
  });

  test('a file that a folder shows counts where it is followed', () => {
    expect(of('As noted in AGENTS.md, I looked there first.')).toEqual(['rules: AGENTS.md']);
    expect(of('I left AGENTS.md as it was.')).toEqual([]);
  });

  test('a heading of a page in the map is no symbol', () => {
    const { report, mode } = reportOf('shop');
    const payload = report.payloads[mode];
    const given = {
      sections: [],
      map: { paths: ['docs/style.md'], names: ['CipherBox Design System', 'CipherStore'] },
    };
    const shown = citablePayload(payload, given, wholeEntries).sections.find(({ isMap }) => isMap);
    expect(shown?.symbols).toEqual(['CipherStore']);
  });
});

describe('names of libraries', () => {
  test('in an edit are from no section that mentions them', () => {
    const symbols = ['getByRole', 'sellAllOldTickets', 'getByTestId'];
    const text = 'Use `getByRole` and `sellAllOldTickets`, avoid `getByTestId`.';
    const sections = [citable('tests', text, { symbols }), citable('soul', 'Terse.')];
    const find = (input: string) =>
      new CitationFinder({ text: '', sections })
        .find({ replyText: '', toolCalls: [call({ kind: 'edit', paths: ['src/a.test.ts'], input })] })
        .map(({ what }) => what);
    expect(find('const { getByTestId } = render(view);')).toEqual([]);
    expect(find('sellAllOldTickets();')).toEqual(['sellAllOldTickets']);
  });
});

describe('names that a project made up', () => {
  const guide = citable(
    'guide',
    'Commits carry the trailer `Entire-Checkpoint`, on the branch `entire/sessions`.\nRun `mise run fmt && mise run lint` before a commit.\nAnswers are `application/json`.',
  );
  const notes = citable('notes', 'Run `mise run fmt`, then `mise run lint`. Branches start from `origin/develop`.');
  const of = (replyText: string, task?: string, input?: string) =>
    new CitationFinder({ text: '', sections: [guide, notes] })
      .find({ replyText, toolCalls: input === undefined ? [] : [call({ kind: 'run', input })], task })
      .map(({ id, what }) => `${id}: ${what}`);

  test('one word with a hyphen or a slash, as code', () => {
    expect(of('It reads the `Entire-Checkpoint` of each commit.')).toEqual(['guide: Entire-Checkpoint']);
    expect(of('The branch `entire/sessions` is made later.')).toEqual(['guide: entire/sessions']);
  });

  test('but not as prose, of the task, or of everybody', () => {
    expect(of('The entire/sessions are there.')).toEqual([]);
    expect(of('The branch `entire/sessions` is made later.', 'Where is entire/sessions made?')).toEqual([]);
    expect(of('It sends `application/json` and starts from `origin/develop`.')).toEqual([]);
  });

  test('a name in two spellings is one name, and two names are two', () => {
    const config = citable('config', 'Data goes to `grain_silo` of GrainSilo, and to the HayLoft.');
    const find = (input: string) =>
      new CitationFinder({ text: '', sections: [config, notes] })
        .find({ replyText: '', toolCalls: [call({ kind: 'run', input })] })
        .map(({ id }) => id);
    expect(find('send grain_silo GrainSilo')).toEqual([]);
    expect(find('send grain_silo HayLoft')).toEqual(['config']);
  });

  test('a chain of commands stands in one section, each command in both', () => {
    expect(of('', undefined, 'mise run fmt && mise run lint 2>&1 | tail -5')).toEqual([
      'guide: mise run fmt && mise run lint',
    ]);
    expect(of('', undefined, 'mise run fmt')).toEqual(['guide: mise run fmt', 'notes: mise run fmt']);
    expect(of('', 'Please do mise run fmt && mise run lint.', 'mise run fmt && mise run lint')).toEqual([]);
  });
});

describe('files outside and at the root', () => {
  const rules = citable('rules', 'Secrets are in D:\\\\Depot-Config\\\\depot.env, never in Git.', {
    path: 'CLAUDE.md',
  });
  const map = citable('repo-map', 'web/src/app.ts', { isInventory: true, isMap: true });
  const of = (replyText: string, path?: string) =>
    new CitationFinder({ text: '', sections: [rules, map] })
      .find({ replyText, toolCalls: path === undefined ? [] : [call({ kind: 'read', paths: [path] })] })
      .map(({ id, what }) => `${id}: ${what}`);

  test('a drive of Windows, with single or double backslashes', () => {
    expect(of('The name is in D:\\Depot-Config\\depot.env.')).toEqual(['rules: Depot-Config/depot.env']);
    expect(of('The name is in D:\\Other\\depot.env.')).toEqual([]);
  });

  test('a file at the root of the project, wherever that lies', () => {
    expect(of('', '/Users/me/repos/app/CLAUDE.md')).toEqual(['rules: CLAUDE.md']);
    expect(of('', '/Users/me/.claude/CLAUDE.md')).toEqual([]);
    expect(of('', '/Users/me/repos/app/web/CLAUDE.md')).toEqual([]);
  });
});

describe('what a section says, in other words', () => {
  const texts = {
    memory: '- Readings arrive every 90 seconds.\n- Alerts go to the duty phone, never to the growers’ chat.',
    guide:
      '# Open the page, close the window, end the session\nUse `alerts duty phone growers chat`. The service of pumps is in Rust, with Axum, Tokio and Serde.',
    notes: 'Read the file first, then change the code.\n#    the suite FAILS → jj restore (thrown away)',
    soul: 'Terse. Deletions before additions, always. I start no pump on my own, I ask Mira first.',
  };
  const sections = Object.entries(texts).map(([id, text]) => citable(id, text));
  const of = (replyText: string, task?: string) =>
    new CitationFinder({ text: Object.values(texts).join('\n'), sections })
      .find({ replyText, toolCalls: [], task })
      .map(({ id }) => id);
  const SAID = 'Please send it to the phone of whoever is on duty. The chat of the growers is the wrong place.';

  test('most words of one sentence, in a sentence or two that say little else', () => {
    expect(of(SAID)).toEqual(['memory']);
  });

  test('a name that no sentence begins with counts for two words', () => {
    expect(of('I would ask Mira before any pump is started.')).toEqual(['soul']);
    expect(of('Mira asked for a pump.')).toEqual([]);
  });

  test('names of one trade together are no sentence', () => {
    expect(of('It is in Rust, and uses Serde, Axum and also Tokio.')).toEqual([]);
  });

  test('four words that everybody has are too little, five are enough', () => {
    expect(of('The file was read, then the code changed.')).toEqual([]);
    expect(of('The file was read first, then the code changed.')).toEqual(['notes']);
  });

  test('a comment in code is a sentence, a heading none', () => {
    expect(of('If the suite fails, it is thrown away by jj restore.')).toEqual(['notes']);
    expect(of('I open each page, then close its window to end the session.')).toEqual([]);
  });

  test('not what the task says, nor a few of them in a text about other things', () => {
    expect(of(SAID, 'Does the duty phone get it, or the chat of the growers?')).toEqual([]);
    expect(
      of('The phone is on my desk.\n\nWe had a chat about lunch and the growers were late for the concert.'),
    ).toEqual([]);
  });
});

describe('entries', () => {
  const entries = [
    '- 2026-02-05 TASK-12: the nightly export lost its umlauts\n',
    '- 2026-02-04 TASK-9: the lobster gateway was drained by hand\n',
    '- 2026-02-03 the crawler got a proxy pool\n',
  ];
  const sections = [citable('memory', `# Log\n${entries.join('')}`, { entries }), citable('soul', 'Terse.')];
  const entryOf = (replyText: string) =>
    new CitationFinder({ text: '', sections }).find({ replyText, toolCalls: [] }).map(({ entry }) => entry);

  test('the one that was used is told by its words, its id or its date', () => {
    expect(entryOf('I drained the lobster gateway again, as before.')).toEqual([entryHash(entries[1] ?? '')]);
    expect(entryOf('The nightly export loses umlauts as in TASK-12.')).toEqual([entryHash(entries[0] ?? '')]);
    expect(entryOf('On 2026-02-03 the crawler got its proxy pool.')).toEqual([entryHash(entries[2] ?? '')]);
  });
});

describe('a payload that was recorded', () => {
  const { report } = reportOf('shop');
  const payload = report.payloads.expanded;
  const given = usageDraft(report, { payload: 'expanded', trigger: 'tool' }, '2026-02-03 10:00:00', 'baseline');
  const find = (text: string, past: GivenPayload) =>
    new CitationFinder(citablePayload(payload, past, wholeEntries)).find({ replyText: text, toolCalls: [] });

  test('is judged by what its own map showed', () => {
    const other = { ...given, map: { paths: ['lib/upload/retry.ts'], names: ['retryUpload'] } };
    expect(find('I changed retryUpload.', other)).toEqual([
      { id: 'repo-map', evidence: 'keyword', what: 'retryUpload' },
    ]);
    expect(find('I changed lib/upload/retry.ts.', other)).toMatchObject([{ id: 'repo-map', evidence: 'path' }]);
    expect(find('I changed retryUpload in lib/upload/retry.ts.', given)).toEqual([]);
  });

  test.each([
    ['the names that were kept', ['retryUpload'], ['sym:1']],
    [
      'any name where not all were kept',
      Array.from({ length: MAX_MAP_NAMES }, (_, at) => `name${at}`),
      ['sym:1', 'sym:2'],
    ],
  ])('shows in its files the symbols with %s', (_, names, handles) => {
    const symbol = { path: 'lib/a.ts', kind: 'function' as const, signature: '', doc: '', lineStart: 1, lineEnd: 2 };
    const symbols = ['retryUpload', 'other'].map((name, at) => ({
      ...symbol,
      name,
      qualifiedName: name,
      handle: `sym:${at + 1}`,
    }));
    const past = { ...given, map: { paths: ['lib/a.ts'], names } };
    const symbolsOf = (path: string) => (path === 'lib/a.ts' ? symbols : []);
    const { sections } = citablePayload(payload, past, wholeEntries, symbolsOf);
    expect(sections.find(({ isMap }) => isMap)?.symbolHandles).toEqual(handles);
  });

  test('leaves unknown what it showed and is not there now, and credits it to no other', () => {
    const past = {
      ...given,
      sections: [...given.sections, { id: 'ports', chars: 900, tokens: 200, disclosure: 'full' as const }],
    };
    expect(unknownSections(payload, given)).toEqual([]);
    expect(unknownSections(payload, past)).toEqual(['ports']);
    const listed = given.map?.paths.find((each) =>
      find(`I changed ${each}.`, given).some(({ id }) => id === 'repo-map'),
    );
    expect(find(`I changed ${listed}.`, past).some(({ id }) => id === 'ports')).toBe(false);
    expect(find('Please show section:ports.', past)).toMatchObject([{ id: 'ports', evidence: 'handle' }]);
  });

  test('has nothing of a section that was only a stub', () => {
    const stub = given.sections.map((each) => (each.id === 'memory' ? { ...each, disclosure: 'stub' as const } : each));
    const reply = 'Playwright passes with TZ set to Europe/Berlin, since the delivery-date picker was off by one.';
    expect(find(reply, given).map(({ id }) => id)).toContain('memory');
    expect(find(reply, { ...given, sections: stub }).map(({ id }) => id)).not.toContain('memory');
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

  test('whatever a line behind `>` names is none, a line of code is', () => {
    expect(ofReply('> I changed src/auth/token.ts')).toEqual([]);
    expect(ofReply('- > I changed src/auth/token.ts')).toEqual([]);
    expect(ofReply('if (a\n  >= src/auth/token.ts)')).toEqual(BOTH);
  });

  test('the same in other words is', () => {
    expect(ofReply('Terse, as from a colleague.')).toEqual(['soul keyword Terse, colleague']);
  });

  test('an element that is not closed hides nothing behind it', () => {
    expect(ofReply('<soul> is open. I changed src/auth/token.ts')).toEqual(BOTH);
  });

  test('an element of another name is the agent’s own', () => {
    expect(ofReply('<answer>Changed src/auth/token.ts</answer>')).toEqual(BOTH);
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
    expect(ofReply('I did not open src/index.ts, but src/auth/token.ts explains it.')).toEqual(BOTH);
    expect(ofReply('No need for section:soul. I changed src/auth/token.ts.')).toEqual(BOTH);
  });

  test('a rule that forbids is content', () => {
    expect(ofReply('Never use src/auth/token.ts directly.')).toEqual(BOTH);
  });
});
