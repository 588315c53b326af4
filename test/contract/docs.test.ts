/** Pages in docs/: the index lists each, links lead somewhere, and examples that are marked as runnable run. */
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse } from 'shell-quote';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { EXIT } from '../../src/cli/context';
import { CliWorld } from '../support/cliWorld';
import { tempFolder } from '../support/tempFolder';
// @ts-expect-error: a script without types
import { anchorsOf } from '../ui/extension/extensionPage.mjs';

const SAMPLE = 'test/fixtures/workspaces/sample';
/** A folder of examples, which may be anywhere. */
const EXAMPLE_FOLDER = '/opt/context-budget';

const pages = (await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);

/** A page without code, in which brackets are no links. */
async function prose(page: string): Promise<string> {
  return (await readFile(page, 'utf8')).replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
}

function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Commands of code blocks below a `<!-- run -->`. */
function runnable(text: string): readonly string[] {
  const blocks = [...text.matchAll(/<!-- run -->\n```bash\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, block = '']) => block.split('\n').filter((line) => line.trim() !== ''));
}

describe('docs/', () => {
  it('has an index that lists each page and file', async () => {
    const linked = linksOf(await prose('docs/README.md')).map((link) => `docs/${link.split('#')[0]}`);
    for (const page of pages) if (page !== 'docs/README.md') expect(linked).toContain(page);
    const texts = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n');
    for (const name of await readdir('docs')) if (!name.endsWith('.md')) expect(texts).toContain(`](${name})`);
  });

  it.each(pages)('%s leads to files and headings that exist', async (page) => {
    for (const link of linksOf(await prose(page))) {
      if (/^https:\/\//.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      const text = await readFile(target, 'utf8').catch(() => undefined);
      expect(text, `${page}: ${link}`).toBeDefined();
      if (anchor !== undefined) expect(anchorsOf(text), `${page}: ${link}`).toContain(anchor);
    }
  });

  it.each(pages)('%s has settings and workflows that can be read', async (page) => {
    const text = await readFile(page, 'utf8');
    for (const [, language = '', block = ''] of text.matchAll(/^```(jsonc?|ya?ml)\n([\s\S]*?)^```/gm)) {
      const errors: ParseError[] = [];
      if (language.startsWith('json')) expect(parseJson(block, errors), `${page}: ${block}`).toBeDefined();
      else expect(parseYaml(block), `${page}: ${block}`).not.toBeNull();
      expect(errors, `${page}: ${block}`).toEqual([]);
    }
  });

  it('has examples that run on the sample and print something', async () => {
    const commands = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).flatMap(runnable);
    expect(commands.length).toBeGreaterThanOrEqual(6);
    const [root, folder, home] = await Promise.all([tempFolder(), tempFolder(), tempFolder()]);
    await cp(SAMPLE, root, { recursive: true });
    const world = await CliWorld.create();
    for (const command of commands) {
      const words = parse(command).map((word) => String(word).replace(EXAMPLE_FOLDER, folder));
      const start = words.indexOf('context-budget');
      const env = Object.fromEntries(words.slice(0, start).map((word) => word.split('=') as [string, string]));
      const result = await world.run(words.slice(start + 1), { cwd: root, env: { HOME: home, ...env } });
      // The sample has a plug-in, which `check` says it has not measured.
      const codes: readonly number[] = words[start + 1] === 'check' ? [EXIT.done, EXIT.unmeasured] : [EXIT.done];
      expect(codes, `${command}\n${result.err}`).toContain(result.code);
      expect(result.out, command).not.toBe('');
    }
    // The example of prebuilds has filled it.
    expect(await readdir(folder)).not.toEqual([]);
  });
});
