import { describe, expect, it } from 'vitest';
import { MAX_CONTEXT_CHARS } from '../../../../../src/core/setup/hooks/hookTarget';
import { indexCapChars, relayElement, sessionStartContext } from '../../../../../src/core/setup/hooks/sessionRelay';

const FILE = '.context-budget/relay.compacted.json';

describe('sessionStartContext', () => {
  it('puts the whole relay summary before the whole index', () => {
    const relay = relayElement('Goal: ship\nNext: ana\n', FILE);
    expect(sessionStartContext(relay, '<context-index>\nrow\n</context-index>\n')).toBe(
      '<relay>\nGoal: ship\nNext: ana\n</relay>\n<context-index>\nrow\n</context-index>\n',
    );
  });

  it('has no element for a summary that is not there', () => {
    expect(relayElement(' \n', FILE)).toBe('');
    expect(indexCapChars('')).toBe(MAX_CONTEXT_CHARS);
  });

  it('names an index that does not fit beside the summary instead of cutting it', () => {
    const relay = relayElement('g'.repeat(5_000), FILE);
    const index = 'i'.repeat(indexCapChars(relay) + 1);
    const context = sessionStartContext(relay, index);
    expect(context.startsWith(relay)).toBe(true);
    expect(context.slice(relay.length)).toMatch(/^<context-notes>\nThe index of this folder has 4,98\d characters;/);
    expect(sessionStartContext(relay, index.slice(1))).toBe(relay + index.slice(1));
  });

  it('names the file of a summary that leaves no room, and stays within the limit at every length', () => {
    expect(relayElement('g'.repeat(20_000), FILE)).toBe(
      `<relay>\nThe relay summary has 20,018 characters, too many for a hook. Read ${FILE}.\n</relay>\n`,
    );
    for (let length = 9_000; length <= 10_100; length += 7) {
      const context = sessionStartContext(relayElement('g'.repeat(length), FILE), 'i'.repeat(30_000));
      expect(context.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
    }
  });
});
