/** What an agent loads before the first word, as a host sends it. The numbers of the design's mock. */
export const loaded = (name, tokens, patch = {}) => ({
  key: `${name} ${patch.path ?? ''}`,
  name,
  path: undefined,
  tokens,
  isExact: true,
  fate: 'loaded',
  why: undefined,
  isCertain: true,
  actions: patch.path === undefined ? [] : ['open'],
  items: [],
  ...patch,
});

const tools = (server, count, tokens) =>
  Array.from({ length: count }, (_, at) => loaded(`${server}_tool_${at + 1}`, Math.round(tokens / count)));

const category = (kind, items, patch = {}) => ({
  kind,
  tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
  isExact: items.every(({ isExact, fate }) => isExact && fate !== 'unmeasured'),
  items,
  actions: [],
  ...patch,
});

export function windowOf(categories, patch = {}) {
  return {
    name: 'Claude Code',
    model: 'claude-sonnet-5',
    windowTokens: 1_000_000,
    tokens: categories.reduce((sum, { tokens }) => sum + tokens, 0),
    isExact: categories.every(({ isExact }) => isExact),
    hasHome: false,
    categories,
    ...patch,
  };
}

const SKILL = ['onDemand', 'disable', 'open'];
const SERVER = ['measure', 'disable', 'open'];

export const CATEGORIES = [
  category('agent', [
    loaded('prompt', 5873, { isExact: false, isCertain: false }),
    loaded('tools', 4_010, { isExact: false, isCertain: false }),
    loaded('other', 1_317, { isExact: false, isCertain: false }),
  ]),
  category('instructions', [
    loaded('CLAUDE.md', 1_612, { path: 'CLAUDE.md' }),
    loaded('packages/auth/with/a/deep/folder/CLAUDE.md', 788, { path: 'packages/auth/with/a/deep/folder/CLAUDE.md' }),
    loaded('docs/old.md', 0, { path: 'docs/old.md', fate: 'shadowed', isCertain: false }),
  ]),
  category(
    'mcp',
    [
      loaded('github', 14_100, { path: '.mcp.json', actions: SERVER, items: tools('github', 35, 14_100) }),
      loaded('playwright', 2_900, { actions: SERVER, items: tools('playwright', 21, 2_900) }),
      loaded('linear', 0, { path: '.mcp.json', fate: 'unmeasured', actions: SERVER }),
    ],
    { actions: ['measure'] },
  ),
  category('skills', [
    loaded('review', 1_900, { path: '.claude/skills/review/SKILL.md', fate: 'listed', actions: SKILL }),
    loaded('release', 1_300, { path: '.claude/skills/release/SKILL.md', fate: 'cut' }),
  ]),
  category('subagents', [loaded('explorer', 900, { fate: 'listed' })]),
];
