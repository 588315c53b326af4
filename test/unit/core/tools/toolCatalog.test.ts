import { describe, expect, it } from 'vitest';
import { CONTEXT_TOOLS, listTools, TOOL_LIST_TOKENS } from '../../../../src/core/tools/toolCatalog';
import { exactTokenizer } from '../../../support/toolWorld';

describe('the catalogue of tools', () => {
  it('costs what it says, and less than 600 tokens in full', async () => {
    const tokenizer = await exactTokenizer();
    expect(tokenizer.count(JSON.stringify(listTools()))).toBe(TOOL_LIST_TOKENS);
    expect(TOOL_LIST_TOKENS).toBeLessThan(600);
  });

  it.each(CONTEXT_TOOLS.map((tool) => [tool.name, tool] as const))(
    '%s takes no argument that it does not have, and only reads',
    (name, tool) => {
      expect(name).toMatch(/^[a-z]+_[a-z]+$/);
      expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
      expect(tool.inputSchema()).toMatchObject({ type: 'object', additionalProperties: false });
      // Claude Code cuts a description at 2 KB.
      expect(tool.description.length).toBeLessThan(400);
    },
  );
});
