import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Round {
  readonly name: string;
  readonly repositories: readonly string[];
  readonly findings: readonly { readonly repository: string; readonly isStale: boolean; readonly why?: string }[];
}

const { rounds } = JSON.parse(readFileSync('test/fixtures/stale/findings.json', 'utf8')) as {
  readonly rounds: readonly Round[];
};

describe('stale paths in public repositories', () => {
  it('are counted as the guide says', () => {
    const guide = readFileSync('GUIDE.md', 'utf8');
    const [first, second] = ['heldOut1', 'heldOut2'].map((wanted) => {
      const { findings = [], repositories = [] } = rounds.find(({ name }) => name === wanted) ?? {};
      return `${findings.filter(({ isStale }) => isStale).length} of ${findings.length} in ${repositories.length}`;
    });
    expect(guide).toContain(`${first} repositories and ${second} repositories were right`);
  });

  it('no repository is in two rounds, and a wrong one says why', () => {
    const names = rounds.flatMap(({ repositories }) => repositories);
    expect(new Set(names).size).toBe(names.length);
    for (const { isStale, why } of rounds.flatMap(({ findings }) => findings)) expect(why === undefined).toBe(isStale);
  });
});
