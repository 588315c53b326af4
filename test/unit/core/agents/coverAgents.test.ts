import { describe, expect, it } from 'vitest';
import { AGENT_IDS, type AgentId } from '../../../../src/core/model/agent';
import { coverFolder, coverOne, rowsOf } from './covered';

const KIB = 1024;
const lines = (count: number, width = 10): string => `${'x'.repeat(width - 1)}\n`.repeat(count);

describe('coverAgents', () => {
  it('covers every agent, in order, and finds nothing in a folder without instructions', () => {
    const coverage = coverFolder({ 'src/a.ts': 'x' }, 'src/a.ts');
    expect(coverage.map(({ agent }) => agent)).toEqual(AGENT_IDS);
    expect(coverage.every(({ files, bytesLoaded }) => files.length === 0 && bytesLoaded === 0)).toBe(true);
  });

  it('says nothing of files that no agent reads', () => {
    expect(coverFolder({ 'README.md': 'x', 'docs/rules.md': 'x' }).flatMap(({ files }) => files)).toEqual([]);
  });
});

const START = 'When it is started in';

describe('Codex', () => {
  it('spends 32 KiB from the root down: the file that crosses is cut, deeper ones are dropped', () => {
    const folder = { 'AGENTS.md': lines(3000), 'a/AGENTS.md': lines(1000), 'a/b/AGENTS.md': lines(10) };
    const coverage = coverOne('codex', folder, 'a/b/x.ts');
    const why = 'All files of this agent share 32,768 bytes; files nearer the root come first';
    expect(rowsOf(coverage)).toEqual([
      'loaded AGENTS.md',
      `truncated a/AGENTS.md at line 277 -${10_000 - (32_768 - 30_000)}: ${why}`,
      `dropped a/b/AGENTS.md -100: ${why}`,
    ]);
    expect(coverage.bytesLoaded).toBe(32 * KIB);
    expect(coverage.bytesLoaded + coverage.bytesLost).toBe(40_100);
  });

  it('loads a chain of exactly 32 KiB whole', () => {
    const folder = { 'AGENTS.md': 'x'.repeat(32 * KIB - 2), 'a/AGENTS.md': 'é' };
    expect(rowsOf(coverOne('codex', folder, 'a/x'))).toEqual([
      'loaded AGENTS.md',
      `loaded a/AGENTS.md: ${START} a or below`,
    ]);
  });

  it('cuts bytes, also in the middle of a character', () => {
    const folder = { 'AGENTS.md': `${'x'.repeat(32 * KIB - 2)}\n界` };
    expect(coverOne('codex', folder).files[0]).toMatchObject({ bytesLost: 2, cutLine: 2, lines: 2 });
  });

  it('reads the override in place of the file beside it, even when it is blank, and charges no blank file', () => {
    const folder = { 'AGENTS.override.md': ' \n', 'AGENTS.md': 'rules', 'a/AGENTS.md': 'x'.repeat(32 * KIB) };
    expect(rowsOf(coverOne('codex', folder, 'a/x'))).toEqual([
      'loaded AGENTS.override.md: Only blank space',
      'shadowed AGENTS.md -5: AGENTS.override.md takes precedence',
      `loaded a/AGENTS.md: ${START} a or below`,
    ]);
  });

  it('keeps files of other folders for work there, and says where they would be cut', () => {
    const folder = { 'AGENTS.md': lines(3000), 'a/AGENTS.md': lines(1000), 'b/AGENTS.md': 'short' };
    const rows = rowsOf(coverOne('codex', folder, 'src/x.ts'));
    expect(rows[0]).toBe('loaded AGENTS.md');
    expect(rows[1]).toMatch(
      /^truncated a\/AGENTS.md at line 277 -7232: When it is started in a or below; All files of this agent share 32,768/,
    );
    expect(rows[2]).toBe(`onDemand b/AGENTS.md: ${START} b or below`);
  });

  it.each([
    ['one repository', [''], ['truncated', 'dropped', 'truncated']],
    ['a repository below', ['', 'lib'], ['onDemand', 'truncated', 'truncated']],
    ['one that begins above, or none', [], ['truncated?', 'dropped?', 'truncated?']],
    ['none but one below', ['lib'], ['onDemand', 'truncated', 'truncated?']],
  ])('shares the limit with files above only in the same repository: %s', (_what, repositories, fates) => {
    const half = lines(2000);
    const folder = { 'AGENTS.md': half, 'lib/AGENTS.md': half, 'lib/a/AGENTS.md': half, 'web/AGENTS.md': half };
    const [first, ...rows] = rowsOf(coverOne('codex', folder, undefined, new Set(repositories)));
    expect(first).toBe('loaded AGENTS.md');
    const fateOf = (path: string) => rows.find((row) => row.split(' ')[1]?.startsWith(path))?.split(' ')[0];
    expect(['lib/AGENTS.md', 'lib/a/AGENTS.md', 'web/AGENTS.md'].map(fateOf)).toEqual(fates);
  });

  it.each([
    ['a repository of its own', 'lib/a/x.ts', 20_000, 'onDemand'],
    ['the repository around it', 'x.ts', 20_000, 'loaded'],
  ])('reads nothing above the repository that is worked in: %s', (_what, active, bytesLoaded, fate) => {
    const half = lines(2000);
    const folder = { 'AGENTS.md': half, 'lib/AGENTS.md': half, 'lib/a/AGENTS.md': half };
    const coverage = coverOne('codex', folder, active, new Set(['', 'lib/a']));
    expect(coverage).toMatchObject({ bytesLoaded, bytesLost: 0 });
    expect(coverage.files.find(({ path }) => path === 'AGENTS.md')?.fate).toBe(fate);
  });

  it('says when it reads what lies above the repository that is worked in', () => {
    const folder = { 'AGENTS.md': lines(2000), 'lib/AGENTS.md': lines(2000), 'lib/a/AGENTS.md': 'x' };
    expect(rowsOf(coverOne('codex', folder, 'lib/a/x.ts', new Set(['', 'lib/a'])))).toEqual([
      expect.stringMatching(
        /^truncated lib\/AGENTS.md .*: When it is started outside the repository lib\/a; All files/,
      ),
      `loaded lib/a/AGENTS.md: ${START} lib/a or below`,
      'onDemand AGENTS.md: When it is started outside the repository lib/a',
    ]);
  });

  // lines(4000) is 40,000 bytes: 7,232 over the limit.
  it.each([
    ['the root', undefined, { 'AGENTS.md': lines(3000), 'a/AGENTS.md': lines(1000) }, 30_000, 0],
    ['the root, where it crosses', undefined, { 'AGENTS.md': lines(4000), 'a/AGENTS.md': lines(10) }, 32_768, 7232],
    ['a folder beside others', 'b/x.ts', { 'a/AGENTS.md': lines(4000), 'b/AGENTS.md': lines(4000) }, 32_768, 7232],
    ['a folder without any', 'src/x.ts', { 'a/AGENTS.md': lines(4000), 'b/AGENTS.md': lines(4000) }, 0, 0],
  ])(
    'counts what it reads and loses for work in %s, nothing of other folders',
    (_where, active, folder, read, lost) => {
      expect(coverOne('codex', folder, active)).toMatchObject({ bytesLoaded: read, bytesLost: lost });
    },
  );
});

describe('Claude Code', () => {
  it('reads all CLAUDE files of the chain, outermost first, and their imports', () => {
    const folder = {
      'CLAUDE.md': 'See @docs/style.md and @AGENTS.md\n',
      'CLAUDE.local.md': 'mine',
      '.claude/CLAUDE.md': 'more',
      'AGENTS.md': 'all agents',
      'docs/style.md': '@deep.md',
      'docs/deep.md': 'deep',
      'web/CLAUDE.md': 'web',
      'api/CLAUDE.md': 'api',
    };
    expect(rowsOf(coverOne('claude-code', folder, 'web/src/a.ts'))).toEqual([
      'loaded CLAUDE.md',
      'loaded docs/style.md from CLAUDE.md',
      'loaded docs/deep.md from docs/style.md',
      'loaded AGENTS.md from CLAUDE.md',
      'loaded .claude/CLAUDE.md',
      'loaded CLAUDE.local.md',
      'loaded web/CLAUDE.md',
      'onDemand api/CLAUDE.md: Only for work in api',
    ]);
  });

  it('takes a period behind a path for a part of it, as its first request shows; Copilot CLI does not', () => {
    const folder = { 'CLAUDE.md': 'See @docs/a.md.\n', 'docs/a.md': 'a' };
    expect(rowsOf(coverOne('claude-code', folder))).toEqual(['loaded CLAUDE.md']);
    expect(rowsOf(coverOne('copilot-cli', folder))).toEqual([
      ...['loaded CLAUDE.md', 'loaded docs/a.md from CLAUDE.md'],
    ]);
  });

  it.each([
    ['a block of its own', '<!-- retired:\n@docs/a.md\n-->\n\nRule.\n', []],
    ['one with text behind it', '<!--\n@docs/a.md\n--> Rule.\n', []],
    ['frontmatter', '---\nsee: @docs/a.md\n---\nRule.\n', []],
    ['text behind a comment', '<!-- old --> @docs/a.md\n', ['docs/a.md']],
    ['text below a comment with a fence', '<!--\n```\n-->\n@docs/a.md\n', ['docs/a.md']],
    ['a comment that does not end', '<!-- old\n@docs/a.md\n', ['docs/a.md']],
    ['code that shows a comment', '```\n<!--\n```\n@docs/a.md\n-->\n', ['docs/a.md']],
  ])('follows no import that it takes out before reading: %s', (_what, text, imported) => {
    const folder = { 'CLAUDE.md': text, 'docs/a.md': 'a' };
    expect(coverOne('claude-code', folder).files.map(({ path }) => path)).toEqual(['CLAUDE.md', ...imported]);
  });

  it.each([
    ['a comment', '<!-- notes\nof mine -->\n\nRule.\n', 6],
    ['frontmatter', '---\nname: x\n---\nRule.\n', 6],
    ['a comment behind text', 'Rule. <!-- mine -->\n', 20],
    ['a comment in code', '```\n<!-- mine -->\n```\n', 22],
  ])('counts the bytes that it gets, without what it takes out: %s', (_what, text, bytes) => {
    const coverage = coverOne('claude-code', { 'CLAUDE.md': text, 'a/CLAUDE.md': text });
    expect(coverage.files.map((file) => file.bytes)).toEqual([bytes, bytes]);
    expect(coverage).toMatchObject({ bytesLoaded: bytes, bytesLost: 0 });
    expect(coverOne('copilot-vscode', { 'CLAUDE.md': text }).bytesLoaded).toBe(text.length);
  });

  it('names the line of an import below a comment', () => {
    const text = '<!-- one\ntwo -->\nSee @docs/gone.md.\n';
    expect(coverOne('claude-code', { 'CLAUDE.md': text }).unreadImports).toEqual([
      { path: 'CLAUDE.md', line: 3, target: 'docs/gone.md.', reason: 'missing' },
    ]);
  });

  it('reads AGENTS.md only where no CLAUDE file is there or above, and marks that as doubtful', () => {
    const alone = coverOne('claude-code', { 'AGENTS.md': 'a' });
    expect(rowsOf(alone)).toEqual(['loaded? AGENTS.md: Since version 2.1.277, if there is no CLAUDE.md']);
    const local = coverOne('claude-code', { 'AGENTS.md': 'a', 'CLAUDE.local.md': 'b', 'x/AGENTS.md': 'cc' }, 'x/y');
    expect(rowsOf(local)).toEqual([
      'loaded CLAUDE.local.md',
      'shadowed? AGENTS.md -1: CLAUDE.local.md takes precedence',
      'shadowed? x/AGENTS.md -2: CLAUDE.local.md takes precedence',
    ]);
  });

  it('loses nothing of a file that is a copy of the one read in its place', () => {
    const rows = rowsOf(coverOne('claude-code', { 'CLAUDE.md': 'same', 'AGENTS.md': 'same' }));
    expect(rows[1]).toBe('shadowed? AGENTS.md: The same text is already read as CLAUDE.md');
  });

  it('follows four hops, and names imports that come to nothing', () => {
    const folder = {
      'CLAUDE.md': '@1.md @~/own.md @../up.md\n\n`@code.md` @someone @gone.md\n```\n@fenced.md\n```\n',
      '1.md': '@2.md',
      '2.md': '@3.md @1.md',
      '3.md': '@4.md',
      '4.md': '@5.md',
      '5.md': 'too deep',
      'code.md': 'x',
      'fenced.md': 'x',
    };
    const coverage = coverOne('claude-code', folder);
    expect(coverage.files.map(({ path }) => path)).toEqual(['CLAUDE.md', '1.md', '2.md', '3.md', '4.md']);
    expect(coverage.unreadImports).toEqual([
      { path: '4.md', line: 1, target: '5.md', reason: 'tooDeep' },
      { path: 'CLAUDE.md', line: 1, target: '~/own.md', reason: 'outside' },
      { path: 'CLAUDE.md', line: 1, target: '../up.md', reason: 'outside' },
      { path: 'CLAUDE.md', line: 3, target: 'gone.md', reason: 'missing' },
    ]);
  });

  it('would cut MEMORY.md at 200 lines or 25 KB, whichever comes first', () => {
    const why =
      'Only if its setting autoMemoryDirectory names this folder; The first 200 lines or 25 KB, whichever comes first';
    const byLines = coverOne('claude-code', { 'MEMORY.md': lines(201) });
    expect(rowsOf(byLines)).toEqual([`onDemand? MEMORY.md at line 201 -10: ${why}`]);
    const byBytes = coverOne('claude-code', { 'MEMORY.md': lines(150, 200) });
    expect(rowsOf(byBytes)).toEqual([`onDemand? MEMORY.md at line 126 -5000: ${why}`]);
    expect(coverOne('claude-code', { 'MEMORY.md': lines(200) }).files[0]).toMatchObject({
      fate: 'onDemand',
      bytesLost: 0,
    });
    expect(byBytes).toMatchObject({ bytesLoaded: 0, bytesLost: 0 });
  });

  it('does not count frontmatter and comment blocks of MEMORY.md', () => {
    const text = `\uFEFF---\nname: x\n---\n${lines(100)}<!-- a\nb -->\n${lines(101)}`;
    expect(coverOne('claude-code', { 'MEMORY.md': text }).files[0]).toMatchObject({ cutLine: 206, bytesLost: 10 });
  });

  it('reads rules with paths for the files that they name', () => {
    const folder = {
      '.claude/rules/all.md': 'always',
      '.claude/rules/api.md': '---\npaths:\n  - "src/api/**/*.ts"\n---\nx',
    };
    expect(rowsOf(coverOne('claude-code', folder, 'src/api/a/b.ts'))).toEqual([
      'loaded .claude/rules/all.md',
      'loaded .claude/rules/api.md: The open file matches src/api/**/*.ts',
    ]);
    expect(rowsOf(coverOne('claude-code', folder, 'web/a.ts'))[1]).toBe(
      'onDemand .claude/rules/api.md: Only for files that match src/api/**/*.ts',
    );
  });

  it('skips a file of more than 4 MiB whole', () => {
    const folder = { 'CLAUDE.md': 'x'.repeat(4 * KIB * KIB + 1) };
    expect(coverOne('claude-code', folder).files[0]).toMatchObject({ fate: 'dropped', bytesLost: 4 * KIB * KIB + 1 });
  });
});

describe('a file that is too large to be read', () => {
  const size = 6_000_000;
  it.each<[AgentId, Readonly<Record<string, string | number>>, readonly string[]]>([
    ['claude-code', { 'CLAUDE.md': size, 'AGENTS.md': 'a' }, [`dropped CLAUDE.md -${size}`, 'shadowed? AGENTS.md -1']],
    [
      'codex',
      { 'AGENTS.md': size, 'a/AGENTS.md': 'a' },
      [`truncated AGENTS.md -${size - 32_768}`, 'dropped a/AGENTS.md -1'],
    ],
    ['zed', { '.rules': size, 'AGENTS.md': 'a' }, ['loaded .rules', 'shadowed AGENTS.md -1']],
    ['copilot-code-review', { 'AGENTS.md': size }, [`truncated? AGENTS.md -${size - 4000}`]],
    ['cline', { '.clinerules/a.md': size }, ['loaded? .clinerules/a.md']],
    // Whether they are copies is not known.
    ['copilot-vscode', { 'AGENTS.md': size, 'CLAUDE.md': size }, ['loaded AGENTS.md', 'loaded CLAUDE.md']],
  ])('is listed with its size and hides what it hides: %s', (agent, folder, rows) => {
    const coverage = coverOne(agent, folder);
    expect(rowsOf(coverage).map((row) => row.split(':')[0])).toEqual(rows);
    const [large] = coverage.files;
    expect(large).toMatchObject({ bytes: size, cutLine: undefined, isUnread: true });
  });
});

describe('Copilot', () => {
  const folder = {
    '.github/copilot-instructions.md': 'all',
    '.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.ts,**/*.tsx"\n---\nts',
    '.github/instructions/asked.instructions.md': '---\ndescription: x\n---\n',
    '.github/instructions/notes.md': 'not one',
    'AGENTS.md': 'agents',
    'CLAUDE.md': 'agents',
    'web/AGENTS.md': 'web',
  };

  it('attaches by applyTo, lists nested files only, and drops copies in VS Code', () => {
    expect(rowsOf(coverOne('copilot-vscode', folder, 'web/a.ts'))).toEqual([
      'loaded .github/copilot-instructions.md',
      'loaded AGENTS.md',
      'shadowed CLAUDE.md: The same text is already read as AGENTS.md',
      'loaded .github/instructions/ts.instructions.md: The open file matches **/*.ts, **/*.tsx',
      'onDemand web/AGENTS.md: Perhaps only its path is listed; the agent can open it',
      'onDemand .github/instructions/asked.instructions.md: Only when the agent or the user asks for it',
    ]);
  });

  it('takes the nearest AGENTS.md in the cloud, with doubt', () => {
    expect(rowsOf(coverOne('copilot-cloud-agent', folder, 'web/a.ts')).slice(2)).toEqual([
      'loaded? web/AGENTS.md',
      'shadowed? AGENTS.md -6: web/AGENTS.md takes precedence',
      'shadowed? CLAUDE.md: The same text is already read as AGENTS.md',
      'onDemand .github/instructions/asked.instructions.md: Only when the agent or the user asks for it',
    ]);
    const [, , gemini] = coverOne('copilot-cloud-agent', {
      'AGENTS.md': 'a',
      'CLAUDE.md': 'b',
      'GEMINI.md': 'c',
    }).files;
    expect(gemini?.why?.args).toEqual(['AGENTS.md']);
  });

  it('cuts at 4,000 characters in code review, and leaves out what excludes it', () => {
    const review = coverOne('copilot-code-review', {
      '.github/copilot-instructions.md': `${'é'.repeat(3999)}\nmore`,
      '.github/instructions/a.instructions.md': '---\napplyTo: "**"\nexcludeAgent: "code-review"\n---\n',
    });
    expect(rowsOf(review)).toEqual([
      'truncated? .github/copilot-instructions.md at line 2 -4: The first 4,000 characters of a file',
    ]);
  });
});

describe('other agents', () => {
  it('Cursor: by alwaysApply and globs; plain Markdown is no rule', () => {
    const folder = {
      '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\n',
      '.cursor/rules/b.mdc': '---\nglobs: *.ts,*.tsx\nalwaysApply: false\n---\n',
      '.cursor/rules/c.mdc': '---\ndescription: sometimes\n---\n',
      '.cursor/rules/d.md': 'ignored',
      '.cursorrules': 'old',
    };
    expect(rowsOf(coverOne('cursor', folder, 'src/a.tsx'))).toEqual([
      'loaded .cursor/rules/a.mdc',
      'loaded .cursor/rules/b.mdc: The open file matches *.ts, *.tsx',
      'loaded .cursorrules',
      'onDemand .cursor/rules/c.mdc: Only when the agent or the user asks for it',
    ]);
  });

  it('Cursor: finds what a rule names beside it or from the root, and claims no loss, since imports are not certain', () => {
    const coverage = coverOne('cursor', {
      '.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\n@AGENTS.md @logs/README.md @near.md @gone.md',
      '.cursor/rules/near.md': 'beside it',
      ...{ 'AGENTS.md': 'a', 'logs/README.md': 'l', 'near.md': 'at the root' },
    });
    expect(rowsOf(coverage)).toEqual([
      'loaded .cursor/rules/a.mdc',
      'loaded AGENTS.md',
      'loaded? logs/README.md from .cursor/rules/a.mdc',
      'loaded? .cursor/rules/near.md from .cursor/rules/a.mdc',
    ]);
    expect(coverage.unreadImports).toBeUndefined();
  });

  it('Gemini CLI: five levels, and every word after an @ that is no file is lost', () => {
    const coverage = coverOne('gemini-cli', { 'GEMINI.md': 'Use @types/node and @./a.md', 'a.md': 'x' });
    expect(rowsOf(coverage)).toEqual(['loaded GEMINI.md', 'loaded a.md from GEMINI.md']);
    expect(coverage.unreadImports?.map(({ target }) => target)).toEqual(['types/node']);
  });

  it.each([
    ['See @docs/a.md.', 'docs/a.md.'],
    ['(see @docs/a.md)', 'docs/a.md)'],
    ['@docs/a.md#top', 'docs/a.md#top'],
    ['@docs/a.md@2', 'docs/a.md@2'],
  ])('Gemini CLI: takes what is behind a path for a part of it: %s', (text, target) => {
    const coverage = coverOne('gemini-cli', { 'GEMINI.md': text, 'docs/a.md': 'a' });
    expect(rowsOf(coverage)).toEqual(['loaded GEMINI.md']);
    expect(coverage.unreadImports).toEqual([{ path: 'GEMINI.md', line: 1, target, reason: 'missing' }]);
  });

  it.each([
    ['copilot-cli', 'loaded docs/a.md'],
    ['cursor', 'loaded? docs/a.md'],
    ['amp', 'loaded? docs/a.md'],
  ] as const)('%s: reads the first of imports that are joined by a comma', (agent, row) => {
    const folder = { 'AGENTS.md': 'Read @docs/a.md,@docs/b.md now', 'docs/a.md': 'a', 'docs/b.md': 'b' };
    const coverage = coverOne(agent, folder);
    expect(rowsOf(coverage).map((each) => each.split(' from')[0])).toContain(row);
    expect(coverage.unreadImports).toBeUndefined();
  });

  it('Claude Code: says that imports are not read that are joined by a comma', () => {
    const folder = { 'CLAUDE.md': 'Read @docs/a.md,@docs/b.md now', 'docs/a.md': 'a', 'docs/b.md': 'b' };
    const target = 'docs/a.md,@docs/b.md';
    const unread = [{ path: 'CLAUDE.md', line: 1, target, reason: 'missing' }];
    expect(coverOne('claude-code', folder).unreadImports).toEqual(unread);
  });

  it('Windsurf: 12,000 characters a rule, with doubt', () => {
    const folder = { '.windsurf/rules/a.md': `---\ntrigger: always_on\n---\n${lines(1200)}`, 'x/AGENTS.md': 'x' };
    expect(rowsOf(coverOne('windsurf', folder))).toEqual([
      'truncated? .windsurf/rules/a.md at line 1201 -27: At most 12,000 characters per file',
      'onDemand x/AGENTS.md: Only for work in x',
    ]);
  });

  const big = lines(1300);
  it.each([
    ['manual', undefined, 'onDemand?', 'Only when the agent or the user asks for it', 0],
    ['glob\nglobs: "*.ts"', 'a.py', 'onDemand?', 'Only for files that match *.ts', 0],
    ['glob\nglobs: "*.ts"', 'a.ts', 'truncated?', undefined, 12_000],
  ])(
    'Windsurf: counts a rule over the limit only where it is read: trigger %s, work on %s',
    (trigger, active, fate, why, read) => {
      const coverage = coverOne(
        'windsurf',
        { '.windsurf/rules/a.md': `---\ntrigger: ${trigger}\n---\n${big}` },
        active,
      );
      const [row = ''] = rowsOf(coverage);
      expect(row.split(' ')[0]).toBe(fate);
      expect(row).toMatch(/ at line \d+ -\d+: /);
      expect(row.split(': ')[1]).toBe([why, 'At most 12,000 characters per file'].filter(Boolean).join('; '));
      expect(coverage.bytesLoaded).toBe(read);
      expect(coverage.bytesLost > 0).toBe(read > 0);
    },
  );

  it('Cline: the folder of rules without its workflows, and rules of others', () => {
    const folder = {
      '.clinerules/a.md': 'a',
      '.clinerules/workflows/w.md': 'w',
      'AGENTS.md': 'x',
      '.cursorrules': 'c',
    };
    expect(rowsOf(coverOne('cline', folder))).toEqual([
      'loaded .clinerules/a.md',
      'loaded AGENTS.md',
      'loaded .cursorrules',
    ]);
  });

  it('Roo Code: rules of one mode on demand, old files only without a folder', () => {
    const folder = { '.roo/rules/a.md': 'a', '.roo/rules-code/b.md': 'b', '.roorules': 'old', 'AGENT.md': 'x' };
    expect(rowsOf(coverOne('roo-code', folder))).toEqual([
      'loaded AGENT.md',
      'loaded .roo/rules/a.md',
      'shadowed .roorules -3: .roo/rules/a.md takes precedence',
      'onDemand .roo/rules-code/b.md: Only in the mode of the same name',
    ]);
  });

  it('Roo Code: files of any ending in a folder of rules, and old files of one mode', () => {
    const files = [
      '.clinerules-ask',
      '.roo/rules/readme.rst',
      '.roo/rules/style',
      '.roo/rules/x.bak',
      '.roorules-code',
    ];
    expect(rowsOf(coverOne('roo-code', Object.fromEntries(files.map((path) => [path, 'a']))))).toEqual([
      'loaded .roo/rules/readme.rst',
      'loaded .roo/rules/style',
      'onDemand .roorules-code: Only in the mode of the same name',
      'onDemand .clinerules-ask: Only in the mode of the same name',
    ]);
  });

  it('Zed: the first name that exists hides all others', () => {
    const folder = { 'AGENTS.md': 'a', 'CLAUDE.md': 'bb', '.cursorrules': '', 'x/AGENTS.md': 'x' };
    expect(rowsOf(coverOne('zed', folder, 'x/y'))).toEqual([
      'loaded .cursorrules: Only blank space',
      'shadowed AGENTS.md -1: .cursorrules takes precedence',
      'shadowed CLAUDE.md -2: .cursorrules takes precedence',
    ]);
  });

  it('OpenCode: the first name of the root, and of each folder on the way to the file', () => {
    const folder = {
      'AGENTS.md': 'a',
      'CLAUDE.md': 'cc',
      'b/CLAUDE.md': 'b',
      'b/CONTEXT.md': 'dd',
      'e/AGENTS.md': 'e',
    };
    const root = ['loaded AGENTS.md', 'shadowed CLAUDE.md -2: AGENTS.md takes precedence'];
    expect(rowsOf(coverOne('opencode', folder))).toEqual([
      ...root,
      'shadowed b/CONTEXT.md -2: Only for work in b; b/CLAUDE.md takes precedence',
      'onDemand b/CLAUDE.md: Only for work in b',
      'onDemand e/AGENTS.md: Only for work in e',
    ]);
    expect(rowsOf(coverOne('opencode', folder, 'b/c/x.ts'))).toEqual([
      ...root,
      'loaded b/CLAUDE.md',
      'shadowed b/CONTEXT.md -2: b/CLAUDE.md takes precedence',
      'onDemand e/AGENTS.md: Only for work in e',
    ]);
  });

  it('Continue: AGENTS.md and its own rules', () => {
    const folder = {
      'AGENTS.md': 'a',
      'CLAUDE.md': 'c',
      '.continue/rules/x.md': '---\nalwaysApply: false\n---\n',
      '.continue/rules/y.md': '---\nalwaysApply: false\nglobs: ["*.py"]\n---\n',
    };
    expect(rowsOf(coverOne('continue', folder, 'a/b.py'))).toEqual([
      'loaded AGENTS.md',
      'shadowed CLAUDE.md -1: AGENTS.md takes precedence',
      'loaded .continue/rules/y.md: The open file matches *.py',
      'onDemand .continue/rules/x.md: Only when the agent or the user asks for it',
    ]);
  });

  it('Amp: one name a folder, all of it doubtful; Aider: nothing', () => {
    const folder = { 'AGENT.md': 'a @docs/x.md', 'CLAUDE.md': 'b', 'docs/x.md': '---\nglobs: ["*.go"]\n---\n' };
    expect(rowsOf(coverOne('amp', folder))).toEqual([
      'loaded? AGENT.md',
      'shadowed? CLAUDE.md -1: AGENT.md takes precedence',
      'onDemand? docs/x.md from AGENT.md: Only for files that match *.go',
    ]);
    expect(coverOne('aider', folder).files).toEqual([]);
  });
});

describe('Copilot CLI, Qwen Code and Kiro', () => {
  const folder = {
    'AGENTS.md': 'all agents',
    'CLAUDE.md': 'all agents',
    'QWEN.md': 'qwen',
    'GEMINI.md': 'gemini',
    '.github/copilot-instructions.md': 'copilot',
    '.github/instructions/all.instructions.md': '---\napplyTo: "**"\n---\nall',
    '.github/instructions/py.instructions.md': '---\napplyTo: "**/*.py"\n---\npy',
    '.kiro/steering/tech.md': 'tech',
    '.kiro/steering/api.md': '---\ninclusion: manual\n---\napi',
  };

  it('reads every file of the root at once, identical ones once', () => {
    expect(rowsOf(coverOne('copilot-cli', folder)).map((row) => row.split(':')[0])).toEqual([
      'loaded .github/copilot-instructions.md',
      'loaded AGENTS.md',
      expect.stringMatching(/^shadowed CLAUDE\.md/),
      'loaded GEMINI.md',
      'loaded .github/instructions/all.instructions.md',
      expect.stringMatching(/^onDemand \.github\/instructions\/py/),
    ]);
  });

  it('reads QWEN.md and AGENTS.md', () => {
    expect(rowsOf(coverOne('qwen-code', folder))).toEqual(['loaded QWEN.md', 'loaded AGENTS.md']);
  });

  it('reads steering files but those that are asked for, all of it unconfirmed', () => {
    expect(rowsOf(coverOne('kiro', folder)).map((row) => row.split(':')[0])).toEqual([
      ...['loaded? AGENTS.md', 'loaded? .kiro/steering/tech.md', 'onDemand? .kiro/steering/api.md'],
    ]);
  });
});
