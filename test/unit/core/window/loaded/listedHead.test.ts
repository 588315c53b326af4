import { describe, expect, it } from 'vitest';
import { bodyText, headText } from '../../../../../src/core/window/loaded/listedHead';

describe('headText', () => {
  it.each([
    ['a plain text without its comment', 'description: Runs it # later', 'Runs it'],
    ['a text that goes on in indented lines', 'description: Runs\n  the tests\nname: x', 'Runs the tests'],
    ['a folded block as one line', 'description: >-\n  Runs\n  the tests\nname: x', 'Runs the tests'],
    ['a literal block with its lines', 'description: |\n  Runs\n  the tests\nname: x', 'Runs\nthe tests'],
    ['a block at the end of the head', 'description: |2\n  Runs', 'Runs'],
    ['a text in double quotes', 'description: "Says \\"go\\" # now"', 'Says "go" # now'],
    ['a text in single quotes', "description: 'It''s # here' # no", "It's # here"],
    ['nothing without the key', 'name: description', ''],
  ])('reads %s', (_, head, text) => {
    expect(headText(head, 'description')).toBe(text);
  });
});

describe('bodyText', () => {
  const text = '---\nname: x\n---\n\n## Runs it\n\n  all  of it\n';

  it.each([
    ['line', 'Runs it'],
    ['text', '## Runs it all of it'],
    [undefined, ''],
  ] as const)('falls back to %s', (fallback, body) => {
    expect(bodyText(text, fallback)).toBe(body);
  });
});
