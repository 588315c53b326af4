/**
 * The tools of the catalogue as the editor's language model tools: which folder a call is about, whose tokens its budget
 * is counted in, what is asked before, and what becomes of its errors. What a tool answers is `core/tools`.
 */
import * as vscode from 'vscode';
import type { Logger } from '../../core/ports/ports';
import type { SecretScanner } from '../../core/secrets/secretScanner';
import { profileInForce } from '../../core/tools/fitAnswer';
import { maskTexts } from '../../core/tools/maskTexts';
import { runTool } from '../../core/tools/runTool';
import type { ToolHost } from '../../core/tools/tool';
import { CONTEXT_TOOLS } from '../../core/tools/toolCatalog';
import { ToolError } from '../../core/tools/toolError';
import { sessionToolHost } from '../../core/tools/toolHost';
import { DisposableStore } from '../base/disposables';
import { editorToolName } from '../base/ids';
import { isUsageRecorded } from '../copy/usageRecorder';
import type { FolderSession, SessionRegistry } from '../workspace/sessions';
import { folderLine, pickFolder, splitFolder } from './toolFolders';
import { preparedCall } from './toolWords';

type Invocation = vscode.LanguageModelToolInvocationOptions<object>;

/** Registers every tool; nothing where the editor, an older fork of VS Code, knows no such tools. */
export function registerLanguageModelTools(
  registry: SessionRegistry,
  scanner: SecretScanner,
  logger: Logger,
): vscode.Disposable {
  const store = new DisposableStore();
  const { lm } = vscode as { readonly lm?: Partial<typeof vscode.lm> };
  if (typeof lm?.registerTool !== 'function') return store;
  for (const { name } of CONTEXT_TOOLS)
    store.add(lm.registerTool(editorToolName(name), new EditorTool(name, registry, scanner, logger)));
  return store;
}

/** One tool of the catalogue. */
class EditorTool implements vscode.LanguageModelTool<object> {
  readonly #name: string;
  readonly #registry: SessionRegistry;
  readonly #scanner: SecretScanner;
  readonly #logger: Logger;

  constructor(name: string, registry: SessionRegistry, scanner: SecretScanner, logger: Logger) {
    this.#name = name;
    this.#registry = registry;
    this.#scanner = scanner;
    this.#logger = logger;
  }

  prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<object>) {
    return preparedCall(this.#name, input, vscode.workspace.isTrusted);
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
    const folder = pickFolder(folders, this.#registry.activeFolder, folderName);
    const opened = await this.#registry.open(folder);
    opened.flush();
    const head = folderLine(folders, folder);
    const host = await this.#host(opened, head, tokenizationOptions, token);
    const budgetTokens = tokenizationOptions?.tokenBudget;
    const call = { budgetTokens, forms: 'text', signal: signalOf(token) } as const;
    const answer = await runTool(this.#name, input, host, call);
    if (!answer) throw new vscode.CancellationError();
    return head + answer.text;
  }

  /** Tools over the folder, whose every count is one of the text as the model gets it: below `head`. */
  async #host(
    { folder, session }: FolderSession,
    head: string,
    options: vscode.LanguageModelToolTokenizationOptions | undefined,
    token: vscode.CancellationToken,
  ): Promise<ToolHost> {
    const count = options
      ? (texts: readonly string[]) => Promise.all(texts.map((text) => options.countTokens(text, token)))
      : (texts: readonly string[]) => session.countTokens(texts);
    const countTokens = async (texts: readonly string[]): Promise<readonly number[]> => {
      const { hardCapChars } = profileInForce(session);
      const whole = texts.map((text) => head + text);
      const counts = await count(whole);
      return counts.map((tokens, at) => ((whole[at]?.length ?? 0) > hardCapChars ? Number.POSITIVE_INFINITY : tokens));
    };
    return sessionToolHost(session, {
      logger: this.#logger,
      maskText: maskTexts(this.#scanner),
      countTokens,
      recordsUsage: await isUsageRecorded(folder),
    });
  }

  /** What the model reads: white-listed words; the log has the cause. */
  #told(error: unknown): Error {
    if (ToolError.is(error)) {
      if (error.cause !== undefined) this.#logger.error(`${this.#name}: ${error.message}`, error.cause);
      return new Error(error.message);
    }
    this.#logger.error(`${this.#name} failed`, error);
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
