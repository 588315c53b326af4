import * as vscode from 'vscode';
import { isRecord } from '../../core/text/jsonRecord';
import { toOneLine } from '../../core/text/sentence';
import { formatCount } from '../base/format';
import { listed } from '../base/language';

/** Handles that a question names. */
const MAX_NAMED = 10;

/** UTF-16 code units of a handle or query that are shown. */
const MAX_SHOWN_CHARS = 80;

function shown(text: string): string {
  const line = toOneLine(text);
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS - 1)}…` : line;
}

function handlesOf(input: unknown): readonly string[] {
  const handles = isRecord(input) ? input.handles : undefined;
  return Array.isArray(handles) ? handles.filter((each) => typeof each === 'string').map(shown) : [];
}

function queryOf(input: unknown): string | undefined {
  const query = isRecord(input) ? input.query : undefined;
  return typeof query === 'string' && query.trim() !== '' ? shown(query) : undefined;
}

function progressMessage(name: string, input: unknown): string {
  const query = queryOf(input);
  switch (name) {
    case 'context_index':
      return query === undefined ? vscode.l10n.t('Listing the context') : vscode.l10n.t('Looking for {0}', query);
    case 'context_timeline':
      return vscode.l10n.t('Reading the timeline');
    case 'context_detail': {
      const handles = handlesOf(input);
      const [first] = handles;
      if (first !== undefined && handles.length === 1) return vscode.l10n.t('Reading {0}', first);
      return vscode.l10n.t('Reading {0} details', formatCount(handles.length));
    }
    case 'repo_map':
      return query === undefined
        ? vscode.l10n.t('Making the repo map')
        : vscode.l10n.t('Making the repo map for {0}', query);
    case 'context_search':
      return vscode.l10n.t('Looking for {0}', query ?? '…');
    default:
      return vscode.l10n.t('Counting the context');
  }
}

/**
 * What the chat shows of a call, and what it asks before. Nothing is asked where the folder is trusted: the tools only
 * read, no further than the folder, with secrets masked, as the editor's own tools for reading files do. In Restricted
 * Mode `context_detail` asks: whole texts that nobody vouches for would get to the agent, and may tell it what to do.
 */
export function preparedCall(name: string, input: unknown, isTrusted: boolean): vscode.PreparedToolInvocation {
  const invocationMessage = progressMessage(name, input);
  if (name !== 'context_detail' || isTrusted) return { invocationMessage };
  const handles = handlesOf(input);
  const named = listed(handles.slice(0, MAX_NAMED));
  const more = handles.length - MAX_NAMED;
  const list = more > 0 ? vscode.l10n.t('{0} and {1} more', named, formatCount(more)) : named;
  const title = vscode.l10n.t('Give the agent texts of a folder that is not trusted?');
  const question = vscode.l10n.t('{0}. The agent may take what it reads there for instructions.', list);
  // As text: a handle is the agent's own words, and must not become a link.
  const message = new vscode.MarkdownString().appendText(question);
  return { invocationMessage, confirmationMessages: { title, message } };
}
