import { describe, expect, it } from 'vitest';
import { findSourceLine, maskedSentence } from '../../../../src/core/secrets/secretFinding';

const finding = (sectionId: string, value = 'x') => ({ sectionId, line: 1, label: 'key', value });

describe('findSourceLine', () => {
  it('gives the line on which a secret begins, whatever the file’s line ends', () => {
    expect(findSourceLine('a\r\nb\r\nkey=S3cret\r\n', finding('git', 'S3cret'))).toBe(3);
    expect(findSourceLine('a\r\n-----BEGIN\r\nAAA\r\n', finding('git', '-----BEGIN\nAAA'))).toBe(2);
  });

  it('gives none where the file has it no more', () => {
    expect(findSourceLine('a\nb', finding('git', 'S3cret'))).toBeUndefined();
  });
});

describe('maskedSentence', () => {
  it('counts keys and names each section once', () => {
    expect(maskedSentence([])).toBe('');
    expect(maskedSentence([finding('git')])).toBe('1 key masked in git');
    expect(maskedSentence([finding('git'), finding('memory'), finding('git')])).toBe('3 keys masked in git, memory');
  });
});
