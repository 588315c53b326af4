import path from 'node:path';
import { Option } from 'commander';
import { changeText } from '../../core/setup/hooks/changeText';
import type { HookProgram } from '../../core/setup/hooks/hookCommandLine';
import { HookError } from '../../core/setup/hooks/hookEvent';
import {
  HOOK_AGENT_NAMES,
  HOOK_FILES,
  HOOK_TARGETS,
  type HookScope,
  type HookTarget,
  hookAgentName,
  hookAgentNamed,
} from '../../core/setup/hooks/hookTarget';
import { installHooks, removeHooks } from '../../core/setup/hooks/installHooks';
import { plural } from '../../core/text/numbers';
import { WorkspaceFile, WorkspaceFileError } from '../../node/records/workspaceFile';
import { type CliCommand, type CliContext, CliError, EXIT, type ExitCode, mayChange, printResult } from '../context';
import { isTrusted, openWorkFolder, type WorkFolder } from '../workspace';

const IGNORE_FILE = '.gitignore';

interface HooksOptions {
  /** Names of agents. */
  readonly agent?: readonly string[];
  readonly local?: true;
  readonly shared?: true;
  readonly yes?: true;
}

/** A file, as it is and as it would be. */
interface FileChange {
  readonly target: HookTarget;
  readonly file: WorkspaceFile;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const INSTALL_HELP = `
Files, local to this machine or shared with the folder:
${HOOK_TARGETS.map(({ agent, scope, path: file }) => `  ${hookAgentName(agent).padEnd(23)} ${scope.padEnd(7)} ${file}`).join('\n')}

Local hooks call this program: keep their files out of version control. Shared hooks call the package that the folder
has installed, through npx: to install them, trust the folder first (--trust, or "context-budget trust"). Codex runs a hook
after you trust it there (/hooks); Gemini CLI and Copilot CLI run hooks in trusted folders.

Example:
  context-budget hooks install --agent claude-code
`;

/** `context-budget hooks`: puts our hooks into agents' settings, and takes them out again. */
export function addHooksCommand(program: CliCommand): void {
  const hooks = program
    .command('hooks')
    .summary("install or remove hooks in agents' settings")
    .description(
      'Hooks let an agent call this program. A session then starts with what "session_start" of the config asks for ' +
        '(changes, a small map, alarms), and the relay context survives a compaction.',
    )
    .addHelpText('after', '\nExample:\n  context-budget hooks install --agent claude-code --local\n');
  declare(hooks.command('install'))
    .summary("add hooks to agents' settings")
    .description('Shows the exact change and makes it after you confirm. Everything else in the files stays unchanged.')
    .addHelpText('after', INSTALL_HELP)
    .does(install);
  declare(hooks.command('remove'))
    .summary("remove hooks from agents' settings")
    .description('Shows the exact change and makes it after you confirm. Restores the files as they were before.')
    .addHelpText('after', '\nExample:\n  context-budget hooks remove --yes\n')
    .does(remove);
}

function declare(command: CliCommand): CliCommand {
  return command
    .addOption(new Option('--agent <agent...>', 'change only these agents').choices(HOOK_AGENT_NAMES))
    .option('--local', 'change files for this machine only (default of install)')
    .addOption(
      new Option('--shared', 'change files that are shared with the folder; install needs trust').conflicts('local'),
    )
    .option('--yes', 'make the change without asking');
}

function targetsOf(
  { agent: names = HOOK_AGENT_NAMES }: HooksOptions,
  scope: HookScope | undefined,
): readonly HookTarget[] {
  const all = scope === undefined ? HOOK_FILES : HOOK_TARGETS.filter((target) => scope === target.scope);
  const agents = names.map(hookAgentNamed);
  return all.filter((target) => agents.includes(target.agent));
}

async function install(context: CliContext, own: HooksOptions): Promise<ExitCode> {
  if (own.agent === undefined) {
    throw new CliError('usage', `Name the agents to install hooks for: --agent ${HOOK_AGENT_NAMES.join(' | ')}`);
  }
  const folder = await openWorkFolder(context);
  const scope = own.shared ? 'shared' : 'local';
  if (scope === 'shared' && !(await isTrusted(context, folder.realRoot))) {
    throw new CliError(
      'failed',
      'The folder is not trusted, and shared hooks run a program installed in it. ' +
        'Review it, then pass --trust or run "context-budget trust".',
    );
  }
  const program: HookProgram =
    scope === 'shared'
      ? { kind: 'package' }
      : { kind: 'file', path: path.join(context.product.root, 'dist', 'cli.js') };
  const edit = (before: string | undefined, target: HookTarget) => installHooks(before, target, program);
  const changes = await changesOf(folder, targetsOf(own, scope), edit);
  const code = await change(context, own, changes, { done: 'Installed', none: 'The hooks are already installed.' });
  if (scope === 'local') await tellIgnored(context, folder, changes);
  return code;
}

/** Says which of the written files git should leave out: their hooks hold a path of this machine. */
async function tellIgnored(
  { io }: CliContext,
  { realRoot }: WorkFolder,
  changes: readonly FileChange[],
): Promise<void> {
  const texts = await Promise.all(changes.map(({ file }) => file.read()));
  // What was not agreed to was not written.
  const written = changes.filter(({ after }, at) => texts[at] === after);
  const known =
    (await new WorkspaceFile(realRoot, IGNORE_FILE).read())?.split(/\r?\n/).map((line) => line.trim()) ?? [];
  const lines = written.map(({ target }) => target.path).filter((f) => !known.includes(f) && !known.includes(`/${f}`));
  if (lines.length === 0) return;
  io.stderr.write(`These hooks call this machine's files. If git does not ignore them, add to ${IGNORE_FILE}:\n`);
  io.stderr.write(lines.map((file) => `/${file}\n`).join(''));
}

async function remove(context: CliContext, own: HooksOptions): Promise<ExitCode> {
  const folder = await openWorkFolder(context);
  const scope = own.shared ? 'shared' : own.local ? 'local' : undefined;
  const edit = (before: string | undefined, target: HookTarget) =>
    before === undefined ? undefined : removeHooks(before, target);
  const changes: FileChange[] = [];
  let code: ExitCode = EXIT.done;
  // A file that cannot be edited keeps its hooks, and no other file does.
  for (const target of targetsOf(own, scope)) {
    try {
      changes.push(...(await changesOf(folder, [target], edit)));
    } catch (cause) {
      if (!HookError.is(cause) && !WorkspaceFileError.is(cause)) throw cause;
      context.io.stderr.write(`error: ${cause.message}\n`);
      code = EXIT.failed;
    }
  }
  const none = code === EXIT.done ? 'No hooks are installed.' : 'Nothing was removed.';
  return (await change(context, own, changes, { done: 'Removed', none })) || code;
}

async function changesOf(
  { realRoot }: WorkFolder,
  targets: readonly HookTarget[],
  edit: (before: string | undefined, target: HookTarget) => string | undefined,
): Promise<readonly FileChange[]> {
  const all: FileChange[] = [];
  for (const target of targets) {
    const file = new WorkspaceFile(realRoot, target.path);
    const before = await file.read();
    all.push({ target, file, before, after: edit(before, target) });
  }
  return all.filter(({ before, after }) => before !== after);
}

/** Shows the changes, asks unless told not to, and makes them; says what was done, or that there is none to make. */
async function change(
  context: CliContext,
  own: HooksOptions,
  changes: readonly FileChange[],
  { done, none }: { readonly done: string; readonly none: string },
): Promise<ExitCode> {
  const { io } = context;
  const shown = changes.map(({ target: { agent, path: file }, before, after }) => ({
    agent,
    path: file,
    change: changeText(file, before, after),
  }));
  printResult(context, { version: 'hooks.v1', files: shown }, shown.map((each) => each.change).join(''));
  await io.stdout.flush();
  if (changes.length === 0) {
    io.stderr.write(`${none}\n`);
    return EXIT.done;
  }
  const says = {
    cannotAsk: 'Nothing was changed: a confirmation needs a terminal. Pass --yes to make the change.',
    nothingDone: 'Nothing was changed.',
  };
  if (!(await mayChange(context, own, `Change ${plural(changes.length, 'file')}?`, says))) return EXIT.done;
  for (const each of changes) await make(each);
  io.stderr.write(`${done}: ${changes.map(({ target }) => target.path).join(', ')}\n`);
  return EXIT.done;
}

async function make({ target, file, before, after }: FileChange): Promise<void> {
  if ((await file.read()) !== before) {
    throw new CliError('failed', `${target.path} changed in the meantime and was not written. Run the command again.`);
  }
  if (after !== undefined) return file.write(after);
  await file.remove();
  // Those that were made for it; what is empty is no loss.
  await file.removeEmptyFolders();
}
