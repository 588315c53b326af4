import { expect, it } from 'vitest';
import { titleIn } from '../../../../../src/core/window/sessions/sessionTitle';

it.each([
  ['fix login test', 'fix login test'],
  ['\n\n  # Fix the harbour  \nIt leaks.', 'Fix the harbour'],
  ['Implement this plan:\n\n# Move the quay\n\nFirst …', 'Implement this plan: Move the quay'],
  ['Answer this:', 'Answer this:'],
  ['<command-name>/clear</command-name>', undefined],
  [' \n ', undefined],
  ['#\n', undefined],
])('the title in %j is %j', (text, title) => expect(titleIn(text)).toBe(title));
