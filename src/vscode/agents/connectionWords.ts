/** What *Connect an Agent…* says: what there is to connect, what it does and costs, and why a check failed. */
import * as vscode from 'vscode';
import type { Connection } from '../../core/setup/connections';
import { hookAgentName, hookForm } from '../../core/setup/hooks/hookTarget';
import { isFolderClient } from '../../core/setup/mcpConfig/mcpConfigText';
import type { CheckFailure } from './connectionCheck';

/** Tokens that each kind of connection costs, as the interface writes them. */
export interface Costs {
  /** Tokens of the map at a session's start. */
  readonly hooks: string;
  /** Tokens of the list of tools, in every request. */
  readonly mcp: string;
  /** Tokens of the skill's name and description in every session, and of the whole skill. */
  readonly skill: string;
  readonly skillInUse: string;
}

/** The file of the folder that a connection is written into; undefined for what is copied. */
export function fileOf(connection: Connection): string | undefined {
  if (connection.kind === 'hooks') return connection.target.path;
  if (connection.kind === 'skill') return connection.path;
  return isFolderClient(connection.client) ? connection.client.place : undefined;
}

export function placeOf(connection: Connection): string {
  if (connection.kind === 'mcp') return connection.client.place;
  return fileOf(connection) ?? vscode.l10n.t('clipboard');
}

export function kindWords(connection: Connection): string {
  if (connection.kind === 'mcp') return vscode.l10n.t('MCP server');
  if (connection.kind === 'skill') return vscode.l10n.t('Skill');
  return vscode.l10n.t('Hooks of {0}', hookAgentName(connection.target.agent));
}

/** What a connection does, and what it costs. */
export function detailOf(connection: Connection, costs: Costs): string {
  switch (connection.kind) {
    case 'hooks':
      return connection.target.scope === 'local'
        ? vscode.l10n.t(
            'Each session starts with changes, alarms and a map of at most {0} tokens. For this machine.',
            costs.hooks,
          )
        : vscode.l10n.t(
            'Each session starts with changes, alarms and a map of at most {0} tokens. Shared (commit to repo); needs the package context-budget.',
            costs.hooks,
          );
    case 'mcp':
      return fileOf(connection) === undefined
        ? vscode.l10n.t(
            'Tools for maps, sections and observations: {0} tokens per request. Copied for you to paste.',
            costs.mcp,
          )
        : vscode.l10n.t(
            'Tools for maps, sections and observations: {0} tokens per request. Contains paths of this machine.',
            costs.mcp,
          );
    case 'skill':
      return vscode.l10n.t(
        'Teaches the agent to ask for little first: {0} tokens per session, {1} when used.',
        costs.skill,
        costs.skillInUse,
      );
  }
}

/** That it was written. */
export function connectedWords(connection: Connection): string {
  const place = placeOf(connection);
  return connection.kind === 'skill'
    ? vscode.l10n.t('Skill installed: {0}', place)
    : vscode.l10n.t('Connected: {0}', place);
}

/** That a check found it working, after `done`. */
export function workingWords(
  connection: Connection,
  done: string,
  { tools, tokens }: { readonly tools: number; readonly tokens: string },
): string {
  if (connection.kind !== 'hooks')
    return vscode.l10n.t(
      '{0}; {1}',
      done,
      vscode.l10n.t('the server answers with {0} tools, {1} tokens', tools, tokens),
    );
  const { agent } = connection.target;
  const { trustCommand } = hookForm(agent);
  const place = placeOf(connection);
  return trustCommand === undefined
    ? vscode.l10n.t('Hooks work: {0} adds {1} tokens to a session', place, tokens)
    : vscode.l10n.t(
        'Hooks work: {0} adds {1} tokens to a session once you trust it in {2} ({3})',
        place,
        tokens,
        hookAgentName(agent),
        trustCommand,
      );
}

export function failureWords(why: CheckFailure): string {
  switch (why.kind) {
    case 'program':
      return vscode.l10n.t('{0} was not found on the PATH', why.name);
    case 'late':
      return vscode.l10n.t('no answer after {0} seconds', why.seconds);
    case 'answer':
      return why.said === '' ? vscode.l10n.t('no valid answer (exit code {0})', String(why.exitCode ?? '–')) : why.said;
  }
}
