/** The repositories that `check` is tried on, each with one thing about it. */
export interface Repository {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** A first commit, whose files the second one replaces by `files`; without it there is no Git. */
  readonly before?: Readonly<Record<string, string>>;
  /** The exit code. */
  readonly code: number;
  readonly args?: readonly string[];
}

const CONFIG = '.context-budget/config.json';
const RULES = '# Rules\n\n- Write tests first.\n- Keep functions short.\n';
const FILES = { 'AGENTS.md': RULES, 'src/a.ts': 'export function add(a: number, b: number) {\n  return a + b;\n}\n' };

function limits(of: object, rules: object = {}): string {
  return `${JSON.stringify({ check: { rules, limits: of } }, null, 2)}\n`;
}

/** More than half of a window of 7,500 tokens, in a list that is never cut. */
const LONG_RULES = `# Rules\n\n${Array.from({ length: 900 }, (_, at) => `- Rule number ${at} holds for all code.\n`).join('')}`;

/** Has the form of a GitHub token and is none; in two pieces, so that no scanner of this repository finds it. */
const FAKE_TOKEN = ['ghp_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('');

function skill(name: string, characters: number, head = ''): string {
  return `---\nname: ${name}\n${head}description: ${'Use it to ship. '.repeat(200).slice(0, characters)}\n---\n\nStep one.\n`;
}

const SHOP = ['prices', 'tax', 'coupons'].map(
  (name) => [name, `export const ${name} = '${name} of the shop';\n`] as const,
);

export const REPOSITORIES: readonly Repository[] = [
  {
    name: 'skill-cut',
    files: {
      ...FILES,
      '.claude/skills/long/SKILL.md': skill('long', 1600),
      '.claude/skills/quiet/SKILL.md': skill('quiet', 1600, '# <!-- context-budget-ignore skill-cut -->\n'),
      '.claude/skills/ship/SKILL.md': skill('ship', 40),
      '.agents/skills/draft/SKILL.md': skill('draft', 1100),
    },
    args: ['--agent', 'claude-code', 'codex'],
    code: 0,
  },
  {
    name: 'agent-limit',
    files: {
      'CLAUDE.md': RULES,
      '.claude/skills/ship/SKILL.md': skill('ship', 40),
      '.claude/agents/judge.md': '---\nname: judge\ndescription: Reads diffs\n---\n\nBe strict.\n',
      '.mcp.json': '{\n  "mcpServers": {\n    "db": { "command": "db" }\n  }\n}\n',
      [CONFIG]: limits({ agent: { 'claude-code': 30 } }),
    },
    code: 3,
  },
  {
    name: 'stale-path',
    before: Object.fromEntries(SHOP.map(([name, text]) => [`src/shop/${name}.ts`, text])),
    files: {
      'AGENTS.md': [
        '# Rules\n\n- Prices are in `src/shop/prices.ts`.\n- Tax is in `src/shop/tax.ts`.\n',
        '<!-- context-budget-ignore stale-path -->\n- Coupons are in `src/shop/coupons.ts`.\n',
      ].join('\n'),
      'src/shop/pricing.ts': SHOP[0]?.[1] ?? '',
    },
    args: ['--trust'],
    code: 0,
  },
  { name: 'clean', files: { ...FILES, [CONFIG]: limits({ total: 6000, section: { 'agents-md': 500 } }) }, code: 0 },
  {
    name: 'over',
    files: {
      ...FILES,
      'AGENTS.md': LONG_RULES,
      [CONFIG]: `{
  // The file is always shown, whatever it costs.
  "sections": [{ "id": "rules", "file": "AGENTS.md", "priority": "P0" }],
  "check": { "limits": { "total": 6000, "section": { "rules": 1500, "gone": 10 }, "agent": { "codex": 4000 } } }
}
`,
    },
    code: 3,
  },
  { name: 'broken-config', files: { ...FILES, [CONFIG]: '{ "check": { "limits": { "total": "many" } } }\n' }, code: 2 },
  {
    name: 'unmeasured',
    files: {
      ...FILES,
      [CONFIG]:
        '{\n  "sections": [\n    { "id": "ports", "command": ["true"] },\n    { "id": "plan", "file": "PLAN.md" }\n  ]\n}\n',
    },
    code: 4,
  },
  {
    name: 'suppressed',
    files: {
      ...FILES,
      'AGENTS.md': `---\ndescription: rules\n---\n<!-- context-budget-ignore section-limit, agent-limit -->\n${RULES}`,
      [CONFIG]: limits({ section: { 'agents-md': 5 }, agent: { codex: 5 } }),
    },
    code: 0,
  },
  {
    name: 'secret',
    files: { ...FILES, 'AGENTS.md': `${RULES}- Deploy with ${FAKE_TOKEN}.\n` },
    code: 3,
  },
  {
    name: 'agent-cut',
    files: { ...FILES, 'CLAUDE.md': RULES, 'AGENTS.md': LONG_RULES },
    args: ['--agent', 'codex'],
    code: 0,
  },
  {
    name: 'relay-essential',
    files: {
      ...FILES,
      '.context-budget/relay.json': '{ "relay_context": { "goal": "Ship it", "constraints": [] } }\n',
    },
    code: 3,
  },
  {
    name: 'levels',
    files: {
      ...FILES,
      [CONFIG]: limits(
        { total: 10, section: { 'agents-md': 5 } },
        { 'total-limit': 'warning', 'section-limit': 'note' },
      ),
    },
    code: 0,
  },
  {
    name: 'grew',
    files: {
      ...FILES,
      'budget.json': `${JSON.stringify({
        version: 'check_baseline.v1',
        profile: 'default',
        tokens: 45,
        sections: [
          { id: 'agents-md', tokens: 9 },
          { id: 'repo-map', tokens: 26 },
          { id: 'gone', tokens: 10 },
        ],
      })}\n`,
    },
    args: ['--baseline', 'budget.json', '--max-increase', '3%'],
    code: 3,
  },
];
