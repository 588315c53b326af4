import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAgentFile } from '../../src/core/agents/agentFile';
import type { FileLimit } from '../../src/core/agents/agentRules';
import { cutFile } from '../../src/core/agents/cutFile';
import { cutNotices } from '../../src/core/agents/cutNotices';
import { findMentions } from '../../src/core/agents/mentions';
import { phrase } from '../../src/core/text/phrase';
import { anyText } from '../support/anyText';
import { runs } from '../support/runs';
import { coverAgents } from '../unit/core/agents/covered';

const NAMES = [
  'AGENTS.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'MEMORY.md',
  '.cursorrules',
  '.windsurf/rules/a.md',
  '.cursor/rules/b.mdc',
  '.clinerules/c.md',
  '.github/copilot-instructions.md',
  '.github/instructions/d.instructions.md',
  'docs/e.md',
];

/** Words that are hard on readers of instructions: imports in circles, fences, frontmatter, comments, odd line ends. */
const piece = fc.oneof(
  fc.constantFrom(
    '@AGENTS.md ',
    '@./CLAUDE.md\n',
    '@docs/e.md ',
    '@../x.md ',
    '@~/y ',
    '`',
    '```\n',
    '---\n',
    'globs: **/*.ts\n',
    'paths: [a, b\n',
    'applyTo: "**"\n',
    '<!-- ',
    '-->\n',
    '\r\n',
    '\n',
    '\uFEFF',
    '界\n',
    '🙂',
  ),
  fc.integer({ min: 0, max: 45_000 }).map((count) => 'x'.repeat(count)),
  fc.integer({ min: 0, max: 300 }).map((count) => 'line\n'.repeat(count)),
  anyText({ maxLength: 20 }),
);
const content = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 12 }).map((parts) => new TextEncoder().encode(parts.join(''))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);
const folder = fc.constantFrom('', 'a/', 'a/b/', 'c/', '__proto__/');
const tree = fc.dictionary(
  fc.tuple(folder, fc.constantFrom(...NAMES)).map(([where, name]) => where + name),
  content,
  { maxKeys: 8, noNullPrototype: true },
);
const active = fc.option(fc.constantFrom('a/b/x.ts', 'x.md', 'c/d/e/f.py'), { nil: undefined });

const filesOf = (nodes: Readonly<Record<string, Uint8Array>>) =>
  new Map(Object.entries(nodes).map(([path, bytes]) => [path, readAgentFile(path, bytes)]));

const feeds = (bytes: Uint8Array): number => bytes.filter((byte) => byte === 0x0a).length;

describe('coverAgents', () => {
  it('counts every byte of every file that is read here once, and cuts on a line that is not whole', () => {
    fc.assert(
      fc.property(tree, active, (nodes, activePath) => {
        for (const { agent, files, bytesLoaded, bytesLost } of coverAgents({ files: filesOf(nodes), activePath })) {
          expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
          const here = files.filter(({ isElsewhere }) => !isElsewhere);
          const read = here.filter(({ fate }) => fate === 'loaded' || fate === 'truncated');
          expect(bytesLoaded).toBe(read.reduce((sum, file) => sum + file.bytes - file.bytesLost, 0));
          const now = here.filter(({ fate }) => fate !== 'onDemand');
          expect(bytesLost).toBe(now.reduce((sum, file) => sum + file.bytesLost, 0));
          for (const file of files) {
            const bytes = nodes[file.path] ?? new Uint8Array();
            // Claude Code takes frontmatter and comments out of what it reads whole.
            if (agent === 'claude-code') expect(file.bytes).toBeLessThanOrEqual(bytes.length);
            else expect(file.bytes).toBe(bytes.length);
            if (file.fate === 'onDemand') expect(file.cutLine !== undefined).toBe(file.bytesLost > 0);
            else expect(file.cutLine !== undefined).toBe(file.fate === 'truncated');
            if (file.fate === 'loaded') expect(file.bytesLost).toBe(0);
            if (file.cutLine === undefined) continue;
            expect(file.cutLine).toBe(feeds(bytes.slice(0, file.bytes - file.bytesLost)) + 1);
            expect(file.cutLine).toBeLessThanOrEqual(file.lines);
            expect(file.bytesLost).toBeGreaterThan(0);
          }
        }
      }),
      runs(20, 150),
    );
  });

  it('never gives Codex more than 32 KiB of one chain', () => {
    fc.assert(
      fc.property(tree, active, (nodes, activePath) => {
        const files = filesOf(nodes);
        const [codex] = coverAgents({ files, activePath });
        const chain = (codex?.files ?? []).filter(({ path }) => {
          const at = path.slice(0, path.lastIndexOf('/') + 1);
          return at === '' || activePath?.startsWith(at) === true;
        });
        const charged = chain.filter(({ fate, path }) => fate !== 'shadowed' && !files.get(path)?.isBlank);
        const got = charged.reduce((sum, file) => sum + file.bytes - file.bytesLost, 0);
        const had = charged.reduce((sum, file) => sum + file.bytes, 0);
        expect(got).toBe(Math.min(had, 32_768));
      }),
      runs(20, 150),
    );
  });

  it('says the same whatever the order of the files', () => {
    fc.assert(
      fc.property(tree, active, (nodes, activePath) => {
        const files = filesOf(nodes);
        const turned = new Map([...files].reverse());
        const coverage = coverAgents({ files, activePath });
        expect(coverAgents({ files: turned, activePath })).toEqual(coverage);
        for (const { line, path } of cutNotices(coverage)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(Math.max(1, files.get(path)?.lines ?? 0));
        }
      }),
      runs(10, 60),
    );
  });
});

describe('cutFile', () => {
  it('keeps as many characters as the limit has, in whole characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 1, max: 100 }),
        (text, characters) => {
          const file = readAgentFile('a', new TextEncoder().encode(text));
          const limit: FileLimit = { characters, excess: 'cut', why: phrase('x') };
          const cut = cutFile(file, limit);
          const plain = text.replace(/^\uFEFF/, '');
          if (plain.length <= characters) {
            expect(cut).toBeUndefined();
            return;
          }
          const kept = new TextDecoder('utf-8', { fatal: true }).decode(file.content.slice(0, cut?.keptBytes));
          expect(plain.startsWith(kept)).toBe(true);
          expect(kept.length).toBeLessThanOrEqual(characters);
          expect(kept.length).toBeGreaterThanOrEqual(characters - 1);
        },
      ),
    );
  });

  it('keeps as many lines and bytes as the limit has', () => {
    fc.assert(
      fc.property(content, fc.nat(400), fc.nat(30_000), (bytes, lines, maxBytes) => {
        const file = readAgentFile('a', bytes);
        const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
        const cut = cutFile(file, { lines: lines + 1, bytes: maxBytes + 1, excess: 'cut', why: phrase('x') });
        const kept = bytes.slice(0, cut?.keptBytes ?? bytes.length);
        expect(kept.length - mark).toBeLessThanOrEqual(maxBytes + 1);
        expect(feeds(kept)).toBeLessThanOrEqual(lines + 1);
        if (cut) expect(kept.length - mark === maxBytes + 1 || feeds(kept) === lines + 1).toBe(true);
      }),
    );
  });
});

describe('findMentions', () => {
  it('finds only what stands in the text on its line', () => {
    fc.assert(
      fc.property(content, (bytes) => {
        const text = new TextDecoder().decode(bytes);
        const lines = text.split('\n');
        for (const { target, line } of findMentions(text)) expect(lines[line - 1]).toContain(`@${target}`);
      }),
    );
  });
});
