import { describe, expect, it } from 'vitest';
import type { AgentCoverage, CoveredFile } from '../../../../src/core/agents/agentCoverage';
import { cutNotices } from '../../../../src/core/agents/cutNotices';
import { inEnglish, phrase } from '../../../../src/core/text/phrase';
import { coverFolder } from './covered';

const FILE: CoveredFile = {
  path: 'a.md',
  fate: 'truncated',
  bytes: 10,
  lines: 3,
  bytesLost: 4,
  cutLine: 2,
  importedBy: undefined,
  why: phrase('First {0} bytes', 6),
  isDoubtful: false,
};
const agent = (name: string, ...files: readonly Partial<CoveredFile>[]): AgentCoverage => ({
  agent: 'codex',
  name,
  files: files.map((file) => ({ ...FILE, ...file })),
  bytesLoaded: 0,
  bytesLost: 0,
});
const words = (...coverage: readonly AgentCoverage[]): readonly string[] =>
  cutNotices(coverage).map(({ path, line, message }) => `${path}:${line} ${inEnglish(message)}`);

describe('cutNotices', () => {
  it('says who stops where, and why', () => {
    expect(words(agent('A', {}))).toEqual(['a.md:2 A stops reading here: First 6 bytes']);
  });

  it('joins agents that stop at the same line, and keeps doubtful ones apart', () => {
    const other = phrase('Other');
    expect(words(agent('A', {}), agent('B', { why: other }), agent('C', { isDoubtful: true }))).toEqual([
      'a.md:2 A, B stop reading here: First 6 bytes; Other',
      'a.md:2 C may stop reading here: First 6 bytes',
    ]);
  });

  it('marks cuts that are not certain, or take less than 1% of a file, as information', () => {
    const isMinor = (...coverage: readonly AgentCoverage[]) => cutNotices(coverage).map((notice) => notice.isMinor);
    expect(isMinor(agent('A', { bytes: 1000, bytesLost: 3 }))).toEqual([true]);
    expect(isMinor(agent('A', { bytes: 1000, bytesLost: 10 }))).toEqual([undefined]);
    expect(isMinor(agent('A', { bytes: 1000, bytesLost: 900, isDoubtful: true }))).toEqual([true]);
    expect(isMinor(agent('A', { bytes: 1000, bytesLost: 3 }), agent('B', { bytes: 1000, bytesLost: 600 }))).toEqual([
      undefined,
    ]);
  });

  it('puts what a limit drops whole on the first line', () => {
    expect(words(agent('A', { fate: 'dropped', cutLine: undefined }))).toEqual([
      'a.md:1 Not read at all by A: First 6 bytes',
    ]);
  });

  it.each([
    ['one agent', [agent('A', { cutLine: undefined })], 'A reads'],
    ['two', [agent('A', { cutLine: undefined }), agent('B', { cutLine: undefined })], 'A, B read'],
    ['one that perhaps does', [agent('A', { cutLine: undefined, isDoubtful: true })], 'A may read'],
  ])('names no place in a file that is too large to be read: %s', (_who, coverage, start) => {
    expect(words(...coverage)).toEqual([`a.md:1 ${start} only the start of this file: First 6 bytes`]);
  });

  it('says where a file on demand will be cut', () => {
    expect(words(agent('A', { fate: 'onDemand', isDoubtful: true }))).toEqual([
      'a.md:2 A may stop reading here: First 6 bytes',
    ]);
  });

  it('is silent about what is read whole, now or on demand, or not at all, and goes by path, then line', () => {
    const whole = { bytesLost: 0, cutLine: undefined };
    const silent = agent(
      'A',
      { ...whole, fate: 'loaded' },
      { ...whole, fate: 'shadowed' },
      { ...whole, fate: 'onDemand' },
    );
    expect(words(silent)).toEqual([]);
    const notices = cutNotices([agent('A', { path: 'b' }, { cutLine: 9 }, { cutLine: 3 })]);
    expect(notices.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.md:3', 'a.md:9', 'b:2']);
  });

  it('names the line in real coverage', () => {
    const coverage = coverFolder({ 'AGENTS.md': 'x\n'.repeat(20_000) });
    expect(cutNotices(coverage).map(({ line, path }) => `${path}:${line}`)).toEqual([
      'AGENTS.md:2001',
      'AGENTS.md:16385',
    ]);
  });
});
