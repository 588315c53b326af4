import { describe, expect, it } from 'vitest';
import { splitIdentifier, stemOf } from '../../../../src/core/text/terms';

describe('splitIdentifier', () => {
  it.each([
    ['parseHTTPHeader_v2', ['parse', 'http', 'header', 'v2']],
    ['_private__name', ['private', 'name']],
    ['$scope', ['scope']],
    ['MAX_SIZE', ['max', 'size']],
    ['x', []],
    ['getÜberName', ['get', 'über', 'name']],
    ['simple', ['simple']],
    ['修复parseConfig函数名', ['修复', 'parse', 'config', '函数', '数名']],
  ])('splits %s', (word, parts) => {
    expect(splitIdentifier(word)).toEqual(parts);
  });
});

describe('stemOf', () => {
  it.each([
    ['validate', 'validates', 'validated', 'validating', 'validation', 'validations', 'validator'],
    ['run', 'runs', 'running'],
    ['parse', 'parses', 'parsed', 'parsing', 'parser', 'parsers'],
    ['query', 'queries'],
    ['match', 'matches', 'matched', 'matching'],
    ['class', 'classes'],
    ['config', 'configs'],
    ['configure', 'configures', 'configuration'],
  ])('is the same for the forms of %s', (...words) => {
    expect(new Set(words.map(stemOf)).size).toBe(1);
  });

  it.each(['this', 'status', 'class', 'red', 'id', 'format', 'user'])('leaves little words apart: %s', (word) => {
    expect(stemOf(word).length).toBeGreaterThan(1);
    expect(stemOf('format')).not.toBe(stemOf('form'));
  });
});
