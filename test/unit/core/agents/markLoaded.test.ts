import { describe, expect, it } from 'vitest';
import { loadedText, markLoaded } from '../../../../src/core/agents/agentFile';
import type { AgentId } from '../../../../src/core/model/agent';
import { section } from '../../../support/sectionBuilder';
import { coverFolder, coverOne } from './covered';

const BIG = 'x\n'.repeat(20_000);

function marked(agent: AgentId | undefined, folder: Readonly<Record<string, string>>, activePath?: string) {
  const sections = Object.entries(folder).map(([path, text], at) =>
    section(`s${at}`, text, { source: { kind: 'file', path }, path }),
  );
  const all = [...sections, section('notes', 'n', { source: { kind: 'files', pattern: '*.md' } })];
  return markLoaded(all, agent, coverFolder(folder, activePath)).flatMap(({ source, loadedBy }) =>
    loadedBy && source.kind === 'file' ? [{ path: source.path, ...loadedBy }] : [],
  );
}

describe('markLoaded', () => {
  it('marks nothing for a profile without an agent, and nothing before coverage is known', () => {
    expect(marked(undefined, { 'AGENTS.md': 'a' })).toEqual([]);
    const sections = [section('a', 'a', { source: { kind: 'file', path: 'AGENTS.md' } })];
    expect(markLoaded(sections, 'codex', undefined)).toBe(sections);
  });

  it('marks what the agent loads by itself, imports and copies of it too', () => {
    const folder = { 'CLAUDE.md': '@AGENTS.md', 'AGENTS.md': 'a', 'README.md': 'r' };
    expect(marked('claude-code', folder).map(({ path }) => path)).toEqual(['CLAUDE.md', 'AGENTS.md']);
    expect(marked('copilot-vscode', { 'AGENTS.md': 'same', 'CLAUDE.md': 'same' })).toHaveLength(2);
  });

  it('says where the agent cuts', () => {
    expect(marked('codex', { 'AGENTS.md': BIG })).toEqual([
      { path: 'AGENTS.md', agent: 'Codex', cut: { bytesLost: 7232, line: 16_385 } },
    ]);
  });

  it('leaves in the payload what is doubtful, on demand, shadowed, or depends on where the agent is started', () => {
    expect(marked('claude-code', { 'AGENTS.md': 'a', 'MEMORY.md': 'm' })).toEqual([]);
    expect(marked('zed', { '.rules': 'r', 'AGENTS.md': 'a' }).map(({ path }) => path)).toEqual(['.rules']);
    const nested = { 'AGENTS.md': 'a', 'web/AGENTS.md': 'w' };
    expect(marked('codex', nested, 'web/x.ts').map(({ path }) => path)).toEqual(['AGENTS.md']);
    expect(marked('cursor', nested, 'web/x.ts')).toHaveLength(2);
    expect(marked('cursor', nested)).toHaveLength(1);
    // Of a folder where no work is, neither a file nor its copy is read.
    const copies = { 'web/AGENTS.md': 'w', 'web/CLAUDE.md': 'w' };
    expect(marked('opencode', copies)).toEqual([]);
    expect(marked('opencode', copies, 'web/x.ts')).toHaveLength(2);
  });
});

describe('loadedText', () => {
  it('is the text as far as the agent keeps it', () => {
    expect(loadedText('abé\n', { agent: 'A', cut: undefined })).toBe('abé\n');
    expect(loadedText('abé\n', { agent: 'A', cut: { bytesLost: 3, line: 1 } })).toBe('ab');
    expect(loadedText('ab', { agent: 'A', cut: { bytesLost: 9, line: 1 } })).toBe('');
  });

  // A section's text has no byte order mark and keeps its line ends; the agent's bytes have both.
  it.each([
    ['as it is', '', '\n'],
    ['with a byte order mark', '\uFEFF', '\n'],
    ['with CRLF', '', '\r\n'],
    ['with both', '\uFEFF', '\r\n'],
  ])('ends where the agent stops reading a file %s', (_what, mark, end) => {
    const text = Array.from({ length: 4000 }, (_, at) => `- Regel ${at}: prüfen`).join(end);
    const bytes = new TextEncoder().encode(mark + text);
    const { files } = coverOne('codex', { 'AGENTS.md': bytes });
    const [loaded] = markLoaded(
      [section('a', text, { source: { kind: 'file', path: 'AGENTS.md' } })],
      'codex',
      coverFolder({ 'AGENTS.md': bytes }),
    );
    expect(files[0]).toMatchObject({ fate: 'truncated', bytes: bytes.length });
    const kept = bytes.subarray(0, bytes.length - files[0]!.bytesLost);
    expect(loadedText(text, loaded!.loadedBy!)).toBe(new TextDecoder().decode(kept));
  });
});
