import { beforeEach, expect, it, vi } from 'vitest';
import { MaskedClipboard } from '../../../../src/vscode/copy/maskedClipboard';
import { editor } from '../../../support/fakeEditor';

vi.mock('vscode', async () => (await import('../../../support/fakeEditor')).editor);

beforeEach(() => {
  vi.clearAllMocks();
});

const finding = { sectionId: 'memory', label: 'GitHub token', line: 3 };
const clipboardWith = (masking: object = {}) => {
  const clipboard = new MaskedClipboard(masking as never, { done: vi.fn() } as never);
  return { clipboard, unmask: clipboard.commands['contextBudget.copyUnmasked'] };
};
const copyOf = (unmasked: () => Promise<{ text: string; tokens: number }>) => ({
  ...{ text: 'masked', tokens: 1, secrets: [finding], unmasked },
  note: (tokens: string) => `Copied ${tokens}`,
});

it('copies unmasked what was copied and listed, whatever is written later', async () => {
  const { clipboard, unmask } = clipboardWith();
  let file = 'key A';
  await clipboard.write(copyOf(async () => ({ text: file, tokens: 2 })));
  file = 'key A\nkey B';
  editor.window.showWarningMessage.mockImplementationOnce(async (_, { detail }, verb) => {
    expect(detail).toBe('memory, line 3: GitHub token');
    file = 'key A\nkey B\nkey C';
    return verb;
  });
  await unmask();
  expect(editor.env.clipboard.writeText.mock.calls).toEqual([['masked'], ['key A']]);
});

it('copies the masked text although the unmasked one cannot be rendered, which Copy Unmasked reports', async () => {
  const { clipboard, unmask } = clipboardWith();
  await clipboard.write(copyOf(() => Promise.reject(new Error('the worker is lost'))));
  editor.window.showWarningMessage.mockImplementationOnce(async (_, __, verb) => verb);
  await expect(unmask()).rejects.toThrow('the worker is lost');
  expect(editor.env.clipboard.writeText.mock.calls).toEqual([['masked']]);
});

it.each([
  ['the scan failed', { secrets: undefined }, false],
  ['some text was not scanned and left out', { secrets: [], isCutShort: true }, true],
])('lists nothing where %s, and can copy it as it is', async (_, patch, isWritten) => {
  const { clipboard, unmask } = clipboardWith({ masksFor: async () => () => undefined });
  const copy = { ...copyOf(async () => ({ text: 'key A', tokens: 2 })), ...patch } as never;
  if (isWritten) await clipboard.write(copy);
  else await expect(clipboard.write(copy)).rejects.toMatchObject({ reason: 'notScanned' });
  expect([clipboard.hasHeldBack, clipboard.hasMasked]).toEqual([true, false]);
  await expect(clipboard.commands['contextBudget.showMasked']()).rejects.toMatchObject({ reason: 'nothingMasked' });
  expect(editor.window.showQuickPick).not.toHaveBeenCalled();
  editor.window.showWarningMessage.mockImplementationOnce(async (_, __, verb) => verb);
  await unmask();
  expect(editor.env.clipboard.writeText.mock.lastCall).toEqual(['key A']);
});
