/** Tool calls of Codex: names, where arguments hold command lines and paths, and what outputs say of success. */

import type { JsonRecord } from '../text/jsonRecord';
import { namesOfCommand, pathsOfPatch } from './commandPaths';
import { asObject, listAt, numberAt, objectAt, parseObject, textAt, textOfContent } from './jsonFields';
import { handlesOfArguments, toolKinds } from './toolHandles';
import type { CallResult, CallStart } from './turnBuilder';
import type { WorkspacePaths } from './workspacePaths';

const kindOf = toolKinds({
  run: 'shell local_shell local_shell_call exec_command shell_command exec container.exec',
  edit: 'apply_patch',
  read: 'read_file view_image',
  search: 'list_dir grep_files',
});

const PATH_KEYS = ['file_path', 'path', 'dir_path'];
/** `["bash", "-lc", "cat a.ts"]`: the last word is the command line. */
const SHELL = /(?:^|[\\/])(?:bash|sh|zsh|pwsh|powershell|cmd)(?:\.exe)?$/i;

/** Where a call happened. */
interface CodexPlace {
  readonly paths: WorkspacePaths;
  readonly cwd: string | undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command line of `command`, `cmd` or an action: a string, or a list of words. */
export function commandOf(given: JsonRecord | undefined): string {
  for (const key of ['cmd', 'command']) {
    const text = textAt(given, key);
    if (text !== undefined) return text;
    const words = listAt(given, key).filter((word): word is string => typeof word === 'string');
    const [program = '', option = '', script] = words;
    if (script !== undefined && SHELL.test(program) && option.startsWith('-')) return script;
    if (words.length > 0) return words.map(quoted).join(' ');
  }
  return '';
}

/** Command lines and a patch in the JavaScript that the `exec` tool runs: `tools.exec_command({cmd: "…"})`. */
export function commandsOfCode(code: string): readonly string[] {
  const found = [...code.slice(0, 20_000).matchAll(/\bcmd"?\s*:\s*("(?:[^"\\\n]|\\.)*")/g)];
  return found.flatMap((match) => textAt(parseObject(`{"cmd":${match[1]}}`), 'cmd') ?? []);
}

/** A call's tool, with the server before it where a newer rollout has that apart. */
export function toolOf(item: JsonRecord | undefined): string | undefined {
  const name = textAt(item, 'name');
  const space = textAt(item, 'namespace') ?? '';
  return name === undefined || space === '' ? name : `${space}__${name}`;
}

export function runCall(name: string, given: JsonRecord | undefined, { paths, cwd }: CodexPlace): CallStart {
  const command = commandOf(given);
  const workFolder = textAt(given, 'workdir') ?? textAt(given, 'working_directory') ?? cwd;
  const patched = command.includes('*** Begin Patch') ? pathsOfPatch(command, paths, workFolder) : [];
  if (patched.length > 0) return { name, kind: 'edit', paths: patched, input: command };
  return { name, kind: 'run', ...namesOfCommand(command, paths, workFolder), input: command };
}

/** A call whose arguments are JSON in a string. */
export function functionCall(name: string, given: string, place: CodexPlace): CallStart {
  const kind = kindOf(name);
  const values = parseObject(given) ?? {};
  if (kind === 'run') return runCall(name, values, place);
  if (kind === 'edit') return freeCall(name, textAt(values, 'input') ?? textAt(values, 'patch') ?? given, place);
  if (kind === 'context') return { name, kind, handles: handlesOfArguments(values), input: given };
  const named = kind === 'other' ? [] : PATH_KEYS.flatMap((key) => textAt(values, key) ?? []);
  const input = kind === 'read' ? '' : (textAt(values, 'pattern') ?? given);
  return { name, kind, paths: named.flatMap((path) => place.paths.relative(path, place.cwd) ?? []), input };
}

/** A call whose input is free text: a patch, or code. */
export function freeCall(name: string, input: string, place: CodexPlace): CallStart {
  const kind = kindOf(name);
  const { paths, cwd } = place;
  const patched = pathsOfPatch(input, paths, cwd);
  if (kind === 'edit' || patched.length > 0) return { name, kind: 'edit', paths: patched, input };
  if (kind !== 'run') return { name, kind, input };
  const commands = commandsOfCode(input);
  const named = commands.map((command) => namesOfCommand(command, paths, cwd));
  return {
    name,
    kind,
    paths: named.flatMap((each) => each.paths),
    handles: named.flatMap((each) => each.handles),
    input: commands.length > 0 ? commands.join('\n') : input,
  };
}

/** What a call's output says: text, JSON with an exit code, an object, a list of parts. */
export function outputOf(value: unknown): CallResult {
  const object = asObject(value);
  if (object) {
    const text = textOfContent(object.content) || (textAt(object, 'output') ?? '');
    return { output: text, isError: object.success === false || hasFailed(text) };
  }
  const text = textOfContent(value);
  const wrapped = text.startsWith('{') ? parseObject(text) : undefined;
  const exitCode = numberAt(objectAt(wrapped, 'metadata'), 'exit_code');
  if (wrapped && exitCode !== undefined) return { output: textAt(wrapped, 'output') ?? '', isError: exitCode !== 0 };
  return { output: text, isError: hasFailed(text) };
}

/** Codex puts the exit code on a line of its own before the output. */
function hasFailed(text: string): boolean {
  const head = text.slice(0, 400).split('\n', 8);
  const end = head.findIndex((line) => /^(?:Total output lines|Output):/.test(line));
  const lines = end < 0 ? head : head.slice(0, end);
  if (lines[0]?.startsWith('Script failed')) return true;
  return lines.some((line) => /^(?:Exit code:|Process exited with code) (?!0\s*$)-?\d+\s*$/.test(line));
}
