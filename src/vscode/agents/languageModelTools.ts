/**
 * The tools of the catalogue as the editor's language model tools: which folder a call is about, whose tokens its budget
 * is counted in, what is asked before, and what becomes of its errors. What a tool answers is `core/tools`.
 */
import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import { isRecord } from '../../core/text/jsonRecord';
import { formatCount } from '../../core/text/numbers';
import { ellipsize, toOneLine } from '../../core/text/sentence';
import { profileInForce } from '../../core/tools/fitAnswer';
import { runTool } from '../../core/tools/runTool';
import type { ToolHost } from '../../core/tools/tool';
import { ToolError } from '../../core/tools/tool';
import { CONTEXT_TOOLS } from '../../core/tools/toolCatalog';
import { workspaceToolHost } from '../../core/tools/toolHost';
import { DisposableStore } from '../base/disposables';
import { editorToolName } from '../base/ids';
import { listed } from '../base/language';
import { isUsageRecorded } from '../copy/usageRecorder';
import type { FolderWorkspace, WorkspaceRegistry } from '../workspace/workspaceRegistry';
import { folderLine, pickFolder, splitFolder } from './toolFolders';

/** Handles that a question names. */
const MAX_NAMED = 10;

/** UTF-16 code units of a handle or query that are shown. */
const MAX_SHOWN_CHARS = 80;

function shown(text: string): string {
  return ellipsize(toOneLine(text), MAX_SHOWN_CHARS);
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
        ? vscode.l10n.t('Building the repo map')
        : vscode.l10n.t('Building the repo map for {0}', query);
    case 'context_search':
      return vscode.l10n.t('Looking for {0}', query ?? '…');
    default:
      return vscode.l10n.t('Counting the context');
  }
}

/**
 * What the chat shows of a call, and what it asks before. Nothing is asked where the folder is trusted: the tools only
 * read, no further than the folder, with secrets masked, as the editor's own tools for reading files do. In Restricted
 * Mode `context_detail` asks: whole texts of an unknown author would reach the agent, and may instruct it.
 */
export function preparedCall(name: string, input: unknown, isTrusted: boolean): vscode.PreparedToolInvocation {
  const invocationMessage = progressMessage(name, input);
  if (name !== 'context_detail' || isTrusted) return { invocationMessage };
  const handles = handlesOf(input);
  const named = listed(handles.slice(0, MAX_NAMED));
  const more = handles.length - MAX_NAMED;
  const list = more > 0 ? vscode.l10n.t('{0} and {1} more', named, formatCount(more)) : named;
  const title = vscode.l10n.t('Give the agent text from a folder that is not trusted?');
  const question = vscode.l10n.t('{0}. The agent may treat text from there as instructions.', list);
  // As text: a handle is the agent's own words, and must not become a link.
  const message = new vscode.MarkdownString().appendText(question);
  return { invocationMessage, confirmationMessages: { title, message } };
}

type Invocation = vscode.LanguageModelToolInvocationOptions<object>;

/** Registers every tool; nothing where the editor, an older fork of VS Code, knows no such tools. */
export function registerLanguageModelTools(registry: WorkspaceRegistry, logger: Logger): vscode.Disposable {
  const store = new DisposableStore();
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  if (typeof lm?.registerTool !== 'function') return store;
  for (const { name } of CONTEXT_TOOLS)
    store.add(lm.registerTool(editorToolName(name), new EditorTool(name, registry, logger)));
  return store;
}

/** One tool of the catalogue. */
class EditorTool implements vscode.LanguageModelTool<object> {
  constructor(
    private readonly name: string,
    private readonly registry: WorkspaceRegistry,
    private readonly logger: Logger,
  ) {}

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<object>) {
    return preparedCall(this.name, input, vscode.workspace.isTrusted);
  }

  async invoke(options: Invocation, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    try {
      const text = await this.#answer(options, token);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } catch (error) {
      if (error instanceof vscode.CancellationError) throw error;
      throw this.#told(error);
    }
  }

  async #answer({ input: given, tokenizationOptions }: Invocation, token: vscode.CancellationToken): Promise<string> {
    const { folderName, input } = splitFolder(given);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder = pickFolder(folders, this.registry.activeFolder, folderName);
    const opened = await this.registry.open(folder);
    opened.flush();
    const head = folderLine(folders, folder);
    const host = await this.#host(opened, head, tokenizationOptions, token);
    const budgetTokens = tokenizationOptions?.tokenBudget;
    const answer = await runTool(this.name, input, host, { budgetTokens, signal: signalOf(token) });
    if (answer === undefined) throw new vscode.CancellationError();
    return head + answer;
  }

  /** Tools over the folder, whose every count is one of the text as the model gets it: below `head`. */
  async #host(
    { folder, workspace }: FolderWorkspace,
    head: string,
    options: vscode.LanguageModelToolTokenizationOptions | undefined,
    token: vscode.CancellationToken,
  ): Promise<ToolHost> {
    const count = options
      ? (texts: readonly string[]) => Promise.all(texts.map((text) => options.countTokens(text, token)))
      : (texts: readonly string[]) => workspace.countTokens(texts);
    const countTokens = async (texts: readonly string[]): Promise<readonly number[]> => {
      const { hardCapChars } = profileInForce(workspace);
      const whole = texts.map((text) => head + text);
      const counts = await count(whole);
      return counts.map((tokens, at) => ((whole[at]?.length ?? 0) > hardCapChars ? Number.POSITIVE_INFINITY : tokens));
    };
    return workspaceToolHost(workspace, {
      logger: this.logger,
      countTokens,
      recordsUsage: await isUsageRecorded(folder),
    });
  }

  /** What the model reads: white-listed words; the log has the cause. */
  #told(error: unknown): Error {
    if (ToolError.is(error)) {
      if (error.cause !== undefined) this.logger.error(`${this.name}: ${error.message}`, error.cause);
      return new Error(error.message);
    }
    this.logger.error(`${this.name} failed`, error);
    return new Error('The folder could not be opened; the log of Context Budget says why.');
  }
}

/** The one place where tokens of the editor become signals: they come in with calls of tools only. */
function signalOf(token: vscode.CancellationToken): AbortSignal {
  const call = new AbortController();
  if (token.isCancellationRequested) call.abort();
  else token.onCancellationRequested(() => call.abort());
  return call.signal;
}
