import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { NEVER_CANCELLED } from '../../../src/core/ports/ports';
import type { ToolHost } from '../../../src/core/tools/tool';
import type { SessionSnapshot } from '../../../src/core/workspace/workspace';
import { ResourceNews } from '../../../src/mcp/resourceNews';
import { until } from '../../support/until.mjs';
import { openTools } from '../core/tools/toolWorld';
import { SILENT } from '../core/workspace/fakes';

const opened: ResourceNews[] = [];
afterEach(() => {
  for (const news of opened.splice(0)) news.dispose();
});

/** News of a folder with two sections of files; at most `most` subscriptions. */
async function openNews(most?: number) {
  const host = await openTools({ 'AGENTS.md': '# Rules\n', 'memory/SOUL.md': '# Soul\n' });
  const folder = {
    fresh: async () => host,
    look: async () => undefined,
    folders: new Set<string>(),
    onDidChange: (listener: (snapshot: SessionSnapshot) => void) => void host.session.onDidChange(listener),
  };
  const told: string[] = [];
  const sink = { resourceUpdated: (uri: string) => void told.push(uri), listChanged: () => undefined };
  const news = new ResourceNews(folder, host.folder, sink, SILENT, most);
  opened.push(news);
  const remove = async (path: string): Promise<void> => {
    await rm(join(host.folder, path));
    host.session.notify({ kind: 'files', changed: [], removed: [path] });
  };
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(host.folder, path, '..'), { recursive: true });
    await writeFile(join(host.folder, path), text);
    host.session.notify({ kind: 'files', changed: [path], removed: [] });
    await host.session.whenReady();
  };
  await host.session.whenReady();
  return {
    remove,
    write,
    told,
    subscribe: (name: string) => news.subscribe(`context-budget://${name}`, NEVER_CANCELLED),
    news,
  };
}

describe('ResourceNews', () => {
  it('takes subscriptions to what there is, again and again', async () => {
    const { subscribe, news } = await openNews();
    for (const name of ['index', 'report.json', 'section/soul', 'section/soul']) await subscribe(name);
    expect(news.subscriptions).toBe(3);
  });

  it('tells of a report whose caps alone are others', async () => {
    const config = (cap: number) => JSON.stringify({ version: 1, profiles: { default: { budget_tokens: cap } } });
    const { subscribe, write, told } = await openNews();
    await write('.context-budget/config.json', config(5000));
    for (const name of ['index', 'report', 'section/soul']) await subscribe(name);
    told.length = 0;
    await write('.context-budget/config.json', config(4000));
    expect([...new Set(told)].sort()).toEqual(['context-budget://index', 'context-budget://report']);
  });

  it('sees what changes while the section that was asked for is still being read', async () => {
    const host = await openTools({ 'AGENTS.md': '# Rules\n' });
    const snapshot = await host.session.whenReady();
    let read: () => void = () => undefined;
    const whenCollected = () => new Promise((resolve) => (read = () => resolve(snapshot)));
    let looks = 0;
    const folder = {
      fresh: async () => ({ session: { whenCollected } }) as unknown as ToolHost,
      look: async () => void looks++,
      folders: new Set(['']),
      onDidChange: () => undefined,
    };
    const sink = { resourceUpdated: () => undefined, listChanged: () => undefined };
    const news = new ResourceNews(folder, host.folder, sink, SILENT);
    opened.push(news);
    const subscribed = news.subscribe('context-budget://section/agents-md', NEVER_CANCELLED);
    await until('the first look', () => looks === 1);
    await writeFile(join(host.folder, 'AGENTS.md'), '# Others\n');
    await until('another look', () => looks > 1);
    read();
    await subscribed;
  });

  it('refuses a section that does not exist, and does not keep it', async () => {
    const { subscribe, news } = await openNews();
    const refused = { code: -32002, message: 'There is no such resource.' };
    await expect(subscribe('section/none')).rejects.toMatchObject(refused);
    await expect(subscribe('section/constructor')).rejects.toMatchObject(refused);
    expect(news.subscriptions).toBe(0);
  });

  it('keeps what was subscribed to when it is asked for again while its section is gone', async () => {
    const { subscribe, news, remove } = await openNews();
    await subscribe('section/soul');
    await remove('memory/SOUL.md');
    await expect(subscribe('section/soul')).rejects.toMatchObject({ code: -32002 });
    expect(news.subscriptions).toBe(1);
  });

  it('refuses more than it keeps, until one is given back', async () => {
    const { subscribe, news } = await openNews(2);
    await subscribe('section/soul');
    await subscribe('index');
    await subscribe('section/soul');
    await expect(subscribe('report')).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('2') });
    news.unsubscribe('context-budget://index');
    await subscribe('report');
    expect(news.subscriptions).toBe(2);
  });
});
