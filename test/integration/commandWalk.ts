import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { EXTENSION_ID, extensionApi, until } from './support';

/** What became of a command that somebody ran. */
export interface Outcome {
  /** Messages that it showed, errors and questions alike. */
  readonly told: readonly string[];
  readonly clipboard: string;
  /** Names of the tabs that have opened since: an editor may come a moment later. */
  readonly opened: () => readonly string[];
  /** What the status bar item says. */
  readonly note: string;
}

/** The methods of `window` that ask or tell; each is answered with nothing, as by somebody who presses Escape. */
const ASKING = [
  'showErrorMessage',
  'showWarningMessage',
  'showInformationMessage',
  'showQuickPick',
  'showInputBox',
  'showOpenDialog',
] as const;

/** The boxes that are filled while they are open; they close as soon as they show. */
const BOXES = ['createQuickPick', 'createInputBox'] as const;

/** Ids of all commands that the manifest contributes. */
export function manifestCommands(): readonly string[] {
  const manifest: unknown = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON;
  const { contributes } = manifest as { contributes: { commands: readonly { command: string }[] } };
  return contributes.commands.map(({ command }) => command);
}

/** Of these, the ones that VS Code greys out where no folder is open. */
export function commandsThatNeedAFolder(): ReadonlySet<string> {
  const manifest: unknown = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON;
  const { contributes } = manifest as {
    contributes: { commands: readonly { command: string; enablement?: string }[] };
  };
  const needing = contributes.commands.filter(({ enablement }) => enablement?.includes('workspaceFolderCount > 0'));
  return new Set(needing.map(({ command }) => command));
}

/** Runs a command to its end and tells what it did; whatever it asks is declined. */
export async function outcomeOf(command: string, argument: unknown): Promise<Outcome> {
  const told: string[] = [];
  const originals = Object.fromEntries([...ASKING, ...BOXES].map((name) => [name, vscode.window[name]]));
  const decline = (first: unknown, second: unknown): Promise<undefined> => {
    told.push(typeof first === 'string' ? first : titleOf(second) || titleOf(first));
    return Promise.resolve(undefined);
  };
  const tabs = (): readonly string[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
  const before = new Set(tabs());
  await vscode.env.clipboard.writeText('');
  Object.assign(vscode.window, Object.fromEntries(ASKING.map((name) => [name, decline])));
  for (const name of BOXES) {
    const create = vscode.window[name].bind(vscode.window);
    Object.assign(vscode.window, { [name]: () => closingAtOnce(create(), told) });
  }
  try {
    await vscode.commands.executeCommand(command, argument);
  } finally {
    Object.assign(vscode.window, originals);
  }
  const opened = (): readonly string[] => tabs().filter((label) => !before.has(label));
  const note = (await extensionApi()).statusBar().text;
  return { told, clipboard: await vscode.env.clipboard.readText(), opened, note };
}

function closingAtOnce(box: vscode.QuickInput, told: string[]): vscode.QuickInput {
  const show = box.show.bind(box);
  return Object.assign(box, {
    show: () => {
      told.push(box.title ?? '');
      show();
      box.hide();
    },
  });
}

function titleOf(options: unknown): string {
  return typeof options === 'object' && options !== null && 'title' in options ? String(options.title) : '';
}

/** What a command is given, and what it must have done; each field that is there is looked at. */
export interface Expected {
  readonly given?: () => unknown;
  readonly told?: RegExp;
  readonly clipboard?: RegExp;
  readonly opened?: RegExp;
  readonly note?: RegExp;
  readonly check?: () => boolean | undefined | Promise<boolean | undefined>;
}

/**
 * Runs every command of the manifest, in the order of `walk`, and compares what it did with what is expected; a
 * command that is missing in `walk` fails, and so does one that tells what is not expected.
 */
export async function walkThrough(walk: Readonly<Record<string, Expected>>): Promise<void> {
  assert.deepEqual(Object.keys(walk).sort(), [...manifestCommands()].sort());
  for (const [command, { given, told, clipboard, opened, note, check }] of Object.entries(walk)) {
    assert.ok(told ?? clipboard ?? opened ?? note ?? check, `${command}: something is expected`);
    const outcome = await outcomeOf(command, given?.());
    const said = `${command}: ${JSON.stringify(outcome)}`;
    assert.match(outcome.told.join('\n'), told ?? /^$/, said);
    assert.match(outcome.clipboard, clipboard ?? /^$/, said);
    if (opened) await until(`${said} opens ${opened}`, () => outcome.opened().some((label) => opened.test(label)));
    if (note) assert.match(outcome.note, note, said);
    if (check) await until(said, check);
  }
}
