import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../../tools/ensureBuilt.mjs';
import { ServedWorld } from './server';

let world: ServedWorld;
let client: Client;

beforeAll(async () => {
  ensureBuilt();
  world = new ServedWorld();
  writeClosed();
  client = await world.connect();
});
afterAll(async () => {
  await client.close();
  world.remove();
});

/** Ways out of a folder. `TARGET` is a file beside it that there is, or in the second round one that there is not. */
const ESCAPES: readonly (readonly [what: string, path: string])[] = [
  ['absolute', '/etc/TARGET'],
  ['absolute, the real place of the file', 'OUTSIDE/TARGET'],
  ['two slashes', '//etc/TARGET'],
  ['three slashes', '///etc/TARGET'],
  ['parent', '../outside/TARGET'],
  ['parent from a folder', 'src/../../outside/TARGET'],
  ['parent behind a dot', './../outside/TARGET'],
  ['parent behind a file', 'AGENTS.md/../../outside/TARGET'],
  ['parent many times', `${'../'.repeat(60)}etc/TARGET`],
  ['parent at the end', 'src/..'],
  ['the folder above', '..'],
  ['the folder itself', '.'],
  ['backslashes', '..\\outside\\TARGET'],
  ['backslashes from a folder', 'src\\..\\..\\outside\\TARGET'],
  ['mixed slashes', '..\\../outside/TARGET'],
  ['a drive', 'C:\\outside\\TARGET'],
  ['a drive with slashes', 'C:/outside/TARGET'],
  ["a drive's own folder", 'c:TARGET'],
  ['UNC', '\\\\server\\share\\TARGET'],
  ['UNC with slashes', '//server/share/TARGET'],
  ['a verbatim path', '\\\\?\\C:\\TARGET'],
  ['a device path', '\\\\.\\pipe\\TARGET'],
  ['a device name', 'NUL'],
  ['home', '~/TARGET'],
  ["somebody's home", '~root/TARGET'],
  ['a variable', '$HOME/TARGET'],
  ['a URL', 'file:///etc/TARGET'],
  ['percent dots', '%2e%2e/outside/TARGET'],
  ['percent all', '%2e%2e%2foutside%2fTARGET'],
  ['percent slash', '..%2foutside%2fTARGET'],
  ['percent twice', '%252e%252e%252foutside%252fTARGET'],
  ['percent backslash', '..%5coutside%5cTARGET'],
  ['overlong, as bytes', '..%c0%afoutside/TARGET'],
  ['overlong, as characters', '\u00c0\u00ae\u00c0\u00ae/outside/TARGET'],
  ['one dot leaders', '\u2024\u2024/outside/TARGET'],
  ['two dot leader', '\u2025/outside/TARGET'],
  ['full-width dots', '\uff0e\uff0e/outside/TARGET'],
  ['full-width slash', '..\uff0foutside\uff0fTARGET'],
  ['division slash', '..\u2215outside\u2215TARGET'],
  ['fraction slash', '..\u2044outside\u2044TARGET'],
  ['zero width in the dots', '.\u200b./outside/TARGET'],
  ['right to left', '\u202e../outside/TARGET'],
  ['NUL behind', '../outside/TARGET\0.md'],
  ['NUL in front', '\0../outside/TARGET'],
  ['NUL inside of a name that there is', 'AGENTS.md\0/../../outside/TARGET'],
  ['a line end', '\n/etc/TARGET'],
  ['a carriage return', '\r../outside/TARGET'],
  ['a space behind the dots', '.. /outside/TARGET'],
  ['a semicolon behind the dots', '..;/outside/TARGET'],
  ['four dots', '....//outside/TARGET'],
  ['a link to a folder outside', 'link/TARGET'],
  ['a link to a file outside', 'link.txt'],
  ['a link to nothing outside', 'dangling.txt'],
  ['a link behind parents', 'src/../link/TARGET'],
  ['a link to itself', 'loop/TARGET'],
  ['a link in capitals', 'LINK.TXT'],
  ['a folder link in capitals', 'Link/TARGET'],
  ['the process', '/proc/self/cwd/../outside/TARGET'],
  ['a descriptor', '/dev/stdin'],
  ['a glob', '../outside/*'],
  ['lines of it', '../outside/TARGET#L1-L9'],
  ['a path that is too long', `../${'a/'.repeat(3000)}TARGET`],
];

/** Files of the folder itself that its listing does not show. `secret.txt` is written, `none.txt` is not. */
const CLOSED: readonly (readonly [what: string, path: string])[] = [
  ['an ignored file', 'closed/TARGET'],
  ['an ignored file, by its ending', 'src/TARGET.env'],
  ['an ignored file, written otherwise', './src//TARGET.env'],
  ['a file of an ignored folder that a rule brings back', 'closed/back/TARGET'],
  ['a file that an inner ignore file leaves out', 'inner/TARGET'],
  ['a file that git alone ignores', 'excluded/TARGET'],
  ['an installed package', 'node_modules/p/TARGET'],
  ["git's folder", '.git/TARGET'],
  ["git's objects", '.git/objects/TARGET'],
  ["a submodule's git folder", 'inner/.git/TARGET'],
  ['a git folder in memory', 'memory/.git/TARGET'],
  ['git in capitals', '.GIT/TARGET'],
  ['git with a dot', '.git./TARGET'],
  ['git with a blank', '.git /TARGET'],
  ['git as a stream', '.git::$INDEX_ALLOCATION/TARGET'],
  ["git's short name", 'GIT~1/TARGET'],
  ['git with a character nobody sees', '.g\u200cit/TARGET'],
  ['an ignored file in capitals', 'src/TARGET.ENV'],
  ['a link to an ignored file', 'TARGET.ignored-link'],
  ['a link to a file of git', 'TARGET.git-link'],
  ['a memory file that is a link to an ignored file', 'memory/TARGET.md'],
  ['a folder link to an ignored folder', 'folder-link/TARGET'],
  ["a folder link to git's", 'git-link/TARGET'],
  ['lines of an ignored file', 'closed/TARGET#L1-L9'],
];

function writeClosed(): void {
  const ignored = 'closed/*\n!closed/back/\n*.env\n*.ENV\nnode_modules/\nmemory/\n';
  world.write('.gitignore', `${ignored}closed/back/*\n`);
  world.write('inner/.gitignore', 'secret.txt\nnone.txt\n');
  world.write('.git/info/exclude', 'excluded/\n');
  world.write('src/secret.txt.env', 'CLOSED\n');
  world.write('src/secret.txt.ENV', 'CLOSED\n');
  for (const [, place] of CLOSED) {
    if (/^[^#]*\/TARGET$/.test(place) && !place.includes('link'))
      world.write(place.replace('TARGET', 'secret.txt'), 'CLOSED\n');
  }
  world.link('secret.txt.ignored-link', 'closed/secret.txt');
  world.link('secret.txt.git-link', '.git/secret.txt');
  world.link('memory/secret.txt.md', '../closed/secret.txt');
  world.link('folder-link', 'closed');
  world.link('git-link', '.git');
}

/** What each escape is tried as. */
const WAYS: readonly ((path: string) => Promise<unknown>)[] = [
  (path) => client.callTool({ name: 'context_detail', arguments: { handles: [`file:${path}`] } }),
  (path) => client.callTool({ name: 'context_detail', arguments: { handles: [`sym:${path}:main`] } }),
  (path) => client.callTool({ name: 'context_detail', arguments: { handles: [`section:${path}`] } }),
  (path) => client.callTool({ name: 'context_detail', arguments: { handles: [path] } }),
  (path) => client.callTool({ name: 'context_detail', arguments: { handles: [`FILE:${path}`] } }),
  (path) => client.callTool({ name: 'repo_map', arguments: { focus: [path] } }),
  (path) => client.callTool({ name: 'context_index', arguments: { after: path } }),
  (path) => client.readResource({ uri: `context-budget://${path}` }),
  (path) => client.readResource({ uri: `context-budget://section/${path}` }),
  (path) => client.readResource({ uri: `file://${path}` }),
  (path) => client.getPrompt({ name: path }),
];

/** What a client reads of a refusal; throws when it was none. */
async function refusal(asking: Promise<unknown>): Promise<string> {
  let answer: unknown;
  try {
    answer = await asking;
  } catch (error) {
    return JSON.stringify([(error as { code?: number }).code, (error as Error).message]);
  }
  expect(answer).toMatchObject({ isError: true });
  return JSON.stringify(answer);
}

describe('a folder that is served', () => {
  it.each([...ESCAPES, ...CLOSED])('is not left, nor opened where it is closed, by %s', async (_what, place) => {
    const [there, notThere] = ['secret.txt', 'none.txt'].map((target) =>
      place.replace('TARGET', target).replace('OUTSIDE', world.outside),
    ) as [string, string];
    // What was asked for may be said again; nothing else is.
    const asked = (file: string) => JSON.stringify(file).slice(1, -1);
    const refusals = async (file: string) =>
      (await Promise.all(WAYS.map((way) => refusal(way(file))))).map((told) => told.replaceAll(asked(file), 'ASKED'));
    const [ofThere, ofNotThere] = [await refusals(there), await refusals(notThere)];
    for (const told of ofThere) {
      expect(told.length).toBeLessThan(500);
      expect(told).not.toContain(world.base);
      expect(told).not.toMatch(/\/etc|\/proc|\/dev|[A-Z]:\\|secret\.txt|OUTSIDE|CLOSED/);
    }
    // The same words whether there is such a file or not.
    expect(ofNotThere).toEqual(ofThere);
  });

  it('is tried in 40 ways and more', () => {
    expect(ESCAPES.length * WAYS.length).toBeGreaterThan(600);
    expect(new Set(ESCAPES.map(([, place]) => place)).size).toBe(ESCAPES.length);
    expect(ESCAPES.length).toBeGreaterThan(40);
  });

  it('still serves what is inside, and a way in that looks like one out', async () => {
    world.write('..inside/a..b.md', 'INSIDE\n');
    world.write('.github/workflow.md', 'INSIDE\n');
    world.write('memory/ignored.md', 'INSIDE\n');
    const inside = ['AGENTS.md', './AGENTS.md', 'src//parser.ts', '..inside/a..b.md', '.github/workflow.md'];
    for (const path of [...inside, 'memory/ignored.md']) {
      const answer = await client.callTool({ name: 'context_detail', arguments: { handles: [`file:${path}`] } });
      expect(answer.isError, path).toBeUndefined();
    }
  });

  it('lists nothing of what its links lead to', async () => {
    const index = JSON.stringify(await client.callTool({ name: 'context_index', arguments: {} }));
    const map = JSON.stringify(await client.callTool({ name: 'repo_map', arguments: { query: 'secret outside' } }));
    expect(index + map).not.toMatch(/OUTSIDE|CLOSED/);
  });
});
