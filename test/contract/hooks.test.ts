import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'shell-quote';
import { beforeAll, describe, expect, it } from 'vitest';
import { hookCommandLine, LAUNCHER_NAME, launcherText } from '../../src/core/setup/hooks/hookCommandLine';
import type { HookEventName } from '../../src/core/setup/hooks/hookTarget';
import { CliWorld } from '../support/cliWorld';
import { tempFolder } from '../support/tempFolder';
// @ts-expect-error: a script without types
import { ensureBuilt } from '../tools/ensureBuilt.mjs';

const product = path.resolve(import.meta.dirname, '../..');
const cli = path.join(product, 'dist/cli.js');
const fixtures = path.join(product, 'test/fixtures/hooks');

// The built command line as processes, and the lines of the written settings in a real shell, as an agent runs them.
beforeAll(() => {
  ensureBuilt();
});

const PROJECT = {
  // The index payload alone, which the command line prints too.
  '.context-budget/config.json':
    '{"version": 1, "session_start": {"changes": false, "orientation_tokens": 0, "alarms": false, "instructions": false, "index": true}}\n',
  'AGENTS.md': '# Shop\n\n- Prices are cents.\n',
  'src/orders.ts':
    'export function total(prices: readonly number[]): number {\n  return prices.reduce((a, b) => a + b, 0);\n}\n',
  '.claude/settings.local.json':
    '{\n  // what this machine allows\n  "permissions": { "allow": ["Bash(npm test)"], },\n  "hooks": {\n    "PreCompact": [] // to come\n  },\n}\n',
  '.github/hooks/format.json': '{"hooks": {"PostToolUse": [{"type": "command", "command": "true"}]}}',
};

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** As both agents start a hook: the line in a shell, the event on stdin. */
function runLine(line: string, event: string, cwd: string, env: NodeJS.ProcessEnv): Ran {
  const { status, stdout, stderr } = spawnSync(line, { shell: true, cwd, env, input: event, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

async function userEnv(): Promise<NodeJS.ProcessEnv> {
  const user = await tempFolder();
  const { CLAUDE_PROJECT_DIR: _, COPILOT_PROJECT_DIR: __, ...env } = process.env;
  return {
    ...env,
    CONTEXT_BUDGET_CONFIG_DIR: path.join(user, 'config'),
    CONTEXT_BUDGET_CACHE_DIR: path.join(user, 'cache'),
  };
}

function recorded(name: string, changes: Readonly<Record<string, string>>): string {
  return JSON.stringify({ ...JSON.parse(readFileSync(path.join(fixtures, name), 'utf8')), ...changes });
}

function read(root: string, relative: string): string {
  return readFileSync(path.join(root, relative), 'utf8');
}

/** The command of an event, as the agent would find it in its file. */
function lineOf(root: string, file: string, event: HookEventName): string {
  const found = new RegExp(`"command": ("(?:[^"\\\\]|\\\\.)* hook ${event} [^"]*")`).exec(read(root, file))?.[1];
  if (found === undefined) throw new Error(`no line for ${event} in ${file}`);
  return JSON.parse(found);
}

describe('hooks in a project', () => {
  it('are installed, run by their own lines, and removed again leaving every file as it was', async () => {
    const root = await tempFolder(PROJECT);
    const env = await userEnv();
    const elsewhere = await tempFolder();
    const run = (...argv: readonly string[]) =>
      execFileSync(process.execPath, [cli, ...argv, '--root', root], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    run('hooks', 'install', '--agent', 'claude-code', 'vscode', 'codex', 'gemini-cli', '--yes');
    expect(read(root, '.claude/settings.local.json')).toContain('// to come');

    const claude = (event: HookEventName) => lineOf(root, '.claude/settings.local.json', event);
    const transcript = path.join(elsewhere, 'session.jsonl');
    const lines = readFileSync(path.join(fixtures, 'claude-code-transcript.jsonl'), 'utf8');
    writeFileSync(transcript, lines.replaceAll('{{cwd}}', root));
    const told = { cwd: root, transcript_path: transcript };
    const compaction = recorded('claude-code-preCompact.json', told);
    expect(runLine(claude('PreCompact'), compaction, root, env)).toEqual({ code: 0, out: '', err: '' });
    const resumed = recorded('claude-code-sessionStart-compact.json', told);
    const { out } = runLine(claude('SessionStart'), resumed, root, env);
    expect(out).toMatch(
      /^<relay>\nGoal: missing\n[\s\S]*Latest instruction: Make the totals right[\s\S]*<context-index>/,
    );
    // The agent may have changed its folder; the project's is told beside.
    const start = recorded('claude-code-sessionStart-startup.json', { cwd: path.join(root, 'src') });
    const started = runLine(claude('SessionStart'), start, elsewhere, { ...env, CLAUDE_PROJECT_DIR: root });
    expect(started).toMatchObject({ code: 0, err: '' });
    const index = run('payload');
    expect(started.out).toBe(index);

    const vscode = (event: HookEventName) => lineOf(root, '.github/hooks/context-budget.local.json', event);
    expect(runLine(vscode('PreCompact'), recorded('vscode-preCompact.json', { cwd: root }), root, env)).toMatchObject({
      code: 0,
      out: '',
    });
    const answered = runLine(vscode('SessionStart'), recorded('vscode-source-sessionStart.json', {}), root, env);
    expect(JSON.parse(answered.out).hookSpecificOutput).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: index,
    });

    // What the clients take: measured with each of them against a model server that kept what it got. Their lines are the same
    // but for the name of the agent: what these ask for is run in this process.
    const named = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: index } };
    const world = await CliWorld.create();
    const answerOf = async (file: string, name: string, more: NodeJS.ProcessEnv = {}): Promise<unknown> => {
      const [, script, ...argv] = parse(lineOf(root, file, 'SessionStart'));
      expect(script).toBe(cli);
      const input = recorded(name, { cwd: root });
      const { code, out } = await world.run(argv.map(String), { cwd: root, input, env: more });
      expect(code).toBe(0);
      return out === '' ? '' : JSON.parse(out);
    };
    expect(await answerOf('.codex/hooks.json', 'codex-sessionStart.json')).toEqual(named);
    expect(await answerOf('.gemini/settings.json', 'gemini-sessionStart.json', { GEMINI_PROJECT_DIR: root })).toEqual(
      named,
    );
    expect(await answerOf('.gemini/settings.json', 'gemini-sessionStart-resume.json')).toBe('');
    // Copilot CLI runs both files: one of them answers, in its own form.
    const copilot = { COPILOT_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root };
    const copilotStart = 'copilot-cli-sessionStart.json';
    expect(await answerOf('.claude/settings.local.json', copilotStart, copilot)).toBe('');
    expect(await answerOf('.github/hooks/context-budget.local.json', copilotStart, copilot)).toEqual({
      additionalContext: index,
    });

    run('hooks', 'remove', '--yes');
    for (const [name, text] of Object.entries(PROJECT)) expect(read(root, name)).toBe(text);
    for (const made of ['.github/hooks/context-budget.local.json', '.codex/hooks.json', '.gemini/settings.json']) {
      expect(() => read(root, made)).toThrow(/ENOENT/);
    }
  });

  it('run what the project has installed where they are shared', async () => {
    const root = await tempFolder({
      ...PROJECT,
      'package.json': '{"name": "shop", "private": true}\n',
      'node_modules/context-budget/package.json': '{"name": "context-budget", "version": "1.0.0", "bin": "cli.js"}\n',
      'node_modules/context-budget/cli.js': `#!/usr/bin/env node\nrequire(${JSON.stringify(cli)});\n`,
    });
    mkdirSync(path.join(root, 'node_modules/.bin'));
    symlinkSync('../context-budget/cli.js', path.join(root, 'node_modules/.bin/context-budget'));
    execFileSync('chmod', ['+x', path.join(root, 'node_modules/context-budget/cli.js')]);
    const env = await userEnv();
    const install = ['hooks', 'install', '--shared', '--trust', '--yes', '--agent', 'vscode', '--root', root];
    execFileSync(process.execPath, [cli, ...install], { env, stdio: 'ignore' });
    const line = lineOf(root, '.github/hooks/context-budget.json', 'SessionStart');
    const { code, out } = runLine(line, recorded('vscode-docs-sessionStart.json', { cwd: root }), root, env);
    expect(code).toBe(0);
    expect(JSON.parse(out).hookSpecificOutput.additionalContext).toContain('section:agents');
    // Where it is not installed the agent goes on: only exit code 2 would stop it.
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    const missing = runLine(line, '{}', root, env);
    expect(missing).toMatchObject({ out: '' });
    expect(missing.code).not.toBe(2);
  });

  it('say nothing and end well when stdin is no event', async () => {
    const root = await tempFolder(PROJECT);
    const line = hookCommandLine({ kind: 'file', path: cli }, 'SessionStart', 'claude-code');
    const { code, out, err } = runLine(line, 'PreCompact!', root, await userEnv());
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe('context-budget hook: stdin is not JSON: hooks are called by an agent.\n');
  });
});

describe('the launcher', () => {
  it('runs the extension under any path, after an update too, and lets the agent go on without it', async () => {
    const machine = await tempFolder();
    const extensions = path.join(machine, "Ana's $HOME `x` extensions");
    const place = (version: string) => path.join(extensions, `context-budget.context-budget-${version}`);
    const put = (version: string) => {
      mkdirSync(path.join(place(version), 'dist'), { recursive: true });
      const said = `process.stdout.write(${JSON.stringify(version)} + ' ' + process.argv.slice(2).join(' '));`;
      writeFileSync(path.join(place(version), 'dist/cli.js'), said);
    };
    put('0.9.0');
    const storage = path.join(machine, 'global "storage"');
    mkdirSync(storage);
    const launcher = path.join(storage, LAUNCHER_NAME);
    writeFileSync(launcher, launcherText(path.join(place('0.9.0'), 'dist/cli.js')));
    const line = hookCommandLine({ kind: 'file', path: launcher }, 'PreCompact', 'claude-code');
    const run = () => runLine(line, '{}', machine, process.env);
    expect(run()).toEqual({ code: 0, out: '0.9.0 hook PreCompact --agent claude-code', err: '' });

    renameSync(place('0.9.0'), place('0.10.0-linux-x64'));
    put('0.8.0');
    writeFileSync(path.join(place('0.10.0-linux-x64'), 'dist/cli.js'), "process.stdout.write('0.10.0');");
    expect(run()).toEqual({ code: 0, out: '0.10.0', err: '' });

    rmSync(extensions, { recursive: true });
    expect(run()).toMatchObject({ code: 0, out: '' });
    expect(run().err).toMatch(/not installed any more/);
  });
});
