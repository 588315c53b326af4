import * as vscode from 'vscode';
import { AGENT_TABLE } from '../../core/agents/agentTable';
import { hidePaths } from '../../core/text/hidePaths';
import { isRecord } from '../../core/text/jsonRecord';
import { COMMANDS, type CommandHandlers, SETTINGS_SECTION } from '../base/ids';
import type { EditorServices } from '../copy/editorServices';

/** Copies facts for a bug report, as Markdown in English. */
export function diagnosticsCommands({ clipboard, context, log, preferences, registry }: EditorServices) {
  return {
    /** Copies it; keys are masked like in every copy, and of paths only those of the open folders stay. */
    [COMMANDS.copyDiagnostics]: async () => {
      const manifest: unknown = context.extension.packageJSON;
      const { active } = registry;
      const tokenizer = active && preferences.of(active.folder).tokenizer;
      const agents = active?.workspace.snapshot.config.agents ?? [];
      const roots = [
        ...(vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ path: uri.fsPath, name })),
        { path: context.extensionUri.fsPath, name: '<extension>' },
      ];
      const text = [
        '## Context Budget',
        ...versions(manifest, tokenizer),
        ...agentTableDates(agents),
        '',
        '### Settings that differ from the default',
        ...changedSettings(manifest, active?.folder),
        '',
        '### Log',
        '```',
        hidePaths(log.tail().join('\n'), roots).replaceAll('```', "'''"),
        '```',
        '',
      ].join('\n');
      await clipboard.write({ text, sectionId: 'diagnostics', note: () => vscode.l10n.t('Copied diagnostics') });
    },
  } satisfies CommandHandlers;
}

/** A field of a JSON object within others. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

function versions(manifest: unknown, tokenizer: string | undefined): readonly string[] {
  // The web has no process; a host on a machine has its Node.
  const node = at(globalThis, 'process', 'versions', 'node') ?? 'none';
  const system = at(globalThis, 'process', 'platform') ?? 'web';
  const host = [vscode.env.appHost, vscode.env.remoteName, system].filter(Boolean).join(', ');
  const library = at(manifest, 'devDependencies', 'js-tiktoken') ?? at(manifest, 'dependencies', 'js-tiktoken');
  return [
    `- Extension: ${String(at(manifest, 'version'))}`,
    `- Editor: ${vscode.env.appName} ${vscode.version} (${host}), ${vscode.env.language}`,
    `- Node: ${String(node)}`,
    `- Tokenizer: ${tokenizer ?? 'none in use'} (js-tiktoken ${String(library)})`,
    `- Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'Restricted Mode'}, folders: ${vscode.workspace.workspaceFolders?.length ?? 0}`,
  ];
}

/** How old the rules of the agents in use are; of all agents where none is known. */
function agentTableDates(agents: readonly string[]): readonly string[] {
  const own = AGENT_TABLE.filter(({ agent }) => agents.includes(agent));
  const named = own.map(({ name, asOf }) => `${name}: ${asOf}`);
  const dates = named.length > 0 ? named : [...new Set(AGENT_TABLE.map(({ asOf }) => asOf))];
  return [`- Agent table: ${dates.join('; ')}`];
}

function changedSettings(manifest: unknown, folder: vscode.WorkspaceFolder | undefined): readonly string[] {
  const properties = at(manifest, 'contributes', 'configuration', 'properties');
  const settings = vscode.workspace.getConfiguration(undefined, folder);
  const changed = Object.keys(isRecord(properties) ? properties : {})
    .filter((name) => name.startsWith(`${SETTINGS_SECTION}.`))
    .flatMap((name) => {
      const value = JSON.stringify(settings.get<unknown>(name));
      return value === JSON.stringify(at(properties, name, 'default')) ? [] : [`- \`${name}\`: \`${value}\``];
    });
  return changed.length > 0 ? changed : ['- none'];
}
