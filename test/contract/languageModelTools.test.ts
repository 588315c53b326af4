/**
 * What the manifest says of tools and skill is what the product has. `UPDATE_GOLDEN=1` writes the tools of the catalogue
 * into package.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SKILL_FILE, SKILL_TARGETS } from '../../src/core/setup/skillTarget';
import { CONTEXT_TOOLS } from '../../src/core/tools/toolCatalog';
import { MCP_PROVIDER } from '../../src/vscode/base/ids';
import { exactTokenizer } from '../support/exactTokenizer';
import { toolContributions } from './toolContributions';

const root = path.resolve(import.meta.dirname, '../..');
const file = path.join(root, 'package.json');

interface ToolContribution {
  readonly name: string;
  readonly toolReferenceName: string;
  readonly modelDescription: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

interface Manifest {
  readonly contributes: {
    languageModelTools: readonly ToolContribution[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly chatSkills: readonly { readonly path: string }[];
  };
}

const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
if (process.env.UPDATE_GOLDEN) {
  manifest.contributes.languageModelTools = toolContributions() as readonly ToolContribution[];
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
const { languageModelTools: tools, mcpServerDefinitionProviders, chatSkills } = manifest.contributes;
const { count: countTokens } = exactTokenizer('o200k_base');

describe('language model tools', () => {
  it('are in the manifest as the catalogue has them', () => {
    expect(tools).toEqual(toolContributions());
    expect(tools).toHaveLength(CONTEXT_TOOLS.length);
  });

  it('have names and references that VS Code takes, each once', () => {
    const names = tools.flatMap(({ name, toolReferenceName }) => [name, toolReferenceName]);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^(?!copilot_|vscode_)[\w-]+$/);
  });

  it('cost a model at most 650 tokens', () => {
    // What the editor hands on: name, description and schema of the arguments, which has the folder besides.
    const given = tools.map(({ name, modelDescription, inputSchema }) => ({
      name,
      description: modelDescription,
      inputSchema,
    }));
    expect(countTokens(JSON.stringify(given))).toBeLessThanOrEqual(650);
  });
});

describe('MCP provider', () => {
  it('has the id that is registered', () => {
    expect(mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([MCP_PROVIDER]);
  });
});

describe('agent skill', () => {
  const skill = readFileSync(path.join(root, SKILL_FILE), 'utf8');
  const name = path.basename(path.dirname(SKILL_FILE));

  it('is contributed, shipped, and named as its folder everywhere', () => {
    expect(chatSkills.map((each) => path.normalize(each.path))).toEqual([SKILL_FILE]);
    expect(readFileSync(path.join(root, '.vscodeignore'), 'utf8').split('\n')).toContain(`!${SKILL_FILE}`);
    expect(skill).toMatch(new RegExp(`^---\nname: ${name}\ndescription: [^\n]{1,1024}\n---\n`));
    for (const target of SKILL_TARGETS) expect(target.path.endsWith(`/${name}/SKILL.md`), target.path).toBe(true);
  });

  it('costs at most 400 tokens', () => {
    expect(countTokens(skill)).toBeLessThanOrEqual(400);
  });

  it('names tools that there are, and uses each but the budget', () => {
    const named = new Set([...skill.matchAll(/`((?:context|repo)_\w+)`/g)].map(([, tool]) => tool));
    const wanted = CONTEXT_TOOLS.map((tool) => tool.name).filter((each) => each !== 'context_budget');
    expect([...named].sort()).toEqual(wanted.sort());
  });
});
