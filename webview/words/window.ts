/** Words of the window bar and of the part *Before the First Word*. */
import type { WindowFate, WindowKind } from '../../src/core/window/loaded/windowReport';
import type { WindowAction } from '../../src/protocol/panelAction';
import { formatCount, t } from '../language';

/** What each category is called; the agent's own has its name in it. */
export const WINDOW_KIND_WORDS: Readonly<Record<WindowKind, (agent: string) => string>> = {
  agent: (agent) => t('{0} itself', agent),
  instructions: () => t('Instructions'),
  user: () => t('Your instructions'),
  mcp: () => t('MCP servers'),
  skills: () => t('Skills'),
  subagents: () => t('Subagents'),
  commands: () => t('Commands'),
};

/** The parts of the agent's own text, by the end of their keys. */
export const OWN_TEXT_WORDS: Readonly<Record<string, string>> = {
  prompt: t('Prompt'),
  tools: t('Tools'),
  other: t('Environment'),
};

/** What becomes of a row; undefined where that is what one expects of its category. */
export const WINDOW_FATE_WORDS: Readonly<Record<WindowFate, string | undefined>> = {
  loaded: undefined,
  listed: undefined,
  deferred: t('on demand'),
  cut: t('shortened'),
  dropped: t('left out'),
  shadowed: t('ignored'),
  disabled: t('disabled'),
  unmeasured: t('not measured'),
};

/** What the actions of a row are called, and what they do. */
export const WINDOW_ACTION_WORDS: Readonly<Record<WindowAction, { readonly label: string; readonly title: string }>> = {
  measure: { label: t('Measure…'), title: t('Start the server, after asking, to count its tools') },
  onDemand: {
    label: t('Load on Demand'),
    title: t('Change the agent’s settings or the importing file, after showing a diff'),
  },
  disable: { label: t('Disable'), title: t('Change the agent’s settings, after showing a diff') },
  open: { label: t('Open'), title: t('Open the file that names it') },
};

export const WINDOW_WORDS = {
  bar: t('Context window'),
  title: t('Before the First Word'),
  select: t('Select Agent and Model…'),
  note: (loaded: string, payload: string) => t('{0} before the first word · {1} payload', loaded, payload),
  shareOf: (tokens: string, percent: string) => t('{0} ({1})', tokens, percent),
  show: t('Show Before the First Word'),
  spoken: (parts: string) => t('Show Before the First Word: {0}', parts),
  piece: (name: string, tokens: string) => t('{0}: {1} tokens', name, tokens),
  about: (name: string, tokens: number) => t('{0} about {1}', name, formatCount(tokens)),
  payload: t('Payload'),
  free: t('Free'),
  of: (tokens: number) => t('of {0} tokens', tokens),
  unmeasured: (servers: number) => t('{0} not measured', servers),
  unmeasuredOf: (servers: number, all: number) => t('{0} of {1} not measured', servers, all),
  shortened: (all: number, shortened: number) => t('{0}, {1} shortened', all, shortened),
  files: (count: number) => t(count === 1 ? '{0} file' : '{0} files', count),
  tools: (count: number) => t(count === 1 ? '{0} tool' : '{0} tools', count),
  serverText: t('Server’s instructions'),
  unsure: t('unconfirmed'),
  actions: (name: string) => t('Actions for {0}', name),
  tokens: t('tokens'),
  open: (path: string) => t('Open: {0}', path),
  withoutHome: t('Your home folder is not included.'),
  include: t('Include…'),
  withHome: t('Your home folder is included.'),
  stop: t('Stop Including'),
} as const;
