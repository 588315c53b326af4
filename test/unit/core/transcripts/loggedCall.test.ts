import { expect, it } from 'vitest';
import { loggedCall } from '../../../../src/core/transcripts/sessions/toolParts';

it.each([
  ['no range without numbers', {}, undefined],
  ['a view range', { view_range: [3, 9] }, 'L3-L9'],
  ['a first line and how many', { offset: 40, limit: 10 }, 'L40-L49'],
  ['a first line without an end', { offset: 40 }, 'L40-'],
  ['how many from the first line on', { limit: 200 }, 'L1-L200'],
  ['a first and a last line', { start_line: 5, end_line: 8 }, 'L5-L8'],
  ['a last line, which counts more than how many', { startLine: 5, endLine: 8, limit: 100 }, 'L5-L8'],
])('a call has %s', (_, given, range) => {
  const call = loggedCall('1', 'Read', { file_path: 'a.ts', ...given });
  expect(call).toEqual({ id: '1', tool: 'Read', path: 'a.ts', ...(range === undefined ? {} : { range }) });
});
