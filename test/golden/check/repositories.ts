/** The repositories that `check` is tried on, each with one thing about it. */
export interface Repository {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
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

export const REPOSITORIES: readonly Repository[] = [
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
];
