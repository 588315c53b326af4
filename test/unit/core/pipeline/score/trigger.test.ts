import { describe, expect, it } from 'vitest';
import { matchTrigger, STRONG_MATCH, type TriggerSubject } from '../../../../../src/core/pipeline/score/trigger';

function subject(id: string, text: string, over: Partial<TriggerSubject> = {}): TriggerSubject {
  return { id, title: id, path: undefined, keywords: [], text, ...over };
}

/** Eight sections about other things, so that one word is as distinctive as in a real payload. */
const OTHERS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'].map((id) =>
  subject(id, `This project has rules about ${id}. Keep the project tidy.`),
);

function values(said: string, ...subjects: readonly TriggerSubject[]): readonly number[] | undefined {
  return matchTrigger(said, [...subjects, ...OTHERS])
    ?.slice(0, subjects.length)
    .map(({ value }) => value);
}

describe('matchTrigger', () => {
  it('has nothing to say when nothing was said, or nothing that a section has', () => {
    expect(values('', subject('a', 'login'))).toBeUndefined();
    expect(values('please do it for me', subject('a', 'login'))).toBeUndefined();
    expect(values('quantum chromodynamics', subject('a', 'login'))).toBeUndefined();
  });

  it('gives the section that the task is about a strong match, and others nothing', () => {
    const [auth, billing] =
      values(
        'Fix the flaky login test: session tokens expire early',
        subject('auth-notes', 'Login keeps a session; its token expires after an hour.'),
        subject('billing-notes', 'Invoices are sent monthly.'),
      ) ?? [];
    expect(auth).toBeGreaterThanOrEqual(STRONG_MATCH);
    expect(billing).toBe(0);
  });

  it('lets a word that all sections have count for next to nothing', () => {
    const [value = 1] = values('the project', subject('a', 'Some project text')) ?? [];
    expect(value).toBeLessThan(0.1);
  });

  it('counts a word in the name more than one in the text', () => {
    const [named = 0, texted = 0] =
      values('broken deploy', subject('x', 'text', { title: 'docs/deploy.md' }), subject('y', 'We deploy daily.')) ??
      [];
    expect(named).toBeGreaterThan(texted);
    expect(texted).toBeGreaterThan(0);
  });

  it('takes a keyword of the config, a handle or a file name for a full match', () => {
    const ports = subject('ports', 'all up', { keywords: ['network port', '端口'] });
    expect(values('which network ports are open?', ports)).toEqual([1]);
    expect(values('检查端口', ports)).toEqual([1]);
    expect(values('the network is slow', ports)).not.toEqual([1]);
    expect(values('read section:ports first', ports)).toEqual([1]);
    expect(values('read section:ports-old first', ports)?.[0]).not.toBe(1);
    expect(values('update MEMORY.md', subject('memory', 'x', { path: 'notes/MEMORY.md' }))).toEqual([1]);
    expect(values('update MY-MEMORY.md', subject('memory', 'x', { path: 'notes/MEMORY.md' }))).not.toEqual([1]);
  });

  it('matches Chinese by pairs of characters', () => {
    const [migration = 0, login = 1] =
      values('修复数据库迁移失败', subject('a', '数据库迁移要先备份。'), subject('b', '登录页面的样式。')) ?? [];
    expect(migration).toBeGreaterThanOrEqual(STRONG_MATCH);
    expect(login).toBe(0);
  });

  it('names what it found, most distinctive first', () => {
    const found = matchTrigger('project login', [subject('a', 'login of the project'), ...OTHERS])?.[0];
    expect(found?.words).toEqual(['login', 'project']);
  });

  it('reads a pasted log no further than it must', () => {
    const log = `fix login\n${'line of noise 12345 '.repeat(20_000)}deploy`;
    const [login = 0, deploy = 1] = values(log, subject('a', 'login page'), subject('b', 'deploy script')) ?? [];
    expect(login).toBeGreaterThan(0);
    expect(deploy).toBe(0);
  });
});
