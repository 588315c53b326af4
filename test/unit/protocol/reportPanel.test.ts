import { describe, expect, it } from 'vitest';
import { asReportHostMessage, asReportMessage } from '../../../src/protocol/reportPanel';

describe('messages of the usage report', () => {
  it('lets the page say three things', () => {
    for (const type of ['ready', 'copyMarkdown', 'showLog'])
      expect(asReportMessage({ type, more: 1 })).toEqual({ type });
    for (const wrong of [undefined, null, 'ready', {}, { type: 'run' }]) expect(asReportMessage(wrong)).toBeUndefined();
  });

  it('takes snapshots with a revision, and announcements', () => {
    const snapshot = { state: 'noFolder', folderName: undefined, report: undefined, message: undefined };
    expect(asReportHostMessage({ type: 'snapshot', revision: 1, snapshot })).toEqual({
      type: 'snapshot',
      revision: 1,
      snapshot,
    });
    expect(asReportHostMessage({ type: 'announce', text: 'Copied' })).toEqual({ type: 'announce', text: 'Copied' });
    for (const wrong of [
      null,
      {},
      { type: 'snapshot', snapshot },
      { type: 'snapshot', revision: 1 },
      { type: 'announce' },
    ])
      expect(asReportHostMessage(wrong)).toBeUndefined();
  });
});
