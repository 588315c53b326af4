import { expect, it } from 'vitest';
import { lineOfValue } from '../../../../src/core/config/configTree';

const TEXT = '{\n  "check": {\n    "limits": { "total": 5,\n      "section": { "a": 1 } }\n  }\n}\n';

it.each([
  ['a value', TEXT, ['check', 'limits', 'section', 'a'], 4],
  ['a value behind a byte order mark', `\uFEFF${TEXT}`, ['check', 'limits', 'total'], 3],
  ['a value on the first line behind a byte order mark', '\uFEFF{"a":\n1}', ['a'], 2],
  ['no value', TEXT, ['check', 'rules'], undefined],
  ['an empty text', '', ['check'], undefined],
] as const)('the line of %s', (_, text, path, line) => {
  expect(lineOfValue(text, path)).toBe(line);
});
