import { describe, expect, it } from 'vitest';
import { hasWord, toSearchable, wordOf } from '../../../../../src/core/pipeline/score/wordSearch';

function has(text: string, word: string): boolean {
  return hasWord(toSearchable(text), wordOf(word));
}

describe('hasWord', () => {
  it('finds other forms of a word, not words that only begin or end like it', () => {
    expect(has('It validates the queries.', 'validation')).toBe(true);
    expect(has('It validates the queries.', 'query')).toBe(true);
    expect(has('a portable thing', 'port')).toBe(false);
    expect(has('important, airport', 'port')).toBe(false);
    expect(has('all ports are up', 'port')).toBe(true);
  });

  it('finds parts of identifiers', () => {
    expect(has('call parseHTTPHeader now', 'header')).toBe(true);
    expect(has('call parseHTTPHeader now', 'http')).toBe(true);
    expect(has('SESSION_TIMEOUT_MS', 'timeout')).toBe(true);
    expect(has('parseheader', 'header')).toBe(false);
    expect(has('parse_http_header', 'http_header')).toBe(true);
  });

  it('finds pairs of characters anywhere, and words between them', () => {
    expect(has('先修复数据库迁移', '迁移')).toBe(true);
    expect(has('先修复数据库迁移', '登录')).toBe(false);
    expect(has('使用redis缓存', 'redis')).toBe(true);
    expect(has('ｒｅｄｉｓ（全角）', 'redis')).toBe(true);
  });

  it('is not misled by letters whose small form is longer', () => {
    expect(has('İİİ login', 'login')).toBe(true);
    expect(has('İ parseLogin', 'parse')).toBe(false);
  });

  it('looks beyond the first place that does not count', () => {
    expect(has('airport portal port', 'port')).toBe(true);
  });
});
