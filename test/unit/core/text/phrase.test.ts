import { describe, expect, it } from 'vitest';
import { inEnglish, phrase, sayPhrase } from '../../../../src/core/text/phrase';

describe('phrase', () => {
  it('fills placeholders by position, numbers grouped', () => {
    expect(inEnglish(phrase('{1} of {0} files', 1545, 38))).toBe('38 of 1,545 files');
  });

  it('puts phrases inside phrases into words of the same language', () => {
    const words = phrase('Dropped, because {0}.', phrase('{0} tokens', 2000));
    const bundle = { 'Dropped, because {0}.': '已删除，因为{0}。', '{0} tokens': '{0} 个 token' };
    expect(sayPhrase(words, bundle, String)).toBe('已删除，因为2000 个 token。');
  });

  it('shows a message that the bundle lacks in English, and looks for own keys only', () => {
    expect(sayPhrase(phrase('constructor'), {}, String)).toBe('constructor');
    expect(sayPhrase(phrase('{0} left'), {}, String)).toBe('{0} left');
  });

  it('does not fill placeholders that an argument brings along', () => {
    expect(inEnglish(phrase('{0} and {1}', '{1}', 'b'))).toBe('{1} and b');
  });
});
