import { describe, expect, it } from 'vitest';
import type { OpenEditor } from '../../../../src/core/ports/ports';
import { nearestFiles } from '../../../../src/core/workspace/agentPaths';
import { Workspace, type WorkspaceSnapshot } from '../../../../src/core/workspace/workspace';
import { makePorts, PREFERENCES } from '../../../support/workspaceFakes';

const BIG = 'x\n'.repeat(20_000);

function open(files: Readonly<Record<string, string>>, activePath?: { path: string | undefined }) {
  const base = makePorts(files);
  const openEditors = (): readonly OpenEditor[] =>
    activePath?.path === undefined
      ? []
      : [{ path: activePath.path, isActive: true, isDirty: false, selection: undefined }];
  const ports = activePath ? { ...base, editor: { diagnostics: () => [], openEditors } } : base;
  return { ports: base, workspace: new Workspace(ports, PREFERENCES) };
}

const filesOf = ({ agents }: WorkspaceSnapshot, agent: string): readonly string[] | undefined =>
  agents?.find((each) => each.agent === agent)?.files.map(({ path, fate }) => `${fate} ${path}`);

describe('agents of a workspace', () => {
  it('are unknown before the files were read, then there with their notices, without any text', async () => {
    const { workspace } = open({ 'AGENTS.md': `secret\n${BIG}` });
    expect(workspace.snapshot.agents).toBeUndefined();
    const snapshot = await workspace.whenReady();
    expect(filesOf(snapshot, 'codex')).toEqual(['truncated AGENTS.md']);
    expect(snapshot.notices.map(({ kind, path }) => `${kind} ${path}`)).toContain('agentCut AGENTS.md');
    expect(JSON.stringify([snapshot.agents, snapshot.notices])).not.toContain('secret');
  });

  it('have notices for those in use alone: chosen ones, else those that were found', async () => {
    const { workspace } = open({ 'AGENTS.md': BIG });
    const told = async () => {
      const { agentsInUse, notices } = await workspace.whenReady();
      return [agentsInUse.join(), notices.map(({ path }) => path).join()];
    };
    expect(await told()).toEqual(['', expect.stringContaining('AGENTS.md')]);
    workspace.update({ installedAgents: ['gemini-cli'] });
    expect(await told()).toEqual(['gemini-cli', '']);
    workspace.update({ agents: ['codex'] });
    expect(await told()).toEqual(['codex', 'AGENTS.md']);
    workspace.update({ agents: [] });
    expect(await told()).toEqual(['gemini-cli', '']);
  });

  it('are in use where the profile in force is for them', async () => {
    const config = JSON.stringify({ profiles: { own: { agent: 'aider' } } });
    const { workspace } = open({ 'CLAUDE.md': 'x', '.context-budget/config.json': config });
    expect((await workspace.whenReady()).agentsInUse).toEqual(['claude-code']);
    workspace.update({ profile: 'own' });
    expect((await workspace.whenReady()).agentsInUse).toEqual(['claude-code', 'aider']);
  });

  it('have files that a rule names from the root', async () => {
    const rule = '---\nalwaysApply: true\n---\n@logs/a.txt';
    const { workspace } = open({ '.cursor/rules/a.mdc': rule, 'logs/a.txt': 'a' });
    expect(filesOf(await workspace.whenReady(), 'cursor')).toContain('loaded logs/a.txt');
  });

  it('follow the active editor', async () => {
    const active: { path: string | undefined } = { path: undefined };
    const { workspace } = open({ 'AGENTS.md': 'a', 'web/AGENTS.md': 'w', 'web/src/x.ts': 'x' }, active);
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded AGENTS.md', 'onDemand web/AGENTS.md']);
    active.path = 'web/src/x.ts';
    workspace.notify({ kind: 'editors' });
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded AGENTS.md', 'loaded web/AGENTS.md']);
  });

  it('take the preference where there is no editor', async () => {
    const { workspace } = open({ 'web/AGENTS.md': 'w', 'web/x.ts': 'x' });
    workspace.update({ activePath: 'web/x.ts' });
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded web/AGENTS.md']);
  });

  it('read files that git ignores where an agent looks for them, and imports that nothing else collects', async () => {
    const { workspace } = open({
      '.gitignore': '*.local.md\nprivate/\n',
      'CLAUDE.local.md': '@private/notes.md',
      'private/notes.md': '@../docs/style.md',
      'docs/style.md': 'x',
    });
    expect(filesOf(await workspace.whenReady(), 'claude-code')).toEqual([
      'loaded CLAUDE.local.md',
      'loaded private/notes.md',
      'loaded docs/style.md',
    ]);
  });

  it('follow changes, also of an ignored file, and read nothing else again', async () => {
    const files = { '.gitignore': '*.local.md\n', 'CLAUDE.md': 'a', 'AGENTS.md': 'b', 'src/a.ts': 'x' };
    const { workspace, ports } = open(files);
    await workspace.whenReady();
    ports.files.nodes.set('CLAUDE.local.md', 'new');
    const before = ports.files.reads.length;
    workspace.notify({ kind: 'files', changed: ['CLAUDE.local.md'], removed: [] });
    const snapshot = await workspace.whenReady();
    expect(filesOf(snapshot, 'claude-code')).toContain('loaded CLAUDE.local.md');
    expect(ports.files.reads.slice(before)).toEqual(['CLAUDE.local.md']);
    const { agents } = snapshot;
    workspace.notify({ kind: 'files', changed: ['src/a.ts'], removed: [] });
    expect((await workspace.whenReady()).agents).toBe(agents);
  });

  it('share a limit with files above only in the same repository', async () => {
    const { workspace } = open({
      '.git/HEAD': 'x',
      'AGENTS.md': 'x\n',
      'a/AGENTS.md': BIG,
      'b/.git': 'x',
      'b/AGENTS.md': BIG,
    });
    const { agents } = await workspace.whenReady();
    const codex = agents?.find(({ agent }) => agent === 'codex');
    expect(codex?.files.map(({ path, bytesLost }) => `${path} ${bytesLost}`)).toEqual([
      'AGENTS.md 0',
      'a/AGENTS.md 7234',
      'b/AGENTS.md 7232',
    ]);
  });

  it('know the size of a file that is too large to be read', async () => {
    const { workspace, ports } = open({ 'CLAUDE.md': 'x', 'AGENTS.md': 'a' });
    ports.files.nodes.set('CLAUDE.md', { sizeBytes: 6_000_000 });
    const { agents } = await workspace.whenReady();
    const claude = agents?.find(({ agent }) => agent === 'claude-code');
    expect(claude?.files.map(({ path, fate, bytes }) => `${fate} ${path} ${bytes}`)).toEqual([
      'dropped CLAUDE.md 6000000',
      'shadowed AGENTS.md 1',
    ]);
  });

  it('forget a file that is gone, and see one that is new', async () => {
    const { workspace, ports } = open({ 'AGENTS.md': 'a', 'b/AGENTS.md': 'b' });
    await workspace.whenReady();
    ports.files.nodes.delete('b/AGENTS.md');
    workspace.notify({ kind: 'files', changed: [], removed: ['b/AGENTS.md'] });
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded AGENTS.md']);
    ports.files.nodes.set('c/AGENTS.md', 'c');
    workspace.notify({ kind: 'files', changed: ['c/AGENTS.md'], removed: [] });
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded AGENTS.md', 'onDemand c/AGENTS.md']);
  });

  it('follow a rule behind a link to its folder', async () => {
    const rule = (applies: boolean): string => `---\nalwaysApply: ${applies}\n---\nx`;
    const { workspace, ports } = open({ '.ai/rules/1.mdc': rule(true), 'a.ts': 'x' });
    ports.files.nodes.set('.cursor/rules', { linkTo: '.ai/rules' });
    expect(filesOf(await workspace.whenReady(), 'cursor')).toEqual(['loaded .cursor/rules/1.mdc']);
    ports.files.nodes.set('.ai/rules/1.mdc', rule(false));
    workspace.notify({ kind: 'files', changed: ['.ai/rules/1.mdc'], removed: [] });
    expect(filesOf(await workspace.whenReady(), 'cursor')).toEqual(['onDemand .cursor/rules/1.mdc']);
  });

  it("leave out other people's files, unless the work is there", async () => {
    const active: { path: string | undefined } = { path: 'src/a.ts' };
    const { workspace } = open({ 'testdata/x/AGENTS.md': 'a', 'testdata/x/b.ts': 'b', 'src/a.ts': 'x' }, active);
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual([]);
    active.path = 'testdata/x/b.ts';
    workspace.notify({ kind: 'editors' });
    expect(filesOf(await workspace.whenReady(), 'codex')).toEqual(['loaded testdata/x/AGENTS.md']);
  });

  describe('with hundreds of instruction files', () => {
    const files = {
      ...Object.fromEntries(Array.from({ length: 320 }, (_, at) => [`p${at}/AGENTS.md`, `rules ${at}`])),
      'z/d/.cursor/rules/a.mdc': '---\nalwaysApply: true\n---\nx',
      'z/d/AGENTS.md': 'x',
      'z/d/a.ts': 'x',
    };

    it('cover the nearest to the root, and say how many others there are', async () => {
      const { workspace } = open(files);
      const snapshot = await workspace.whenReady();
      expect(filesOf(snapshot, 'codex')).toHaveLength(300);
      expect(snapshot.problems.map(({ severity, message }) => `${severity}: ${message}`)).toContain(
        'warning: 322 instruction files found; 300 are read, 22 left out.',
      );
    });

    it('cover rules behind links to folders after all others', async () => {
      const { workspace, ports } = open({ ...files, '.ai/rules/1.mdc': '---\nalwaysApply: true\n---\nx' });
      for (let at = 0; at < 320; at++) ports.files.nodes.set(`p${at}/.cursor/rules`, { linkTo: '.ai/rules' });
      const snapshot = await workspace.whenReady();
      expect(filesOf(snapshot, 'codex')).toHaveLength(300);
      expect(filesOf(snapshot, 'cursor')?.filter((each) => each.includes('.mdc'))).toEqual([]);
    });

    it('cover those of the folder that is worked in', async () => {
      const { workspace } = open(files);
      workspace.update({ activePath: 'z/d/a.ts' });
      const snapshot = await workspace.whenReady();
      expect(filesOf(snapshot, 'cursor')?.filter((each) => each.startsWith('loaded'))).toEqual([
        'loaded z/d/.cursor/rules/a.mdc',
        'loaded z/d/AGENTS.md',
      ]);
    });
  });
});

describe('nearestFiles', () => {
  const PATHS = ['z/a/AGENTS.md', 'b/AGENTS.md', 'AGENTS.md', 'a/AGENTS.md', 'CLAUDE.md'];
  const nearest = (groupOf?: (path: string) => number) => nearestFiles(PATHS, groupOf);

  it('has the nearest to the root first, and those as near by name', () => {
    const files = ['AGENTS.md', 'CLAUDE.md', 'a/AGENTS.md', 'b/AGENTS.md', 'z/a/AGENTS.md'];
    expect(nearest()).toEqual({ files, problems: [] });
  });

  it('has some before all others', () => {
    const { files } = nearest((path) => (path.startsWith('z/') || path === 'CLAUDE.md' ? 0 : 1));
    expect(files).toEqual(['CLAUDE.md', 'z/a/AGENTS.md', 'AGENTS.md', 'a/AGENTS.md', 'b/AGENTS.md']);
  });
});

describe('the agent of a profile', () => {
  it('marks the sections that it loads by itself, and only under that profile', async () => {
    const config = JSON.stringify({ profiles: { mine: { agent: 'codex' } } });
    const { workspace, ports } = open({ 'AGENTS.md': 'a', 'GEMINI.md': 'g', '.context-budget/config.json': config });
    const marks = () => ports.engine.requests.at(-1)?.sections.flatMap(({ id, loadedBy }) => (loadedBy ? [id] : []));
    await workspace.whenReady();
    expect(marks()).toEqual([]);
    workspace.update({ profile: 'mine' });
    await workspace.whenReady();
    expect(marks()).toEqual(['agents-md']);
  });
});
