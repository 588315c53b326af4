import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readJob } from '../../../../../src/node/transcripts/sessions/sessionsThread';
import { createEngines } from '../../../../support/cliWorld';
import { RecordingLogger } from '../../../../support/recordingLogger';
import { tempFolder } from '../../../../support/tempFolder';

/** In the form of a key that a forge gives out, made here so that none stands in the repository. */
const KEY = `ghp_${Array.from({ length: 36 }, (_, at) => 'aZ3kQ9xB7mL2'[(at * 5 + (at >> 2)) % 12]).join('')}`;

let root: string;
let home: string;

beforeEach(async () => {
  [root, home] = await Promise.all([tempFolder(), tempFolder()]);
  const sample = await readFile('test/fixtures/sessions/claude-code/big-output.jsonl', 'utf8');
  const text = sample
    .replaceAll('/home/u/proj', root)
    .replace('"content": "task big"}, "uuid"', `"content": "use ${KEY}"}, "uuid"`);
  expect(text).toContain(KEY);
  await mkdir(path.join(home, '.claude/projects/x'), { recursive: true });
  await writeFile(path.join(home, '.claude/projects/x/s.jsonl'), text);
});

function read(id?: string, since = 0) {
  const env = { HOME: home, CONTEXT_BUDGET_CACHE_DIR: path.join(home, 'cache') };
  const job = { productRoot: '/nowhere', opened: root, env, agents: ['claude-code'], since, id } as const;
  return readJob(job, new RecordingLogger(), createEngines);
}

it('lists the sessions of the folder without secrets, and the page of the one that is wanted', async () => {
  const { sessions, page, problems } = await read();
  expect(problems).toEqual([]);
  expect(sessions).toMatchObject([
    { agent: 'claude-code', title: 'use [masked: GitHub token]', turns: 1, requests: 2 },
  ]);
  expect(page).toBeUndefined();
  const again = await read(sessions[0]?.id);
  expect(again.page).toMatchObject({ ...sessions[0], unit: 'request' });
  expect(again.page?.steps).toHaveLength(2);
  expect(JSON.stringify(again)).not.toContain(KEY);
});

it('has no page for a session that is gone, and no session that is older than wanted', async () => {
  expect((await read('claude-code:gone')).page).toBeUndefined();
  expect((await read(undefined, Date.now() + 60_000)).sessions).toEqual([]);
});
