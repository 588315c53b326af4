import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG, parseConfig, profileOf } from '../../../../src/core/config/config';
import { BUILTIN_PROFILES, DEFAULT_PROFILE } from '../../../../src/core/config/profile';

const messages = (text: string) => parseConfig(text).problems.map((problem) => problem.message);

function withSection(section: string): string {
  return `{ "sections": [\n${section}\n] }`;
}

describe('parseConfig, accepted', () => {
  test('an empty object, an empty file and a file of comments are the default config', () => {
    for (const text of ['{}', '', ' \r\n', '// nothing yet\n', '\uFEFF{}']) {
      expect(parseConfig(text)).toEqual({ config: DEFAULT_CONFIG, problems: [] });
    }
  });

  test('comments and trailing commas are allowed', () => {
    const { config, problems } = parseConfig('{ // caps\n "version": 1, /* x */ "usage_log": "a/./b.jsonl", }');
    expect(problems).toEqual([]);
    expect(config?.usageLog).toBe('a/b.jsonl');
  });

  test('a profile inherits what it leaves out, down to single top_k rows', () => {
    const { config } = parseConfig(
      '{ "default_profile": "planner", "profiles": { "planner": { "budget_tokens": 100, "top_k": { "index": 3 } } } }',
    );
    expect(config?.profiles.map((profile) => profile.name)).toEqual(['default', 'planner', 'implementer', 'verifier']);
    const { description: _of, ...withoutDescription } = DEFAULT_PROFILE;
    expect(profileOf(config!, undefined)).toEqual({
      ...withoutDescription,
      name: 'planner',
      budgetTokens: 100,
      topK: { index: 3, timeline: 20, detail: 5 },
    });
    expect(profileOf(config!, 'default')).toEqual(DEFAULT_PROFILE);
    expect(profileOf(config!, 'no such').name).toBe('planner');
  });

  test('the example of the design is read whole', () => {
    const { config, problems } = parseConfig(DESIGN_EXAMPLE);
    expect(problems).toEqual([]);
    expect(config?.profiles).toEqual(BUILTIN_PROFILES);
    expect(config?.sections).toEqual([
      {
        id: 'soul',
        title: 'memory/SOUL.md',
        priority: 'P1',
        source: { kind: 'file', path: 'memory/SOUL.md' },
        keepRecent: undefined,
        onDemand: false,
        keywords: [],
      },
      {
        id: 'topic-memory',
        title: 'topic-memory',
        priority: 'P4',
        source: { kind: 'files', pattern: 'memory/topics/*.md' },
        keepRecent: 5,
        onDemand: false,
        keywords: [],
      },
      {
        id: 'ports',
        title: 'ports',
        priority: 'P2',
        source: { kind: 'command', argv: ['bash', 'plugins/port-check.sh'], timeoutMs: 5000 },
        keepRecent: undefined,
        onDemand: false,
        keywords: ['port', 'network'],
      },
      {
        id: 'repo-map',
        title: 'repo-map',
        priority: 'P2',
        source: { kind: 'builtin', builtin: 'repo-map' },
        keepRecent: undefined,
        onDemand: false,
        keywords: [],
      },
    ]);
    const rest = { profiles: [], sections: [] };
    expect({ ...config, ...rest }).toEqual({ ...DEFAULT_CONFIG, ...rest, agents: ['claude-code'] });
  });
});

describe('parseConfig, refused', () => {
  test('a wrong type names file, line, key, expectation and value', () => {
    const text =
      '{\n  "version": 1,\n  "profiles": {\n    // caps\n    "default": {\n      "budget_tokens": "7.5k"\n    }\n  }\n}';
    expect(parseConfig(text)).toMatchObject({
      config: DEFAULT_CONFIG,
      problems: [
        {
          kind: 'config',
          severity: 'error',
          message:
            '.context-budget/config.json, line 6: profiles.default.budget_tokens must be a whole number of at least 1, but is "7.5k"',
          path: '.context-budget/config.json',
          line: 6,
        },
      ],
    });
  });

  test.each([
    [
      '{ "profiles": { "default": { "budget_tokens": 0 } } }',
      'profiles.default.budget_tokens must be a whole number of at least 1, but is 0',
    ],
    [
      '{ "profiles": { "default": { "map_tokens": 1.5 } } }',
      'profiles.default.map_tokens must be a whole number of at least 1, but is 1.5',
    ],
    [
      '{ "profiles": { "default": { "map_tokens": null } } }',
      'profiles.default.map_tokens must be a whole number of at least 1, but is null',
    ],
    ['{ "profiles": { "default": [] } }', 'profiles.default must be an object, but is an empty list'],
    [
      '{ "profiles": { "default": { "downgrade_order": ["map", "all"] } } }',
      'profiles.default.downgrade_order[1] must be one of "detail", "timeline", "map", "index", but is "all"',
    ],
    [
      '{ "profiles": { "default": { "downgrade_order": ["map", "map"] } } }',
      'profiles.default.downgrade_order[1] must not repeat a step, but repeats "map"',
    ],
    [
      '{ "profiles": { "": {} } }',
      'the key profiles."" must be a profile name of 1 to 64 characters (A-Z, a-z, 0-9, " ", "_", "." and "-") that starts with a letter or digit',
    ],
    ['{ "version": 2 }', 'version must be 1, but is 2'],
    ['{ "version": "1" }', 'version must be 1, but is "1"; did you mean 1?'],
    [
      '{ "default_profile": "planer", "profiles": { "planner": {} } }',
      'default_profile must be the name of a profile ("default", "planner", "implementer", "verifier"), but is "planer"; did you mean "planner"?',
    ],
    [
      '{ "default_profile": "drafted", "profiles": { "grafter": {}, "drafter": {} } }',
      'default_profile must be the name of a profile ("default", "planner", "implementer", "verifier", "grafter", "drafter"), but is "drafted"; did you mean "drafter"?',
    ],
    ['{ "scoring": { "threshold": 3 } }', 'scoring.threshold must be a number from 0 to 1, but is 3'],
    [
      '{ "scoring": { "roi_thresholds": { "med": 1000001 } } }',
      'scoring.roi_thresholds.med must be a number from 0 to 1,000,000, but is 1000001',
    ],
    [
      '{ "scoring": { "mode": "dynamicc" } }',
      'scoring.mode must be one of "off", "baseline", "static", "dynamic", but is "dynamicc"; did you mean "dynamic"?',
    ],
    [
      '{ "usage_log": "/var/log/usage" }',
      'usage_log must be a path inside the folder, with "/" between names, without a leading "/" and without "..", but is "/var/log/usage"',
    ],
    [
      '{ "repo_map": { "max_file_bytes": 99999999999 } }',
      'repo_map.max_file_bytes must be a whole number from 1 to 50,000,000, but is 99999999999',
    ],
    ['[]', 'the file must be an object, but is an empty list'],
  ])('%s', (text, message) => {
    expect(messages(text)).toEqual([`.context-budget/config.json, line 1: ${message}`]);
  });

  test.each([
    [
      '{ "file": "a.md" }',
      'sections[0].id must be an id of letters, digits, "_" and "-" that starts with a letter or digit, such as "topic-memory", but is missing',
    ],
    [
      '{ "id": "My Notes", "file": "a.md" }',
      'sections[0].id must be an id of letters, digits, "_" and "-" that starts with a letter or digit, such as "topic-memory", but is "My Notes"; did you mean "my-notes"?',
    ],
    ['{ "id": "a" }', 'sections[0] must have exactly one of "file", "files", "command" and "builtin", but has none'],
    [
      '{ "id": "a", "file": "a.md", "command": ["x"] }',
      'sections[0] must have exactly one of "file", "files", "command" and "builtin", but has "file" and "command"',
    ],
    [
      '{ "id": "a", "command": [] }',
      'sections[0].command must be a list of strings: the program and its arguments, but is an empty list',
    ],
    [
      '{ "id": "a", "command": "bash x.sh" }',
      'sections[0].command must be a list of strings: the program and its arguments, but is "bash x.sh"',
    ],
    ['{ "id": "a", "command": [""] }', 'sections[0].command[0] must name a program, but is ""'],
    [
      '{ "id": "a", "command": ["x"], "timeout_ms": 5 }',
      'sections[0].timeout_ms must be a whole number from 100 to 600,000, but is 5',
    ],
    [
      '{ "id": "a", "file": "a.md", "priority": "P7" }',
      'sections[0].priority must be one of "P0", "P1", "P2", "P3", "P4", but is "P7"',
    ],
    [
      '{ "id": "a", "file": "a.md" }, { "id": "a", "file": "b.md" }',
      'sections[1].id must be unique, but "a" is already used by sections[0]',
    ],
    [
      '{ "id": "a", "file": "a.md" }, { "id": "b", "file": "./a.md" }',
      'sections[1].file must be unique, but "a.md" is already used by sections[0]',
    ],
    [
      '{ "id": "a", "builtin": "git" }, { "id": "b", "builtin": "git" }',
      'sections[1].builtin must be unique, but "git" is already used by sections[0]',
    ],
  ])('section %s', (section, message) => {
    expect(messages(withSection(section))).toEqual([`.context-budget/config.json, line 2: ${message}`]);
  });

  test.each(['/etc/passwd', '../x', 'a/../../x', '..', 'C:/x', 'a\\\\b', '~/x', '', '.', './', 'a\\u0000b'])(
    'a path that is unsafe: %s',
    (path) => {
      const [message] = messages(withSection(`{ "id": "a", "file": "${path}" }`));
      expect(message).toContain('sections[0].file must be a path inside the folder');
      const [glob] = messages(withSection(`{ "id": "a", "files": "${path}" }`));
      expect(glob).toContain('sections[0].files must be a path inside the folder');
    },
  );

  test('both logs in one file is an error: they would take each other’s numbers', () => {
    const own = '{ "usage_log": "./a/log.jsonl",\n"observations": { "path": "a/log.jsonl" } }';
    expect(messages(own)).toEqual([
      '.context-budget/config.json, line 1: usage_log must differ from observations.path, but both are "./a/log.jsonl"',
    ]);
    expect(messages('{ "usage_log": ".context-budget/observations.jsonl" }')).toHaveLength(1);
    expect(messages('{ "observations": { "path": ".context-budget/usage.jsonl" } }')).toHaveLength(1);
  });

  test.each(['.git/usage.jsonl', './.GIT/x.jsonl', 'sub/.git/hooks/log', '.git./x', 'GIT~1/x', '.g\u200cit/x'])(
    'a log in git’s own folder is an error: %s',
    (path) => {
      const text = JSON.stringify({ usage_log: path, observations: { path: `${path}.2` } });
      expect(messages(text)).toEqual([
        `.context-budget/config.json, line 1: usage_log must not be in a Git folder, but is "${path}"`,
        `.context-budget/config.json, line 1: observations.path must not be in a Git folder, but is "${path}.2"`,
      ]);
    },
  );

  test.each(['.github/usage.jsonl', '.gitignore.d/x', 'git/x', 'a.git/x'])('a log beside git is none: %s', (path) => {
    expect(messages(JSON.stringify({ usage_log: path }))).toEqual([]);
  });

  test('all wrong values are named at once, in the order of the file', () => {
    const text = '{\n"usage_log": 1,\n"scoring": {\n"threshold": "x" },\n"version": 9 }';
    expect(parseConfig(text).problems.map((problem) => problem.line)).toEqual([2, 4, 5]);
  });

  test.each([
    ['{\n "version": 1\n "usage_log": "x" }', 'line 3: not valid JSON: a "," is missing before this'],
    ['{\n "version": 1', 'line 2: not valid JSON: a "}" is missing'],
    ['{\n "version": one }', 'line 2: not valid JSON: this is not a value; strings need double quotes'],
    ['{ "usage_log": "x\n }', 'line 1: not valid JSON: a string has no closing double quote'],
    ['{} {}', 'line 1: not valid JSON: the file should end before this'],
  ])('a syntax error names its line: %j', (text, message) => {
    expect(parseConfig(text).config).toBeUndefined();
    expect(messages(text)).toEqual([`.context-budget/config.json, ${message}`]);
  });

  test('a long value is shown short', () => {
    const [message] = messages(`{ "version": "${'x'.repeat(5000)}" }`);
    expect(message!.length).toBeLessThan(140);
  });

  test('a long key is shown short', () => {
    const [message = ''] = messages(`{ "${'k'.repeat(100_000)}": 1 }`);
    expect(message.length).toBeLessThan(200);
    expect(message).toContain('is not a known key and is ignored');
  });

  test.each(['/*', '{}/*', '**/*', '{"version": 1} /*', '{"version": 1, /*'])(
    'a comment without end is an error: %s',
    (text) => {
      const { config, problems } = parseConfig(text);
      expect(config).toBeUndefined();
      expect(problems).toMatchObject([{ severity: 'error', line: 1 }]);
    },
  );

  test('values nested without end are an error, not a stack overflow', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `{ "sections":\n${open.repeat(50_000)}1${close.repeat(50_000)} }`;
      const expected = ['.context-budget/config.json, line 2: not valid JSON: values are nested more than 100 deep'];
      expect(messages(text)).toEqual(expected);
      expect(messages(text.slice(0, 60_000))).toEqual(expected);
    }
  });

  // What is not linear does not end within the test's time.
  test('hostile paths are refused', () => {
    const refused = messages(
      withSection(`{ "id": "a", "file": "${'/'.repeat(50_000)}x" }, { "id": "b", "file": "${'./'.repeat(50_000)}" }`),
    );
    expect(refused.map((message) => message.split(' must ')[0])).toEqual([
      '.context-budget/config.json, line 2: sections[0].file',
      '.context-budget/config.json, line 2: sections[1].file',
    ]);
  });
});

describe('parseConfig, in part', () => {
  const wrong = '{ "id": "a", "file": "../x" }';
  const good = '{ "id": "b", "file": "b.md" }';
  const ids = (text: string) => parseConfig(text).config?.sections.map(({ id }) => id);

  test('a bad section costs itself alone, and errors name places of the file', () => {
    const text = `{ "usage_log": "u.jsonl", "sections": [${wrong}, ${good}, 7, { "id": "b", "file": "c.md" }, ${good}] }`;
    expect(ids(text)).toEqual(['b']);
    expect(parseConfig(text).config?.usageLog).toBe('u.jsonl');
    expect(
      messages(text).map((message) => /: (\S+) must be (unique|a path|an object)/.exec(message)?.slice(1)),
    ).toEqual([
      ['sections[0].file', 'a path'],
      ['sections[2]', 'an object'],
      ['sections[3].id', 'unique'],
      ['sections[4].id', 'unique'],
      ['sections[4].file', 'unique'],
    ]);
  });

  test('of two sections with one id, the second holds where the first is bad', () => {
    expect(ids(`{ "sections": [{ "id": "b", "file": "/x" }, ${good}] }`)).toEqual(['b']);
    expect(messages(`{ "sections": [{ "id": "b", "file": "/x" }, ${good}] }`)).toHaveLength(1);
  });

  test.each([
    ['"priority": "p1"', 'priority', { priority: undefined }],
    ['"keep_recent": 0', 'keep_recent', { keepRecent: undefined }],
    ['"on_demand": "true"', 'on_demand', { onDemand: false }],
    ['"keywords": ["x", "", 7]', 'keywords', { keywords: ['x'] }],
    ['"keywords": "x", "keep_recent": 3', 'keywords', { keywords: [], keepRecent: 3 }],
  ])('a section with %s keeps everything else', (wrongKey, key, kept) => {
    const text = `{ "sections": [{ "id": "c", "file": "/x" }, { "id": "a", "file": "a.md", ${wrongKey} }, ${good}] }`;
    expect(parseConfig(text).config?.sections).toMatchObject([
      { id: 'a', source: { path: 'a.md' }, ...kept },
      { id: 'b' },
    ]);
    expect(messages(text)[1]).toContain(`sections[1].${key}`);
  });

  test.each([
    '"id": "a b", "file": "a.md"',
    '"file": "a.md"',
    '"id": "a"',
    '"id": "a", "file": "/x", "files": "*.md"',
    '"id": "a", "command": ["x", 7]',
    '"id": "a", "builtin": "gitt"',
  ])('a section without a right id and source goes, with one error: %s', (section) => {
    const text = `{ "sections": [{ ${section} }, ${good}] }`;
    expect(ids(text)).toEqual(['b']);
    expect(messages(text)).toHaveLength(1);
  });

  test('a wrong value of a profile costs its key alone; a profile that is no object is named with the default’s caps', () => {
    const text = `{ "default_profile": "mine", "sections": [${good}], "profiles": {
      "mine": { "budget_tokens": "7500", "map_tokens": 99 }, "planner": 7, "": {},
      "other": { "max_per_source_tokens": { "a": 0, "b": 5 } }, "none": [],
      "steps": { "downgrade_order": [${'"map",'.repeat(20)} "index"] } } }`;
    const { config } = parseConfig(text);
    expect(messages(text)).toHaveLength(5 + 19);
    expect(messages(text)[0]).toContain('but is "7500"; did you mean 7500?');
    expect(profileOf(config!, undefined)).toMatchObject({ name: 'mine', budgetTokens: 7500, mapTokens: 99 });
    expect(config?.profiles.find(({ name }) => name === 'planner')).toEqual(BUILTIN_PROFILES[1]);
    expect(profileOf(config!, 'other').maxPerSourceTokens).toEqual({ b: 5 });
    expect(profileOf(config!, 'none')).toMatchObject({ name: 'none', mapTokens: 1500 });
    expect(profileOf(config!, 'steps').downgradeOrder).toEqual(['map', 'index']);
    expect(ids(text)).toEqual(['b']);
  });

  test('a truth value in quotation marks is offered without them, another text is not', () => {
    const problemOf = (value: string) =>
      messages(withSection(`{ "id": "a", "path": "a.md", "on_demand": "${value}" }`)).join('\n');
    expect(problemOf('True')).toContain('but is "True"; did you mean true?');
    expect(problemOf('FALSE')).toContain('but is "FALSE"; did you mean false?');
    expect(problemOf('yes')).toMatch(/but is "yes"$/);
  });

  test('another wrong value falls back to its default alone, an item of a list goes', () => {
    const text = `{ "pinned": ["a b", "soul"], "agents": ["claude-cod", "codex", "codex"], "repo_map": { "exclude": "x" },
      "scoring": { "threshold": 3, "window": 60, "roi_thresholds": { "waste": 5 } }, "default_profile": "planer" }`;
    const { config } = parseConfig(text);
    expect(messages(text)).toHaveLength(6);
    expect(messages(text)[1]).toContain('agents[0] must be one of');
    expect(messages(text)[1]).toContain('but is "claude-cod"; did you mean "claude-code"?');
    expect(config).toMatchObject({ pinned: ['soul'], agents: ['codex'], defaultProfile: 'default' });
    expect(config?.scoring).toEqual({ ...DEFAULT_CONFIG.scoring, window: 60 });
    expect(config?.repoMap).toEqual(DEFAULT_CONFIG.repoMap);
  });

  test('bad JSON, another version and what is no object leave nothing', () => {
    for (const text of ['{', '{ "version": 2 }', '[]', `{ "version": "1", "sections": [${good}] }`])
      expect(parseConfig(text).config).toBeUndefined();
  });

  test('ids are kept as they are written and are unique as names of elements', () => {
    const section = (id: string, at: number) => `{ "id": "${id}", "file": "${at}.md" }`;
    const written = ['recent_conversations', '2026', 'Notes', '会话', 'a--b'];
    expect(ids(`{ "sections": [${written.map(section).join()}] }`)).toEqual(written);
    expect(ids(`{ "sections": [${['a_b', 'a-b', 'A-B'].map(section).join()}] }`)).toEqual(['a_b']);
    expect(messages(`{ "sections": [${section('context_notes', 1)}] }`)[0]).toContain('which payloads use');
  });
});

describe('parseConfig, warned', () => {
  test('unknown keys warn with line and the key that was meant; the rest is used', () => {
    const text =
      '{\n"usageLog": "x",\n"zebra": 1,\n"profiles": { "default": {\n"budget_token": 5, "map_tokens": 9 } },\n"sections": [ { "id": "a", "file": "a.md",\n"priorty": "P1" } ] }';
    const { config, problems } = parseConfig(text);
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      [
        'warning',
        '.context-budget/config.json, line 2: usageLog is not a known key and is ignored; did you mean "usage_log"?',
      ],
      ['warning', '.context-budget/config.json, line 3: zebra is not a known key and is ignored'],
      [
        'warning',
        '.context-budget/config.json, line 5: profiles.default.budget_token is not a known key and is ignored; did you mean "budget_tokens"?',
      ],
      [
        'warning',
        '.context-budget/config.json, line 7: sections[0].priorty is not a known key and is ignored; did you mean "priority"?',
      ],
    ]);
    expect(config?.profiles[0]?.mapTokens).toBe(9);
    expect(config?.sections).toHaveLength(1);
  });

  test('a key of an earlier version warns like any other unknown key', () => {
    const { config, problems } = parseConfig('{ "repo_map": { "grammars": ["g/toml.json"], "max_file_bytes": 9 } }');
    expect(problems.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', '.context-budget/config.json, line 1: repo_map.grammars is not a known key and is ignored'],
    ]);
    expect(config?.repoMap.maxFileBytes).toBe(9);
  });

  test('names of Object.prototype are unknown keys like any other', () => {
    expect(messages('{ "constructor": 1, "__proto__": {}, "toString": 2 }')).toHaveLength(3);
  });

  test('a key written twice warns, and the last one counts', () => {
    const { config, problems } = parseConfig('{ "usage_log": "a",\n "usage_log": "b" }');
    expect(problems.map((problem) => problem.message)).toEqual([
      '.context-budget/config.json, line 2: usage_log appears twice; the last one counts',
    ]);
    expect(config?.usageLog).toBe('b');
  });

  test('relay is a built-in, and its files and limit have defaults of their own', () => {
    const { config, problems } = parseConfig(withSection('{ "id": "relay", "builtin": "relay", "priority": "P1" }'));
    expect(problems).toEqual([]);
    expect(config?.sections).toMatchObject([
      { id: 'relay', priority: 'P1', source: { kind: 'builtin', builtin: 'relay' } },
    ]);
    expect(parseConfig('{ "relay": { "path": "./state/relay.json", "max_tokens": 500 } }').config?.relay).toEqual({
      path: 'state/relay.json',
      ledger: '.context-budget/ledger.json',
      maxTokens: 500,
    });
    expect(parseConfig('{ "relay": { "path": "/etc/passwd" } }').problems[0]?.message).toContain(
      'relay.path must be a path inside',
    );
  });
});

/** DESIGN §5.1, word for word: the contract that other programs write. */
const DESIGN_EXAMPLE = `{
  "version": 1,
  "default_profile": "default",
  "profiles": {
    "default": {
      "budget_tokens": 7500, "hard_cap_chars": 30000,
      "index_tokens": 1200, "timeline_tokens": 800, "detail_tokens": 1500, "map_tokens": 1500,
      "max_per_source_tokens": { "observations": 1200 },
      "top_k": { "index": 40, "timeline": 20, "detail": 5 },
      "downgrade_order": ["detail", "timeline", "map", "index"]
    }
  },
  "sections": [
    { "id": "soul", "file": "memory/SOUL.md", "priority": "P1" },
    { "id": "topic-memory", "files": "memory/topics/*.md", "priority": "P4", "keep_recent": 5, "on_demand": false },
    { "id": "ports", "command": ["bash", "plugins/port-check.sh"], "timeout_ms": 5000, "priority": "P2", "keywords": ["port", "network"] },
    { "id": "repo-map", "builtin": "repo-map", "priority": "P2" }
  ],
  "agents": ["claude-code"],
  "scoring": { "mode": "baseline", "threshold": 0.3, "window": 50, "static_rules": { "on_demand": ["P4"], "keep_recent": 20, "conversations": 3 }, "weights": { "citation": 0.4, "trigger": 0.3, "recency": 0.2, "size": 0.1 } },
  "observations": { "path": ".context-budget/observations.jsonl", "sources": ["PROGRESS.md", "SUMMARY.md", "runs/**/*.json", "runs/**/*.jsonl"] },
  "usage_log": ".context-budget/usage.jsonl",
  "repo_map": { "include": [], "exclude": [], "max_file_bytes": 1000000 }
}`;
