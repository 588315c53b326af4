import { describe, expect, it } from 'vitest';
import { forEachLimited } from '../../../../src/core/ports/forEachLimited';
import { NEVER_ABORTED } from '../../../../src/core/ports/ports';
import { CoalescingLoop } from '../../../../src/core/workspace/coalescingLoop';
import { indexProblems } from '../../../../src/core/workspace/indexing/indexProblems';
import { CommandThrottle } from '../../../../src/core/workspace/reading/commandThrottle';
import { FolderListing } from '../../../../src/core/workspace/reading/folderListing';
import { MemoryFiles } from '../../../support/memoryFiles';
import { FakeClock } from '../../../support/workspaceFakes';

describe('indexProblems', () => {
  it('names each reason once, with its files', () => {
    const files = ['c', 'a', 'b', 'd'].map((path) => ({ path, outcome: 'tooLarge' as const }));
    const problems = indexProblems([
      ...files,
      { path: 'x.py', outcome: 'binary' },
      { path: 'ok.ts', outcome: 'parsed' },
    ]);
    expect(problems.map((problem) => problem.message)).toEqual([
      "1 file has a source file's name but is binary, so the repo map has no symbols of it: x.py",
      '4 files are larger than repo_map.max_file_bytes, so the repo map has no symbols of them: a, b, c and 1 more',
    ]);
  });
});

describe('CoalescingLoop', () => {
  it('answers requests made during a run with one more run', async () => {
    let runs = 0;
    const loop = new CoalescingLoop(
      async () => {
        runs++;
        if (runs === 1) for (let i = 0; i < 5; i++) loop.request();
      },
      () => undefined,
    );
    loop.request();
    loop.request();
    await loop.idle();
    expect(runs).toBe(2);
  });

  it('tells of a failure and runs again when asked', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const loop = new CoalescingLoop(
      async () => {
        if (++runs === 1) throw new Error('no');
      },
      (cause) => errors.push(cause),
    );
    loop.request();
    await loop.idle();
    expect(loop.failure?.cause).toBe(errors[0]);
    loop.request();
    await loop.idle();
    expect(loop.failure).toBeUndefined();
    expect(runs).toBe(2);
  });
});

describe('CommandPace', () => {
  const make = (tookMs: number) => {
    const clock = new FakeClock();
    const expired: number[] = [];
    const pace = new CommandThrottle(clock, () => {
      expired.push(clock.now());
      pace.started();
      clock.advance(tookMs);
      pace.ended();
    });
    pace.started();
    clock.advance(tookMs);
    pace.ended();
    return { clock, pace, expired };
  };

  it('runs at once after a change when the last run is long ago', () => {
    const { clock, pace, expired } = make(100);
    clock.advance(5000);
    pace.changed();
    expect(expired).toEqual([5100]);
  });

  it('gives plug-ins at most a tenth of the time', () => {
    const { clock, pace, expired } = make(500);
    clock.advance(2000);
    pace.changed();
    expect(expired).toEqual([]);
    clock.advance(3000);
    expect(expired).toHaveLength(1);
  });

  it('slows down to once in five seconds when the plug-ins change the folder themselves', () => {
    const { clock, pace, expired } = make(1);
    clock.advance(5000);
    pace.changed();
    for (let i = 0; i < 600; i++) {
      if (!clock.waiting) pace.changed();
      clock.advance(100);
    }
    expect(expired.length).toBeGreaterThan(3);
    expect(expired.length).toBeLessThanOrEqual(16);
    // Pauses grow, then there is one run every five seconds.
    const last = expired.slice(-4);
    expect(last.slice(1).every((at, i) => at - (last[i] as number) >= 5000)).toBe(true);
  });
});

describe('FolderListing', () => {
  const make = async () => {
    const files = new MemoryFiles({ 'a.ts': 'a', 'src/b.ts': 'b', 'src/deep/c.ts': 'c', '.gitignore': 'out/\n' });
    const listing = new FolderListing(files, new FakeClock());
    await listing.walk(NEVER_ABORTED, Promise.resolve([]));
    return listing;
  };

  it('tells a save from something new', async () => {
    const listing = await make();
    expect(listing.apply(['a.ts', 'out/x.js'], [])).toEqual({ changed: ['a.ts'], removed: [], needsWalk: false });
    expect(listing.apply(['new.ts'], []).needsWalk).toBe(true);
    expect(listing.apply(['.gitignore'], []).needsWalk).toBe(true);
  });

  it('walks again after a removal until the answer of git is in: the walk may have seen what is gone', async () => {
    const listing = new FolderListing(new MemoryFiles({ 'new.ts': 'a' }), new FakeClock());
    let answer: (paths: readonly string[]) => void = () => undefined;
    const git = new Promise<readonly string[]>((resolve) => {
      answer = resolve;
    });
    const walk = listing.walk(NEVER_ABORTED, git);
    // Far longer than the files need.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(listing.apply([], ['new.ts']).needsWalk).toBe(true);
    answer([]);
    await walk;
    expect(listing.apply([], ['other.ts']).needsWalk).toBe(false);
  });

  it('lists what is tracked or a known memory file, ignored or not', async () => {
    const files = new MemoryFiles({
      '.gitignore': 'memory/\nnotes/\n*.log\nMEMORY.md\nbuild/\n',
      'MEMORY.md': 'm',
      'NEXT.md': 'n',
      'memory/SOUL.md': 's',
      'memory/topics/deep/a.md': 't',
      'memory/db.sqlite': 'x',
      'memory/.git/x.md': 'x',
      'memory/node_modules/y.md': 'x',
      'memory/link.md': { linkTo: 'notes/secret.md' },
      'notes/kept.md': 'k',
      'notes/secret.md': 'x',
      'a.log': 'x',
      'node_modules/p/AGENTS.md': 'x',
    });
    const listing = new FolderListing(files, new FakeClock());
    await listing.walk(NEVER_ABORTED, Promise.resolve(['notes/kept.md', 'build/gone.md', 'node_modules/p/AGENTS.md']));
    const all = ['.gitignore', 'MEMORY.md', 'NEXT.md', 'memory/SOUL.md', 'memory/topics/deep/a.md', 'notes/kept.md'];
    expect([...listing.files]).toEqual(all);
    expect(listing.ignored).toEqual(['a.log']);
    expect(listing.apply(['memory/new.md'], []).needsWalk).toBe(true);
    expect(listing.apply(['memory/new.sqlite', 'notes/new.md'], []).needsWalk).toBe(false);
    expect(listing.apply(['memory/SOUL.md', 'notes/kept.md'], []).changed).toEqual(['memory/SOUL.md', 'notes/kept.md']);
  });

  it('lists rules of agents behind links to folders once, with the files that they are', async () => {
    const files = new MemoryFiles({
      '.ai/rules/a.mdc': 'a',
      '.ai/rules/deep/b.md': 'b',
      '.ai/rules/c.ts': 'a rule for Roo Code alone',
      '.ai/rules/deep/AGENTS.md': 'no rule',
      'pkgs/a/AGENTS.md': 'no rule',
      '.dev/current': { linkTo: 'pkgs' },
      'web/.roo': { linkTo: '.ai' },
      '.cursor/rules': { linkTo: '.ai/rules' },
      '.claude/rules/shared': { linkTo: '.ai/rules' },
      '.claude/rules/own.md': 'o',
      '.claude/rules/loop': { linkTo: '.claude' },
      '.windsurf/rules': { linkTo: '/etc' },
      '.clinerules': { linkTo: '' },
      'docs/rules': { linkTo: '.ai/rules' },
    });
    const listing = new FolderListing(files, new FakeClock());
    await listing.walk(NEVER_ABORTED, Promise.resolve([]));
    expect([...listing.files].filter((path) => !path.startsWith('.ai/'))).toEqual([
      '.claude/rules/own.md',
      '.claude/rules/shared/deep/AGENTS.md',
      '.claude/rules/shared/deep/b.md',
      '.cursor/rules/a.mdc',
      '.cursor/rules/deep/AGENTS.md',
      '.cursor/rules/deep/b.md',
      'pkgs/a/AGENTS.md',
      'web/.roo/rules/a.mdc',
      'web/.roo/rules/c.ts',
      'web/.roo/rules/deep/AGENTS.md',
      'web/.roo/rules/deep/b.md',
    ]);
    expect(listing.links.get('.cursor/rules/deep/b.md')).toBe('.ai/rules/deep/b.md');
    expect(listing.links.get('web/.roo/rules/c.ts')).toBe('.ai/rules/c.ts');
    expect(listing.apply(['.ai/rules/c.ts'], []).changed).toEqual(['.ai/rules/c.ts', 'web/.roo/rules/c.ts']);
    expect(listing.apply([], ['.ai/rules/a.mdc']).needsWalk).toBe(true);
  });

  it('takes a removed folder out with its files', async () => {
    const listing = await make();
    expect(listing.apply([], ['src']).removed).toEqual(['src/b.ts', 'src/deep/c.ts']);
    expect([...listing.files]).toEqual(['.gitignore', 'a.ts']);
  });
});

describe('forEachLimited', () => {
  it('never has more under way than its limit, and stops at a failure', async () => {
    let running = 0;
    let most = 0;
    const seen: number[] = [];
    const work = async (item: number) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      seen.push(item);
      if (item === 5) throw new Error('five');
    };
    await expect(forEachLimited([...Array(100).keys()], 3, NEVER_ABORTED, work)).rejects.toThrow('five');
    expect(most).toBe(3);
    expect(seen.length).toBeLessThan(12);
  });
});
