import { describe, expect, it, vi } from 'vitest';
import type { ContextReport } from '../../../../src/core/model/report';
import { workspaceToolHost } from '../../../../src/core/tools/toolHost';
import type { Workspace } from '../../../../src/core/workspace/workspace';
import { openTools } from '../../../support/toolWorld';
import { until } from '../../../support/until.mjs';
import { SILENT } from '../../../support/workspaceFakes';

/** The report of a folder, as it is and as it was while it was counted. */
async function reports(): Promise<{ exact: ContextReport; estimate: ContextReport }> {
  const host = await openTools({ 'AGENTS.md': '# Rules\n' });
  const exact = (await host.workspace.whenReady()).report!;
  const { expanded } = exact.payloads;
  const budget = { ...expanded.budget, isExact: false };
  return { exact, estimate: { ...exact, payloads: { ...exact.payloads, expanded: { ...expanded, budget } } } };
}

/** A host over a session of which nothing but this is known. */
function hostOver(now: ContextReport | undefined, whenReady: () => Promise<{ report: ContextReport | undefined }>) {
  const cite = vi.fn(async () => 1);
  const workspace = { snapshot: { report: now }, whenReady, usage: { cite } } as unknown as Workspace;
  return { cite, host: workspaceToolHost(workspace, { logger: SILENT, recordsUsage: true }) };
}

describe('citing', () => {
  it('waits for exact numbers, and holds no answer up meanwhile', async () => {
    const { exact, estimate } = await reports();
    for (const now of [undefined, estimate]) {
      let ready: () => void = () => undefined;
      const { host, cite } = hostOver(now, () => new Promise((resolve) => (ready = () => resolve({ report: exact }))));
      await host.cite(['section:agents-md']);
      expect(cite).not.toHaveBeenCalled();
      ready();
      await until('it is cited', () => cite.mock.calls.length > 0);
      expect(cite).toHaveBeenCalledOnce();
      expect(cite.mock.calls[0]).toMatchObject([exact, [{ id: 'agents-md', what: 'section:agents-md' }], {}]);
    }
  });

  it('is done with the answer where the numbers are exact', async () => {
    const { exact } = await reports();
    const { host, cite } = hostOver(exact, () => Promise.reject(new Error('not asked')));
    await host.cite(['section:agents-md']);
    expect(cite).toHaveBeenCalledOnce();
  });

  it('records what is known when the folder cannot be counted, and nothing of one that was closed', async () => {
    const { estimate } = await reports();
    const failing = hostOver(estimate, () => Promise.reject(new Error('no index')));
    await failing.host.cite(['section:agents-md']);
    await until('it is cited', () => failing.cite.mock.calls.length > 0);
    const closed = hostOver(estimate, async () => ({ report: estimate }));
    await closed.host.cite(['section:agents-md']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed.cite).not.toHaveBeenCalled();
  });
});
