import { describe, expect, it } from 'vitest';
import type { AgentCoverage, CoveredFile } from '../../../src/core/agents/agentCoverage';
import { phrase } from '../../../src/core/text/phrase';
import { agentAlarms, agentSentence, agentsView, hasCuts, splitAgents } from '../../../webview/agents';

function fileOf(patch: Partial<CoveredFile> & { readonly path: string }): CoveredFile {
  return {
    fate: 'loaded',
    bytes: 1000,
    lines: 40,
    bytesLost: 0,
    cutLine: undefined,
    importedBy: undefined,
    why: undefined,
    isDoubtful: false,
    ...patch,
  };
}

function agentOf(patch: Partial<AgentCoverage>): AgentCoverage {
  return { agent: 'codex', name: 'Codex', files: [], bytesLoaded: 0, bytesLost: 0, ...patch };
}

const CUT = fileOf({
  path: 'MEMORY.md',
  fate: 'truncated',
  bytesLost: 250,
  cutLine: 31,
  why: phrase('First {0} lines or {1} KB', 30, 25),
});

describe('own agents', () => {
  const [codex, cursor] = [agentOf({ files: [CUT] }), agentOf({ agent: 'cursor', name: 'Cursor', files: [] })];

  it('are those of My Agents, by name; all of them where none is known', () => {
    expect(splitAgents([codex, cursor], [])).toEqual({ own: [codex, cursor], others: [] });
    expect(splitAgents([codex, cursor], ['Cursor', 'Zed'])).toEqual({ own: [cursor], others: [codex] });
  });

  it('have something to tell where a file or an import does not reach one whole', () => {
    expect([hasCuts([codex]), hasCuts([cursor]), hasCuts([])]).toEqual([true, false, false]);
    const unread = { path: 'AGENTS.md', line: 1, target: 'a.md', reason: 'missing' } as const;
    expect(hasCuts([{ ...cursor, unreadImports: [unread] }])).toBe(true);
    expect(hasCuts([agentOf({ files: [fileOf({ path: 'a', fate: 'shadowed', bytesLost: 0 })] })])).toBe(false);
  });
});

describe('agentsView', () => {
  it('puts agents that cut before those that leave out, shadow, load and read on demand; the rest by name', () => {
    const view = agentsView([
      agentOf({ agent: 'zed', name: 'Zed', files: [fileOf({ path: 'a', fate: 'onDemand' })] }),
      agentOf({ agent: 'cursor', name: 'Cursor', files: [fileOf({ path: 'a' })] }),
      agentOf({ agent: 'cline', name: 'Cline' }),
      agentOf({ agent: 'roo-code', name: 'Roo', files: [fileOf({ path: 'a', fate: 'shadowed', bytesLost: 1000 })] }),
      agentOf({ agent: 'windsurf', name: 'Windsurf', files: [fileOf({ path: 'a', fate: 'dropped' })] }),
      agentOf({ agent: 'codex', name: 'Codex', files: [fileOf({ path: 'a' }), CUT] }),
    ]);
    expect(view.agents.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Codex truncated',
      'Windsurf dropped',
      'Roo shadowed',
    ]);
    expect(view.whole.map(({ name, state }) => `${name} ${state}`)).toEqual(['Cursor loaded', 'Zed onDemand']);
    expect(view.without).toEqual(['Cline']);
    expect(view.summary).toBe('1 truncated, 1 left out, 1 ignored');
    expect(agentsView([agentOf({ files: [fileOf({ path: 'a' })] })]).summary).toBe('nothing');
  });

  // A link from CLAUDE.md to AGENTS.md is common: seven agents seemed to lose a file of which they have every word.
  it('counts a copy of what an agent reads as no loss, and does not let it stand for the agent', () => {
    const copy = fileOf({ path: 'AGENTS.md', fate: 'shadowed' });
    const files = [copy, fileOf({ path: 'CLAUDE.md' })];
    const { agents, summary } = agentsView([agentOf({ files })]);
    expect([agents[0]?.state, summary]).toEqual(['loaded', 'nothing']);
    expect(agents[0]?.shown.map(({ path }) => path)).toEqual(['CLAUDE.md']);
    expect(agents[0]?.more.map(({ path, state }) => `${path} ${state}`)).toEqual(['AGENTS.md shadowed']);
    expect(agentAlarms([agentOf({ files })])).toEqual([]);
  });

  it('says in one line who loses nothing, where there are several; imports that come to nothing are something', () => {
    const whole = { files: [fileOf({ path: 'a' })] };
    const unreadImports = [{ path: 'a', line: 1, target: 'b', reason: 'missing' as const }];
    const view = agentsView([
      agentOf({ ...whole, agent: 'cursor' }),
      agentOf({ ...whole, agent: 'zed' }),
      agentOf({ ...whole, agent: 'amp', unreadImports }),
    ]);
    expect(view.whole.map(({ id }) => id)).toEqual(['cursor', 'zed']);
    expect(view.agents.map(({ id }) => id)).toEqual(['amp']);
    expect(agentsView([agentOf(whole)])).toMatchObject({ whole: [], agents: [{ id: 'codex' }] });
  });

  it('shows the files that lose something, and the others behind a link; one for all where none does', () => {
    const whole = [fileOf({ path: 'a' }), fileOf({ path: 'b' })];
    const [losing] = agentsView([agentOf({ files: [...whole, CUT] })]).agents;
    expect([losing?.shown.map(({ path }) => path), losing?.more.map(({ path }) => path)]).toEqual([
      ['MEMORY.md'],
      ['a', 'b'],
    ]);
    const [loading] = agentsView([agentOf({ files: whole })]).agents;
    expect([loading?.shown.map(({ path }) => path), loading?.more.map(({ path }) => path)]).toEqual([['a'], ['b']]);
  });

  it('leads to the cut, says the rule and what is lost', () => {
    const [agent] = agentsView([agentOf({ files: [CUT] })]).agents;
    expect(agent?.shown[0]).toMatchObject({
      line: 31,
      linkTitle: 'Open at the Cut: MEMORY.md',
      at: 'line 31 of 40',
      readShare: 0.75,
      rule: 'First 30 lines or 25 KB; 250 bytes lost',
    });
  });

  it('says of an import where it comes from, and tells two imports of one file apart', () => {
    const twice = [fileOf({ path: 'a', importedBy: 'b' }), fileOf({ path: 'a', importedBy: 'c' })];
    const [agent] = agentsView([agentOf({ files: twice })]).agents;
    expect(agent?.shown[0]).toMatchObject({ at: '40 lines', line: 1, linkTitle: 'Open: a', rule: 'Imported by b' });
    expect(agent?.shown[0]?.key).not.toBe(agent?.more[0]?.key);
  });
});

describe('imports that come to nothing', () => {
  it('are named with their reason, the first five', () => {
    const reasons = ['missing', 'outside', 'tooDeep', 'missing', 'missing', 'missing'] as const;
    const unreadImports = reasons.map((reason, line) => ({ path: 'a', line: line + 1, target: 'b', reason }));
    const [agent] = agentsView([agentOf({ files: [fileOf({ path: 'a' })], unreadImports })]).agents;
    expect(agent?.imports.map(({ words }) => words)).toEqual([
      'imports b, which does not exist',
      'imports b from outside the folder',
      'imports b, beyond its import depth',
      'imports b, which does not exist',
      'imports b, which does not exist',
    ]);
    expect(agent?.imports[2]?.linkTitle).toBe('Open: a, line 3');
  });
});

describe('agentAlarms', () => {
  it('are the files that an agent loses for certain', () => {
    const files = [fileOf({ path: 'a' }), CUT, fileOf({ path: 'b', fate: 'shadowed', isDoubtful: true })];
    expect(agentAlarms([agentOf({ files })])).toEqual(['codex truncated MEMORY.md']);
  });
});

describe('agentSentence', () => {
  it('speaks the first cut that is new, and nothing of what was known, doubtful or read for the first time', () => {
    const [before, after] = [[agentOf({ files: [fileOf({ path: 'MEMORY.md' })] })], [agentOf({ files: [CUT] })]];
    expect(agentSentence(before, after)).toBe('Codex cuts MEMORY.md');
    expect(agentSentence(undefined, after)).toBeUndefined();
    expect(agentSentence(after, structuredClone(after))).toBeUndefined();
    expect(agentSentence(before, [agentOf({ files: [{ ...CUT, isDoubtful: true }] })])).toBeUndefined();
  });
});
