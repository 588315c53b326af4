import { describe, expect, it } from 'vitest';
import { parseRelay } from '../../../../src/core/relay/factsInput';
import { RelayError } from '../../../../src/core/relay/relayContext';

describe('parseRelay', () => {
  it('gives the value, deep ones too', () => {
    expect(parseRelay('{"a":[1]}', 'x')).toEqual({ a: [1] });
    expect(Array.isArray(parseRelay('['.repeat(100_000) + ']'.repeat(100_000), 'x'))).toBe(true);
  });

  it.each([
    ['', 'relay.json is empty; it must be a JSON object.'],
    [' \n', 'relay.json is empty; it must be a JSON object.'],
    [`{"a": "${'x'.repeat(60)}",\n  "b": 1,\n}`, 'relay.json is not valid JSON: line 3, column 1.'],
    ['{"a": [1, 2', 'relay.json is not valid JSON: it ends in the middle.'],
    [`${'['.repeat(200_000)}x`, 'relay.json is not valid JSON.'],
    ['{"a": ', 'relay.json is not valid JSON: it ends in the middle.'],
    ['hello', 'relay.json is not valid JSON: line 1, column 1.'],
    ["{'a': 1}", 'relay.json is not valid JSON: line 1, column 2.'],
    ['{"a": 1,\n "b": tru}', 'relay.json is not valid JSON: line 2, column 7.'],
  ])('says where %.60j breaks off', (text, message) => {
    try {
      parseRelay(text, 'relay.json');
      expect.unreachable();
    } catch (error) {
      expect(RelayError.is(error, 'notJson')).toBe(true);
      expect((error as Error).message).toBe(message);
    }
  });
});
