import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mentionsOf } from '../../../../../src/core/agents/stale/staleMentions';

interface Finding {
  readonly round: string;
  readonly path: string;
  readonly name: string;
  readonly isStale: boolean;
  readonly isStillFound: boolean;
}

const { findings } = JSON.parse(readFileSync('test/fixtures/stale/findings.json', 'utf8')) as {
  readonly findings: readonly Finding[];
};
const ofRound = (round: string): readonly Finding[] => findings.filter((finding) => finding.round === round);
const score = (all: readonly Finding[]): string => `${all.filter(({ isStale }) => isStale).length} of ${all.length}`;

describe('findings in public repositories', () => {
  it('are counted as the guide says', () => {
    const guide = readFileSync('GUIDE.md', 'utf8');
    const rounds = ['heldOut1', 'heldOut2', 'heldOut3', 'heldOut4'].map((round) => score(ofRound(round)));
    expect(guide).toContain(
      `${rounds[0]}, ${rounds[1]}, ${rounds[2]} and ${rounds[3]} marked paths were really missing`,
    );
    const now = findings.filter(({ isStillFound }) => isStillFound);
    expect(guide).toContain(`present rules, ${score(now)} marked paths`);
  });

  it.each(findings.filter(({ isStillFound }) => isStillFound))('have the form of a claim still: $name', (finding) => {
    const { path, name } = finding;
    const claims = mentionsOf({ path, text: `It is in \`${name}\` or [there](${name}).` });
    expect(claims.map(({ mention }) => mention.text)).toContain(name);
  });
});
